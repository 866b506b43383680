/**
 * What is known of an exploration, kept on disk at every change: the record, EXPLORE.md and the page with the picture.
 * An interrupt, or the end of this process, loses nothing that was put in here.
 */
import type { ExplorationStore } from '../../evidence/exploration-store.ts';
import type { Exploration } from '../../model/exploration.ts';
import { compareExplorations, earlierAlike } from '../../report/explore-compare.ts';
import { exploreMarkdown } from '../../report/explore-markdown.ts';
import { explorePage } from '../../report/explore-page.ts';

export interface Notebook {
  readonly store: ExplorationStore;
  current(): Exploration;
  /** Writes what the change makes of it. Throws HarnessError(`evidence-unwritable`); then the change did not happen. */
  change(update: (exploration: Exploration) => Exploration): void;
}

export interface NotebookOptions {
  readonly store: ExplorationStore;
  readonly exploration: Exploration;
  /** Of the same results directory, to compare with. */
  readonly others: readonly Exploration[];
  readonly replay: (wave: string, task: string) => string;
  readonly resume: string;
}

/** Begins with the exploration as it is, and writes it. */
export function openNotebook({ store, exploration, others, replay, resume }: NotebookOptions): Notebook {
  let current = exploration;
  const write = (next: Exploration): void => {
    store.save(next);
    const earlier = next.commits.length === 0 ? null : earlierAlike(next, others);
    const comparison = earlier === null ? null : compareExplorations(next, earlier);
    store.saveReports({
      markdown: exploreMarkdown({ exploration: next, comparison, replay, resume }),
      page: explorePage({ exploration: next, replay }),
    });
    current = next;
  };
  write(exploration);
  return { store, current: () => current, change: (update) => write(update(current)) };
}
