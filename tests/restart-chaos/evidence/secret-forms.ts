/**
 * All the ways in which one secret can stand in a text that we write. Pure; kept apart because it is the part
 * that decides what leaks.
 */

/** Every form of a secret worth looking for, each once. */
export function secretForms(secret: string): readonly string[] {
  const escapedOnce = jsonEscaped(secret);
  const forms = [
    secret,
    escapedOnce,
    // A JSON body kept as a string inside our own JSON.
    jsonEscaped(escapedOnce),
    asciiEscaped(secret),
    // Other languages write \u00E9 where we write \u00e9.
    asciiEscaped(secret).replace(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`),
    escapedOnce.replaceAll('/', '\\/'),
    ...[secret, escapedOnce].flatMap(urlEncoded),
    ...[secret, escapedOnce].flatMap(base64Forms),
  ];
  return [...new Set(forms)].filter((form) => form.length > 0);
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiEscaped(text: string): string {
  return jsonEscaped(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** encodeURIComponent, the form encoding, everything that is not a letter or digit, and each in small hex digits. */
function urlEncoded(text: string): readonly string[] {
  // Half a surrogate pair has no URL encoding; as bytes it becomes the replacement character.
  const wellFormed = Buffer.from(text, 'utf8').toString('utf8');
  const component = encodeURIComponent(wellFormed);
  const form = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  const strict = component.replace(/[!'()*~._-]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const reserved = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [component, form, strict, reserved, encodeURI(wellFormed)];
  return all.flatMap((encoded) => [encoded, encoded.replace(/%[0-9A-F]{2}/g, (unit) => unit.toLowerCase())]);
}

/**
 * The base64 digits that only the secret decides, wherever it starts in the encoded bytes. A digit that shares
 * its six bits with a neighbour is left out: it is different in every place.
 */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 1, 2].flatMap((alignment) => {
    const encoded = Buffer.concat([Buffer.alloc(alignment), bytes]).toString('base64');
    const first = Math.ceil((alignment * 8) / 6);
    const end = Math.floor(((alignment + bytes.length) * 8) / 6);
    const digits = encoded.slice(first, end);
    return [digits, digits.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
