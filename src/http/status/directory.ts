// Cached list of published status pages by slug and host.
import type { PublishedPage } from '../../core/store/status-pages/keeping.ts';
import { keptValue } from './kept.ts';

export interface Directory {
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

export interface DirectoryParts {
  readonly now: () => number;
  publishedPages(): Promise<readonly PublishedPage[]>;
  listed(slugs: ReadonlySet<string>): void;
  failed(error: unknown): void;
}

/** Limits refreshes for unknown pages. */
const soon = { freshMs: 1_000, staleMs: 1_000 } as const;

export function createDirectory({ now, publishedPages, listed, failed }: DirectoryParts): Directory {
  const kept = keptValue<Listed>({
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
      return (await kept.get()).slugs.has(slug) || (await kept.get(soon)).slugs.has(slug);
    },
    pageAt: async (host) => (await kept.get()).byHost.get(host) ?? null,
    isHost(host) {
      const there = kept.last();
      return there !== null && there.byHost.size > 0 && there.byHost.has(host());
    },
    look: () =>
      kept.get(soon).then(
        () => {},
        () => {},
      ),
  };
}
