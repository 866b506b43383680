/** Who waits for which commit. The tap tells of a held commit from its own thread; it is matched to its waiter here. */
import type { CommitRule } from '../postgres/tap/commit-rules.ts';
import type { TapHandle } from '../postgres/tap/start-tap.ts';
import type { HeldCommit, MissedBecause } from '../postgres/tap/tap.ts';

/** What a waiter is told, once. */
export type CommitMet =
  { readonly met: 'held'; readonly commit: HeldCommit } | { readonly met: 'missed'; readonly because: MissedBecause };

/** The commits that are waited for in one wave. */
export class CommitWaits {
  readonly #waiters = new Map<string, (met: CommitMet) => void>();
  #tap: TapHandle | null = null;

  /** Call it once, when the tap runs. */
  connect(tap: TapHandle): void {
    this.#tap = tap;
  }

  /** Waits for a commit; `tell` is called at most once. Throws HarnessError when the tap is gone. */
  async expect(rule: CommitRule, tell: (met: CommitMet) => void): Promise<void> {
    this.#waiters.set(rule.id, tell);
    await this.#tap?.ask({ do: 'arm', rule });
  }

  /** Nobody waits for it any more. */
  async withdraw(id: string): Promise<void> {
    if (this.#waiters.delete(id)) await this.#tap?.ask({ do: 'disarm', id });
  }

  /** Called by the tap's watcher. A commit that nobody waits for any more goes on at once. */
  held(commit: HeldCommit): void {
    const tell = this.#take(commit.rule.id);
    if (tell !== null) tell({ met: 'held', commit });
    else void this.#tap?.ask({ do: 'let_go', rule: commit.rule.id }).catch(() => undefined);
  }

  /** Called by the tap's watcher. */
  missed(id: string, because: MissedBecause): void {
    this.#take(id)?.({ met: 'missed', because });
  }

  #take(id: string): ((met: CommitMet) => void) | null {
    const tell = this.#waiters.get(id) ?? null;
    this.#waiters.delete(id);
    return tell;
  }
}
