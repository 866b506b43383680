/**
 * Logs: copied from where the children wrote them, and cut down to what concerns one task.
 *
 * Trap: the plane stamps its log with local hours, minutes and seconds only, so a slice cannot go by time; it goes
 * by the ids of the task, and by the beginning and end of every boot, where a restart shows.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { errorText } from '../model/errors.ts';
import type { WaveEvent } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import { readTextIfThere } from './file.ts';
import { redactFile } from './redact-file.ts';
import type { WaveStore } from './store.ts';

/** Copies every `*.log` of a directory into the wave's logs, redacted. Says what could not be copied; never throws. */
export function collectLogs(
  store: WaveStore,
  directory: string,
): { readonly copied: readonly string[]; readonly errors: readonly string[] } {
  const copied: string[] = [];
  const errors: string[] = [];
  try {
    for (const name of readdirSync(directory).toSorted()) {
      if (!name.endsWith('.log')) continue;
      try {
        redactFile(join(directory, name), join(store.paths.logs, name), store.redactor);
        copied.push(name);
      } catch (error) {
        errors.push(errorText(error));
      }
    }
  } catch (error) {
    errors.push(`could not list the logs in ${directory}: ${errorText(error)}`);
  }
  return { copied, errors };
}

/** The server logs of a wave cut down to one task, without colours; a boot that does not mention it is still shown by head and tail. */
export function sliceOfTask(logsDirectory: string, ids: readonly string[]): string {
  let names: string[];
  try {
    names = readdirSync(logsDirectory).filter((name) => /^server.*\.log$/.test(name));
  } catch {
    return '';
  }
  return names
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map(
      (name) =>
        `==> ${name}\n${sliceLog(stripVTControlCharacters(readTextIfThere(join(logsDirectory, name)) ?? ''), ids)}`,
    )
    .join('\n');
}

/** Everything a task is called by in a log: its issue, identifier, agent and runs. */
export function idsOfTask(events: readonly WaveEvent[], task: TaskId): readonly string[] {
  const ids = events.flatMap((event) => {
    if (!('task' in event) || event.task !== task) return [];
    if (event.kind === 'task_created') return [event.issueId, event.identifier, event.agentId];
    if (event.kind === 'run_seen') return [event.run.id];
    return event.kind === 'issue_seen' ? [event.issue.id, event.issue.identifier] : [];
  });
  return [...new Set(ids)].filter((id) => id.length > 0);
}

const shownAtEnds = 20;
// A log line of the plane can carry a whole prompt; a slice is for reading.
const longestLine = 4_000;
const longestSlice = 20_000;

/** The lines that name one of the ids, with one line before and after, and both ends. Gaps are counted. */
export function sliceLog(text: string, ids: readonly string[]): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const names = ids.map((id) => new RegExp(`(?<![\\w-])${id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w-])`));
  const keep = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (index < shownAtEnds || index >= lines.length - shownAtEnds) keep.add(index);
    if (names.some((name) => name.test(line))) for (const near of [index - 1, index, index + 1]) keep.add(near);
  }
  const shown = [...keep].filter((index) => index >= 0 && index < lines.length).toSorted((a, b) => a - b);
  const output: string[] = [];
  let next = 0;
  for (const index of shown.slice(0, longestSlice)) {
    if (index > next) output.push(`… ${index - next} lines …`);
    output.push((lines[index] ?? '').slice(0, longestLine));
    next = index + 1;
  }
  if (shown.length > longestSlice)
    output.push(`… ${shown.length - longestSlice} more lines name this task; see the whole log …`);
  return `${output.join('\n')}\n`;
}
