// Characters that XML does not have, not even escaped.
const impossible = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Any text as text of HTML or SVG, between tags or in a quoted attribute. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(impossible, '\uFFFD').replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
