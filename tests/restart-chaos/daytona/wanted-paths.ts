/** What is taken from an image, by path in the image: the runner's program and its pack. Everything else is passed over. */

export const runnerPath = 'usr/local/bin/paperclip-runnerd';
export const packPath = 'opt/paperclip-runner/provider-pack';

const roots = [runnerPath, packPath];

/** Whether the path is taken: one of the two, or below the pack. */
export function isWanted(path: string): boolean {
  return roots.some((root) => path === root || path.startsWith(`${root}/`));
}

/** Whether the path decides over what is taken: taken itself, or a parent of it, that a layer may remove or replace. */
export function isRelevant(path: string): boolean {
  return isWanted(path) || roots.some((root) => root.startsWith(`${path}/`));
}
