/**
 * Redaction by value: whatever was registered as a secret never reaches a file of ours, in any of the forms in
 * which it travels (plain, JSON-escaped, URL-encoded, base64 at every alignment).
 *
 * Deliberately not done: guessing what looks like a secret, and base64 that was broken into lines.
 * Trap: JSON is redacted string by string, never as text. A secret that happens to be `100000` would otherwise
 * turn a number of an event into something that no reader can parse.
 */
import { secretForms } from './secret-forms.ts';

/** What stands where a secret stood. */
export const redacted = '[redacted]';

/** Shorter values are not registered: replacing every `1` or `true` would destroy the evidence. */
const shortestSecret = 6;

export interface Redactor {
  /** Registers one more secret; values under six characters are ignored. */
  add(value: string): void;
  /** The text without any registered secret. */
  text(text: string): string;
  /** A copy of a JSON value with every string and every key redacted; numbers stay as they are. */
  json<T>(value: T): T;
  /** The same on bytes held as latin1 text, for files of unknown encoding. */
  latin1: Latin1Pattern;
}

export interface Latin1Pattern {
  /** A fresh global expression over all forms, longest first; null when nothing is registered. */
  expression(): RegExp | null;
  /** Length of the longest form: how far a match can reach over a chunk border. */
  longest(): number;
}

/** Values of environment variables that are secret by the end of their name. */
export function secretsOfEnvironment(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(environment)
    .filter(([name]) => /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name))
    .flatMap(([, value]) => (value === undefined ? [] : [value]));
}

/** A redactor for these secrets. The caller adds `secretsOfEnvironment(process.env)` and what it makes itself. */
export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const forms = new Set<string>();
  const registered = new Set<string>();
  let compiled: { readonly text: RegExp | null; readonly latin1: RegExp | null; readonly longest: number } | null =
    null;

  const add = (value: string): void => {
    // A value from a file often carries its newline; what travels later does not.
    for (const secret of new Set([value, value.trim()])) {
      if (secret.length < shortestSecret || registered.has(secret)) continue;
      registered.add(secret);
      for (const form of secretForms(secret)) forms.add(form);
      compiled = null;
    }
  };
  const patterns = (): NonNullable<typeof compiled> => {
    if (compiled === null) {
      const bytes = [...forms].map((form) => Buffer.from(form, 'utf8').toString('latin1'));
      compiled = {
        text: alternation([...forms]),
        latin1: alternation(bytes),
        longest: Math.max(0, ...bytes.map((form) => form.length)),
      };
    }
    return compiled;
  };
  const text = (input: string): string => {
    const pattern = patterns().text;
    return pattern === null ? input : input.replace(pattern, redacted);
  };
  for (const secret of secrets) add(secret);
  return {
    add,
    text,
    json: (value) => redactJson(value, text) as typeof value,
    latin1: {
      expression: () => {
        const pattern = patterns().latin1;
        return pattern === null ? null : new RegExp(pattern.source, pattern.flags);
      },
      longest: () => patterns().longest,
    },
  };
}

function redactJson(value: unknown, text: (input: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, text));
  // A database driver gives large integers that JSON cannot hold, and dates that are objects.
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return redactJson(value.toJSON(), text);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), redactJson(item, text)]));
}

/** Longest first, so that at one place the whole of a long form goes before a short one inside it. */
function alternation(forms: readonly string[]): RegExp | null {
  if (forms.length === 0) return null;
  const escaped = forms
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(escaped.join('|'), 'g');
}
