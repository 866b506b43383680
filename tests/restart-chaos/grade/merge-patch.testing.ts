/** JSON merge patches (RFC 7396): objects are merged, null removes, anything else replaces. */

type JsonObject = Readonly<Record<string, unknown>>;

/** The document with the patch applied. */
export function merged(document: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(document) ? { ...document } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** How many places of the document the patch really changes; something new counts once, whatever is in it. */
export function placesChanged(document: unknown, patch: unknown): number {
  if (isObject(document) && isObject(patch)) {
    return Object.entries(patch).reduce((count, [key, value]) => count + placesChanged(document[key], value), 0);
  }
  const before = JSON.stringify(document);
  return before === (patch === null ? undefined : JSON.stringify(patch)) ? 0 : 1;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
