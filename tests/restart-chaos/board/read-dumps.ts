import { type BoardDump, type DumpName, dumpNames } from '../model/dump.ts';
import { type BoardClient, describeAnswer } from './client.ts';

/**
 * Reads everything the plane says about an issue, unchanged, for people and for rules that read more than a view has.
 * Never throws: a part that could not be read has `ok: false` and says why.
 */
export async function readDumps(client: BoardClient, issueId: string): Promise<Readonly<Record<DumpName, BoardDump>>> {
  const dumps = {} as Record<DumpName, BoardDump>;
  // One after another: this runs beside tasks that are still watched, and nothing waits for it.
  for (const name of dumpNames) {
    const path = name === 'issue' ? `/api/issues/${issueId}` : `/api/issues/${issueId}/${name}`;
    const answer = await client.request('GET', path);
    const ok = answer.outcome === 'ok';
    dumps[name] = {
      path,
      ok,
      httpStatus: answer.httpStatus,
      json: answer.json,
      error: ok ? null : describeAnswer(answer),
    };
  }
  return dumps;
}
