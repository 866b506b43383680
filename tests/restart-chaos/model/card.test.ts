import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCard, marker, readCard } from './card.ts';
import { workloadIds, type TaskPlan } from './plan.ts';

function task(changes: Partial<TaskPlan> = {}): TaskPlan {
  const pace = { steps: 6, stepMs: 1_500 };
  const base = {
    id: 't01',
    workload: 'A1',
    adapter: 'scripted',
    temperament: 'sturdy',
    nonce: '0a1b2c3d4e5f',
  } as const;
  return { ...base, pace, faults: [], deadlineMs: 1, ...changes };
}

describe('the task card', () => {
  test('is read back as it was written, wherever it stands in a text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...workloadIds),
        fc.nat(),
        fc.nat(),
        fc.string(),
        (workload, steps, stepMs, before) => {
          const plan = task({ workload, pace: { steps, stepMs } });
          const text = `${before}\n\n${formatCard(plan)}\n\nmore text`;
          expect(readCard(text)).toEqual({ task: 't01', workload, nonce: plan.nonce, pace: { steps, stepMs } });
        },
      ),
    );
  });

  test('is one line without anything that the plane would un-escape', () => {
    expect(formatCard(task())).toMatch(/^CHAOS-CARD:[A-Za-z0-9%.]+$/);
  });

  test('that comes last counts', () => {
    expect(readCard(`${formatCard(task())} ${formatCard(task({ id: 't02' }))}`)?.task).toBe('t02');
  });

  test.each([
    ['there is none', 'no card here'],
    ['it is cut off', formatCard(task()).slice(0, 40)],
    ['it is not JSON', 'CHAOS-CARD:hello'],
    ['its encoding is broken', 'CHAOS-CARD:%E0%A4%A'],
    ['it is empty', 'CHAOS-CARD:'],
  ])('is null when %s', (_, text) => {
    expect(readCard(text)).toBeNull();
  });
});

test("markers carry the task's nonce, so that two tasks never satisfy each other", () => {
  expect(marker.chaos('0a1b')).toBe('CHAOS-0a1b');
  expect(marker.steer('0a1b')).toBe('STEER-0a1b');
  expect(marker.file('t01', '0a1b')).toBe('chaos/t01-0a1b');
  expect(marker.effect('t01', 'brief')).toBe('[effect t01/brief]');
});
