/** Which plane build a wave runs: parsed from `--target`. */
import { UsageError } from './errors.ts';

export type Target =
  | { readonly kind: 'npm'; readonly package: '@paperclipai/server'; readonly version: string; readonly text: string }
  | { readonly kind: 'checkout'; readonly directory: string; readonly text: string }
  /** The reference plane of this repository, with these defects planted. */
  | { readonly kind: 'lab'; readonly defects: readonly string[]; readonly text: string };

export const defaultTarget = 'paperclip@2026.916.1';

/** Reads `paperclip@<version>`, `paperclip:<checkout>`, `lab` or `lab:<defect>,…`. Throws UsageError naming every form. */
export function parseTarget(text: string): Target {
  const published = /^paperclip@(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?)$/.exec(text)?.[1];
  if (published !== undefined) return { kind: 'npm', package: '@paperclipai/server', version: published, text };
  const directory = /^paperclip:(.+)$/.exec(text)?.[1];
  if (directory !== undefined) return { kind: 'checkout', directory, text };
  const lab = /^lab(?::([a-z0-9-]+(?:,[a-z0-9-]+)*))?$/.exec(text);
  if (lab !== null) return { kind: 'lab', defects: lab[1]?.split(',') ?? [], text };
  throw new UsageError([
    `--target takes paperclip@<version> or paperclip:<directory of a built checkout>, or lab or lab:<defect>,<defect>; got "${text}"`,
  ]);
}
