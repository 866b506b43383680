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
  const steps: { readonly step: string; readonly undo: Undo }[] = [];
  let result: Promise<readonly string[]> | null = null;

  async function run(): Promise<readonly string[]> {
    const failed: string[] = [];
    for (const { step, undo } of steps.toReversed()) {
      try {
        emit({ kind: 'close_step', step, ok: true, detail: await undo(failed) });
      } catch (error) {
        failed.push(`${step}: ${errorText(error)}`);
        emit({ kind: 'close_step', step, ok: false, detail: errorText(error) });
      }
    }
    return failed;
  }

  return {
    push: (step, undo) => void steps.push({ step, undo }),
    unwind: () => (result ??= run()),
  };
}
