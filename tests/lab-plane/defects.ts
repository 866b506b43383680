/**
 * Planted defects: restart failures that people reported of real planes, each as a few lines at one step of this one.
 * The harness passes the names on and never tells its rules: whether they notice is the question.
 */
import { soundSteps, type Steps } from './steps.ts';

export interface Defect {
  readonly name: string;
  /** What goes wrong, in one sentence. */
  readonly goesWrong: string;
  /** The rule that must fail, and the code it must fail with. */
  readonly caughtBy: { readonly rule: string; readonly code: string };
  /** What shows it. */
  readonly trigger: string;
  /** Public threads that tell of it; none when it is the lab's own. */
  readonly reportedIn: readonly string[];
  /** The steps that are not as they should be. */
  readonly plant: (sound: Steps) => Partial<Steps>;
}

/** Names behind `--defect`. Throws an Error for any other argument. */
export function readDefects(argv: readonly string[]): readonly string[] {
  return argv.flatMap((argument, index) => {
    if (index % 2 === 0 && argument !== '--defect') throw new Error(`only --defect <name> is known; got "${argument}"`);
    return index % 2 === 0 ? [] : [argument];
  });
}

/** The steps of a plane with these defects; later ones are planted into what the earlier ones left. */
export async function plantDefects(names: readonly string[]): Promise<Steps> {
  let steps = soundSteps;
  for (const name of names) {
    const { plant } = await readDefect(name);
    steps = { ...steps, ...plant(steps) };
  }
  return steps;
}

/** Throws an Error when there is no such file. */
export async function readDefect(name: string): Promise<Defect> {
  if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`"${name}" is no name of a defect`);
  const file = (await import(`./defects/${name}.ts`)) as { readonly defect: Defect };
  return file.defect;
}
