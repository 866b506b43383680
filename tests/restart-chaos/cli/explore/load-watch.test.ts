import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { loadText, watchLoad } from './load-watch.ts';

describe('watchLoad', () => {
  it('knows the load around the moments at which it looked, and of no others', () => {
    const watch = watchLoad(() => 1_000_000);
    expect(watch.at(1_020_000)).toEqual({ load: expect.any(Number), processors: availableParallelism() });
    expect(watch.at(1_040_000)).toBeNull();
    expect(watch.at(900_000)).toBeNull();
    watch.stop();
  });
});

describe('loadText', () => {
  it('says what is known, and what it can mean', () => {
    expect(loadText({ load: 25.06, processors: 2 })).toBe(
      'the load of this machine then was 25.1 on 2 processors; an overloaded one can be the reason',
    );
    expect(loadText(null)).toBe('the load of this machine then is not known; an overloaded one can be the reason');
  });
});
