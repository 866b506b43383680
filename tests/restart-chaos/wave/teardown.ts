/**
 * What must be undone when a wave ends, newest first. A teardown is pushed BEFORE its setup runs, so that a setup
 * that fails half-way is undone too. A teardown that fails never keeps the ones below it from running.
 */
import { errorText } from '../model/errors.ts';
import type { Emit } from '../model/event.ts';

export type Undo = (failedBefore: readonly string[]) => Promise<string>;

export interface Teardown {
  /**
   * Registers one step; `undo` must be harmless when its setup never happened. It is told what failed before it, and
   * says what it did.
   */
  push(step: string, undo: Undo): void;
  /** Runs every step, newest first; returns the steps that failed. Runs once: a second call returns the same. */
  unwind(): Promise<readonly string[]>;
}

/** Creates an empty stack; each step run is reported as `close_step`. */
export function createTeardown(emit: Emit): Teardown {
  let unwound = false;
  const steps: { readonly step: string; readonly undo: Undo }[] = [];
  let result: Promise<readonly string[]> | null = null;

  async function run(): Promise<readonly string[]> {
    const failed: string[] = [];
    for (let next = steps.pop(); next !== undefined; next = steps.pop()) await runOne(next.step, next.undo, failed);
    unwound = true;
    return failed;
  }

  async function runOne(step: string, undo: Undo, failed: string[]): Promise<void> {
    try {
      emit({ kind: 'close_step', step, ok: true, detail: await undo(failed) });
    } catch (error) {
      failed.push(`${step}: ${errorText(error)}`);
      emit({ kind: 'close_step', step, ok: false, detail: errorText(error) });
    }
  }

  return {
    push: (step, undo) => {
      // A setup that was under way when everything was undone is undone as soon as it registers.
      if (unwound) void runOne(step, undo, []);
      else steps.push({ step, undo });
    },
    unwind: () => (result ??= run()),
  };
}
