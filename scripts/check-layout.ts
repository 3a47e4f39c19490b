// Layout rules that Biome cannot check, part of `npm run lint`: imports, cycles, long functions, file names in
// comments, words that were replaced. Checks the repository or the given folder; exits with 1.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative, resolve } from 'node:path';
import { importRules } from './import-rules.ts';

/** Parts of names that were replaced: the right word is in docs/architecture.md, or what Sentry or Node call it. */
const oldNames = new Set(
  (
    'house crew ladder slope shelf tally exposition retelling uncounted parting machinery surroundings doors ' +
    'upkeep plots suspicion hearing gathering gathered retold heavy sight sighting sightings ' +
    'dying stems visitor hurry askform toldof ' +
    'hearer ears unhear dice fate kin sought keepers mended manner patience sayings filer filing standings'
  ).split(' '),
);
/** On pages, in messages and in help. */
const oldPhrases =
  /To look at|Came back|Look now|Look again|Newest word|Where it leads|By the clock of|The page has to say|Lines to send|Done lately|What is asked|Umbrella report of|falls silent|Need a look|audit history|Headline now|Kept, 30 d|Arrived, 7 d|Seconds from one check|Nothing left by this|Ended is ended|is being seen to/;

const functionLinesMax = 70;
/** Files directly in these folders belong to different layers: each is a module of its own. */
const layered = new Set(['src', 'src/core', 'src/http', 'src/cli', 'src/contract', 'data', 'routes']);
const folders = ['src', 'data', 'routes', 'schemas', 'scripts'];

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const texts = textsBelow(folders);
const imports = [...texts].flatMap(([file, text]) => importsOf(file, text));
const all = new Map([...texts, ...textsBelow(['tests'])]);
const problems = [
  ...longFunctions(),
  ...forbiddenImports(),
  ...cycles(),
  ...missingFiles(),
  ...oldWords(),
  ...oldWordsOfLists(),
];
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

function importsOf(file: string, text: string) {
  const words = /^(?:import|export)\b[^'"`;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gm;
  // Template literals may contain programs; their imports do not count.
  const ours = text.replaceAll(/(?<=: )`[^`]*`/g, '``');
  return [...ours.matchAll(words)].map(([, from, bare, later]) => {
    const name = from ?? bare ?? later ?? '';
    return { file, to: name.startsWith('.') ? normalize(join(dirname(file), name)) : name };
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

function forbiddenImports(): string[] {
  const table = Object.keys(importRules);
  const moduleOf = (file: string): string | undefined => longestWithin(file, table);
  const unlisted = [...texts.keys()]
    .filter((file) => moduleOf(file) === undefined)
    .map((file) => `${file} has no entry in scripts/import-rules.ts.`);
  const wrong = imports.filter(({ file, to }) => {
    const name = moduleOf(file);
    if (name === undefined || to.startsWith('node:')) return false;
    const { from, packages = [] } = importRules[name] ?? { from: [] };
    if (texts.has(to)) return moduleOf(to) !== name && longestWithin(to, from) === undefined;
    return !existsSync(join(folder, to)) && !packages.includes(to);
  });
  const words = wrong.map(
    ({ file, to }) => `${file} may not import ${to}: see ${moduleOf(file)} in scripts/import-rules.ts.`,
  );
  return [...unlisted, ...words];
}

function longestWithin(file: string, paths: readonly string[]): string | undefined {
  return paths
    .filter((path) => file === path || file.startsWith(`${path}/`))
    .sort((left, right) => right.length - left.length)[0];
}

/** Import cycles between modules, types included. */
function cycles(): string[] {
  const graph = importsByFolder();
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const follow = (name: string): void => {
    if (path.includes(name)) {
      found.push(`Import cycle of folders: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`);
      return;
    }
    if (done.has(name)) return;
    path.push(name);
    for (const next of graph.get(name) ?? []) follow(next);
    path.pop();
    done.add(name);
  };
  for (const name of graph.keys()) follow(name);
  return found;
}

function importsByFolder(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { file, to } of imports) {
    const from = folderOf(file);
    if (!texts.has(to) || folderOf(to) === from) continue;
    graph.set(from, (graph.get(from) ?? new Set()).add(folderOf(to)));
  }
  return graph;
}

function folderOf(file: string): string {
  return layered.has(dirname(file)) ? file : dirname(file);
}

function indentOf(line: string): number {
  return line.search(/\S/);
}

function missingFiles(): string[] {
  const names = new Set([...all.keys()].map((file) => basename(file)));
  return [...all].flatMap(([file, text]) =>
    commentsOf(text)
      .flatMap((comment) => [...comment.matchAll(/(?<![\w.*-])[\w./-]*\b[\w-]+\.ts\b(?![.:]\w)/g)])
      .filter(([name]) => !names.has(basename(name)))
      .map(([name]) => `${file} speaks of ${name}, which is not there.`),
  );
}

function oldWords(): string[] {
  return [...texts].flatMap(([file, text]) => {
    if (file === 'scripts/check-layout.ts') return [];
    const code = text.replaceAll(/'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '');
    const names = new Set([...code.matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name));
    const old = [...names].filter((name) => partsOfName(name).some((part) => oldNames.has(part)));
    const phrase = oldPhrases.exec(text)?.[0];
    return [
      ...old.map((name) => `${file} names something ${name}: say it in the field's words.`),
      ...(phrase === undefined ? [] : [`${file} says “${phrase}”, which was replaced.`]),
    ];
  });
}

/** docs/words/: what pages and help say is put together by the program, so the source alone does not show it. */
function oldWordsOfLists(): string[] {
  const path = join(folder, 'docs/words');
  if (!existsSync(path)) return [];
  return readdirSync(path).flatMap((file) => {
    const lines = readFileSync(join(path, file), 'utf8').split('\n');
    return lines.flatMap((line) => {
      const name = file === 'exported-names.txt' ? (line.split(' ')[0] ?? '') : '';
      const old = partsOfName(name).find((part) => oldNames.has(part)) ?? oldPhrases.exec(line)?.[0];
      return old === undefined ? [] : [`docs/words/${file} says “${old}”, which was replaced: ${line}`];
    });
  });
}

function partsOfName(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/);
}

function commentsOf(text: string): string[] {
  return text.split('\n').filter((line) => /^\s*(?:\/\/|\/?\*)|\s\/\/ /.test(line));
}
