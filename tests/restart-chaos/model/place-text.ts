/** Where something is in a JSON file: `tasks[0].pace.steps`. */

/** The text of a path as a schema's complaint has it. */
export function placeText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the whole file';
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
}
