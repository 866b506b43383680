import { describe, expect, it } from 'vitest';
import { clockTime, code, count, inline, seconds, spread, stamp, table } from './format.ts';

describe('format', () => {
  it.each([
    [null, '–'],
    [0, '0.0 s'],
    [20, '0.02 s'],
    [4_400, '4.4 s'],
    [99_940, '99.9 s'],
    [187_400, '187 s'],
  ])('writes %s ms as %s', (ms, text) => {
    expect(seconds(ms)).toBe(text);
  });

  it.each([
    [41_000, 0, '0:41'],
    [6_900, 5, '00:06'],
    [1_320_000, 0, '22:00'],
    [3_723_000, 5, '1:02:03'],
    [-5, 0, '0:00'],
  ])('writes %s ms on the clock with width %s as %s', (ms, width, text) => {
    expect(clockTime(ms, width)).toBe(text);
  });

  it('counts, stamps and spreads', () => {
    expect([count(1, 'task'), count(0, 'task'), count(2, 'loss', 'losses')]).toEqual(['1 task', '0 tasks', '2 losses']);
    expect(stamp(14_203)).toBe('14.203');
    expect(spread([null, 3_000, 1_000, 9_000])).toBe('3.0 s (1.0 s to 9.0 s, of 3)');
    expect([spread([null]), spread([1_000, null])]).toEqual(['–', '1.0 s']);
  });

  it('keeps foreign text from breaking the page, and codes greppable', () => {
    expect(inline('a|b\n# <script> `x` *y* [z] _u_')).toBe('a\\|b # \\<script\\> \\`x\\` \\*y\\* \\[z\\] \\_u\\_');
    expect(inline('R3 no_retry_offered')).toBe('R3 no_retry_offered');
    expect(code('a`b\nc')).toBe("`a'b c`");
    expect(table(['a'], [['1']])).toEqual(['| a |', '| --- |', '| 1 |']);
  });
});
