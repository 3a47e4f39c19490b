import type { Response } from 'express';
import { getPagesUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { findBrandFile, findPublicStatus } from '../../core/page-models/monitoring/status.ts';
import { listOwnHosts } from '../../core/status-pages/hosts.ts';
import { textsOf } from '../../core/status-pages/languages/texts.ts';
import type { BrandImageKind } from '../../core/store/status-pages.ts';
import { createMemoryLimitStore } from '../../http/limits/limit-store.ts';
import { subscriptionLimit } from '../../http/limits/page-limit.ts';
import { type Assets, createAssets } from '../../http/pages/assets.ts';
import { readPagesAddress } from '../../http/pages/pages-address.ts';
import { sendRateLimitedText } from '../../http/pages/rate-limited.ts';
import { pageHeaders } from '../../http/pages/send-text.ts';
import {
  createStatusMiddleware,
  requestedLanguage,
  type StatusMiddleware,
} from '../../http/status/middleware.ts';
import { createStatusPageCache } from '../../http/status/page-cache.ts';
import { createPublishedPages } from '../../http/status/published-pages.ts';
import { answerSubscription, type SubscriptionOptions } from '../../http/status/subscriptions.ts';
import type { CallerContext } from './router.ts';

export interface StatusOptions {
  readonly version: string;
  readonly counting: Pick<CallerContext, 'clientAddress' | 'limitStore'>;
}

/** Rendering code is loaded with the first request. */
export function createStatusPagesLayer(deps: Deps, { version, counting }: StatusOptions): StatusMiddleware {
  const { store, config, now, log, userHashKey } = deps;
  const address = readPagesAddress(config, userHashKey);
  const assetsAt = lazyAssets();
  const shellOf = (isRoot: boolean) => {
    const base = isRoot ? '' : address.base;
    return { base, isRoot, assets: assetsAt(base).addresses, version };
  };
  const answers = createStatusPageCache({
    now,
    async source(slug) {
      const source = await findPublicStatus(store, slug, now(), deps.notificationSender?.canMail === true);
      return source?.isPublic === true ? source : null;
    },
    async render(model, kind, rootUrl, { pageId }) {
      const { renderStatus } = await import('../../http/status/render.ts');
      const shell = shellOf(rootUrl !== '');
      const found = shell.isRoot ? `${rootUrl}/` : `${getPagesUrl(config)}/status/${model.slug}`;
      const findImage = (imageKind: BrandImageKind) => findBrandFile(store, pageId, imageKind);
      return renderStatus(model, kind, { shell, address: found, findImage });
    },
    failed: (error, slug) => log.error({ error: String(error), slug }, 'a status page could not be rendered'),
  });
  const limits = counting.limitStore ?? createMemoryLimitStore(now);
  const refuse = (_request: unknown, response: Response): void => sendRateLimitedText(response);
  const directory = createPublishedPages({
    now,
    publishedPages: () => store.publishedPages(),
    listed: answers.keepOnly,
    failed: (error) => log.warn({ error: String(error) }, 'status pages could not be listed'),
  });
  const subscriptions: SubscriptionOptions = {
    deps,
    limits,
    language: (request, page) => (page.language === 'auto' ? requestedLanguage(request) : page.language),
    async render(page, step, subscriptionRequest, language) {
      const { renderSubscription } = await import('../../http/status/render.ts');
      return renderSubscription(page, subscriptionRequest, step, {
        shell: shellOf(subscriptionRequest.origin !== null),
        texts: textsOf(language),
        nowMs: now(),
      });
    },
  };
  return createStatusMiddleware({
    now,
    address,
    answers,
    directory,
    ownHosts: listOwnHosts(config),
    hasWorkspace: config.pages,
    headers: pageHeaders(),
    subscriptionLimit: subscriptionLimit(config.rateLimits, counting.clientAddress, limits, refuse),
    subscription: (request, response, subscriptionRequest) =>
      answerSubscription(subscriptions, request, response, subscriptionRequest),
    assets: (isRoot) => assetsAt(isRoot ? '' : address.base).serve,
    // Else the workspace or the demo serves the assets.
    hasAssets: !config.pages && !config.demo,
  });
}

function lazyAssets(): (base: string) => Assets {
  const read = new Map<string, Assets>();
  return (base) => {
    const cached = read.get(base) ?? createAssets(base);
    read.set(base, cached);
    return cached;
  };
}
