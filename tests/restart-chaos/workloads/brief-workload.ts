/** A1 brief: the smallest task that leaves something durable behind, one document with one line. */
import { marker } from '../model/card.ts';
import { chaosMarkerOnce } from './brief-document.ts';
import { briefText, titleText } from './brief-text.ts';
import { whenDone } from './done.ts';
import { weigh } from './oracle-result.ts';
import { ownWorktree } from './worktree.ts';
import type { Workload } from './workload.ts';

export const briefWorkload: Workload = {
  id: 'A1',
  title: 'brief',
  asks: 'Write the document "brief" with one given line in it.',
  isDefault: true,
  workMs: (pace) => pace.steps * pace.stepMs,
  issueTitle: (task, wave) => titleText(task, wave, 'brief'),
  brief: (task) =>
    briefText(task, [
      'Write a short brief about this project: look at its files and say in a few sentences what the program does.',
      `Save it as the document \`brief\` of this issue. One line of it must be exactly \`${marker.chaos(task.nonce)}\`, once.`,
    ]),
  followUps: [],
  commentText: () => null,
  oracleCommands: () => [],
  oracleFiles: () => [],
  oracle: (facts) => weigh(whenDone(facts, chaosMarkerOnce), ownWorktree(facts)),
};
