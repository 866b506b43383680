/** What a provider can do wrong to an agent, as the scripted model does it. */

export const providerFaultKinds = [
  /** 429, and 429 with the seconds to wait before the next try. */
  'rate_limit',
  'rate_limit_with_delay',
  /** 429 whose reason is that the money is spent. */
  'quota',
  /** 401. */
  'unauthorized',
  /** 500. */
  'server_error',
  /** 529, which one vendor answers when it has too much to do. */
  'overloaded',
  /** The connection ends in the middle of the answer. */
  'cut',
  /** An event, or the body, that is no JSON. */
  'malformed',
  /** 200 and a page for people. */
  'garbage',
  /** The request is taken, and nothing comes. */
  'no_headers',
  /** The answer begins, and nothing more comes. */
  'stall',
  /** Everything comes, a piece a second. */
  'slow',
] as const;

export type ProviderFaultKind = (typeof providerFaultKinds)[number];
