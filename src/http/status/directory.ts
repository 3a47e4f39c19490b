// Which status pages there are for everybody, by slug and by host: what is at an address is known without
// asking for it.
import type { PublishedPage } from '../../core/store/status-pages/keeping.ts';
import { keptValue } from './kept.ts';

export interface Directory {
  /** Whether there is such a page, or was one made just now. */
  hasPage(slug: string): Promise<boolean>;
  /** The page that a host shows at its root; null for other hosts. */
  pageAt(host: string): Promise<string | null>;
  /** Whether a host shows a page, as far as is known; asks nobody. */
  isHost(host: () => string): boolean;
  /** Looks again. Never rejects. */
  look(): Promise<void>;
}

interface Listed {
  readonly slugs: ReadonlySet<string>;
  readonly byHost: ReadonlyMap<string, string>;
}

export interface DirectoryParts {
  readonly now: () => number;
  publishedPages(): Promise<readonly PublishedPage[]>;
  /** Told which pages there are. */
  listed(slugs: ReadonlySet<string>): void;
  failed(error: unknown): void;
}

/** A page that nobody knows of yet is looked for again at most so often. */
const soon = { freshMs: 1_000, staleMs: 1_000 } as const;

/** Nothing is read before somebody looks. */
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
