/**
 * The rules of this code base that the compiler and the linter cannot hold. Pure: text in, complaints out; each is
 * `path:line: what, use that`. scripts/tidy.test.ts runs them over the whole tree.
 */
import { posix } from 'node:path';
import { codeOnly, withoutComments } from './source-text.ts';

/** A file by its path relative to the repository, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

type Rule = (file: SourceFile) => readonly string[];

const pureFolders = ['model', 'plan', 'faults', 'workloads', 'grade', 'report'];
const pureImports = ['seedrandom', 'zod'];
const longestFile = 300;
const longestFunction = 60;

/** Every complaint about a tree. */
export function tidy(files: readonly SourceFile[]): readonly string[] {
  const rules: readonly Rule[] = [
    pureImportsOnly,
    noImpureCalls,
    shortFile,
    shortFunctions,
    nothingUnfinished,
    noMachinePaths,
  ];
  return [...files.flatMap((file) => rules.flatMap((rule) => rule(file))), ...pureFilesWithoutTest(files)];
}

/** A pure folder imports its neighbours, and of npm only what is deterministic. */
export function pureImportsOnly(file: SourceFile): readonly string[] {
  if (!isPure(file) || isForTests(file)) return [];
  return find(withoutComments(file.text), /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g).flatMap(
    ({ line, match }) => {
      const name = match[1] ?? '';
      if (name.startsWith('.') || pureImports.includes(name)) return [];
      return [
        `${file.path}:${line}: imports "${name}" in a pure folder, use only relative paths, ${pureImports.join(' and ')}; outside things belong to an edge`,
      ];
    },
  );
}

const impure: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b/g, 'the time of an event'],
  [/\bnew Date\b/g, 'the time of an event, or Date.parse for a text'],
  [/\bMath\.random\b/g, 'a named stream (model/random.ts)'],
  [/\bperformance\b\s*\./g, 'the time of an event'],
];

/** A pure folder has no clock and no randomness but the seed. */
export function noImpureCalls(file: SourceFile): readonly string[] {
  if (!isPure(file) || isForTests(file)) return [];
  const code = codeOnly(file.text);
  return impure.flatMap(([pattern, instead]) =>
    find(code, pattern).map(({ line, match }) => `${file.path}:${line}: ${match[0]} in a pure folder, use ${instead}`),
  );
}

/** A file holds one idea. */
export function shortFile(file: SourceFile): readonly string[] {
  if (!isTypeScript(file) || isForTests(file)) return [];
  const lines = file.text.trimEnd().split('\n').length;
  return lines <= longestFile
    ? []
    : [`${file.path}:${longestFile + 1}: ${lines} lines in one file, use at most ${longestFile}: split it by idea`];
}

/**
 * Functions are found by their first line and the closing brace at the same depth, which prettier guarantees. Tests
 * are left out: a `describe` is one function around all of them.
 */
export function shortFunctions(file: SourceFile): readonly string[] {
  if (!isTypeScript(file) || isForTests(file)) return [];
  const lines = codeOnly(file.text).split('\n');
  return lines.flatMap((line, index) => {
    if (
      !/^\s*(export )?(default )?(async )?function\b|=> \{$|^\s*(async |static |override |get |set |private )*\*?#?\w+\(.*\{$/.test(
        line,
      )
    )
      return [];
    if (/^\s*(if|for|while|switch|catch|with)\b|^\s*\} /.test(line)) return [];
    const depth = /^\s*/.exec(line)?.[0] ?? '';
    const length =
      lines
        .slice(index + 1)
        .findIndex(
          (later) => later.startsWith(`${depth}}`) && /^\s*\}[;,)\]]*( satisfies .*| as .*|, .*)?;?$/.test(later),
        ) + 2;
    if (length <= longestFunction) return [];
    return [
      `${file.path}:${index + 1}: a function of ${length} lines, use at most ${longestFunction}: the parent branches, the leaves compute`,
    ];
  });
}

/** A pure file with logic is exercised by a test file beside it that imports it. */
export function pureFilesWithoutTest(files: readonly SourceFile[]): readonly string[] {
  const tested = new Set(
    files.filter(isTest).flatMap((test) => importsOf(test).map((name) => posix.join(posix.dirname(test.path), name))),
  );
  return files
    .filter(
      (file) =>
        isPure(file) && !isForTests(file) && isTypeScript(file) && hasLogic(file) && !isReached(file, files, tested),
    )
    .map(
      (file) => `${file.path}:1: no test beside it imports this file, use ${posix.basename(file.path, '.ts')}.test.ts`,
    );
}

/** Nothing is committed that only makes sense while working. */
export function nothingUnfinished(file: SourceFile): readonly string[] {
  const marks = find(file.text, /\b(FIX|TO)(?:ME|DO)\b/g).map(
    ({ line, match }) => `${file.path}:${line}: ${match[0]}, use an issue, or do it now`,
  );
  if (!isTest(file)) return marks;
  const only = find(codeOnly(file.text), /\b(?:it|test|describe)(?:\.\w+)*\.only\b/g);
  return [
    ...marks,
    ...only.map(({ line, match }) => `${file.path}:${line}: ${match[0]} hides every other test, use it without .only`),
  ];
}

/** The repository says nothing about the machine it was written on. */
export function noMachinePaths(file: SourceFile): readonly string[] {
  return find(file.text, /(?<![\w.~])\/(?:root|work)\/[\w.-]*/g).map(
    ({ line, match }) =>
      `${file.path}:${line}: ${match[0]} is a path of one machine, use a relative path or a temporary directory`,
  );
}

function isReached(file: SourceFile, files: readonly SourceFile[], tested: ReadonlySet<string>): boolean {
  if (tested.has(file.path)) return true;
  // A part of a tested whole in the same folder is tested through it: rule → its parts, report → its sections.
  const users = files.filter((user) => posix.dirname(user.path) === posix.dirname(file.path) && tested.has(user.path));
  return users.some((user) => importsOf(user).some((name) => posix.join(posix.dirname(user.path), name) === file.path));
}

function importsOf(file: SourceFile): readonly string[] {
  return find(withoutComments(file.text), /\bfrom\s*['"](\.[^'"]+)['"]/g).map(({ match }) => match[1] ?? '');
}

function hasLogic(file: SourceFile): boolean {
  return /\bfunction\b|^export const \w+[^=]*= (async )?\(|\bclass\b/m.test(codeOnly(file.text));
}

function isPure(file: SourceFile): boolean {
  return pureFolders.some((folder) => file.path.startsWith(`tests/restart-chaos/${folder}/`));
}

function isTypeScript(file: SourceFile): boolean {
  return file.path.endsWith('.ts');
}

function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts');
}

/** Tests, and the data and tables they share. */
function isForTests(file: SourceFile): boolean {
  return /\.(test|testing)\.ts$/.test(file.path) || file.path.startsWith('tests/fixtures/');
}

interface Found {
  readonly line: number;
  readonly match: RegExpMatchArray;
}

function find(text: string, pattern: RegExp): readonly Found[] {
  return [...text.matchAll(pattern)].map((match) => ({ line: text.slice(0, match.index).split('\n').length, match }));
}
