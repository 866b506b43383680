import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sampleBodies } from '../../fixtures/sample-wave.ts';
import type { WaveEvent } from '../model/event.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { readEventLog } from './event-reader.ts';
import { createRedactor } from './redaction.ts';

const directory = mkdtempSync(join(tmpdir(), 'event-log-'));
afterAll(() => rmSync(directory, { recursive: true }));

let count = 0;
let path = '';
let atMs = 0;
beforeEach(() => {
  count += 1;
  path = join(directory, `${count}.jsonl`);
});

function newLog(): EventLog {
  return createEventLog({ path, redact: createRedactor(['hunter22']), clock: { nowMs: () => (atMs += 1.0004) } });
}

function filledLog(): readonly WaveEvent[] {
  const log = newLog();
  const events = sampleBodies().map(([, body]) => log.emit(body));
  log.close();
  return events;
}

describe('the event log', () => {
  it('knows when its file was removed, or another one put in its place', () => {
    for (const replace of [(): void => undefined, () => writeFileSync(path, '')]) {
      const log = newLog();
      log.emit({ kind: 'interrupt', signal: 'SIGINT', count: 1 });
      expect(log.failure()).toBeNull();
      rmSync(path);
      replace();
      expect(log.failure()).toMatchObject({ code: 'evidence-unwritable', message: expect.stringContaining(path) });
      log.close();
      rmSync(path, { force: true });
    }
  });

  it('gives back what was emitted, numbered without gaps', () => {
    const events = filledLog();
    expect(readEventLog(path)).toEqual({ events, tornLines: 0 });
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });

  it('has every event on disk when emit returns, and its schema on the first line', () => {
    const log = newLog();
    log.emit({ kind: 'interrupt', signal: 'SIGINT', count: 1 });
    log.emit({ kind: 'interrupt', signal: 'SIGINT', count: 2 });
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { schema: 1, seq: 1 },
      { seq: 2, count: 2 },
    ]);
    log.close();
  });

  it('writes and hands out no secret', () => {
    const log = newLog();
    const heard: WaveEvent[] = [];
    log.subscribe((event) => heard.push(event));
    log.emit({ kind: 'harness_error', code: 'internal', message: 'login with hunter22 refused' });
    expect(readFileSync(path, 'utf8') + JSON.stringify(heard)).not.toContain('hunter22');
    log.close();
  });

  it('tells its listeners until they leave, and records one that throws', () => {
    const log = newLog();
    const heard: string[] = [];
    const leave = log.subscribe((event) => heard.push(event.kind));
    log.subscribe(() => {
      throw new Error('no terminal');
    });
    log.emit({ kind: 'interrupt', signal: 'SIGINT', count: 1 });
    leave();
    log.emit({ kind: 'interrupt', signal: 'SIGINT', count: 2 });
    expect(heard).toEqual(['interrupt', 'harness_error']);
    expect(readEventLog(path).events.map((event) => event.kind)).toEqual(['interrupt', 'harness_error', 'interrupt']);
    log.close();
  });

  it('refuses to write over an older log', () => {
    filledLog();
    expect(newLog).toThrow(/could not create the event log .*EEXIST/);
  });

  it('fails once when the disk takes no more, and keeps readable what was written', () => {
    const program = `
      import { createEventLog } from '${join(import.meta.dirname, 'event-log.ts')}';
      import { createRedactor } from '${join(import.meta.dirname, 'redaction.ts')}';
      const log = createEventLog({ path: process.argv[1], redact: createRedactor(), clock: { nowMs: () => 1 } });
      const failures = [];
      for (let count = 1; count <= 100; count += 1) {
        try { log.emit({ kind: 'interrupt', signal: 'SIGINT', count }); } catch (error) { failures.push(error.name + ' ' + error.code); }
      }
      process.stdout.write(JSON.stringify({ failures, failed: log.failure().code }));
    `;
    // One block is 1024 bytes to bash; a file system that is full answers the same way, with another errno.
    const command = 'ulimit -f 2; exec "$0" --input-type=module -e "$1" "$2"';
    const child = spawnSync('bash', ['-c', command, process.execPath, program, path], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(child.stderr).toBe('');
    expect(JSON.parse(child.stdout)).toEqual({
      failures: ['HarnessError evidence-unwritable'],
      failed: 'evidence-unwritable',
    });
    const { events, tornLines } = readEventLog(path);
    expect(events.length).toBeGreaterThan(10);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(tornLines).toBe(1);
  });
});

describe('the reader of an event log', () => {
  it('drops and counts a torn last line, wherever it was cut', () => {
    const events = filledLog();
    const whole = readFileSync(path);
    const lastLine = whole.toString().trimEnd().split('\n').at(-1)?.length ?? 0;
    for (let cut = 2; cut <= lastLine; cut += 1) {
      writeFileSync(path, whole);
      truncateSync(path, whole.length - cut);
      expect(readEventLog(path)).toEqual({ events: events.slice(0, -1), tornLines: 1 });
    }
  });

  it('keeps a last line that lacks only its newline', () => {
    const events = filledLog();
    truncateSync(path, readFileSync(path).length - 1);
    expect(readEventLog(path)).toEqual({ events, tornLines: 0 });
  });

  it('counts damage in the middle and goes on behind it', () => {
    const events = filledLog();
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[3] = '\u0000\u0000\u0000';
    lines[5] = '{"seq":6}';
    writeFileSync(path, lines.join('\n'));
    expect(readEventLog(path)).toEqual({ events: events.filter(({ seq }) => seq !== 4 && seq !== 6), tornLines: 2 });
  });

  const damaged: readonly (readonly [string, string, Record<string, unknown>])[] = [
    ['an issue that is null', 'issue_seen', { issue: null }],
    ['a run without a status', 'run_seen', { run: { id: 'run-2' } }],
    ['a rest for a reason that is none', 'rest', { rest: { reason: 'tired', status: null, sinceMs: 1 } }],
    ['a step without a proof', 'fault_step', { proof: null }],
    ['a kind that is none', 'poll', { kind: 'pol' }],
  ];

  it.each(damaged)('counts %s as a line that could not be read', (_title, kind, damage) => {
    const events = filledLog();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const hit = events.findIndex((event) => event.kind === kind);
    lines[hit] = JSON.stringify({ ...events[hit], ...damage });
    writeFileSync(path, lines.join('\n'));
    expect(readEventLog(path)).toEqual({ events: events.filter((_, index) => index !== hit), tornLines: 1 });
  });

  it('reads an event that has more than this version knows', () => {
    const event = { ...filledLog().at(-1), mood: 'good' };
    writeFileSync(path, JSON.stringify(event));
    expect(readEventLog(path)).toEqual({ events: [event], tornLines: 0 });
  });

  it('refuses a log of a newer version by name', () => {
    filledLog();
    appendFileSync(path, '{"schema":2,"seq":99}\n');
    expect(() => readEventLog(path)).toThrow(new RegExp(`${path} has schema 2, and this version reads up to 1`));
  });

  it('reads a fault of an older log, which does not say when it was to fire, as one that fires at a time', () => {
    const stamp = { seq: 1, atMs: 5, wall: '2026-11-30T16:45:12.000Z' };
    const asked = { ref: 'f01', fault: 'K1', parameters: {}, requestedBy: 't01', openTasks: [] };
    const started = { ...stamp, kind: 'fault_started', ...asked };
    writeFileSync(path, `${JSON.stringify({ schema: 1, ...started })}\n`);
    const trigger = { on: 'time', offsetMs: 0 };
    expect(readEventLog(path).events).toEqual([{ ...started, trigger }]);
    const named = { ...started, trigger: { on: 'boundary', id: 'BT04', occurrence: 1 } };
    writeFileSync(path, `${JSON.stringify({ schema: 1, ...named })}\n`);
    expect(readEventLog(path).events).toEqual([named]);
  });

  it('takes a missing log for an empty one', () => {
    expect(readEventLog(join(directory, 'none'))).toEqual({ events: [], tornLines: 0 });
  });
});
