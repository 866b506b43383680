/** Identifiers that appear in file names, on the command line and in records. */
import { UsageError } from './errors.ts';

/** `w-<UTC yyyymmddThhmmss>-s<seed>`, with `-<n>` behind it when that name was taken. */
export type WaveId = string;
/** `t01`, `t02`, … in plan order. */
export type TaskId = string;
/** `f01`, `f02`, … in the order in which faults fire in a wave. */
export type FaultRef = string;

const wavePattern = /^w-\d{8}T\d{6}-s\d+(-\d+)?$/;
const taskPattern = /^t\d{2,}$/;

/** Builds a wave id from a compact UTC stamp (`20261130T164512`) and a seed. */
export function formatWaveId(utcStamp: string, seed: number, collision = 0): WaveId {
  return `w-${utcStamp}-s${seed}${collision === 0 ? '' : `-${collision + 1}`}`;
}

/** Tells whether a string has the form of a wave id; says nothing about its existence. */
export function isWaveId(text: string): boolean {
  return wavePattern.test(text);
}

/** `t01` for 1. */
export function formatTaskId(ordinal: number): TaskId {
  return `t${String(ordinal).padStart(2, '0')}`;
}

/** `f01` for 1. */
export function formatFaultRef(ordinal: number): FaultRef {
  return `f${String(ordinal).padStart(2, '0')}`;
}

/** Splits `w-…/t05`. Throws UsageError with the form expected. */
export function parseTaskReference(text: string): { readonly wave: WaveId; readonly task: TaskId } {
  const [wave, task, ...rest] = text.split('/');
  if (wave && task && rest.length === 0 && isWaveId(wave) && taskPattern.test(task)) return { wave, task };
  throw new UsageError([
    `--replay takes <wave>/<task>, for example w-20261130T164512-s42/t05; got "${text}". The command "waves" lists what there is.`,
  ]);
}
