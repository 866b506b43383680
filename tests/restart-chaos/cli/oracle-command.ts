/** `oracle-selftest`: shows what the sandbox of this machine really prevents. */
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { sandboxSelftest } from '../sandbox/selftest.ts';

/** One line per promise; exit 3 when one does not hold here. */
export async function oracleSelftestCommand(): Promise<ExitCode> {
  const checks = await sandboxSelftest();
  for (const { check, ok, detail } of checks)
    process.stdout.write(`${ok ? 'holds  ' : 'BROKEN '} ${check}: ${detail}\n`);
  return checks.every(({ ok }) => ok) ? exitCode.passed : exitCode.refused;
}
