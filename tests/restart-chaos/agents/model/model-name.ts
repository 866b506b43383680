/**
 * The name that agents ask for. No vendor knows it, so no vendor's special rules for a model apply: with one it knows,
 * Codex sends its tools in another place than the wire's own.
 */
export const scriptedModel = 'scripted-1';
