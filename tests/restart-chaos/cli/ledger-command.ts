import { exitCode, type ExitCode } from '../model/exit-code.ts';
import type { RawFlags } from './raw-flags.ts';
export function ledgerCommand(_flags: RawFlags): ExitCode {
  return exitCode.passed;
}
