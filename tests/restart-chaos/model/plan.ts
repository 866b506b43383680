/** The plan of a wave: everything the seed decides, written down before anything starts. */
import { z } from 'zod';
import { boundaryIds } from './boundary.ts';
import type { FaultKind, PlannedFault } from './fault.ts';
import type { TaskId } from './ids.ts';
import { isImageDigest } from './image-reference.ts';

export const workloadIds = ['A1', 'B1', 'B5', 'C1', 'S1'] as const;
export type WorkloadId = (typeof workloadIds)[number];

/** `scripted`: our program behind the plane's claude_local adapter; `process`: the same behind its process adapter. */
export const programAdapterIds = ['scripted', 'process'] as const;

/**
 * Real agent command lines that the scripted model leads: `claude` and `codex` as the plane starts them by default (its
 * engine acp), `claude-cli` and `codex-cli` behind its engine cli, `opencode`, which has one way only.
 */
export const modelAdapterIds = ['claude', 'claude-cli', 'codex', 'codex-cli', 'opencode'] as const;

export const adapterIds = [...programAdapterIds, ...modelAdapterIds] as const;
export type AdapterId = (typeof adapterIds)[number];
export type ModelAdapterId = (typeof modelAdapterIds)[number];

/** Whether a model leads this adapter's agents. */
export function isModelAdapter(adapter: AdapterId): adapter is ModelAdapterId {
  return (modelAdapterIds as readonly AdapterId[]).includes(adapter);
}

/** The agent command lines that are installed for the model's adapters. */
export type AgentCli = 'claude' | 'codex' | 'opencode';

/** Which of them an adapter starts. */
export const cliOfAdapter: Readonly<Record<ModelAdapterId, AgentCli>> = {
  claude: 'claude',
  'claude-cli': 'claude',
  codex: 'codex',
  'codex-cli': 'codex',
  opencode: 'opencode',
};

/** `fragile` dies at its first broken pipe; `sturdy` ignores it and retries its calls for a bounded time. */
export const temperaments = ['fragile', 'sturdy'] as const;
export type Temperament = (typeof temperaments)[number];

/** How fast the agent works, drawn from the seed. */
export interface Pace {
  /** Number of visible work steps before the result is written. */
  readonly steps: number;
  /** Length of one step. */
  readonly stepMs: number;
}

export interface TaskPlan {
  readonly id: TaskId;
  readonly workload: WorkloadId;
  readonly adapter: AdapterId;
  readonly temperament: Temperament;
  readonly pace: Pace;
  /** Lower-case hexadecimal; makes every marker of this task its own. */
  readonly nonce: string;
  /** Faults this task asks for. None in the control arm; a replay carries every fault that crossed the task. */
  readonly faults: readonly PlannedFault[];
  /** From the creation of the issue to the moment at which the task must rest. */
  readonly deadlineMs: number;
}

/** Where agents run: on this machine, or in sandboxes of a Daytona organisation while the plane stays on this machine. */
export const environmentIds = ['local', 'daytona'] as const;
export type EnvironmentId = (typeof environmentIds)[number];

/** The sandbox that each run of a remote wave gets. */
export interface SandboxPlan {
  /** `name@sha256:…`: a tag may mean another image when the task is repeated. */
  readonly image: string;
  /** Virtual processors. */
  readonly cpu: number;
  readonly memoryGib: number;
  readonly diskGib: number;
}

export interface WavePlan {
  readonly schema: 1;
  readonly seed: number;
  readonly target: string;
  readonly environment: EnvironmentId;
  /** There exactly when agents run in sandboxes. */
  readonly sandbox?: SandboxPlan;
  readonly concurrency: number;
  readonly budgetCents: number;
  readonly timeScale: number;
  readonly tasks: readonly TaskPlan[];
  /** What the wave should take when every task goes well: shown, never judged. */
  readonly plannedMs: number;
  /** The wave ends here, whatever is open. */
  readonly deadlineMs: number;
  /** Where this plan was taken from, when it repeats a task of an earlier wave. */
  readonly replayOf: { readonly wave: string; readonly task: TaskId } | null;
}

/** Every kind of fault, in the order of the catalogue. */
export const faultKinds = [
  'K1',
  'K2',
  'K3',
  'K4',
  'K5',
  'K6',
  'DB1',
  'DB2',
  'DB3',
  'DB4',
  'PF1',
  'PF2',
  'PF3',
  'PF4',
  'PF5',
  'PF6',
  'PF7',
  'PF8',
  'PF9',
  'PF10',
  'PF11',
  'PF12',
] as const satisfies readonly FaultKind[];
const whole = z.number().int().nonnegative();

/** When a fault fires, as a plan and an event say it. */
export const triggerSchema = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('time'), offsetMs: whole }),
  z.strictObject({
    on: z.literal('commit'),
    pattern: z.string().min(1),
    occurrence: whole.min(1),
    side: z.enum(['before', 'after']),
  }),
  z.strictObject({ on: z.literal('boundary'), id: z.enum(boundaryIds), occurrence: whole.min(1) }),
  z.strictObject({ on: z.literal('stop'), delayMs: whole }),
]);

/** The shape of plan.json. A plan edited by hand is read through this and refused with every problem named. */
export const wavePlanSchema = z
  .strictObject({
    schema: z.literal(1),
    seed: whole,
    target: z.string().min(1),
    environment: z.enum(environmentIds),
    sandbox: z
      .strictObject({
        image: z.string().refine(isImageDigest, 'an image is named <registry>/<path>@sha256:<64 hex digits>'),
        cpu: whole.min(1),
        memoryGib: whole.min(1),
        diskGib: whole.min(1),
      })
      .exactOptional(),
    concurrency: whole.min(1),
    budgetCents: whole.min(1),
    timeScale: z.number().positive().max(1),
    tasks: z
      .array(
        z.strictObject({
          id: z.string().regex(/^t\d{2,}$/),
          workload: z.enum(workloadIds),
          adapter: z.enum(adapterIds),
          temperament: z.enum(temperaments),
          pace: z.strictObject({ steps: whole.min(1), stepMs: whole.min(1) }),
          nonce: z.string().regex(/^[0-9a-f]{8,}$/),
          faults: z.array(
            z.strictObject({
              kind: z.enum(faultKinds),
              trigger: triggerSchema,
              parameters: z.record(z.string(), z.number()),
            }),
          ),
          deadlineMs: whole.min(1),
        }),
      )
      .min(1),
    plannedMs: whole,
    deadlineMs: whole.min(1),
    replayOf: z.strictObject({ wave: z.string(), task: z.string() }).nullable(),
  })
  .refine(({ environment, sandbox }) => (environment === 'daytona') === (sandbox !== undefined), {
    path: ['sandbox'],
    message: 'is there exactly when the environment is daytona',
  });
