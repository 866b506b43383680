import { createHash } from 'node:crypto';

/**
 * A uuid made of names: equal names, equal uuid. It lets an unanswered request be sent again without a double, also
 * by a later attempt that remembers nothing.
 */
export function clientRequestId(...names: readonly string[]): string {
  const digits = createHash('sha256').update(names.join('\u0000')).digest('hex');
  // Version 8 is the one for uuids made by a rule of one's own (RFC 9562); the variant digit must be 8 to b.
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
