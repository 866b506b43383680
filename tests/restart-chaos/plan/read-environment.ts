/** Reads where agents run, and the sandbox that each run gets when it is not this machine. */
import { errorText } from '../model/errors.ts';
import { parseReference } from '../model/image-reference.ts';
import type { PlanOptions } from '../model/options.ts';
import { environmentIds, type SandboxPlan } from '../model/plan.ts';
import type { RawPlanOptions, RawValue } from './check-plan-options.ts';
import { nearestName } from './nearest-name.ts';
import { sandboxDefaults } from './sandbox-defaults.ts';

/** More than any sandbox on offer has; what one wave may take together is a budget of its own. */
const mostCpu = 64;

/** Adds to `problems` what cannot be; the answer is then of no use. */
export function readEnvironment(raw: RawPlanOptions, problems: string[]): Pick<PlanOptions, 'environment' | 'sandbox'> {
  const name = raw.env ?? 'local';
  const environment = environmentIds.find((id) => id === name);
  if (environment === undefined) {
    const hint = nearestName(String(name), environmentIds);
    const meant = hint === null ? '' : ` (did you mean ${hint}?)`;
    problems.push(`--env takes ${environmentIds.join(', ')}; got "${name}"${meant}`);
  }
  if (environment === 'daytona') return { environment, sandbox: readSandbox(raw, problems) };
  const given = [
    ...(raw.daytonaImage === undefined ? [] : ['--daytona-image']),
    ...(raw.daytonaCpu === undefined ? [] : ['--daytona-cpu']),
  ];
  if (given.length > 0 && environment === 'local') problems.push(`${given.join(' and ')}: only with --env daytona`);
  return { environment: 'local', sandbox: null };
}

function readSandbox({ daytonaImage, daytonaCpu }: RawPlanOptions, problems: string[]): SandboxPlan {
  return { ...sandboxDefaults, image: readImage(daytonaImage, problems), cpu: readCpu(daytonaCpu, problems) };
}

function readImage(value: RawValue, problems: string[]): string {
  if (value === undefined) {
    problems.push(
      '--env daytona needs the image of the runner: --daytona-image <name>@sha256:<64 hex digits>, or PAPERCLIP_E2E_DAYTONA_IMAGE',
    );
    return '';
  }
  try {
    return parseReference(String(value)).text;
  } catch (error) {
    problems.push(`--daytona-image: ${errorText(error)}`);
    return '';
  }
}

function readCpu(value: RawValue, problems: string[]): number {
  if (value === undefined) return sandboxDefaults.cpu;
  const number = /^\d+$/.test(String(value).trim()) ? Number(value) : Number.NaN;
  if (number >= 1 && number <= mostCpu) return number;
  problems.push(`--daytona-cpu takes a whole number from 1 to ${mostCpu}; got "${value}"`);
  return sandboxDefaults.cpu;
}
