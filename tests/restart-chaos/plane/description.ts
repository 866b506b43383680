/**
 * What the harness must know of a plane to start it and to see when it is ready. Another plane brings its own
 * description; starting, watching and listening stay the same.
 */
import type { BootPhase } from '../model/event.ts';
import type { InstalledTarget } from './install.ts';

/** Where one plane lives and what it connects to; equal for every boot of a wave. */
export interface ServerPlace {
  /** Home directory of the server; also its working directory. */
  readonly home: string;
  readonly tmp: string;
  readonly port: number;
  /** The database must exist: the plane does not create it. */
  readonly databaseUrl: string;
  readonly wave: string;
  /** Signs the agents' tokens; must not change between boots, or running agents lose their access. */
  readonly agentSecret: string;
  /** Directory of node's compile cache, shared by waves; null switches it off. */
  readonly compileCache: string | null;
}

/** What one answer of the health endpoint says. */
export interface BootReading {
  readonly phase: Exclude<BootPhase, 'refused'>;
  /** When the answering process says it started, ISO 8601; null when the release does not tell. */
  readonly processStartedAt: string | null;
  /** When it says it entered this phase, ISO 8601; null when the release does not tell. */
  readonly phaseSince: string | null;
}

export interface PlaneDescription {
  /** Path of the health endpoint. */
  readonly healthPath: string;
  serverArgv(installed: InstalledTarget): readonly string[];
  /**
   * The plane's own variables; the caller adds the few of the machine it needs. `harness` is the harness's own
   * environment, of which a few named variables are passed on to every start.
   */
  serverEnvironment(
    place: ServerPlace,
    harness: Readonly<Record<string, string | undefined>>,
  ): Readonly<Record<string, string>>;
  /** Reads a JSON answer of the health endpoint; null when it is not one. */
  readBoot(body: unknown): BootReading | null;
}
