/**
 * What happens when the harness itself breaks: exit 2, never 1, because 1 means that the plane broke a promise. The
 * guardian is not dismissed, so that it ends the plane as it does when the harness is killed.
 */
import { errorText } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';

/** Installs the last resorts of this process. Call once, before anything is started. */
export function installCrashGuard(): void {
  // Whoever reads our output may stop reading (`| head`); the wave goes on, and its results are on disk.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : errorText(error);
      process.stderr.write(`restart-chaos: internal error, the wave is abandoned and its plane is ended: ${text}\n`);
      process.exit(exitCode.harness);
    });
  }
}
