// The repository stands alone: what a comment or the name of a test cites is in it, links of pages lead
// somewhere, and every page of docs/ can be reached from the README.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { releaseRequest } from '../schemas/releases.ts';
import { wholeSuite } from '../src/contract/suite/whole.ts';
import { channelTypes } from '../src/core/alerts/messages/channel-types.ts';
import { buildServerCommands, ciSnippets } from '../src/core/page-models/delivery/ci-snippets.ts';
import { statements } from './contract/statements.ts';

const repository = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

/** Files of others, and files that are made. */
const notOurs = new Set(['node_modules', '.git', 'dist', 'local', 'fixtures']);

function filesBelow(folder: string, endings: RegExp): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(path, endings);
    return endings.test(entry.name) ? [path] : [];
  });
}

const pages = filesBelow('.', /\.md$/);
/** All but this file, which holds what it looks for. */
const sources = ['src', 'routes', 'schemas', 'data', 'tests', 'scripts']
  .flatMap((folder) => filesBelow(folder, /\.(?:ts|js|php|sql)$/))
  .filter((path) => resolve(repository, path) !== import.meta.filename);

/** Comments, each as one line: neighbouring lines of `//` are one comment. */
function commentsOf(text: string): string[] {
  const found = text.match(/(?:^|\s)(?:\/\/|--\s)[^\n]*(?:\n[ \t]*(?:\/\/|--\s)[^\n]*)*|\/\*[\s\S]*?\*\//g);
  return (found ?? []).map((comment) => comment.replaceAll(/\s*\n\s*(?:\/\/|--|\*(?!\/))?\s*/g, ' '));
}

/** The names of tests, as far as they stand behind `describe(` and the like. */
function testNamesOf(text: string): string[] {
  return [...text.matchAll(/\b(?:describe|it|test)\w*[^\n'"`]*\(\s*(['"`])(.*?)\1/g)].map(
    (match) => match[2] ?? '',
  );
}

/** Headings of a page, in their own words; a code block holds none. */
function headingsOf(page: string): string[] {
  const prose = page.replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map((match) => (match[1] ?? '').replaceAll('`', ''));
}

/** Where a heading can be linked to, as GitHub names it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Headings that stand in quotes behind a page: `docs/events.md, "Times" and "Items"`. */
const behindPage = /^\)?,\s+((?:"[^"]+"(?:,\s+|\s+and\s+)?)+)/;

function citedHeadings(rest: string): string[] {
  return [...(behindPage.exec(rest)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '');
}

/** Records by the number that comments and the contract suite cite: `docs/adr/0010-….md` is `D-10`. */
const decisions = new Set(
  pages
    .flatMap((path) => /^docs\/adr\/0*(\d+)-/.exec(path)?.slice(1) ?? [])
    .map((number) => `D-${number.padStart(2, '0')}`),
);
const sections = new Set(statements.map(({ section }) => String(section)));

/** What a comment cites that is not there. */
function brokenCitations(comment: string): string[] {
  const broken: string[] = [];
  // Migrations never change: they still name the file that held the records before docs/adr.
  const text = comment.replaceAll('DECISIONS.md D-', 'D-');
  for (const match of text.matchAll(/(?:[\w.-]+\/)*[\w-]+\.md\b/g)) {
    const [path] = match;
    if (!existsSync(join(repository, path))) {
      broken.push(path);
    } else {
      const headings = headingsOf(read(path));
      const cited = citedHeadings(text.slice(match.index + path.length));
      broken.push(...cited.filter((each) => !headings.includes(each)).map((each) => `${path}, "${each}"`));
    }
  }
  for (const [decision] of text.matchAll(/\bD-\d{2,}\b/g)) {
    if (!decisions.has(decision)) broken.push(decision);
  }
  // Sections are those of an RFC, or of the specification, as far as the contract suite has them.
  for (const match of text.matchAll(/\bsections? (\d+(?:\.\d+)*)/gi)) {
    if (!sections.has(match[1] ?? '') && !/RFC \d|Annex/.test(text)) broken.push(match[0]);
  }
  return broken;
}

/** Links of a page that lead nowhere, headings that it names and nobody has, files that are not there. */
function brokenLinks(path: string, text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  const broken: string[] = [];
  for (const match of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    const [file = '', anchor] = (match[1] ?? '').split('#');
    if (/^[a-z]+:/.test(match[1] ?? '')) continue;
    const target = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(repository, target))) {
      broken.push(match[1] ?? '');
      continue;
    }
    if (!target.endsWith('.md')) continue;
    const headings = headingsOf(target === path ? text : read(target));
    if (anchor !== undefined && !headings.map(anchorOf).includes(anchor)) broken.push(match[1] ?? '');
    const cited = citedHeadings(prose.slice(match.index + match[0].length));
    broken.push(...cited.filter((each) => !headings.includes(each)).map((each) => `${target}, "${each}"`));
  }
  for (const [file] of prose.matchAll(
    /(?<=`)(?:src|routes|schemas|data|tests|deploy)\/[\w./-]+\.(?:ts|js|sql|php)(?=`)/g,
  )) {
    if (!existsSync(join(repository, file))) broken.push(file);
  }
  return broken;
}

/** Pages of docs/ that a README links to. */
function linkedPages(readme: string): Set<string> {
  return new Set(
    [...readme.matchAll(/\]\((docs\/[\w-]+\.md)(?:#[\w-]+)?\)/g)].map((match) => match[1] ?? ''),
  );
}

/** The calls of curl in a page that send a test report, each with the lines it goes on in. */
function reportCalls(text: string): string[] {
  const calls = text.split(/^(?=.*\bcurl )|^```/m).filter((call) => /\bcurl /.test(call));
  return calls.filter((call) => /\/test-runs[?"]/.test(call));
}

describe('examples that send a test report', () => {
  it('send the exit code of the test runner', () => {
    const calls = reportCalls(read('docs/ci.md'));
    expect(calls).toHaveLength(4);
    expect(calls.filter((call) => !/[?&"]exit_code(?:=|\\?":)/.test(call))).toEqual([]);
  });
});

describe('references within the repository', () => {
  it('point to existing pages and records in comments and test titles', () => {
    expect(sources.length).toBeGreaterThan(400);
    const broken = sources.flatMap((path) => {
      const text = read(path);
      const names = path.startsWith('tests/') ? testNamesOf(text) : [];
      return [...commentsOf(text), ...names].flatMap(brokenCitations).map((each) => `${path}: ${each}`);
    });
    expect(broken).toEqual([]);
  });

  it('point to existing sections in the checks of the contract suite', () => {
    const isThere = (section: string): boolean => {
      const [page = '', heading] = section.split(': ');
      if (heading === undefined) return sections.has(section) || decisions.has(section);
      const path = `docs/${page.toLowerCase()}.md`;
      return existsSync(join(repository, path)) && headingsOf(read(path)).includes(heading);
    };
    const cited = new Set(wholeSuite.checks.map((check) => check.section));
    expect([...cited].filter((section) => !isThere(section))).toEqual([]);
  });

  it('have no dead links in pages', () => {
    expect(pages).toContain('README.md');
    const broken = pages.flatMap((path) => brokenLinks(path, read(path)).map((each) => `${path}: ${each}`));
    expect(broken).toEqual([]);
  });

  it('link every page of docs/ from the README', () => {
    const docs = pages.filter((path) => /^docs\/[\w-]+\.md$/.test(path));
    expect(docs.length).toBeGreaterThan(10);
    const linked = linkedPages(read('README.md'));
    expect(docs.filter((path) => !linked.has(path))).toEqual([]);
  });

  it('name every decision record by its title', () => {
    const records = pages.filter((path) => /^docs\/adr\/\d{4}-/.test(path));
    expect(records.length).toBeGreaterThan(30);
    for (const path of records) {
      const [, number = '', title = ''] = /^# (\d{4})\. (.+)$/m.exec(read(path)) ?? [];
      const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
      expect(path).toBe(`docs/adr/${[number, ...words].join('-')}.md`);
    }
  });
});

/** A secret by its variable, by what stands for it, or as the header that carries it. */
const secret =
  /\$\{?[A-Z_]*(?:SECRET|SECRET_KEY|TOKEN|PASSWORD|HEARTBEAT_URL|DATABASE_URL|REDIS_URL)\b|Bearer |[A-Z]_SECRET\b|SECRET_KEY\b/;
/** What is no argument of a program: words of commands of the shell itself, and variables for a program. */
const ofTheShell = /^(?:(?:-|run:|if|then|do) )*(?:(?:echo|printf|export)\b.*|(?:\w+=(?:"[^"]*"|\S*)\s*)+)/;

/** The commands of shell lines that have a secret among the arguments of a program. */
function secretArguments(lines: string): string[] {
  const commands = lines.split(/\n|\||;|&&/).map((command) => command.trim());
  return commands.filter((command) => secret.test(command.replace(ofTheShell, '')));
}

/** The blocks of a page that a shell reads. A mapping of YAML is none: `NAME: value`, or an action's input. */
function shellBlocks(page: string): string[] {
  const blocks = [...page.matchAll(/^```(?:sh|bash|console|yaml)\n([\s\S]*?)^```/gm)];
  return blocks.map(([, block = '']) => block.replaceAll(/^ *(?:[A-Z_]+|secret-key): .*$/gm, ''));
}

describe('a secret in a command to copy', () => {
  it('is not an argument of a program on any docs page', () => {
    const blocks = pages.flatMap((path) => shellBlocks(read(path)));
    expect(blocks.length).toBeGreaterThan(40);
    expect(blocks.filter((block) => secret.test(block)).length).toBeGreaterThan(15);
    expect(blocks.flatMap(secretArguments)).toEqual([]);
    expect(blocks.filter((block) => /--secret-key\b|--import (?!-(?:\s|$))/.test(block))).toEqual([]);
  });

  it('is not an argument in the commands that workspace pages show', () => {
    const things = ['releases', 'deploys', 'test-runs', 'artifacts'] as const;
    const address = 'https://errors.example/wp-json/notifier/v1';
    const texts = things.flatMap((thing) => ciSnippets(thing, address).map(({ text }) => text));
    const shown = [...texts, buildServerCommands(address)];
    expect(shown.filter((text) => !text.includes('$NOTIFIER_SECRET_KEY'))).toEqual([]);
    expect(shown.flatMap(secretArguments)).toEqual([]);
  });
});

it.each([
  ['docs/alerts.md', channelTypes],
  ['docs/releases.md', Object.keys(releaseRequest.shape)],
])('a table of %s has a row for each', (path, names) => {
  const firstCells = (read(path).match(/^\|[^|]*/gm) ?? []).join();
  expect(names.filter((name) => !firstCells.includes(`\`${name}\``))).toEqual([]);
});
