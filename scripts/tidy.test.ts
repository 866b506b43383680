import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOnly, withoutComments } from './source-text.ts';
import * as rules from './tidy.ts';

const root = join(import.meta.dirname, '..');

/** What belongs to the repository, committed or about to be. */
function filesOfTree(): readonly rules.SourceFile[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return list
    .split('\0')
    .filter((path) => /\.(ts|mjs|js|json|md|sh|py|yml|yaml)$/.test(path) && path !== 'package-lock.json')
    .flatMap((path) => {
      const text = readIfThere(path);
      return text === null ? [] : [{ path, text }];
    });
}

/** A file that was deleted and not yet committed is still listed. */
function readIfThere(path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return null;
  }
}

const pure = (text: string, name = 'grade/rule.ts'): rules.SourceFile => ({
  path: `tests/restart-chaos/${name}`,
  text,
});
const word = (...parts: readonly string[]): string => parts.join('');

describe('the tree', () => {
  it('is tidy', () => {
    expect(rules.tidy(filesOfTree())).toEqual([]);
  });

  it('was really looked at', () => {
    expect(filesOfTree().some((file) => file.path === 'tests/restart-chaos/model/event.ts')).toBe(true);
  });
});

describe('tidy', () => {
  it('refuses npm and node imports in a pure folder, types included', () => {
    const text =
      "import { z } from 'zod';\nimport type { X } from 'pg';\nimport 'node:fs';\nimport a from '../a.ts';\nawait import('execa');\n// from 'y'\n";
    expect(rules.pureImportsOnly(pure(text))).toEqual(
      [
        ['2', 'pg'],
        ['3', 'node:fs'],
        ['5', 'execa'],
      ].map(
        ([line, name]) =>
          `tests/restart-chaos/grade/rule.ts:${line}: imports "${name}" in a pure folder, use only relative paths, seedrandom and zod; outside things belong to an edge`,
      ),
    );
    expect(rules.pureImportsOnly(pure(text, 'grade/rule.test.ts'))).toEqual([]);
    expect(rules.pureImportsOnly(pure(text, 'process/kill.ts'))).toEqual([]);
  });

  it('refuses clocks and randomness in a pure folder, and not the words for them', () => {
    const text =
      "// Date.now()\nconst a = Date.now();\nconst b = new Date(1);\nconst c = 'Math.random()' + Math.random();\nperformance.now();\nDate.parse('x');\n";
    expect(rules.noImpureCalls(pure(text)).map((line) => /:(\d+): (\S+)/.exec(line)?.slice(1).join(' '))).toEqual([
      '2 Date.now',
      '3 new',
      '4 Math.random',
      '5 performance.',
    ]);
    expect(rules.noImpureCalls(pure(text, 'board/poll.ts'))).toEqual([]);
  });

  it('refuses a long file', () => {
    expect(rules.shortFile(pure('x\n'.repeat(300)))).toEqual([]);
    expect(rules.shortFile(pure('x\n'.repeat(301)))).toEqual([
      'tests/restart-chaos/grade/rule.ts:301: 301 lines in one file, use at most 300: split it by idea',
    ]);
  });

  it.each([
    ['a function', 'export async function long(\n  a: number,\n): Promise<void> {\n', '}\n'],
    ['a function of an object argument', 'function long({\n  a,\n}: {\n  a: string;\n}): void {\n', '}\n'],
    ['an arrow function', 'const long = (): void => {\n', '};\n'],
    ['a callback', 'items.forEach((item) => {\n', '});\n'],
    ['a method', '  async long(a: number): Promise<void> {\n', '  }\n'],
  ])('refuses %s of more than sixty lines', (_name, head, tail) => {
    const text = (lines: number): string => `${head}${'    work();\n'.repeat(lines)}${tail}`;
    const around = head.split('\n').length - 1 + 1;
    expect(rules.shortFunctions(pure(text(60 - around)))).toEqual([]);
    expect(rules.shortFunctions(pure(text(61 - around)))).toEqual([
      expect.stringMatching(/rule.ts:1: a function of 61 lines, use at most 60/),
    ]);
  });

  it('does not take a long branch for a function', () => {
    expect(rules.shortFunctions(pure(`  if (wait(1)) {\n${'    work();\n'.repeat(80)}  }\n`))).toEqual([]);
  });

  it('asks for a test of every pure file with logic', () => {
    const files = [
      pure('export interface A {}\n', 'model/a.ts'),
      pure('export function b() {}\n', 'model/b.ts'),
      pure("import { b } from './b.ts';\n", 'model/other.test.ts'),
      pure('export const c = (x: number) => x;\n', 'model/c.ts'),
      pure("import { part } from './part.ts';\nexport function whole() {}\n", 'model/whole.ts'),
      pure("import { whole } from './whole.ts';\n", 'model/whole.test.ts'),
      pure('export function part() {}\n', 'model/part.ts'),
    ];
    expect(rules.pureFilesWithoutTest(files)).toEqual([
      'tests/restart-chaos/model/c.ts:1: no test beside it imports this file, use c.test.ts',
    ]);
  });

  it('refuses unfinished work', () => {
    const text = `// ${word('FIX', 'ME')} later\ndescribe.${'only'}('x', () => {});\n// ${word('TO', 'DO')}\n`;
    expect(rules.nothingUnfinished(pure(text, 'grade/rule.test.ts')).map((line) => line.split(': ')[0])).toEqual(
      ['1', '3', '2'].map((line) => `tests/restart-chaos/grade/rule.test.ts:${line}`),
    );
  });

  it('refuses paths of one machine, and not the ends of other paths', () => {
    const text = `cd ${word('/ro', 'ot')}/x and ${word('/wo', 'rk')}/main but ./work/a, tests/work/b, ~/work/\n`;
    expect(rules.noMachinePaths({ path: 'doc/a.md', text })).toHaveLength(2);
  });
});

describe('the source text', () => {
  it('keeps lines and columns and blanks what is no code', () => {
    const text = 'a = "x" // y\n/* z\n */ b = `t ${c("}")} u`; d = /[/"]/g; e = f / g / h;';
    expect(codeOnly(text)).toBe(
      'a =         \n    \n    b =               ;  d =        ; e = f / g / h;'.replace(
        /b =\s+;\s+d =\s+; e/,
        'b =                ; d =       g; e',
      ),
    );
    expect(codeOnly(text).length).toBe(text.length);
    expect(withoutComments(text)).toContain('`t ${c("}")} u`');
  });
});
