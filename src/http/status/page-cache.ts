// Cache of status pages: one query per interval and page, one rendering per kind, one at a time.
import type { StatusLanguage } from '../../../schemas/status-pages.ts';
import { languageOf, type StatusModel, type StatusSource } from '../../core/page-models/monitoring/status.ts';
import { type CachedValue, createCachedValue } from './cached-value.ts';
import type { Rendered, StatusKind } from './render.ts';

/** Beyond it the least recently used pages are dropped. */
const keptBytesMax = 32 * 1_048_576;

export interface StatusPageCacheOptions {
  readonly now: () => number;
  source(slug: string): Promise<StatusSource | null>;
  /** `rootUrl` is scheme and host if the page is at a root, else empty. */
  render(
    model: StatusModel,
    kind: StatusKind,
    rootUrl: string,
    source: StatusSource,
  ): Promise<Rendered | null>;
  failed(error: unknown, slug: string): void;
}

interface CachedPage {
  readonly source: StatusSource | null;
  readonly madeAtMs: number;
  readonly rendered: Map<string, Promise<Rendered | null>>;
  bytes: number;
}

export interface CachedStatusPage {
  readonly rendered: Rendered | null;
  readonly madeAtMs: number;
  /** Whether it is in the language that the browser asked for. */
  readonly isNegotiated: boolean;
}

export interface StatusPageCache {
  /** `language` is that of the browser, used where the page has none of its own. */
  get(slug: string, kind: StatusKind, rootUrl: string, language: StatusLanguage): Promise<CachedStatusPage>;
  keepOnly(slugs: ReadonlySet<string>): void;
}

export function createStatusPageCache({
  now,
  source,
  render,
  failed,
}: StatusPageCacheOptions): StatusPageCache {
  const pages = new Map<string, CachedValue<CachedPage>>();
  const [requestedInOrder, renderedInOrder] = [oneAtATime(), oneAtATime()];
  function pageOf(slug: string): CachedValue<CachedPage> {
    const page =
      pages.get(slug) ??
      createCachedValue<CachedPage>({
        now,
        compute: () =>
          requestedInOrder(async () => {
            const madeAtMs = now();
            return { source: await source(slug), madeAtMs, rendered: new Map(), bytes: 0 };
          }),
        failed: (error) => failed(error, slug),
      });
    pages.delete(slug);
    pages.set(slug, page);
    return page;
  }
  function evictEntries(): void {
    let bytes = 0;
    for (const page of pages.values()) bytes += page.last()?.bytes ?? 0;
    for (const [slug, page] of pages) {
      if (bytes <= keptBytesMax || pages.size === 1) return;
      pages.delete(slug);
      bytes -= page.last()?.bytes ?? 0;
    }
  }
  return {
    async get(slug, kind, rootUrl, acceptedLanguage) {
      const page = await pageOf(slug).get();
      // Programs get one language.
      const isNegotiated = kind === 'page' && page.source?.language === 'auto';
      const language = isNegotiated ? acceptedLanguage : languageOf(page.source?.language ?? 'en');
      const name = kind === 'page' || kind === 'feed' ? `${kind} ${language} ${rootUrl}` : kind;
      let rendering = page.rendered.get(name);
      if (rendering === undefined) {
        rendering = renderedInOrder(async () =>
          page.source === null ? null : render(page.source.modelIn(language), kind, rootUrl, page.source),
        );
        page.rendered.set(name, rendering);
        rendering.then(
          (rendered) => {
            page.bytes += (rendered?.plain.length ?? 0) + (rendered?.gzip?.length ?? 0);
            evictEntries();
          },
          (error: unknown) => {
            page.rendered.delete(name);
            failed(error, slug);
          },
        );
      }
      return { rendered: await rendering, madeAtMs: page.madeAtMs, isNegotiated };
    },
    keepOnly(slugs) {
      for (const slug of pages.keys()) if (!slugs.has(slug)) pages.delete(slug);
    },
  };
}

function oneAtATime(): <Result>(job: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job, job);
    last = next.catch(() => {});
    return next;
  };
}
