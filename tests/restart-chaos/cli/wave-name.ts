/**
 * Names a new wave. Its processes are found, and ended, by its name, so that two waves of one machine must not share
 * one, in whatever results directories they are: a name is claimed for the machine as long as its harness lives.
 *
 * Trap: two harnesses that start in the same second with the same seed would otherwise end each other's planes.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatWaveId, type WaveId } from '../model/ids.ts';

/** A factory for `createWave`: each call gives another name that nobody on this machine has. */
export function waveNames(seed: number, stamp: string = utcStamp()): () => WaveId {
  let collision = -1;
  return () => {
    for (;;) {
      collision += 1;
      const id = formatWaveId(stamp, seed, collision);
      if (claim(id)) return id;
    }
  };
}

function claim(id: WaveId): boolean {
  const path = join(tmpdir(), `restart-chaos-${id}.claim`);
  try {
    writeFileSync(path, '', { flag: 'wx' });
  } catch (error) {
    // Where nothing can be written, the wave's run directory cannot be made either, and that says why.
    return (error as NodeJS.ErrnoException).code !== 'EEXIST';
  }
  process.once('exit', () => rmSync(path, { force: true }));
  return true;
}

/** `20261130T164512`. */
function utcStamp(): string {
  return new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
}
