/** Where everything of a wave lies; the picture is in doc/evidence.md. */
import { join } from 'node:path';
import type { DumpName } from '../model/dump.ts';
import type { SnapshotMoment } from '../model/evidence.ts';
import type { TaskId } from '../model/ids.ts';

export interface WavePaths {
  readonly directory: string;
  readonly plan: string;
  readonly stage: string;
  readonly owner: string;
  /** Written by the guardian process when it had to end the plane. */
  readonly guardian: string;
  /** Written by `regrade` when it concluded a wave whose harness had died. */
  readonly concluded: string;
  readonly events: string;
  readonly tape: string;
  readonly record: string;
  readonly summary: string;
  readonly logs: string;
  readonly tasks: string;
  task(id: TaskId): TaskPaths;
}

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
  readonly tape: string;
  dump(name: DumpName): string;
  manifest(moment: SnapshotMoment): string;
  truthAt(moment: SnapshotMoment): string;
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
    concluded: join(directory, 'concluded.json'),
    events: join(directory, 'events.jsonl'),
    tape: join(directory, 'tape.jsonl'),
    record: join(directory, 'wave.json'),
    summary: join(directory, 'SUMMARY.md'),
    logs: join(directory, 'logs'),
    tasks,
    task: (id) => taskPaths(join(tasks, id)),
  };
}

function taskPaths(directory: string): TaskPaths {
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
    tape: join(directory, 'tape.jsonl'),
    dump: (name) => join(directory, `${name}.json`),
    manifest: (moment) => join(directory, `manifest-${moment}.json`),
    truthAt: (moment) => join(directory, `truth-${moment}.json`),
  };
}
