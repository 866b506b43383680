/**
 * Which packages hold the native part of the plane's image library on this platform, in exactly the versions that
 * the installed library names as optional: a hard-coded version would break with the next release.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** `name@version` of each native part of `sharp` for this platform; empty when the package does not use it. */
export async function findNativeParts(installDirectory: string, packageName: string): Promise<readonly string[]> {
  const manifest = await findManifest(installDirectory, packageName, 'sharp');
  return nativePartsOf(manifest?.optionalDependencies ?? {}, sharpPlatform());
}

/** The parts of one platform (`linux-x64`, `linuxmusl-arm64`, `darwin-arm64`) among all that are declared. */
function nativePartsOf(optional: Readonly<Record<string, string>>, platform: string): readonly string[] {
  return [`@img/sharp-${platform}`, `@img/sharp-libvips-${platform}`]
    .filter((name) => optional[name] !== undefined)
    .map((name) => `${name}@${optional[name]}`);
}

function sharpPlatform(): string {
  return `${process.platform}${usesMusl() ? 'musl' : ''}-${process.arch}`;
}

/** Whether this Linux has musl in the place of glibc: native parts are built for one of the two. */
export function usesMusl(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return process.platform === 'linux' && report.header?.glibcVersionRuntime === undefined;
}

interface Manifest {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * The manifest of `wanted`, looked for where node would: beside the package's own modules first, then upwards to the
 * install directory. Null when it is nowhere.
 */
export async function findManifest(installDirectory: string, from: string, wanted: string): Promise<Manifest | null> {
  let directory = join(installDirectory, 'node_modules', from);
  while (directory.startsWith(installDirectory)) {
    const text = await readFile(join(directory, 'node_modules', wanted, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as Manifest;
    directory = dirname(directory);
  }
  return null;
}
