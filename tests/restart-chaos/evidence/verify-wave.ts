/**
 * Checks that the evidence of a wave is whole: every file there, not empty, of the right kind, and the events
 * without a gap. A blanked file must not pass for an empty one, because an empty dump reads like "nothing happened".
 */
import { lstatSync, readdirSync } from 'node:fs';
import { relative } from 'node:path';
import type { z } from 'zod';
import { errorText } from '../model/errors.ts';
import type { Manifest } from '../model/evidence.ts';
import type { WaveEvent } from '../model/event.ts';
import { snapshotMoments } from '../model/evidence.ts';
import type { TaskTruth } from '../model/truth.ts';
import { wavePlanSchema } from '../model/plan.ts';
import { type DumpName, dumpNames } from '../model/dump.ts';
import { gapsOf, readEventLog } from './event-reader.ts';
import { readJson, readTextIfThere } from './file.ts';
import { manifestShape, oracleShape, sweepShape, truthShape } from './snapshot-shapes.ts';
import { checkAddress, checkManifestMoment, checkTruthMoment } from './verify-exchange.ts';
import { checkEnd } from './verify-end.ts';
import { checkTape, checkTaskTape } from './verify-tape.ts';
import { type TaskPaths, type WavePaths, wavePaths } from './wave-paths.ts';

export interface EvidenceProblem {
  /** Relative to the wave. */
  readonly path: string;
  readonly problem: string;
}

type Value = Readonly<Record<string, unknown>>;
type Check = (value: Value) => string | null;

/** Every problem of a wave's evidence; none means that it is whole. Never throws. */
export function verifyWave(directory: string): readonly EvidenceProblem[] {
  const paths = wavePaths(directory);
  const problems: EvidenceProblem[] = [];
  const report = (path: string, problem: string | null): void => {
    if (problem !== null) problems.push({ path: relative(directory, path), problem });
  };
  report(
    paths.plan,
    checkJson(paths.plan, (value) => (wavePlanSchema.safeParse(value).success ? null : 'is not a plan')),
  );
  report(paths.record, checkJson(paths.record, has('tasks', 'array')));
  report(paths.summary, checkText(paths.summary, /^# |\*\*/m));
  report(paths.events, checkEvents(paths));
  const events = eventsOrNone(paths.events);
  if (!startedNothing(events)) {
    report(paths.stage, checkJson(paths.stage, has('dialect', 'string')));
    report(paths.logs, checkLogs(paths.logs));
  }
  const planned = readPlanTasks(paths.plan);
  report(paths.tape, checkTape(paths.tape, events));
  for (const task of planned) {
    const created = events.find((event) => event.kind === 'task_created' && event.task === task);
    const issueId = created?.kind === 'task_created' ? created.issueId : null;
    for (const [path, check] of checksOfTask(paths.task(task), issueId)) report(path, check());
    for (const [path, check] of checksOfSnapshots(paths.task(task), events, task)) report(path, check());
    if (issueId !== null) report(paths.task(task).tape, checkTaskTape(paths, task));
  }
  return problems;
}

/** A wave that was interrupted before it was its turn. */
function startedNothing(events: readonly WaveEvent[]): boolean {
  return events.some(({ kind }) => kind === 'interrupt') && !events.some(({ kind }) => kind === 'stage_step');
}

type FileCheck = readonly [path: string, check: () => string | null];

/** `issueId` is null for a task that was never created. */
function checksOfTask(paths: TaskPaths, issueId: string | null): readonly FileCheck[] {
  const json = (path: string, check: Check): FileCheck => [path, () => checkJson(path, check)];
  const always = [json(paths.grade, has('rules', 'array'))];
  if (issueId === null) return always;
  return [
    ...always,
    json(paths.plan, has('task', 'object')),
    ...dumpNames.map((name): FileCheck => [paths.dump(name), () => checkDump(paths.dump(name), name, issueId)]),
    json(paths.truth, (value) => (snapshotMoments.every((moment) => moment in value) ? null : 'lacks a moment')),
    json(paths.sweep, isOf(sweepShape)),
    json(paths.oracle, isOf(oracleShape)),
    [paths.timeline, () => checkTimeline(paths.timeline)],
    [paths.replay, () => checkText(paths.replay, /--replay /)],
    [paths.serverLog, () => checkText(paths.serverLog, /^==> server/m)],
  ];
}

/** What the wave does just before it takes a snapshot. */
const beginningOf = { before: 'fault_due', after: 'fault_ended', rest: 'rest' } as const;

/**
 * A snapshot that was reported as taken must be there; one that failed is explained by its event, and what there is of
 * it is looked at all the same. Of the files there is nothing to take when no look had shown a worktree yet.
 */
function checksOfSnapshots(paths: TaskPaths, events: readonly WaveEvent[], task: string): readonly FileCheck[] {
  return snapshotMoments.flatMap((moment): readonly FileCheck[] => {
    const isTaken = (event: WaveEvent): boolean =>
      event.kind === 'snapshot' && event.task === task && event.moment === moment && event.ok;
    const taken = events.findIndex(isTaken);
    const begins = (event: WaveEvent): boolean =>
      event.kind === beginningOf[moment] && (event.kind !== 'rest' || event.task === task);
    const begun = events.slice(0, Math.max(0, taken)).findLastIndex(begins);
    const hadWorktree = events
      .slice(0, Math.max(0, begun))
      .some((event) => event.kind === 'issue_seen' && event.task === task && event.issue.workspaceCwd !== null);
    const [truth, manifest] = [paths.truthAt(moment), paths.manifest(moment)];
    return [
      [
        truth,
        () => {
          const fits = (value: TaskTruth): string | null => checkTruthMoment(readJson(paths.truth), moment, value);
          return checkIfThere(truth, taken !== -1, isOf(truthShape, fits));
        },
      ],
      [
        manifest,
        () => {
          const fits = (value: Manifest): string | null => checkManifestMoment(paths, moment, value);
          return checkIfThere(manifest, hadWorktree, isOf(manifestShape, fits));
        },
      ],
    ];
  });
}

function has(key: string, kind: 'array' | 'object' | 'string' | 'boolean'): Check {
  return (value) => {
    const part = value[key];
    const found = Array.isArray(part) ? 'array' : part === null ? 'null' : typeof part;
    return found === kind ? null : `has no ${kind} "${key}"`;
  };
}

/** The first thing that is wrong with a file whose every field the rules rely on; `fits` looks at one that has them. */
function isOf<T>(shape: z.ZodType<T>, fits: (value: T) => string | null = () => null): Check {
  return (value) => {
    const issue = shape.safeParse(value).error?.issues[0];
    return issue === undefined ? fits(value as T) : `cannot be read: ${issue.path.join('.')}: ${issue.message}`;
  };
}

function checkJson(path: string, check: Check): string | null {
  const kind = checkKind(path);
  if (kind !== null) return kind;
  try {
    const value = readJson<{ schema: number }>(path);
    if (value === null) return 'is not a JSON object';
    if (!('schema' in value)) return 'has no schema';
    return check(value as unknown as Value);
  } catch (error) {
    return errorText(error);
  }
}

/** What every task has. The other dumps are looked at where they are; a target may not have such things at all. */
const neededDumps: readonly string[] = ['issue', 'runs', 'comments', 'documents', 'activity'];

function checkDump(path: string, name: DumpName, issueId: string): string | null {
  return checkIfThere(
    path,
    neededDumps.includes(name),
    (value) => has('ok', 'boolean')(value) ?? checkAddress(name, issueId, value['path']),
  );
}

function checkIfThere(path: string, needed: boolean, check: Check): string | null {
  return !needed && checkKind(path) === 'is missing' ? null : checkJson(path, check);
}

function checkText(path: string, pattern: RegExp): string | null {
  return checkKind(path) ?? (pattern.test(readTextIfThere(path) ?? '') ? null : `does not contain ${String(pattern)}`);
}

function checkKind(path: string): string | null {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile()) return 'is not a regular file';
    return stats.size === 0 ? 'is empty' : null;
  } catch {
    return 'is missing';
  }
}

function checkEvents(paths: WavePaths): string | null {
  const kind = checkKind(paths.events);
  if (kind !== null) return kind;
  try {
    const log = readEventLog(paths.events);
    return gapsOf(log) ?? checkEnd(paths, log.events);
  } catch (error) {
    return errorText(error);
  }
}

function checkTimeline(path: string): string | null {
  const kind = checkKind(path);
  if (kind !== null) return kind;
  try {
    const { events, tornLines } = readEventLog(path);
    if (tornLines > 0) return `has ${tornLines} unreadable lines`;
    return events.some((event) => event.kind === 'task_created') ? null : 'does not contain the creation of its task';
  } catch (error) {
    return errorText(error);
  }
}

function checkLogs(directory: string): string | null {
  try {
    return readdirSync(directory).some((name) => /^server.*\.log$/.test(name)) ? null : 'holds no server log';
  } catch {
    return 'is missing';
  }
}

function eventsOrNone(path: string): readonly WaveEvent[] {
  try {
    return readEventLog(path).events;
  } catch {
    return [];
  }
}

function readPlanTasks(path: string): readonly string[] {
  try {
    const parsed = wavePlanSchema.safeParse(readJson(path));
    return parsed.success ? parsed.data.tasks.map((task) => task.id) : [];
  } catch {
    return [];
  }
}
