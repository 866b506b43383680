import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from './errors.ts';
import { formatFaultRef, formatTaskId, formatWaveId, isWaveId, parseTaskReference } from './ids.ts';

describe('ids', () => {
  test('of tasks and faults have two digits at least', () => {
    expect([formatTaskId(1), formatTaskId(42), formatTaskId(100)]).toEqual(['t01', 't42', 't100']);
    expect([formatFaultRef(1), formatFaultRef(12)]).toEqual(['f01', 'f12']);
  });

  test('of waves carry stamp and seed, and a number when the name was taken', () => {
    expect(formatWaveId('20261130T164512', 42)).toBe('w-20261130T164512-s42');
    expect(formatWaveId('20261130T164512', 42, 1)).toBe('w-20261130T164512-s42-2');
  });

  test('of waves are recognised as such', () => {
    expect(isWaveId('w-20261130T164512-s42')).toBe(true);
    expect(isWaveId('w-20261130T164512-s42-3')).toBe(true);
    for (const other of ['', 'w-', 'w-2026-s42', 'w-20261130T164512-s', 'x/w-20261130T164512-s42', '../etc']) {
      expect(isWaveId(other)).toBe(false);
    }
  });
});

describe('parseTaskReference', () => {
  test('splits what the ids were made of', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 120 }), fc.nat({ max: 3 }), (seed, ordinal, collision) => {
        const wave = formatWaveId('20261130T164512', seed, collision);
        const task = formatTaskId(ordinal);
        expect(parseTaskReference(`${wave}/${task}`)).toEqual({ wave, task });
      }),
    );
  });

  test.each([
    '',
    't05',
    'w-20261130T164512-s42',
    'w-20261130T164512-s42/',
    '/t05',
    'w-20261130T164512-s42/5',
    'w-20261130T164512-s42/t05/x',
    '../w-20261130T164512-s42/t05',
  ])('refuses %j and shows the form', (text) => {
    expect(() => parseTaskReference(text)).toThrow(UsageError);
    expect(() => parseTaskReference(text)).toThrow('for example w-20261130T164512-s42/t05');
  });
});
