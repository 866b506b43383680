/** Collects what an oracle found and what it could not see, and weighs the two. */
import type { Finding } from '../model/finding.ts';
import type { OracleResult } from './workload.ts';

export interface OracleNotes {
  readonly findings: readonly Finding[];
  /** Evidence that was needed and not there, each as a short noun phrase. */
  readonly missing: readonly string[];
}

export const nothingFound: OracleNotes = { findings: [], missing: [] };

/** A broken promise is one whatever else could not be seen; without one, missing evidence proves nothing. */
export function weigh(...notes: readonly OracleNotes[]): OracleResult {
  const findings = notes.flatMap((note) => note.findings);
  const missing = [...new Set(notes.flatMap((note) => note.missing))];
  if (findings.length === 0 && missing.length > 0) return { unknown: `missing: ${missing.join('; ')}` };
  return { findings };
}

/** Notes with one thing that could not be seen. */
export function cannotSee(what: string): OracleNotes {
  return { findings: [], missing: [what] };
}

/** Notes with one broken promise of rule T. */
export function broken(
  code: string,
  what: {
    readonly expected: string;
    readonly seen: string;
    readonly atMs?: number | null;
    readonly ids?: readonly string[];
    readonly evidence: readonly string[];
  },
): OracleNotes {
  const { expected, seen, atMs = null, ids = [], evidence } = what;
  return { findings: [{ rule: 'T', code, expected, seen, atMs, ids, evidence }], missing: [] };
}

/** Several notes as one. */
export function together(...notes: readonly OracleNotes[]): OracleNotes {
  return { findings: notes.flatMap((note) => note.findings), missing: notes.flatMap((note) => note.missing) };
}
