/**
 * Whether an image was built from the sources of the plane it is used with. The id is one hash over everything that enters the
 * image. Only a checkout knows what that is, so its own program computes the id; it is not copied here, where it would go stale.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText, UsageError } from '../model/errors.ts';
import { runBounded } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { contentIdLabel } from './check-content.ts';

/** Below a checkout: prints the id of its sources on one line. */
const program = join('tests', 'runner-e2e', 'daytona-image-content.ts');
/** Below a checkout: what runs that program. */
const loader = join('cli', 'node_modules', 'tsx', 'dist', 'cli.mjs');
// It reads some thousand small files.
const timeoutMs = 60_000;

/** 64 hex digits. Rejects with UsageError that says what is missing, or what the program printed instead. */
export async function contentIdOfCheckout(directory: string): Promise<string> {
  for (const part of [program, loader]) {
    if ((await stat(join(directory, part)).catch(() => null))?.isFile() === true) continue;
    throw new UsageError([
      `the content id of ${directory} cannot be computed: ${part} is not there; name the root of a checkout whose packages are installed`,
    ]);
  }
  try {
    const { exitCode, output } = await runBounded({
      argv: [process.execPath, join(directory, loader), join(directory, program)],
      cwd: directory,
      env: isolatedEnvironment({}),
      timeoutMs,
      outputLimitBytes: 16_384,
    });
    const id = output.trim();
    if (exitCode === 0 && isContentId(id)) return id;
    throw new UsageError([
      `the content id of ${directory} cannot be computed: ${program} ended with ${exitCode} and printed "${id.slice(-500)}"`,
    ]);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError([`the content id of ${directory} cannot be computed: ${errorText(error)}`]);
  }
}

/** Whether the text is such an id. */
export function isContentId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** What an image says of itself. */
export interface ImageIdentity {
  readonly image: string;
  readonly contentId: string | null;
  readonly runnerSourceRevision: string;
}

/** Throws UsageError with both ids and the revision when the image is not of these sources, or does not say. */
export function requireContentId(image: ImageIdentity, expected: string): void {
  if (image.contentId === expected) return;
  throw new UsageError([
    `the image is not built from the sources of the target: its label ${contentIdLabel} says ${image.contentId ?? 'nothing'}, the sources have ${expected}. ` +
      `${image.image} was built from revision ${image.runnerSourceRevision}: use an image of this target, or the target of this image`,
  ]);
}
