import { describe, expect, test } from 'vitest';
import type { RawPlanOptions } from './check-plan-options.ts';
import { readEnvironment } from './read-environment.ts';

const image = `ghcr.io/x/runner@sha256:${'a'.repeat(64)}`;

function read(raw: RawPlanOptions): { readonly options: object; readonly problems: readonly string[] } {
  const problems: string[] = [];
  return { options: readEnvironment(raw, problems), problems };
}

describe('readEnvironment', () => {
  test('is this machine when nothing is said', () => {
    expect(read({})).toEqual({ options: { environment: 'local', sandbox: null }, problems: [] });
    expect(read({ env: 'local' })).toEqual(read({}));
  });

  test('gives a sandbox of 4 processors, 4 GiB of memory and 10 GiB of disk, or of as many processors as asked for', () => {
    const sandbox = { image, cpu: 4, memoryGib: 4, diskGib: 10 };
    expect(read({ env: 'daytona', daytonaImage: image })).toEqual({
      options: { environment: 'daytona', sandbox },
      problems: [],
    });
    expect(read({ env: 'daytona', daytonaImage: image, daytonaCpu: '2' }).options).toMatchObject({
      sandbox: { ...sandbox, cpu: 2 },
    });
  });

  test.each<[string, RawPlanOptions, string]>([
    ['another name', { env: 'nope' }, '--env takes local, daytona; got "nope"'],
    ['a name with a slip', { env: 'daytone' }, 'did you mean daytona?'],
    ['no image', { env: 'daytona' }, 'PAPERCLIP_E2E_DAYTONA_IMAGE'],
    ['a tag', { env: 'daytona', daytonaImage: 'ghcr.io/x/runner:latest' }, 'without a tag'],
    ['a short digest', { env: 'daytona', daytonaImage: image.slice(0, -1) }, '64 hex digits'],
    ['no processors', { env: 'daytona', daytonaImage: image, daytonaCpu: '0' }, '--daytona-cpu takes a whole number'],
    ['half a processor', { env: 'daytona', daytonaImage: image, daytonaCpu: '1.5' }, 'got "1.5"'],
    ['an image for nothing', { daytonaImage: image }, '--daytona-image: only with --env daytona'],
    ['processors for nothing', { env: 'local', daytonaCpu: 2 }, '--daytona-cpu: only with --env daytona'],
  ])('refuses %s', (_, raw, message) => {
    const { problems } = read(raw);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(message);
  });
});
