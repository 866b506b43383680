/**
 * The environment of everything the harness starts: a short list of the user's variables that say nothing about the
 * user, and what the caller adds. Neither HOME nor any credential, proxy or NODE_OPTIONS gets through, so that a wave
 * touches nothing of the user's and runs the same everywhere.
 */

const passedOn = new Set(['PATH', 'LANG', 'LANGUAGE', 'TZ']);

/** The allowed variables of this process, with `extra` over them. The caller gives HOME and TMPDIR where needed. */
export function isolatedEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && (passedOn.has(name) || name.startsWith('LC_'))) environment[name] = value;
  }
  return { ...environment, ...extra };
}
