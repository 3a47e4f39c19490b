// What a page of docs/ says to type, and the shipped files with settings filled in.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const docs = resolve(import.meta.dirname, '../../docs');

/** The shell lines below one heading of a page of docs. */
export function shellLines(page: string, heading: string): string {
  return blocksOf(page, heading, 'sh').join('');
}

/**
 * What a page of docs says to write for a CDN, with `addresses` in place of the CDN's
 * ranges. It says the visitor's address in `CF-Connecting-IP`.
 */
export function linesForCdn(page: 'nginx' | 'apache' | 'caddy', addresses: string): string {
  const server = { nginx: 'nginx', apache: 'Apache', caddy: 'Caddy' }[page];
  const [block = ''] = blocksOf('reverse-proxy', `${server}: Behind a CDN`, page === 'caddy' ? '' : page);
  if (!block.includes('198.51.100.0/24')) throw new Error(`No range of a CDN for ${server}.`);
  return block.replace('198.51.100.0/24', addresses);
}

/** Blocks of code of that language below one heading of a page of docs, one at least. */
function blocksOf(page: string, heading: string, language: string): string[] {
  const text = readFileSync(join(docs, `${page}.md`), 'utf8');
  const section = text.split(/^##+ /m).find((each) => each.startsWith(`${heading}\n`));
  const all = (section ?? '').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  const blocks = [...all].filter(([, word]) => word === language).map(([, , lines = '']) => lines);
  if (blocks.length === 0) throw new Error(`docs/${page}.md has no lines below "${heading}".`);
  return blocks;
}

/** Changes settings in a file; fails for text that is not there. */
export function rewrite(file: string, changes: ReadonlyArray<readonly [string, string]>): void {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    text = text.replaceAll(from, () => to);
  }
  writeFileSync(file, text);
}
