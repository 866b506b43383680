import { describe, expect, it } from 'vitest';
import { refuseWaveFlags } from './refuse-wave-flags.ts';

describe('refuseWaveFlags', () => {
  it('lets pass what an exploration shares with a wave', () => {
    expect(() =>
      refuseWaveFlags({ seed: '1', target: 'paperclip@1.2.3', json: true, keep: true, tap: true, env: 'local' }),
    ).not.toThrow();
  });

  it('names every flag that would be ignored, and what to use', () => {
    expect(() => refuseWaveFlags({ workloads: 'A1', tap: false })).toThrow(
      'explore takes no --workloads: use --workload with one workload\nexplore takes no --no-tap: there are no commits to be seen without the tap',
    );
  });

  it('refuses a defect that would not be planted', () => {
    expect(() => refuseWaveFlags({ target: 'lab', defect: ['dead-retry'] })).toThrow(
      'explore takes no --defect: name it in the target: --target lab:<defect>',
    );
  });
});
