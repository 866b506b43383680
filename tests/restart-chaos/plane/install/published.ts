/**
 * Installs a published version into the cache: beside its final place first, there only by one rename when the
 * server's entry and its native image library were found to load.
 *
 * `--omit=optional` saves the embedded Postgres and the vendors' agent binaries (1.4 GB become 0.8 GB), but also
 * leaves out the native part of `sharp`, without which the server does not boot: that is added for this platform,
 * in the versions the installed `sharp` itself names. `--ignore-scripts`: nothing foreign runs during the install.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { HarnessError, errorText } from '../../model/errors.ts';
import type { InstalledTarget } from '../install.ts';
import { npmInstall, runNpm } from './npm.ts';
import { describeInstall, entryWithin, platformName, receiptFile } from './receipt.ts';
import type { PublishedTarget, Receipt } from './receipt.ts';
import { findNativeParts } from './native-parts.ts';

export interface PublishedInstallOptions {
  readonly targets: string;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Installs; the caller holds the lock of this target. Throws UsageError (npm) or HarnessError (what npm left). */
export async function installPublished(
  target: PublishedTarget,
  options: PublishedInstallOptions,
): Promise<InstalledTarget> {
  const startedAtMs = performance.now();
  await removeUnfinished(target, options.targets);
  const workplace = join(options.targets, `.installing-${target.text}-${randomBytes(4).toString('hex')}`);
  await mkdir(workplace);
  try {
    options.progress(
      `installing ${target.package}@${target.version} from npm (once, about 0.8 GB; kept in ${options.targets})`,
    );
    const npmVersion = await fetchPackages(target, workplace, options);
    await verifyLoads(target, workplace);
    const receipt = await writeReceipt(target, workplace, npmVersion);
    const directory = join(options.targets, target.text);
    await rm(directory, { recursive: true, force: true });
    await rename(workplace, directory);
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    options.progress(`installed ${target.text}: ${Math.round(receipt.sizeBytes / 1e6)} MB in ${seconds} s`);
    return describeInstall(directory, target, receipt);
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

/** Under the lock nobody else is installing this target, so what lies there was left by a killed install. */
async function removeUnfinished(target: PublishedTarget, targets: string): Promise<void> {
  const left = (await readdir(targets)).filter((name) => name.startsWith(`.installing-${target.text}-`));
  for (const name of left) await rm(join(targets, name), { recursive: true, force: true });
}

async function fetchPackages(
  target: PublishedTarget,
  workplace: string,
  options: PublishedInstallOptions,
): Promise<string> {
  const manifest = { name: 'restart-chaos-target', private: true, version: '0.0.0' };
  await writeFile(join(workplace, 'package.json'), `${JSON.stringify(manifest)}\n`);
  const npm = { cwd: workplace, ...(options.signal === undefined ? {} : { signal: options.signal }) };
  const npmVersion = (await runNpm(['--version'], { ...npm, purpose: 'say its version' })).trim();
  const specifier = `${target.package}@${target.version}`;
  await npmInstall([specifier], { ...npm, purpose: `install ${specifier}` });
  const native = await findNativeParts(workplace, target.package);
  if (native.length > 0) {
    options.progress(`adding the native parts of this platform: ${native.join(', ')}`);
    await npmInstall(native, { ...npm, purpose: `install ${native.join(' and ')}` });
  }
  return npmVersion;
}

async function verifyLoads(target: PublishedTarget, workplace: string): Promise<void> {
  const entry = entryWithin(workplace, target);
  const failed = (what: string): HarnessError =>
    new HarnessError(
      'target-install-failed',
      `npm installed ${target.package}@${target.version} without an error, but ${what}. Nothing was kept; try another version with --target.`,
    );
  const found = await stat(entry).catch(() => null);
  if (found === null) throw failed(`it has no ${entry.slice(workplace.length + 1)}`);
  const script = "try { require.resolve('sharp') } catch { process.exit(0) } require('sharp')";
  const sharp = await execa(process.execPath, ['-e', script], { cwd: workplace, reject: false, timeout: 30_000 });
  if (sharp.failed)
    throw failed(`its image library does not load: ${sharp.stderr.trim().split('\n').slice(0, 4).join(' ')}`);
}

async function writeReceipt(target: PublishedTarget, workplace: string, npmVersion: string): Promise<Receipt> {
  const lock = await readFile(join(workplace, 'package-lock.json')).catch(() => Buffer.alloc(0));
  const receipt: Receipt = {
    schema: 1,
    package: target.package,
    version: target.version,
    platform: platformName(),
    sizeBytes: await sizeOnDisk(workplace),
    installedAt: new Date().toISOString(),
    npmVersion,
    lockSha256: createHash('sha256').update(lock).digest('hex'),
  };
  await writeFile(join(workplace, receiptFile), `${JSON.stringify(receipt, null, 2)}\n`);
  return receipt;
}

/** `du` counts a tree of tens of thousands of files in a second; it is on every Linux and macOS. */
async function sizeOnDisk(directory: string): Promise<number> {
  try {
    const { stdout } = await execa('du', ['-sk', directory]);
    return Number.parseInt(stdout, 10) * 1024;
  } catch (error) {
    throw new HarnessError('target-install-failed', `could not measure ${directory} with du: ${errorText(error)}`);
  }
}
