/** Counts of a test run from vitest's JSON report, and the environment it runs in. Pure. */

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Full titles of the tests that did not run. */
  readonly skippedTitles: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** No report at all is one failure: a run that died must not count as nothing wrong. */
export function countTests(report: unknown): TestCounts {
  if (!isReport(report)) return { passed: 0, failed: 1, skipped: 0, skippedTitles: [] };
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  // A file that could not even be loaded has no tests to fail.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const passed = tests.filter((test) => test.status === 'passed').length;
  const failed = tests.filter((test) => test.status === 'failed').length;
  const others = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  return {
    passed,
    failed: failed + brokenFiles.length,
    skipped: others.length,
    skippedTitles: others.map((test) => test.fullName),
  };
}

/** The line both scripts end with. */
export function countsLine(counts: TestCounts): string {
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
}

/** The environment without variables whose name says that they hold a secret. */
export function withoutCredentials(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name)),
  );
}

function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && 'testResults' in value && Array.isArray(value.testResults);
}
