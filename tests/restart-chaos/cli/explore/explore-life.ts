/**
 * One session of an exploration: records the task's life unless that was done, then runs a wave after another on each
 * plane, until every point has an outcome, the time is over, or somebody interrupts.
 */
import { HarnessError } from '../../model/errors.ts';
import {
  pointsToTry,
  type CrashPoint,
  type DealtWave,
  type Exploration,
  type ExploreSession,
} from '../../model/exploration.ts';
import { invariant } from '../../model/invariant.ts';
import { longestTurnMs } from '../../model/options.ts';
import { pointsPlan, recordingPlan } from '../../plan/explore-plan.ts';
import { collectPoints, collectRecording } from './collect-wave.ts';
import { createDealer, type Dealer } from './dealer.ts';
import type { ExploreContext } from './explore-context.ts';
import { outcomeCounts } from './outcome-counts.ts';
import { busyPlanesFor, thisMachine } from './plane-count.ts';
import { runWave } from './run-wave.ts';

/** Resolves with how the session ended. Throws HarnessError; then every wave that was begun has ended. */
export async function exploreLife(context: ExploreContext): Promise<NonNullable<ExploreSession['end']>> {
  const { notebook, stop } = context;
  if (notebook.current().recording === null) await recordLife(context);
  if (stop.aborted) return 'interrupted';
  await runPlanes(context);
  if (stop.aborted) return 'interrupted';
  const exploration = notebook.current();
  return pointsToTry(exploration, exploration.sessions.length - 1).length === 0 ? 'finished' : 'budget_spent';
}

async function recordLife(context: ExploreContext): Promise<void> {
  const { notebook, results, stop, say, wall } = context;
  const name = notebook.store.claimName('r');
  const startedAt = wall();
  say(`${name} records the life of three tasks, without a fault`);
  const plan = recordingPlan(notebook.current().options);
  const { wave, exit } = await runWave(context, { name, plan, onStarted: () => undefined });
  if (stop.aborted) return;
  if (wave === null) {
    const log = notebook.store.paths.log(name);
    throw new HarnessError(
      'internal',
      `the harness of the recording wave ended with ${exit} before it made a wave; log: ${log}`,
    );
  }
  const { recording, commits, unsteady } = collectRecording(results, wave);
  const recorded = { ...recording, startedAt, endedAt: wall() };
  notebook.change((exploration) => ({ ...exploration, recording: recorded, commits, unsteady }));
  say(
    `${name}: ${commits.length} commits recur in every task, which makes ${commits.length * 2} crash points; ` +
      `${unsteady.length} do not (${wave}, exit ${exit})`,
  );
}

/** When one plane fails, the session is halted, and the others are waited for. */
async function runPlanes(context: ExploreContext): Promise<void> {
  const { notebook, nowMs, halt } = context;
  const dealer = createDealer(notebook.current, nowMs);
  const { planes } = sessionOf(notebook.current());
  const all = await Promise.allSettled(
    Array.from({ length: planes }, async () => {
      try {
        await keepPlaneBusy(context, dealer);
      } catch (error) {
        halt();
        throw error;
      }
    }),
  );
  const failed = all.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function keepPlaneBusy(context: ExploreContext, dealer: Dealer): Promise<void> {
  while (!context.stop.aborted) {
    const dealt = dealer.next();
    if (dealt.kind === 'none') return;
    if (dealt.kind === 'wait') {
      await dealer.somethingGivenBack();
      continue;
    }
    try {
      await explorePoints(context, dealt.points);
    } finally {
      dealer.giveBack(dealt.points);
    }
  }
}

async function explorePoints(context: ExploreContext, points: readonly CrashPoint[]): Promise<void> {
  const { notebook, say } = context;
  const { options, commits } = notebook.current();
  const name = notebook.store.claimName('p');
  say(`${name} begins with ${points.length} ${points.length === 1 ? 'point' : 'points'}`);
  const { planes } = sessionOf(notebook.current());
  const plan = pointsPlan(options, commits, points, { name, allowedWaitMs: allowedWaitFor(planes) });
  const { wave, exit } = await runWave(context, {
    name,
    plan,
    onStarted: (process) => noteBegun(context, { name, process, points }),
  });
  const counted = noteEnded(context, name, { wave, exitCode: typeof exit === 'number' ? exit : null });
  say(`${name}: ${counted} (${wave ?? 'no wave'}, exit ${exit})`);
}

function sessionOf({ sessions }: Exploration): ExploreSession {
  const session = sessions.at(-1);
  invariant(session !== undefined, 'an exploration goes on in a session');
  return session;
}

/** Enough for one turn of everybody else, each as long as a turn can be. Nobody stands in line, so that more is possible. */
function allowedWaitFor(planes: number): number {
  return Math.ceil(planes / busyPlanesFor(thisMachine())) * longestTurnMs;
}

function noteBegun({ notebook, wall }: ExploreContext, begun: Pick<DealtWave, 'name' | 'process' | 'points'>): void {
  notebook.change((exploration) => {
    const session = exploration.sessions.length - 1;
    const open = { wave: null, session, startedAt: wall(), endedAt: null, exitCode: null, troubles: [] };
    return { ...exploration, waves: [...exploration.waves, { ...begun, ...open }] };
  });
}

/** Writes down what a wave led to; gives it in words. An interrupted wave gave its open points no fair try. */
function noteEnded(
  { notebook, results, stop, wall, loadAt }: ExploreContext,
  name: string,
  end: Pick<DealtWave, 'wave' | 'exitCode'>,
): string {
  const begun = notebook.current().waves.find((each) => each.name === name);
  if (begun === undefined) return outcomeCounts([]);
  const dealt = { ...begun, ...end };
  const { commits } = notebook.current();
  const log = notebook.store.paths.log(name);
  const { outcomes, troubles } = collectPoints(results, { dealt, commits, log, loadAt });
  const counted = stop.aborted ? outcomes.filter(({ effect }) => effect !== 'unproven') : outcomes;
  const closed = { ...dealt, endedAt: wall(), troubles };
  notebook.change((exploration) => ({
    ...exploration,
    waves: exploration.waves.map((each) => (each.name === name ? closed : each)),
    attempts: [...exploration.attempts, ...counted],
  }));
  return outcomeCounts(counted);
}
