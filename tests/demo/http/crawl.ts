// From /demo everywhere, without a browser: breadth first, so many addresses of a kind.
import type { DemoApp } from './demo-app.ts';
import { type Walked, walked } from './walked.ts';

export interface Crawl {
  /** What was answered as it should, with the page where it is one. */
  readonly reached: ReadonlyMap<string, Reached>;
  /** Sentences about what was not. */
  readonly faults: readonly string[];
}

interface Reached {
  readonly contentType: string;
  readonly page: Walked | null;
  /** How many links away it is. */
  readonly clicks: number;
}

interface Waiting {
  readonly path: string;
  readonly from: string;
  readonly clicks: number;
}

/**
 * Follows links, forms that ask, images, and the twin of each page: at most so many of a kind, until
 * `isEnough` says so of how many were reached, and where `follows` says so of an address.
 */
export async function crawlDemo(
  app: DemoApp,
  start: string,
  atMost: number,
  isEnough: (reached: number) => boolean = () => false,
  follows: (path: string) => boolean = () => true,
): Promise<Crawl> {
  const waiting: Waiting[] = [{ path: start, from: 'the beginning', clicks: 0 }];
  const known = new Set([start]);
  const kinds = new Map<string, number>();
  const reached = new Map<string, Reached>();
  const faults: string[] = [];
  const add = (path: string, from: string, clicks: number): void => {
    if (known.has(path) || !follows(path)) return;
    known.add(path);
    waiting.push({ path, from, clicks });
  };
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (isEnough(reached.size)) break;
    const { path, from, clicks } = next;
    const kind = kindOf(path);
    const count = kinds.get(kind) ?? 0;
    if (count >= atMost) continue;
    kinds.set(kind, count + 1);
    const fault = (what: string): void => void faults.push(`${path}, from ${from}: ${what}`);
    const answer = await app.ask(path);
    if (answer.headers['set-cookie'] !== undefined) fault('sets a cookie');
    const { status, headers, text } = answer;
    if (status === 303) {
      const to = new URL(headers.location ?? '', app.origin + path);
      add(to.pathname + to.search, path, clicks);
      continue;
    }
    if (status !== 200) {
      fault(`answered ${status}`);
      continue;
    }
    const contentType = headers['content-type'] ?? '';
    const url = new URL(path, app.origin);
    const page = contentType.startsWith('text/html') ? walked(text, url) : null;
    reached.set(path, { contentType, page, clicks });
    if (url.pathname.endsWith('.json') && !isJson(text)) fault('is no JSON');
    if (page === null) continue;
    if (page.titles.length !== 1) fault(`has ${page.titles.length} headings of the first rank`);
    for (const post of page.posts) fault(`has a form that acts: ${post}`);
    add(twinOf(url, start), path, clicks + 1);
    for (const link of page.links) {
      const isHere = link.path === path && link.fragment !== null;
      if (isHere && !page.ids.has(link.fragment ?? '')) fault(`has no place #${link.fragment}`);
      if (link.path === start || link.path.startsWith(`${start}/`) || link.path.startsWith(`${start}?`)) {
        add(link.path, path, clicks + 1);
      } else if (!link.path.startsWith('/assets/')) {
        fault(`leads out of the demo: ${link.path}`);
      }
    }
  }
  return { reached, faults };
}

/** What kind of page an address is: ids and names do not matter, nor what is asked of it beyond which. */
function kindOf(path: string): string {
  const url = new URL(path, 'http://host');
  const plain = url.pathname
    .replaceAll(/(?<=\/)[0-9a-f]*\d[0-9a-f]*(?=[/.]|$)/g, '#')
    .replace(/(?<=\/(?:monitors|status)\/)[a-z-]+(?=[/.]|$)/, '#')
    .replaceAll(/\d/g, '0');
  return `${plain}?${[...new Set(url.searchParams.keys())].sort().join('&')}`;
}

function twinOf({ pathname, search }: URL, start: string): string {
  const name = pathname.replace(/\/$/, '') === start ? `${start}/overview` : pathname;
  return `${name}.json${search}`;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
