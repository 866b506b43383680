/** A1, C1 and S1: the brief. What the board asks for in comments is taken up before it is written and once more after. */
import { marker } from '../../model/card.ts';
import type { BoardComment, ComposeDocument } from './effects.ts';
import type { TaskWork } from './work.ts';

/** Writes the brief, with a line for each steer the board gave, and brings a brief of an earlier run up to date. */
export async function workOnBrief({ card, effects, beacon, output }: TaskWork): Promise<string> {
  const known = new Set<string>();
  const compose: ComposeDocument = async (readComments) => {
    const asked = (await readComments()).filter(({ authorType }) => authorType !== 'agent');
    for (const comment of asked.filter(({ id }) => !known.has(id))) {
      known.add(comment.id);
      output.say(`read a comment of the board: ${comment.body.slice(0, 80)}`);
      await beacon('comment_read', comment.id);
    }
    const lines = [marker.chaos(card.nonce), ...steersIn(asked)];
    return `# Brief\n\nWhat task ${card.task} was asked to say:\n\n${lines.join('\n')}`;
  };
  await effects.document('brief', 'Brief', compose);
  return 'The brief is written';
}

function steersIn(comments: readonly BoardComment[]): readonly string[] {
  const found = comments.flatMap(({ body }) =>
    [...body.matchAll(/\b(?:STEER|CONTINUE)-[0-9a-f]+\b/g)].map(([text]) => text),
  );
  return [...new Set(found)];
}
