// What a page of docs/ says to type, and the shipped files with settings filled in.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const docs = resolve(import.meta.dirname, '../../docs');

/** The shell lines below one heading of a page of docs. */
export function shellLines(page: string, heading: string): string {
  const text = readFileSync(join(docs, `${page}.md`), 'utf8');
  const section = text.split(/^##+ /m).find((each) => each.startsWith(`${heading}\n`));
  const blocks = [...(section ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map((found) => found[1]);
  if (blocks.length === 0) throw new Error(`docs/${page}.md has no lines below "${heading}".`);
  return blocks.join('');
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
