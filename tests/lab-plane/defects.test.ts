import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plantDefects, readDefect, readDefects } from './defects.ts';
import { soundSteps } from './steps.ts';

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const files = readdirSync(join(import.meta.dirname, 'defects')).map((file) => file.replace(/\.ts$/, ''));

describe.each(files)('defect %s', (name) => {
  test('is named after its file, and the README says what catches it', async () => {
    const defect = await readDefect(name);
    expect(defect.name).toBe(name);
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    expect(row).toContain(`${defect.caughtBy.rule} \`${defect.caughtBy.code}\``);
  });

  test('takes the place of at least one step, and of no other than it names', async () => {
    const { plant } = await readDefect(name);
    const planted = await plantDefects([name]);
    const changed = Object.keys(soundSteps).filter(
      (step) => planted[step as keyof typeof planted] !== soundSteps[step as keyof typeof soundSteps],
    );
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.toSorted()).toEqual(Object.keys(plant(soundSteps)).toSorted());
  });
});

test('a plane without a defect takes every step as it should be', async () => {
  expect(await plantDefects([])).toEqual(soundSteps);
});

test('several are planted into each other', async () => {
  const planted = await plantDefects(['no-reaper', 'lease-forgotten']);
  expect(planted.reap).not.toBe(soundSteps.reap);
  expect(planted.release).not.toBe(soundSteps.release);
  expect(planted.adopt).toBe(soundSteps.adopt);
});

test('the command line names them, and takes nothing else', () => {
  expect(readDefects(['--defect', 'a', '--defect', 'b'])).toEqual(['a', 'b']);
  expect(() => readDefects(['--port', '1'])).toThrow(/only --defect <name> is known; got "--port"/);
});

test.each(['no-such', '../steps'])('%s is no defect', async (name) => {
  await expect(plantDefects([name])).rejects.toThrow();
});
