/**
 * Shows what the sandbox of this machine really prevents, by sending canaries against bait that is laid for it: a file in
 * the home, a variable in the environment, a listener, an open directory. Everything laid is removed again.
 * Trap: bait that nobody could reach proves nothing; the tests run the same canaries unconfined and see them succeed.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText } from '../model/errors.ts';
import type { OracleCommandResult } from '../model/evidence.ts';
import { runBounded } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { canaries } from './canaries.ts';
import type { Bait, Canary } from './canaries.ts';
import type { SandboxChoice } from './confine.ts';
import { findSandbox } from './find-sandbox.ts';
import { runConfined } from './run.ts';

/** One promise of the sandbox, and whether it held just now. */
export interface SandboxCheck {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Tries everything, in about 4 s. Never throws: what could not be tried is a check that did not hold. */
export async function sandboxSelftest(): Promise<readonly SandboxCheck[]> {
  const found = await findSandbox();
  if (found.kind === 'none') return [{ check: 'a sandbox works here', ok: false, detail: found.reason }];
  const first = { check: 'a sandbox works here', ok: true, detail: `${found.kind} (${found.path})` };
  return [first, ...(await tryCanaries(found))];
}

const limits = { timeoutMs: 20_000, memoryBytes: 512 * 1024 ** 2, outputLimitBytes: 256 * 1024 } as const;
const variable = 'RESTART_CHAOS_CANARY_SECRET';

/** The canaries against one sandbox; for the tests, against none, or only some of them. */
export async function tryCanaries(sandbox: SandboxChoice, choose = canaries): Promise<readonly SandboxCheck[]> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const secret = `canary-${randomUUID()}`;
    const makeDirectory = async (parent: string): Promise<string> => {
      const directory = await mkdtemp(join(parent, '.restart-chaos-canary-'));
      undo.push(async () => await rm(directory, { recursive: true, force: true }));
      return directory;
    };
    const secretFile = join(await makeDirectory(homedir()), 'secret');
    await writeFile(secretFile, secret, { mode: 0o644 });
    const openDirectory = await makeDirectory(tmpdir());
    await chmod(openDirectory, 0o777);
    const directory = await makeDirectory(tmpdir());
    await writeFile(join(directory, 'original.txt'), 'original');
    const listener = await startListener();
    undo.push(listener.close);
    process.env[variable] = secret;
    undo.push(async () => delete process.env[variable]);

    const bait: Bait = { secretFile, secret, openDirectory, port: listener.port };
    const checks: SandboxCheck[] = [];
    for (const canary of choose(bait)) {
      const result = await runConfined(sandbox, {
        ...limits,
        argv: ['python3', '-I', '-c', canary.program],
        directory,
        timeoutMs: canary.timeoutMs ?? limits.timeoutMs,
        allowUnsandboxed: false,
      });
      checks.push(await judge(canary, bait, result, listener.connections()));
    }
    const files = await readdir(directory);
    checks.push({ check: 'the original is untouched', ok: files.join() === 'original.txt', detail: files.join(', ') });
    return checks;
  } catch (error) {
    return [{ check: 'the self-test could be made', ok: false, detail: errorText(error) }];
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function judge(
  canary: Canary,
  bait: Bait,
  result: OracleCommandResult,
  connections: number,
): Promise<SandboxCheck> {
  const filesOutside = await readdir(bait.openDirectory);
  const leftProcesses = canary.asksForProcesses === true ? await countProcessesNaming(bait.secret) : 0;
  const how = result.outcome === 'exited' ? `exit code ${result.exitCode}` : result.outcome;
  const said = result.output.trim().split('\n').at(-1)?.slice(0, 160).replaceAll(bait.secret, '<the secret>');
  return {
    check: canary.check,
    ok: canary.holds({ result, connections, filesOutside, leftProcesses }, bait),
    detail: `${how} after ${Math.round(result.durationMs)} ms${said ? `: ${said}` : ''}`,
  };
}

async function startListener(): Promise<{ port: number; connections(): number; close(): Promise<void> }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => await new Promise((resolve) => server.close(() => resolve())),
  };
}

async function countProcessesNaming(word: string): Promise<number> {
  const { output } = await runBounded({
    argv: ['ps', '-axww', '-o', 'args='],
    cwd: tmpdir(),
    env: isolatedEnvironment({}),
    timeoutMs: 10_000,
    outputLimitBytes: 16 * 1024 ** 2,
  });
  return output.split('\n').filter((line) => line.includes(word)).length;
}
