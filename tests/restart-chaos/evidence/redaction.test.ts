import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { redactFile } from './redact-file.ts';
import { createRedactor, redacted, secretsOfEnvironment } from './redaction.ts';

const directory = mkdtempSync(join(tmpdir(), 'redaction-'));
afterAll(() => rmSync(directory, { recursive: true }));

const secret = 'sk-"quo\\te"/+é key';

/** Secrets of any kind; none that is part of what replaces them. */
const anySecret = fc
  .oneof(fc.string({ minLength: 6, maxLength: 40, unit: 'binary' }), fc.base64String({ minLength: 8, maxLength: 64 }))
  .filter((text) => text.trim().length >= 6 && !redacted.includes(text.trim()));

describe('the redactor', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['plain', secret],
    ['JSON-escaped', JSON.stringify({ key: secret })],
    ['JSON inside JSON', JSON.stringify({ body: JSON.stringify({ key: secret }) })],
    ['JSON in ASCII', JSON.stringify(secret).replace('é', '\\u00e9')],
    ['JSON in ASCII, capitals', JSON.stringify(secret).replace('é', '\\u00E9')],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded, small digits', encodeURIComponent(secret).replace(/%../g, (unit) => unit.toLowerCase())],
    ['form-encoded', new URLSearchParams({ key: secret }).toString()],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64, one byte before', Buffer.from(`:${secret}`).toString('base64')],
    ['base64, two bytes before', Buffer.from(`u:${secret}`).toString('base64')],
    ['base64url', Buffer.from(`u:${secret}`).toString('base64url')],
  ];

  it.each(forms)('removes a secret that is %s', (_name, text) => {
    const output = createRedactor([secret]).text(`before ${text} after`);
    expect(output).toContain(redacted);
    expect(output).not.toContain(secret);
    expect(output).toMatch(/^before .*after$/s);
  });

  it('leaves text without a secret exactly as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(createRedactor(['0123456789-never-there']).text(text)).toBe(text);
      }),
    );
  });

  it('never lets any secret through in any text', () => {
    fc.assert(
      fc.property(anySecret, fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (value, before, after) => {
        const redactor = createRedactor([value]);
        expect(redactor.text(before + value + after)).not.toContain(value);
        expect(redactor.text(JSON.stringify({ before, value, after }))).not.toContain(
          JSON.stringify(value).slice(1, -1),
        );
      }),
    );
  });

  it('never lets base64 through from which the secret can be decoded', () => {
    fc.assert(
      fc.property(
        anySecret,
        fc.uint8Array({ maxLength: 9 }),
        fc.uint8Array({ maxLength: 9 }),
        (value, before, after) => {
          const encoded = Buffer.concat([before, Buffer.from(value), after]).toString('base64');
          const output = createRedactor([value]).text(encoded);
          expect(output).toContain(redacted);
          expect(Buffer.from(output, 'base64').includes(Buffer.from(value))).toBe(false);
        },
      ),
    );
  });

  it('keeps JSON readable and its numbers unchanged when a secret is a number', () => {
    const value = createRedactor(['100000']).json({ atMs: 100_000, text: 'x100000y', '100000': [1n, null, true] });
    expect(value).toEqual({ atMs: 100_000, text: `x${redacted}y`, [redacted]: ['1', null, true] });
  });

  it('ignores values under six characters, which would destroy the evidence', () => {
    expect(createRedactor(['true', '1', '']).text('true 1')).toBe('true 1');
  });

  it('finds a secret that was registered with the newline of its file', () => {
    expect(createRedactor(['hunter22\n']).text('password hunter22;')).toBe(`password ${redacted};`);
  });

  it('replaces the longer of two secrets that begin alike', () => {
    expect(createRedactor(['abcdef', 'abcdefghi']).text('abcdefghi')).toBe(redacted);
  });

  it('takes the environment variables whose name ends in KEY, TOKEN, SECRET or PASSWORD', () => {
    const environment = {
      A_KEY: 'value-1',
      b_token: 'value-2',
      SECRET: 'value-3',
      PG_PASSWORD: 'value-4',
      KEYBOARD: 'value-5',
    };
    expect(secretsOfEnvironment(environment)).toEqual(['value-1', 'value-2', 'value-3', 'value-4']);
  });
});

describe('redactFile', () => {
  let count = 0;
  const copy = (content: Uint8Array | string, secrets: readonly string[], chunkBytes: number): Buffer => {
    count += 1;
    const from = join(directory, `${count}.from`);
    const to = join(directory, `${count}.to`);
    writeFileSync(from, content);
    redactFile(from, to, createRedactor(secrets), chunkBytes);
    return readFileSync(to);
  };

  it('finds a secret over every chunk border', () => {
    for (const chunkBytes of [1, 2, 3, 7, 64]) {
      const text = `line one ${secret} line two ${Buffer.from(secret).toString('base64')}\n`;
      const output = copy(text, [secret], chunkBytes).toString();
      expect(output).toBe(createRedactor([secret]).text(text));
      expect(output).not.toContain(secret);
    }
  });

  it('gives the same as redacting the whole text, for any text and chunk size', () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom('abcdefgh', 'abcdef', 'ghabcd', 'é'), fc.string()), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 20 }), (parts, chunkBytes) => {
        const secrets = ['abcdefgh', 'ghabcdé', 'abcdef'];
        expect(copy(parts.join(''), secrets, chunkBytes).toString()).toBe(createRedactor(secrets).text(parts.join('')));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps bytes that are not UTF-8', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect([...copy(bytes, ['never-there'], 16)]).toEqual([...bytes]);
  });

  it('refuses to overwrite, and names the file', () => {
    writeFileSync(join(directory, 'a'), 'a');
    writeFileSync(join(directory, 'b'), 'b');
    expect(() => redactFile(join(directory, 'a'), join(directory, 'b'), createRedactor())).toThrow(
      /could not create .*b: EEXIST/,
    );
    expect(() => redactFile(join(directory, 'gone'), join(directory, 'c'), createRedactor())).toThrow(
      /could not open the log .*gone/,
    );
  });
});
