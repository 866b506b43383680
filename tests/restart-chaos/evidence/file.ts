/**
 * How every file of the evidence comes to be: created exclusively, flushed to the disk, never opened again for
 * writing. And how it is read back: older schemas are accepted, a newer one is refused by name.
 *
 * Trap: a new file survives a power cut only when its directory is flushed too; `durable` does both.
 */
import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { HarnessError, errorText } from '../model/errors.ts';
import { writeAll } from './redact-file.ts';
import type { Redactor } from './redaction.ts';

/** The newest schema this version writes and can read. */
export const newestSchema = 1;

/** Creates a text file. Throws HarnessError(`evidence-unwritable`) when it exists or cannot be written. */
export function createText(path: string, text: string, redactor: Redactor, options = { durable: false }): void {
  try {
    const descriptor = openSync(path, 'wx');
    try {
      writeAll(descriptor, Buffer.from(redactor.text(text), 'utf8'));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (options.durable) flushDirectory(dirname(path));
  } catch (error) {
    throw new HarnessError('evidence-unwritable', `could not create ${path}: ${errorText(error)}`, { cause: error });
  }
}

/** Creates a JSON file; the value must carry its `schema`. Throws as `createText`. */
export function createJson(
  path: string,
  value: { readonly schema: number },
  redactor: Redactor,
  options = { durable: false },
): void {
  createText(path, jsonText(value, redactor), unredacted, options);
}

/** The text of a JSON file as `createJson` writes it: what a regrade compares byte by byte. */
export function jsonText(value: unknown, redactor: Redactor): string {
  return `${JSON.stringify(redactor.json(value), null, 2)}\n`;
}

/**
 * Reads a JSON file of ours. Null when it is missing, empty, cut off or not an object: for the reader of a wave that
 * died this is the normal case. Throws HarnessError(`evidence-unreadable`) only for a schema from the future.
 */
export function readJson<T extends { readonly schema: number }>(path: string): T | null {
  const text = readTextIfThere(path);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  refuseNewer(path, value);
  return value as T;
}

/**
 * The same for a file whose content the rules rely on: null also when it lacks a part of its shape, because half of it
 * would be taken for all of it.
 */
export function readShaped<T extends { readonly schema: number }>(path: string, shape: z.ZodType<T>): T | null {
  const value = readJson<T>(path);
  return value !== null && shape.safeParse(value).success ? value : null;
}

/** Throws HarnessError(`evidence-unreadable`) when a value was written by a version newer than this one. */
export function refuseNewer(path: string, value: object): void {
  const schema = 'schema' in value ? value.schema : newestSchema;
  if (typeof schema === 'number' && schema <= newestSchema) return;
  throw new HarnessError(
    'evidence-unreadable',
    `${path} has schema ${JSON.stringify(schema)}, and this version reads up to ${newestSchema}: it was written by a newer restart-chaos; use that one to read it`,
  );
}

/** The text of a file; null when it is not there or cannot be read. */
export function readTextIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function flushDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** For text that was redacted string by string already; a second pass over JSON text could break its numbers. */
export const unredacted: Redactor = {
  add: () => undefined,
  text: (text) => text,
  json: (value) => value,
  latin1: { expression: () => null, longest: () => 0 },
};
