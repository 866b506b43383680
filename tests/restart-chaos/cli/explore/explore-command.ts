/**
 * `explore`: crash a task once at each commit of its life, and say what became of it. `--resume` goes on with one that
 * was interrupted, or that a budget ended.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import {
  createExploration,
  readExplorations,
  resumeExploration,
  type ExplorationStore,
} from '../../evidence/exploration-store.ts';
import { createRedactor, secretsOfEnvironment, type Redactor } from '../../evidence/redaction.ts';
import { openResults, type Results } from '../../evidence/store.ts';
import { errorText } from '../../model/errors.ts';
import type { ExitCode } from '../../model/exit-code.ts';
import {
  formatExplorationId,
  type Exploration,
  type ExploreOptions,
  type ExploreSession,
} from '../../model/exploration.ts';
import { invariant } from '../../model/invariant.ts';
import type { RunOptions, TurnsPlace } from '../../model/options.ts';
import { checkExploreOptions, type ExploreRequest, type RawExploreOptions } from '../../plan/check-explore-options.ts';
import { recordingPlan } from '../../plan/explore-plan.ts';
import { harnessCommit } from '../commit.ts';
import { checkMachine, fetchTarget } from '../preflight.ts';
import { readRunOptions, type RawFlags } from '../raw-flags.ts';
import { placeFlags, replayLine } from '../replay-line.ts';
import { watchSignals } from '../signals.ts';
import { adoptWaves } from './adopt-waves.ts';
import type { ExploreContext } from './explore-context.ts';
import { exploreExitCode } from './explore-exit-code.ts';
import { firstLine, lastLines } from './explore-lines.ts';
import { exploreLife } from './explore-life.ts';
import { watchLoad } from './load-watch.ts';
import { openNotebook, type Notebook } from './notebook.ts';
import { busyPlanesFor, planesFor, thisMachine } from './plane-count.ts';
import { refuseWaveFlags } from './refuse-wave-flags.ts';
import { createWaveChildren } from './wave-children.ts';

/** `budget` is a length of time; everything else as in `RawExploreOptions`. */
export type ExploreFlags = RawFlags & RawExploreOptions;

/** Throws UsageError when something is missing or cannot be; then nothing was started. */
export async function exploreCommand(flags: ExploreFlags): Promise<ExitCode> {
  refuseWaveFlags(flags);
  const runOptions = readRunOptions(flags);
  const drawn = flags.seed === undefined && flags.resume === undefined ? { seed: randomInt(1, 1_000_000) } : {};
  const request = checkExploreOptions({ ...flags, ...drawn }, planesFor(thisMachine()));
  const results = openResults(runOptions.resultsDirectory);
  const say = sayer(runOptions);
  const redactor = createRedactor(secretsOfEnvironment(process.env));
  const resumed = request.kind === 'resume' ? resumeExploration(results, request.id, redactor) : null;
  const options = request.kind === 'resume' ? resumed?.exploration.options : request.options;
  invariant(options !== undefined, 'an exploration is new, or it was found');
  const plan = recordingPlan(options);
  await checkMachine(plan, runOptions);
  // Before the waves begin side by side, so that they do not wait for each other with it.
  await fetchTarget(plan, runOptions, say);
  const { store, exploration } = resumed ?? beginExploration(results, options, redactor);
  const begun = { ...exploration, sessions: [...exploration.sessions.map(ended), newSession(request)] };
  const notebook = openNotebook({
    store,
    exploration: begun,
    others: readExplorations(results),
    replay: (wave, task) => replayLine(runOptions, wave, task),
    resume: resumeLine(runOptions, store.id),
  });
  say(firstLine(begun));
  await runSession({ notebook, results, runOptions, say });
  const explored = notebook.current();
  const output = runOptions.json ? JSON.stringify(explored) : lastLines(explored, store.paths).join('\n');
  process.stdout.write(`${output}\n`);
  return exploreExitCode(explored);
}

function beginExploration(
  results: Results,
  options: ExploreOptions,
  redactor: Redactor,
): { readonly store: ExplorationStore; readonly exploration: Exploration } {
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const store = createExploration(
    results,
    (collision) => formatExplorationId(stamp, options.seed, collision),
    redactor,
  );
  const exploration: Exploration = {
    schema: 1,
    id: store.id,
    commit: harnessCommit(),
    options,
    sessions: [],
    recording: null,
    commits: [],
    unsteady: [],
    waves: [],
    attempts: [],
  };
  return { store, exploration };
}

function newSession({ effort }: ExploreRequest): ExploreSession {
  return { ...effort, startedAt: new Date().toISOString(), endedAt: null, end: null };
}

/** An earlier session that could not write down its end was killed. */
function ended(session: ExploreSession): ExploreSession {
  return session.end === null ? { ...session, end: 'interrupted' } : session;
}

interface SessionToRun {
  readonly notebook: Notebook;
  readonly results: Results;
  readonly runOptions: RunOptions;
  readonly say: (line: string) => void;
}

/** Whatever happens, how the session ended is written down. */
async function runSession({ notebook, results, runOptions, say }: SessionToRun): Promise<void> {
  const children = createWaveChildren(runOptions, turnsPlace(notebook.store.paths.turns));
  const stop = new AbortController();
  const halt = (): void => {
    stop.abort();
    children.interrupt();
  };
  const signals = watchSignals((signal, count) => {
    say(count === 1 ? `${signal}: the waves end in order; again ends them at once` : `${signal} again: at once`);
    halt();
  });
  const wall = (): string => new Date().toISOString();
  const load = watchLoad(Date.now);
  const context: ExploreContext = {
    notebook,
    results,
    children,
    stop: stop.signal,
    halt,
    say,
    nowMs: Date.now,
    wall,
    loadAt: load.at,
  };
  let end: NonNullable<ExploreSession['end']> = 'failed';
  try {
    await adoptWaves(context);
    end = await exploreLife(context);
  } finally {
    signals.stop();
    load.stop();
    closeSession(context, end);
  }
}

function turnsPlace(directory: string): TurnsPlace {
  mkdirSync(directory, { recursive: true });
  return { directory, places: busyPlanesFor(thisMachine()) };
}

/** Never throws: an error that ended the session must not be hidden by one that comes of it. */
function closeSession({ notebook, wall, say }: ExploreContext, end: NonNullable<ExploreSession['end']>): void {
  const close = (session: ExploreSession): ExploreSession => ({ ...session, endedAt: wall(), end });
  try {
    notebook.change((exploration) => ({
      ...exploration,
      sessions: exploration.sessions.map((session, index, all) =>
        index === all.length - 1 ? close(session) : session,
      ),
    }));
  } catch (error) {
    say(errorText(error));
  }
}

function resumeLine(options: RunOptions, id: string): string {
  return `npx tsx main.ts explore --resume ${id}${placeFlags(options)}`;
}

/** With --json standard output is for the record alone. */
function sayer({ json }: RunOptions): (line: string) => void {
  const stream = json ? process.stderr : process.stdout;
  return (line) => void stream.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`);
}
