// Public status pages, served before rate limits.
import { getPagesUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { findPublicStatus } from '../../core/page-models/monitoring/status.ts';
import { listOwnHosts } from '../../core/status-pages/hosts.ts';
import { type Assets, createAssets } from '../../http/pages/assets.ts';
import { readPagesAddress } from '../../http/pages/pages-address.ts';
import { pageHeaders } from '../../http/pages/send-text.ts';
import { createStatusMiddleware, type StatusMiddleware } from '../../http/status/middleware.ts';
import { createStatusPageCache } from '../../http/status/page-cache.ts';
import { createPublishedPages } from '../../http/status/published-pages.ts';

export interface StatusOptions {
  readonly port: number | undefined;
  readonly version: string;
}

/** Rendering code is loaded with the first request. */
export function createStatusPagesLayer(deps: Deps, { port, version }: StatusOptions): StatusMiddleware {
  const { store, config, now, log, userHashKey } = deps;
  const address = readPagesAddress(config, userHashKey);
  const assetsAt = lateAssets();
  const answers = createStatusPageCache({
    now,
    async model(slug) {
      const model = await findPublicStatus(store, slug, now());
      return model?.is_public === true ? model : null;
    },
    async render(model, kind, place) {
      const { renderStatus } = await import('../../http/status/render.ts');
      const isRoot = place !== '';
      const base = isRoot ? '' : address.base;
      const shell = { base, isRoot, assets: assetsAt(base).addresses, version };
      const found = isRoot ? `${place}/` : `${getPagesUrl(config, port)}/status/${model.slug}`;
      return renderStatus(model, kind, shell, found);
    },
    failed: (error, slug) => log.error({ fault: String(error), slug }, 'a status page could not be rendered'),
  });
  const directory = createPublishedPages({
    now,
    publishedPages: () => store.publishedPages(),
    listed: answers.keepOnly,
    failed: (error) => log.warn({ fault: String(error) }, 'status pages could not be listed'),
  });
  return createStatusMiddleware({
    now,
    address,
    answers,
    directory,
    ownHosts: listOwnHosts(config),
    hasWorkspace: config.pages,
    headers: pageHeaders(),
    assets: (isRoot) => assetsAt(isRoot ? '' : address.base).serve,
    // Else the workspace or the demo serves the assets.
    hasAssets: !config.pages && !config.demo,
  });
}

function lateAssets(): (base: string) => Assets {
  const read = new Map<string, Assets>();
  return (base) => {
    const there = read.get(base) ?? createAssets(base);
    read.set(base, there);
    return there;
  };
}
