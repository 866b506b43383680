/**
 * What the guardian looks after, and how all of it is found at the end: each watched process, its group, everything
 * below it, and everything that carries the wave's marker. Keeps no timers and does no input or output.
 *
 * The marker alone is not enough: Postgres overwrites its environment, and each of its backends leaves the group.
 * The tree alone is not enough: agents outlive their parent. Trap: once a parent is killed its children hang under
 * init; whatever was found once is therefore remembered, and so is what is found below it later.
 */
import { identityKey, type ProcessIdentity } from '../model/fault.ts';
import type { GuardedProcess } from './guardian-message.ts';
import { isAlive } from './identity.ts';
import { groupOf, listProcesses, processesOfWave, treeBelow } from './table.ts';

/** The processes of one wave that may not outlive it. */
export interface WatchedSet {
  readonly watch: (identity: ProcessIdentity, label: string) => void;
  readonly forget: (identity: ProcessIdentity) => void;
  /** What is alive of them now, leaders first. */
  readonly find: () => readonly ProcessIdentity[];
  /** A process with the name it was found under. */
  readonly describe: (identity: ProcessIdentity) => GuardedProcess;
}

/** An empty set; it finds what carries the wave's marker from the start. */
export function createWatchedSet(wave: string): WatchedSet {
  const watched = new Map<string, GuardedProcess>();
  const known = new Map<string, GuardedProcess>();
  const learn = (identities: readonly ProcessIdentity[], label: string): void => {
    for (const identity of identities) {
      const key = identityKey(identity);
      if (identity.pid !== process.pid && !known.has(key)) known.set(key, { ...identity, label });
    }
  };
  const find = (): readonly ProcessIdentity[] => {
    const rows = listProcesses();
    for (const leader of watched.values()) {
      learn([leader], leader.label);
      learn([...groupOf(leader, rows), ...treeBelow(leader, rows)], `below ${leader.label}`);
    }
    for (const found of known.values()) learn(treeBelow(found, rows), `below ${found.label.replace(/^below /, '')}`);
    learn(processesOfWave(wave, rows), 'wave marker');
    return [...known.values()].filter(isAlive);
  };
  return {
    watch: (identity, label) => void watched.set(identityKey(identity), { ...identity, label }),
    forget: (identity) => void watched.delete(identityKey(identity)),
    find,
    describe: (identity) => known.get(identityKey(identity)) ?? { ...identity, label: 'unknown' },
  };
}
