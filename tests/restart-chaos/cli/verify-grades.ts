/** Checks the verdicts of a wave against its evidence: grades it again in memory and writes nothing. */
import { differingGrades, readRecord } from '../evidence/grades.ts';
import type { EvidenceProblem } from '../evidence/verify-wave.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { errorText } from '../model/errors.ts';
import { gradeStoredWave } from './grade-stored-wave.ts';

const why = 'graded by another version, or changed';

/** A problem for each grade that differs from what the evidence says now; none for a wave without a record. Never throws. */
export function verifyGrades(directory: string): readonly EvidenceProblem[] {
  try {
    if (readRecord(directory) === null) return [];
    return differingGrades(directory, gradeStoredWave(readWave(directory))).map(({ path, kept, now }) => ({
      path,
      problem:
        kept === now
          ? `says ${kept} as the evidence does, and differs from it in the rest: ${why}`
          : `says ${kept}, the evidence says ${now}: ${why}`,
    }));
  } catch (error) {
    return [{ path: 'wave.json', problem: `cannot be compared with the evidence: ${errorText(error)}` }];
  }
}
