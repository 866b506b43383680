import { describe, expect, it } from 'vitest';
import { busyPlanesFor, planesFor } from './plane-count.ts';

const gigabytes = 2 ** 30;

describe('planesFor', () => {
  it.each([
    [2, 20, 3],
    [2, 3, 2],
    [3, 20, 5],
    [1, 0.5, 1],
    [8, 64, 12],
    [64, 512, 32],
  ])('gives %i processors and %d GB %i planes', (processors, free, planes) => {
    expect(planesFor({ processors, freeBytes: free * gigabytes })).toBe(planes);
  });
});

describe('busyPlanesFor', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [8, 4],
  ])('lets of planes on %i processors %i be busy', (processors, busy) => {
    expect(busyPlanesFor({ processors })).toBe(busy);
  });
});
