/** Numbers and times as people read them. */

/** `1 task`, `2 tasks`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** `4.4 s`, `187 s`, `0.02 s`; a dash for what did not happen. */
export function seconds(ms: number | null): string {
  if (ms === null) return '–';
  const value = ms / 1000;
  return `${value >= 100 ? value.toFixed(0) : value >= 0.1 || value === 0 ? value.toFixed(1) : value.toFixed(2)} s`;
}

/** `0:41`, `22:00`, `1:02:03`. */
export function clockTime(ms: number, width = 0): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return (hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`).padStart(width, '0');
}

/** Seconds with three decimals, as everywhere in a timeline: `14.203`. */
export function stamp(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Middle of a list and its ends: `2.1 s (1.0 s to 9.9 s, of 7)`. */
export function spread(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const [least, most] = [known[0], known.at(-1)];
  if (least === undefined || most === undefined) return '–';
  if (known.length === 1) return seconds(least);
  const middle = known[Math.floor((known.length - 1) / 2)] ?? least;
  return `${seconds(middle)} (${seconds(least)} to ${seconds(most)}, of ${known.length})`;
}

/** Text from outside on one line of Markdown: it cannot break a table, a list or the page. Codes keep their underscores. */
export function inline(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').trim();
  return oneLine.replace(/[\\|<>*`[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&');
}

/** A code span around any text. */
export function code(text: string): string {
  return `\`${text.replace(/\s+/g, ' ').replaceAll('`', "'")}\``;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)];
}
