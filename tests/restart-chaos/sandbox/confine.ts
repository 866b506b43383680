/** Which command line confines a command, by the kind of sandbox. */
import { homedir } from 'node:os';
import { realpath } from 'node:fs/promises';
import { bubblewrapCommand, confinedUser } from './bubblewrap.ts';
import type { Confinement } from './confinement.ts';
import type { ScratchOwner } from './scratch-copy.ts';
import { seatbeltCommand } from './seatbelt.ts';
import { unconfinedCommand } from './unconfined.ts';

/** A sandbox that exists here, or the decision to do without. */
export type SandboxChoice =
  { readonly kind: 'bubblewrap' | 'seatbelt'; readonly path: string } | { readonly kind: 'none' };

const asRoot = process.getuid?.() === 0;

/** The whole command line. */
export async function confinedCommand(sandbox: SandboxChoice, confinement: Confinement): Promise<readonly string[]> {
  switch (sandbox.kind) {
    case 'bubblewrap':
      return bubblewrapCommand(sandbox.path, confinement, { asRoot });
    case 'seatbelt':
      return seatbeltCommand(sandbox.path, confinement, { home: await realpath(homedir()) });
    case 'none':
      return unconfinedCommand(confinement);
  }
}

/** Whom the scratch of such a command has to belong to. */
export function scratchOwner(sandbox: SandboxChoice): ScratchOwner {
  return sandbox.kind === 'bubblewrap' && asRoot ? confinedUser : null;
}
