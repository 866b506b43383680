/** What the oracle of a workload needs: files of the worktree, commands run in the sandbox, the bench's signatures. */
import { createHash } from 'node:crypto';
import { readBench } from '../agents/bench-files.ts';
import { errorText } from '../model/errors.ts';
import type { OracleCommandResult, OracleEvidence } from '../model/evidence.ts';
import { readOwnFile } from '../process/read-own-file.ts';
import { runInSandbox } from '../sandbox/run.ts';
import { workloads } from '../workloads/catalogue.ts';
import { worktreeOf, type OpenTask } from './open-task.ts';
import type { Stage } from './stage.ts';

/** Oracle commands run on a copy of the worktree, only inside the sandbox; 60 s, 512 MiB, 256 KiB of output. */
const oracleLimits = { timeoutMs: 60_000, memoryBytes: 512 * 1024 ** 2, outputLimitBytes: 256 * 1024 } as const;

// The files an oracle reads are markers, a record and a test file of some kilobytes.
const largestFileBytes = 256 * 1024;

type FileEvidence = { readonly sha256: string; readonly text: string } | null;

/** Never throws: what is missing is in `errors`, and makes the oracle unknown. */
export async function collectOracle(stage: Stage, task: OpenTask): Promise<OracleEvidence> {
  const workload = workloads[task.plan.workload];
  const worktree = worktreeOf(task);
  const errors: string[] = [];
  const files: Record<string, FileEvidence> = {};
  const originals: Record<string, string> = {};
  const commands: Record<string, OracleCommandResult> = {};
  if (worktree === null) errors.push('the plane named no worktree for this task');
  else {
    for (const path of workload.oracleFiles(task.plan)) {
      files[path] = await readEvidence(worktree, path, errors);
      const original = await readEvidence(stage.run.repository, path, errors);
      if (original !== null) originals[path] = original.sha256;
    }
    for (const { name, argv } of workload.oracleCommands(task.plan)) {
      try {
        commands[name] = await runInSandbox({
          argv,
          directory: worktree,
          ...oracleLimits,
          allowUnsandboxed: stage.options.allowUnsandboxedOracles,
        });
      } catch (error) {
        errors.push(`${name}: ${errorText(error)}`);
      }
    }
  }
  return { schema: 1, worktree, commands, files, originals, bench: await benchOf(stage, task, errors), errors };
}

async function readEvidence(root: string, path: string, errors: string[]): Promise<FileEvidence> {
  try {
    const content = await readOwnFile(root, path, largestFileBytes);
    if (content === null) return null;
    return { sha256: createHash('sha256').update(content).digest('hex'), text: content.toString('utf8') };
  } catch (error) {
    errors.push(errorText(error));
    return null;
  }
}

async function benchOf(stage: Stage, task: OpenTask, errors: string[]): Promise<OracleEvidence['bench']> {
  const worktree = worktreeOf(task);
  if (task.plan.workload !== 'B5' || worktree === null) return null;
  const owner = { task: task.plan.id, nonce: task.plan.nonce };
  try {
    const { record } = await readBench(worktree, task.plan.id);
    const verified = record === null ? null : stage.bench.verifyRecord(record, owner);
    return { progress: task.benchProgress, record: verified };
  } catch (error) {
    errors.push(errorText(error));
    return null;
  }
}
