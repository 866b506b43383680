/** PAX records: `<length> <key>=<value>\n`, as many as fit. They say about the next entry what its block has no room for. */
import { refuseImage } from '../refuse-image.ts';

/** In the order they were written: the map of a sparse file repeats its keys. */
export type ExtendedRecords = readonly (readonly [key: string, value: string])[];

/** Reads every record. Refuses a length that does not fit, and a zero byte in a value that names something. */
export function parseExtendedHeader(data: Buffer): ExtendedRecords {
  const records: (readonly [string, string])[] = [];
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(0x20, at);
    const digits = space === -1 || space - at > 10 ? '' : data.toString('latin1', at, space);
    const end = at + Number(digits);
    if (!/^[1-9]\d*$/.test(digits) || end > data.length || end <= space + 2 || data[end - 1] !== 0x0a)
      refuseImage('an extended header whose record lengths do not fit');
    const equals = data.indexOf(0x3d, space + 1);
    if (equals === -1 || equals >= end) refuseImage('an extended header with a record that has no value');
    const key = data.toString('utf8', space + 1, equals);
    const value = data.toString('utf8', equals + 1, end - 1);
    if (value.includes('\0') && /path$|name$/.test(key)) refuseImage(`an extended header whose ${key} has a zero byte`);
    records.push([key, value]);
    at = end;
  }
  return records;
}

/** The last value of a key: a later record replaces an earlier one. Undefined also for an empty one, which takes it back. */
export function recordOf(records: ExtendedRecords, key: string): string | undefined {
  return records.findLast(([name]) => name === key)?.[1] || undefined;
}

/** A whole number in decimal digits. Undefined when the key is missing; refuses anything else. */
export function numberOf(records: ExtendedRecords, key: string): number | undefined {
  const value = recordOf(records, key);
  return value === undefined ? undefined : wholeNumber(value, key);
}

/** Refuses what is no whole number from 0 to 2^53. */
export function wholeNumber(value: string, what: string): number {
  const result = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(result)
    ? result
    : refuseImage(`a header whose ${what} is no number: ${JSON.stringify(value.slice(0, 40))}`);
}
