import type { PublishedPage } from '../../core/store/status-pages.ts';
import { createCachedValue } from './cached-value.ts';

export interface PublishedPages {
  /** Includes a page published just now. */
  hasPage(slug: string): Promise<boolean>;
  pageAt(host: string): Promise<string | null>;
  /** From the cache only. */
  isHost(host: () => string): boolean;
  /** Refreshes. Never rejects. */
  look(): Promise<void>;
}

interface Listed {
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
const soon = { freshMs: 1_000, staleMs: 1_000 } as const;

export function createPublishedPages({
  now,
  publishedPages,
  listed,
  failed,
}: PublishedPagesOptions): PublishedPages {
  const cached = createCachedValue<Listed>({
    now,
    async make() {
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
      return (await cached.get()).slugs.has(slug) || (await cached.get(soon)).slugs.has(slug);
    },
    pageAt: async (host) => (await cached.get()).byHost.get(host) ?? null,
    isHost(host) {
      const there = cached.last();
      return there !== null && there.byHost.size > 0 && there.byHost.has(host());
    },
    look: () =>
      cached.get(soon).then(
        () => {},
        () => {},
      ),
  };
}
