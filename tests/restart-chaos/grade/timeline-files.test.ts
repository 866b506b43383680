/** Every report of tests/fixtures/timelines/reports, graded: what it shows, and its twin that differs in one fact. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { gradeTask } from './compose.ts';
import { merged, placesChanged } from './merge-patch.testing.ts';
import { factsOfLife, lifeSchema } from './timeline-file.testing.ts';

const folder = new URL('../../fixtures/timelines/', import.meta.url);
const change = z.record(z.string(), z.unknown());
const reportSchema = z.strictObject({
  schema: z.literal(1),
  report: z.string().regex(/^[PX]\d\d$/),
  what: z.string().min(1),
  base: z.string(),
  change,
  expect: z.array(z.string()),
  twin: z.strictObject({ what: z.string().min(1), change, expect: z.array(z.string()).default([]) }),
});

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'));
}

/** Rule and code of each finding of the grade, in the order of the rules, and the verdict of the task. */
function graded(life: unknown): { readonly verdict: string; readonly findings: readonly string[] } {
  const grade = gradeTask(factsOfLife(lifeSchema.parse(life)));
  const findings = grade.rules.flatMap((result) => result.findings.map(({ rule, code }) => `${rule} ${code}`));
  return { verdict: grade.verdict, findings };
}

function expected(findings: readonly string[]): ReturnType<typeof graded> {
  return { verdict: findings.length === 0 ? 'pass' : 'fail', findings };
}

const names = readdirSync(new URL('reports/', folder));
const reports = names.map((name) => ({ name, ...reportSchema.parse(read(`reports/${name}`)) }));

test.each(readdirSync(new URL('bases/', folder)))('the base %s – pass', (name) => {
  expect(graded(read(`bases/${name}`))).toEqual(expected([]));
});

describe.each(reports)('$report $name', (report) => {
  const life = merged(read(`bases/${report.base}.json`), report.change);

  test(`${report.what} – ${report.expect.join(', ') || 'pass'}`, () => {
    expect(graded(life)).toEqual(expected(report.expect));
  });

  test(`twin: ${report.twin.what} – ${report.twin.expect.join(', ') || 'pass'}`, () => {
    expect(placesChanged(life, report.twin.change)).toBe(1);
    expect(graded(merged(life, report.twin.change))).toEqual(expected(report.twin.expect));
    expect(report.twin.expect).not.toEqual(report.expect);
  });
});
