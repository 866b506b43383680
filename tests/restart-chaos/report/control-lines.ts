/** A wave beside the control arm that was run for it: what of its failures no fault caused, and what is not known. */
import { controlLabels, type ControlLabel } from '../model/control-arm.ts';
import type { WaveRecord } from '../model/record.ts';
import { code, count, inline } from './format.ts';

const words: Readonly<Record<ControlLabel, string>> = {
  not_caused_by_fault: 'it shows this too',
  not_seen_without_fault: 'it does not show this',
  control_unknown: 'its tasks alike could not be checked, so that nothing is known',
};

/** The first line names the wave, each other one a failure with its label; none when no control arm was run for it. */
export function controlLines({ control }: WaveRecord): readonly string[] {
  if (control === undefined) return [];
  const width = Math.max(...controlLabels.map((label) => label.length));
  return [
    `Control arm ${control.wave}: ${count(shownToo(control), 'failure')} of ${control.failures.length} not caused by a fault.`,
    ...byLabel(control).map(
      ({ label, signature, tasks }) => `${label.padEnd(width)}  ${signature}  ${tasks.join(' ')}`,
    ),
  ];
}

/** The same as a section of SUMMARY.md. */
export function controlSection({ control }: WaveRecord): readonly string[] {
  if (control === undefined) return [];
  const { wave, failures } = control;
  return [
    '## Control arm',
    '',
    `[${wave}](../${wave}/SUMMARY.md) ran the same plan without faults. Of ${count(failures.length, 'failure')} here it shows ${shownToo(control)} too.`,
    ...(failures.length === 0 ? [] : ['']),
    ...byLabel(control).map(
      ({ label, signature, tasks }) => `- ${code(label)} ${inline(signature)} (${tasks.join(', ')}): ${words[label]}`,
    ),
  ];
}

type Control = NonNullable<WaveRecord['control']>;

function shownToo({ failures }: Control): number {
  return failures.filter(({ label }) => label === 'not_caused_by_fault').length;
}

function byLabel({ failures }: Control): readonly {
  readonly label: ControlLabel;
  readonly signature: string;
  readonly tasks: readonly string[];
}[] {
  return controlLabels.flatMap((label) => {
    const here = failures.filter((failure) => failure.label === label);
    return [...new Set(here.map(({ signature }) => signature))].map((signature) => {
      return { label, signature, tasks: here.filter((each) => each.signature === signature).map(({ task }) => task) };
    });
  });
}
