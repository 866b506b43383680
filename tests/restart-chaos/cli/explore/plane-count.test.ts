import { describe, expect, it } from 'vitest';
import { planesFor } from './plane-count.ts';

const gigabytes = 2 ** 30;

describe('planesFor', () => {
  it.each([
    [2, 20, 6],
    [2, 3, 2],
    [3, 20, 9],
    [1, 0.5, 1],
    [8, 64, 24],
    [64, 512, 32],
  ])('gives %i processors and %d GB %i planes', (processors, free, planes) => {
    expect(planesFor({ processors, freeBytes: free * gigabytes })).toBe(planes);
  });
});
