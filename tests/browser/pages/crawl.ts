// All pages that can be walked to from the first, each opened in a real browser.
import type { Harness } from './harness.ts';

export interface Crawling {
  /** Where to begin; `/` where it is not said. */
  readonly from?: readonly string[];
  /** How many pages of one kind, by its pattern: `/issues/#`, or `/issues?`. */
  readonly atMost: (pattern: string) => number;
  /** Called with each page once it is there. */
  readonly visit: (path: string) => Promise<void>;
}

/** What a crawl came by. */
export interface Crawled {
  /** The patterns of the pages that were opened. */
  readonly patterns: ReadonlySet<string>;
  /** Links of ours that did not lead to a page: their address, and what was answered. */
  readonly broken: readonly string[];
}

const links = `[...document.querySelectorAll('a[href]')]
  .filter((each) => each.origin === location.origin)
  .map((each) => each.pathname + each.search)`;

/** Opens pages breadth first. A link to what is no page (a twin, a download) is asked for and not opened. */
export async function crawl({ page, origin }: Harness, crawling: Crawling): Promise<Crawled> {
  const { from = ['/'], atMost, visit } = crawling;
  const waiting = [...from];
  const known = new Set(waiting);
  const opened = new Map<string, number>();
  const broken: string[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const pattern = patternOf(path);
    const count = opened.get(pattern) ?? 0;
    if (count >= atMost(pattern)) continue;
    opened.set(pattern, count + 1);
    if (isFile(path)) {
      const answer = await page.request.get(origin + path);
      if (!answer.ok()) broken.push(`${path}: ${answer.status()}`);
      continue;
    }
    const answer = await page.goto(origin + path, { waitUntil: 'load' });
    if (answer === null || !answer.ok()) broken.push(`${path}: ${answer?.status()}`);
    await visit(path);
    const found = await page.evaluate<string[]>(links);
    for (const next of found) {
      if (known.has(next) || next.startsWith('/wp-json/')) continue;
      known.add(next);
      waiting.push(next);
    }
  }
  return { patterns: new Set(opened.keys()), broken };
}

/** What kind of page an address is: numbers, ids and slugs do not matter, nor what is asked of it. */
function patternOf(path: string): string {
  const [name = '', query] = path.split('?', 2);
  const slug = /(?<=^\/(?:monitors|status|status-pages)\/)(?!new\b)[^/.]+/;
  const plain = name.replaceAll(/\/(?=[^/]*\d)[^/.]*/g, '/#').replace(slug, '#');
  return query === undefined ? plain : `${plain}?`;
}

function isFile(path: string): boolean {
  const [name = ''] = path.split('?', 1);
  return (
    /\.(json|md|csv|txt|rss|svg)$/.test(name) ||
    /\/(attachments|screenshots|raw|download|export)\b/.test(name)
  );
}
