// Layout rules that Biome cannot check, part of `npm run lint`: imports, cycles, sizes, file names in
// comments. Checks the repository or the given folder; exits with 1.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative, resolve } from 'node:path';
import { importRules } from './import-rules.ts';

const linesMax = 400;
const functionLinesMax = 70;
/** Files directly in these folders belong to different layers: each is a module of its own. */
const stairs = new Set(['src', 'src/core', 'src/http', 'src/cli', 'src/contract', 'data', 'routes']);
const rooms = ['src', 'data', 'routes', 'schemas', 'scripts'];

interface Import {
  readonly file: string;
  readonly to: string;
}

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const texts = textsBelow(rooms);
const imports = [...texts].flatMap(([file, text]) => importsOf(file, text));
const all = new Map([...texts, ...textsBelow(['tests'])]);
const problems = [...longFiles(), ...longFunctions(), ...wrongArrows(), ...circles(), ...staleNames()];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function textsBelow(folders: readonly string[]): Map<string, string> {
  const files = folders
    .filter((each) => existsSync(join(folder, each)))
    .flatMap((each) => readdirSync(join(folder, each), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

function importsOf(file: string, text: string): Import[] {
  const words = /^(?:import|export)\b[^'"`;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gm;
  // Template literals may contain programs; their imports do not count.
  const ours = text.replaceAll(/(?<=: )`[^`]*`/g, '``');
  return [...ours.matchAll(words)].map(([, from, bare, later]) => {
    const name = from ?? bare ?? later ?? '';
    return { file, to: name.startsWith('.') ? normalize(join(dirname(file), name)) : name };
  });
}

function longFiles(): string[] {
  return [...texts].flatMap(([file, text]) => {
    const lines = text.split('\n').length - 1;
    return lines > linesMax ? [`${file} has ${lines} lines: a file has at most ${linesMax}.`] : [];
  });
}

/** Counts lines from the start of a function to its last brace; Biome's rule counts a third fewer. */
function longFunctions(): string[] {
  return [...texts].flatMap(([file, text]) => {
    const lines = text.split('\n');
    return lines.flatMap((line, index) => {
      const start = opensFunction(line) ? startOf(lines, index) : null;
      const isBranch = /^\s*(?:\} )?(?:else |if|for|while|switch|catch|try|do)\b/.test(
        lines[start ?? index] ?? '',
      );
      if (start === null || isBranch) return [];
      const count = endOf(lines, index) - start + 1;
      const where = `${file}:${start + 1}`;
      return count > functionLinesMax
        ? [`${where} begins a function of ${count} lines: at most ${functionLinesMax}.`]
        : [];
    });
  });
}

function opensFunction(line: string): boolean {
  return /\bfunction\b.*\{$|=> \{$|^\s*(?:(?:async|get|set|static) )*[\w$#]+(?:<.*>)?\(.*\{$|^\s*\}?\).* \{$/.test(
    line,
  );
}

/** The first line of a function whose parameter list ends at `opening`. */
function startOf(lines: readonly string[], opening: number): number {
  const indent = indentOf(lines[opening] ?? '');
  let at = opening;
  while (at > 0 && (indentOf(lines[at] ?? '') > indent || /^\s*[)}]/.test(lines[at] ?? ''))) at -= 1;
  return at;
}

function endOf(lines: readonly string[], opening: number): number {
  const indent = indentOf(lines[opening] ?? '');
  const end = lines.findIndex((line, at) => at > opening && indentOf(line) === indent && /^\s*\}/.test(line));
  return /^\s*\}> \{$/.test(lines[end] ?? '') ? endOf(lines, end) : end;
}

function wrongArrows(): string[] {
  const table = Object.keys(importRules);
  const roomOfTable = (file: string): string | undefined => longestWithin(file, table);
  const homeless = [...texts.keys()]
    .filter((file) => roomOfTable(file) === undefined)
    .map((file) => `${file} lies in no room of scripts/import-rules.ts.`);
  const wrong = imports.filter(({ file, to }) => {
    const room = roomOfTable(file);
    if (room === undefined || to.startsWith('node:')) return false;
    const { from, packages = [] } = importRules[room] ?? { from: [] };
    if (texts.has(to)) return roomOfTable(to) !== room && longestWithin(to, from) === undefined;
    return !existsSync(join(folder, to)) && !packages.includes(to);
  });
  const words = wrong.map(
    ({ file, to }) => `${file} may not import ${to}: see ${roomOfTable(file)} in scripts/import-rules.ts.`,
  );
  return [...homeless, ...words];
}

function longestWithin(file: string, paths: readonly string[]): string | undefined {
  return paths
    .filter((path) => file === path || file.startsWith(`${path}/`))
    .sort((left, right) => right.length - left.length)[0];
}

/** Import cycles between modules, types included. */
function circles(): string[] {
  const arrows = arrowsOfRooms();
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (room: string): void => {
    if (path.includes(room)) {
      found.push(`Folders in a circle: ${[...path.slice(path.indexOf(room)), room].join(' → ')}`);
      return;
    }
    if (done.has(room)) return;
    path.push(room);
    for (const next of arrows.get(room) ?? []) visit(next);
    path.pop();
    done.add(room);
  };
  for (const room of arrows.keys()) visit(room);
  return found;
}

function arrowsOfRooms(): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { file, to } of imports) {
    const from = roomOf(file);
    if (!texts.has(to) || roomOf(to) === from) continue;
    arrows.set(from, (arrows.get(from) ?? new Set()).add(roomOf(to)));
  }
  return arrows;
}

function roomOf(file: string): string {
  return stairs.has(dirname(file)) ? file : dirname(file);
}

function indentOf(line: string): number {
  return line.search(/\S/);
}

function staleNames(): string[] {
  const names = new Set([...all.keys()].map((file) => basename(file)));
  return [...all].flatMap(([file, text]) =>
    commentsOf(text)
      .flatMap((comment) => [...comment.matchAll(/(?<![\w.*-])[\w./-]*\b[\w-]+\.ts\b(?![.:]\w)/g)])
      .filter(([name]) => !names.has(basename(name)))
      .map(([name]) => `${file} speaks of ${name}, which is not there.`),
  );
}

function commentsOf(text: string): string[] {
  return text.split('\n').filter((line) => /^\s*(?:\/\/|\/?\*)|\s\/\/ /.test(line));
}
