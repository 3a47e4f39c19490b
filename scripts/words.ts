// Writes docs/words/: every exported name, every text of the pages that names something, every line of the help. Part
// of `npm run docs`; pages and help are those of tests/golden/files. `npm run lint` reads the lists for replaced words.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type DefaultTreeAdapterMap, parse } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

const repository = join(import.meta.dirname, '..');
const golden = join(repository, 'tests/golden/files');
const labelled = new Set('h1 h2 h3 h4 label legend button th dt summary caption option'.split(' '));
const dataTexts =
  /^[\d–~.]|^[a-z]|^[A-Z]\w+\/\w|\bntf_|[\w•]@\w|\bago\b|https?:\/\/|\b\d{1,2}:\d\d\b|\b20\d\d\b|\.example\b|Error\b.*\b(?:Cannot|Invalid|gateway)/;
const classes = /\b(?:hint|lede|soft|note|bulletin|empty)\b/;

write('exported-names', exportedNames());
write('page-labels', readdirSync(join(golden, 'pages')).flatMap(labelsOf));
write('cli-help', readFileSync(join(golden, 'help.txt'), 'utf8').split('\n').filter(isOfHelp));

function write(name: string, lines: readonly string[]): void {
  const folder = join(repository, 'docs/words');
  mkdirSync(folder, { recursive: true });
  const sorted = [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))].sort();
  writeFileSync(join(folder, `${name}.txt`), `${sorted.join('\n')}\n`);
}

function exportedNames(): string[] {
  return ['src', 'data', 'routes', 'schemas'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .flatMap((entry) => {
        const path = join(entry.parentPath, entry.name);
        const declared =
          /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
        const names = [...readFileSync(path, 'utf8').matchAll(declared)].map(([, name]) => name);
        return names.map((name) => `${name} ${relative(repository, path)}`);
      }),
  );
}

function labelsOf(file: string): string[] {
  const answers = readFileSync(join(golden, 'pages', file), 'utf8').split(/^## /m);
  return answers
    .filter((answer) => answer.includes('<!DOCTYPE html>'))
    .flatMap((answer) => labelsIn(parse(answer.slice(answer.indexOf('<!DOCTYPE html>')))));
}

/** Rows of tables and lists hold data, as do texts with numbers, times, names of time zones, hosts and keys. */
function labelsIn(node: Node): string[] {
  if ('tagName' in node) {
    if (node.tagName === 'tbody' || node.tagName === 'ul') return [];
    const { value = '' } = node.attrs.find(({ name }) => name === 'class') ?? {};
    if (labelled.has(node.tagName) || classes.test(value)) {
      const text = textOf(node).replaceAll(/\s+/g, ' ').trim();
      return dataTexts.test(text) ? [] : [text];
    }
  }
  return 'childNodes' in node ? node.childNodes.flatMap(labelsIn) : [];
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join(' ') : '';
}

/** Not the command lines of the golden file and their exit codes. */
function isOfHelp(line: string): boolean {
  return !/^\$ |^\d+$/.test(line);
}
