/** Where everything of a wave lies; the picture is in doc/evidence.md. */
import { join } from 'node:path';
import type { SnapshotMoment } from '../model/evidence.ts';
import type { TaskId } from '../model/ids.ts';

export interface WavePaths {
  readonly directory: string;
  readonly plan: string;
  readonly stage: string;
  readonly owner: string;
  /** Written by the guardian process when it had to end the plane. */
  readonly guardian: string;
  readonly events: string;
  readonly record: string;
  readonly summary: string;
  readonly logs: string;
  readonly tasks: string;
  task(id: TaskId): TaskPaths;
}

/** Files that hold what the API answered, as it came. */
export const dumpNames = [
  'issue',
  'runs',
  'comments',
  'documents',
  'activity',
  'approvals',
  'interactions',
  'recovery-actions',
  'attachments',
  'work-products',
  'queued-comments',
] as const;
export type DumpName = (typeof dumpNames)[number];

export interface TaskPaths {
  readonly directory: string;
  readonly plan: string;
  readonly timeline: string;
  readonly truth: string;
  readonly sweep: string;
  readonly oracle: string;
  readonly grade: string;
  readonly replay: string;
  readonly serverLog: string;
  dump(name: DumpName): string;
  /** `nth` counts from 1: a snapshot that was taken again gets a new name. */
  manifest(moment: SnapshotMoment, nth?: number): string;
  truthAt(moment: SnapshotMoment, nth?: number): string;
}

/** The paths of the wave in this directory. */
export function wavePaths(directory: string): WavePaths {
  const tasks = join(directory, 'tasks');
  return {
    directory,
    plan: join(directory, 'plan.json'),
    stage: join(directory, 'stage.json'),
    owner: join(directory, 'owner.json'),
    guardian: join(directory, 'guardian.json'),
    events: join(directory, 'events.jsonl'),
    record: join(directory, 'wave.json'),
    summary: join(directory, 'SUMMARY.md'),
    logs: join(directory, 'logs'),
    tasks,
    task: (id) => taskPaths(join(tasks, id)),
  };
}

function taskPaths(directory: string): TaskPaths {
  const numbered = (stem: string, nth: number): string => join(directory, `${stem}${nth === 1 ? '' : `-${nth}`}.json`);
  return {
    directory,
    plan: join(directory, 'plan.json'),
    timeline: join(directory, 'timeline.jsonl'),
    truth: join(directory, 'truth.json'),
    sweep: join(directory, 'sweep.json'),
    oracle: join(directory, 'oracle.json'),
    grade: join(directory, 'grade.json'),
    replay: join(directory, 'replay.txt'),
    serverLog: join(directory, 'server.log'),
    dump: (name) => join(directory, `${name}.json`),
    manifest: (moment, nth = 1) => numbered(`manifest-${moment}`, nth),
    truthAt: (moment, nth = 1) => numbered(`truth-${moment}`, nth),
  };
}
