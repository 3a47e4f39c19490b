import type { PublishedPage } from '../../core/store/status-pages.ts';
import { createCachedValue } from './cached-value.ts';

export interface PublishedPages {
  /** Includes a page published just now. */
  hasPage(slug: string): Promise<boolean>;
  pageAt(host: string): Promise<string | null>;
  /** From the cache only. */
  isHost(host: () => string): boolean;
  /** Refreshes. Never rejects. */
  refresh(): Promise<void>;
}

interface PublishedIndex {
  readonly slugs: ReadonlySet<string>;
  readonly byHost: ReadonlyMap<string, string>;
}

export interface PublishedPagesOptions {
  readonly now: () => number;
  publishedPages(): Promise<readonly PublishedPage[]>;
  listed(slugs: ReadonlySet<string>): void;
  failed(error: unknown): void;
}

/** Limits refreshes for unknown pages. */
const atMostOneSecondOld = { freshMs: 1_000, staleMs: 1_000 } as const;

export function createPublishedPages({
  now,
  publishedPages,
  listed,
  failed,
}: PublishedPagesOptions): PublishedPages {
  const cached = createCachedValue<PublishedIndex>({
    now,
    async compute() {
      const pages = await publishedPages();
      const slugs = new Set(pages.map(({ slug }) => slug));
      listed(slugs);
      const byHost = pages.flatMap(({ slug, hosts }) => hosts.map((host) => [host, slug] as const));
      return { slugs, byHost: new Map(byHost) };
    },
    failed,
  });
  return {
    async hasPage(slug) {
      return (await cached.get()).slugs.has(slug) || (await cached.get(atMostOneSecondOld)).slugs.has(slug);
    },
    pageAt: async (host) => (await cached.get()).byHost.get(host) ?? null,
    isHost(host) {
      const listed = cached.last();
      return listed !== null && listed.byHost.size > 0 && listed.byHost.has(host());
    },
    refresh: () =>
      cached.get(atMostOneSecondOld).then(
        () => {},
        () => {},
      ),
  };
}
