/** Which of the valid names somebody may have meant. */

/**
 * The valid name with the fewest single-character edits to `given`, letter case aside; null when more than a third of
 * the longer of the two would have to change, because such a hint would only confuse.
 */
export function nearestName(given: string, valid: readonly string[]): string | null {
  const wanted = given.toLowerCase();
  let nearest: { readonly name: string; readonly edits: number } | null = null;
  for (const name of valid) {
    const edits = editsBetween(wanted, name.toLowerCase());
    const bearable = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
    if (edits <= bearable && (nearest === null || edits < nearest.edits)) nearest = { name, edits };
  }
  return nearest?.name ?? null;
}

/** Levenshtein's distance, row by row. */
function editsBetween(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
