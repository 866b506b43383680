import { describe, expect, it } from 'vitest';
import { UsageError } from './errors.ts';
import { isImageDigest, parseReference } from './image-reference.ts';

describe('an image is named by its digest', () => {
  it.each(['ghcr.io/x/y:latest', 'ghcr.io/x/y', `ghcr.io/x/y:1@sha256:${'a'.repeat(64)}`, 'x@sha256:abc', '-v/x'])(
    '%s is refused',
    (text) => {
      expect(() => parseReference(text)).toThrow(UsageError);
      expect(isImageDigest(text)).toBe(false);
    },
  );

  it('only a registry on this machine is spoken to without TLS', () => {
    const digest = `@sha256:${'a'.repeat(64)}`;
    expect(parseReference(`127.0.0.1:5000/x${digest}`).isLoopback).toBe(true);
    expect(parseReference(`127.0.0.1.example.org/x${digest}`).isLoopback).toBe(false);
    expect(parseReference(`ghcr.io/x/y${digest}`)).toMatchObject({ name: 'ghcr.io/x/y', isLoopback: false });
    expect(isImageDigest(`ghcr.io/x/y${digest}`)).toBe(true);
  });
});
