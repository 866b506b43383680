/** `workloads`: what a task can ask for. */
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { workloads } from '../workloads/catalogue.ts';

/** One line per workload. */
export function workloadsCommand(): ExitCode {
  for (const { id, title, asks, isDefault } of Object.values(workloads)) {
    process.stdout.write(`${id}  ${title.padEnd(14)} ${asks}${isDefault ? '' : ' (not in the default set)'}\n`);
  }
  return exitCode.passed;
}
