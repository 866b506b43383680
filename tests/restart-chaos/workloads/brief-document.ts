/** The documents an agent leaves on its issue, and the markers in them. */
import type { TaskFacts } from '../model/facts.ts';
import { marker } from '../model/card.ts';
import type { DocumentView } from '../model/view.ts';
import { broken, cannotSee, nothingFound, type OracleNotes } from './oracle-result.ts';

export const briefKey = 'brief';

const evidence = ['documents.json', 'timeline.jsonl'];

/** The newest revision of a document; null when the issue has none with this key. */
export function latestDocument(documents: readonly DocumentView[], key: string): DocumentView | null {
  const ofKey = documents.filter((document) => document.key === key);
  return ofKey.reduce<DocumentView | null>(
    (latest, document) => (latest === null || document.revision >= latest.revision ? document : latest),
    null,
  );
}

/** How often a marker stands in a text. A longer word that begins or ends with it is another word. */
export function countMarker(text: string, wanted: string): number {
  return text.split(/[^A-Za-z0-9-]+/).filter((word) => word === wanted).length;
}

/** The latest `brief` has the task's marker exactly once. */
export function chaosMarkerOnce(facts: TaskFacts): OracleNotes {
  const wanted = marker.chaos(facts.plan.nonce);
  return withBrief(facts, wanted, 'marker_missing', (brief) => {
    const times = countMarker(brief.body, wanted);
    if (times === 1) return nothingFound;
    const expected = `document "${briefKey}" has ${wanted} exactly once`;
    const seen =
      times === 0 ? `revision ${brief.revision} does not have it` : `revision ${brief.revision} has it ${times} times`;
    return broken(times === 0 ? 'marker_missing' : 'marker_repeated', { expected, seen, evidence });
  });
}

/** The latest `brief` has the marker that the board's comment asked for; `code` says that it does not. */
export function askedMarkerThere(facts: TaskFacts, wanted: string, code: string): OracleNotes {
  return withBrief(facts, wanted, code, (brief) => {
    if (countMarker(brief.body, wanted) > 0) return nothingFound;
    const expected = `document "${briefKey}" has ${wanted}, which the board's comment asked for`;
    return broken(code, { expected, seen: `revision ${brief.revision} does not have it`, evidence });
  });
}

function withBrief(
  facts: TaskFacts,
  wanted: string,
  codeWhenAbsent: string,
  check: (brief: DocumentView) => OracleNotes,
): OracleNotes {
  if (facts.documents === null) return cannotSee('the documents at rest (documents.json)');
  const brief = latestDocument(facts.documents, briefKey);
  if (brief !== null) return check(brief);
  const expected = `document "${briefKey}" has ${wanted}`;
  return broken(codeWhenAbsent, { expected, seen: `the issue has no document "${briefKey}"`, evidence });
}
