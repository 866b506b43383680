import { describe, expect, it } from 'vitest';
import { addressOf } from './address.ts';

describe('addressOf', () => {
  it('is the socket file in the data directory, which Postgres names after its port', () => {
    expect(addressOf('/tmp/wave/database', 21_000)).toEqual({ socketFile: '/tmp/wave/database/.s.PGSQL.21000' });
  });

  it('is the port where the path of the file would be too long, counted in bytes', () => {
    const directory = `/${'d'.repeat(84)}`;
    expect(addressOf(directory, 21_000)).toEqual({ socketFile: `${directory}/.s.PGSQL.21000` });
    expect(addressOf(`${directory}d`, 21_000)).toEqual({ port: 21_000 });
    expect(addressOf(`/${'d'.repeat(83)}ü`, 21_000)).toEqual({ port: 21_000 });
  });
});
