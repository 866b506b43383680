/** A request to a model, whichever wire it came over: what was said, called and returned, and the tools on offer. */

export type Entry =
  | { readonly kind: 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

export interface Conversation {
  /** In order. Empty texts, system messages and whatever is no conversation are left out. */
  readonly entries: readonly Entry[];
  /** Names of the functions that the client offers. */
  readonly tools: readonly string[];
}

/** What the model says next. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, string | number>>;
    };

/** The text of a content that is a string, or a list of parts of which some are text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('\n');
}

/** Whether it is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a JSON list; none when it is no list. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** An entry for a text that is not blank. */
export function said(kind: 'user' | 'assistant', content: unknown): readonly Entry[] {
  const text = textOf(content);
  return text.trim() === '' ? [] : [{ kind, text }];
}
