import type { Results, WaveStore } from '../evidence/store.ts';
import type { GradedWave } from './grade-stored-wave.ts';

export function reportWave(options: { graded: GradedWave; results: Results; store: WaveStore; replayLine: (task: string) => string; json: boolean }): void {
  const { record } = options.graded;
  for (const { plan, grade } of record.tasks) {
    process.stdout.write(`${plan.id} ${plan.workload} ${plan.adapter} ${plan.temperament} ${grade.verdict} ${grade.restStatus} ${grade.restReason} crossed ${grade.crossedBy.map((c) => c.kind).join('+')} ${grade.continuation} ${grade.because.join('|')}\n`);
    for (const s of grade.signatures) process.stdout.write(`    ${s.text}: ${s.finding.seen}\n`);
  }
  process.stdout.write(`${record.verdict} exit ${record.exitCode} ${options.graded.because.join('\n')}\n`);
}
