/** How busy the machine is: what a time that was measured on it is worth. */
import { cpus, loadavg } from 'node:os';

/** Above this, somebody else works on the machine and a ratio of two times says little. */
export const quietLoad = 1.5;

export interface CpuTimes {
  readonly busyMs: number;
  readonly totalMs: number;
}

/** Processor time of all processors since the machine started. */
export function readCpuTimes(): CpuTimes {
  const times = cpus().map((cpu) => cpu.times);
  const totalMs = sum(times.map(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq));
  return { totalMs, busyMs: totalMs - sum(times.map(({ idle }) => idle)) };
}

/** Share of all processors that was used in between, 0 to 1; everything that runs on the machine counts. */
export function busyShare(before: CpuTimes, after: CpuTimes): number {
  return (after.busyMs - before.busyMs) / Math.max(1, after.totalMs - before.totalMs);
}

/** Load average of the last minute. */
export function loadNow(): number {
  return loadavg()[0] ?? Number.NaN;
}

/** What to say before measuring. */
export function loadLines(): readonly string[] {
  const load = loadNow();
  const line = `${cpus().length} processors, load average ${load.toFixed(2)}`;
  if (load <= quietLoad) return [line];
  return [
    line,
    `WARNING: the load is above ${quietLoad}: the numbers below are no claim, measure again when it is quiet`,
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
