import express, { type RequestHandler } from 'express';
import { demoPages } from '../../../routes/pages/demo.ts';
import { readRateLimits } from '../../core/config/rate-limits.ts';
import { noSignIn } from '../../core/config/sign-in.ts';
import type { Deps } from '../../core/deps.ts';
import { createNavigationCounter } from '../../core/page-models/navigation-counts.ts';
import type { CurrentUser } from '../../core/store/members.ts';
import { openDemoTail } from '../../demo/live-tail.ts';
import { companyName, siteHost } from '../../demo/shared/company.ts';
import { toLimitAddress } from '../../http/limits/client-address.ts';
import type { Assets } from '../../http/pages/assets.ts';
import { createDemoCache } from '../../http/pages/demo-cache.ts';
import { pathBelow } from '../../http/pages/find-page.ts';
import { createLiveStreams } from '../../http/pages/live-stream.ts';
import { toNavigationCounts } from '../../http/pages/navigation-counts.ts';
import { type PagesAddress, readPagesAddress } from '../../http/pages/pages-address.ts';
import { createPages } from '../../http/pages/router.ts';
import type { SessionGuard } from '../../http/pages/session-guard.ts';
import { type CurrentDemo, type DemoDatabase, openDemoDatabase } from './demo-database.ts';
import type { StoppableLayer } from './lazy-layer.ts';
import type { CallerContext } from './router.ts';

export interface DemoLayerOptions {
  readonly counting: CallerContext;
  readonly assets: Assets['addresses'];
  readonly version: string;
}

const refreshSeconds = 2;

const guest: CurrentUser = { memberId: null, name: 'a visitor', role: 'admin', sessionId: 0, csrfToken: '' };

const signInAnyone: SessionGuard = {
  currentUser: async () => guest,
  session: async () => null,
  requireSameSite() {},
  requireOwnPage() {},
  admit() {},
  dismiss() {},
};

/** `/demo`: the workspace's pages over the demo's database, without sign-in; empty where DEMO is off. */
export function createDemo(deps: Deps, { counting, assets, version }: DemoLayerOptions): StoppableLayer {
  const layer = express.Router();
  if (!deps.config.demo) return { layer, stop() {} };
  const pages = readPagesAddress(deps.config, deps.userHashKey);
  const address = { ...pages, base: `${pages.base}/demo` };
  const demo = openDemoDatabase({ ...deps, version });
  const counted = createNavigationCounter();
  const answers = createDemoCache(() => demo.now().nowMs);
  const tail = openDemoTail(demo.now, deps);
  const streams = createLiveStreams({
    // The demo is built on the first visit; a stream waits until it is ready.
    deps: {
      log: deps.log,
      store: {
        listProjects: async () => (await demo.ready()).store.listProjects(),
        listAccess: async () => new Map(),
      },
    },
    sessionGuard: signInAnyone,
    address,
    tail,
    nameOf: (_user, request) => toLimitAddress(counting.clientAddress(request)),
  });
  layer.use(onlyRead(address, deps.config.demoIndex));
  layer.use(streams.layer);
  // Until then pages say that the demo is being built, and refresh themselves.
  layer.use((request, response, next) => {
    if (isBuilt(demo)) return answers.sendCached(request, response, next);
    response.set({ Refresh: String(refreshSeconds), 'Retry-After': String(refreshSeconds) });
    next();
  });
  layer.use(
    createPages({
      deps,
      declarations: demoPages(),
      sessionGuard: signInAnyone,
      address,
      assets,
      version,
      apiUrl: `https://notifier.${siteHost}/wp-json/notifier/v1`,
      clientAddress: () => '192.0.2.1',
      counts: async (context) => toNavigationCounts(await counted(context)),
      depsNow: () => depsOfDemo(deps, demo.now()),
      demo: { company: companyName },
      send: answers.send,
    }),
  );
  return {
    layer,
    stop() {
      streams.stop();
      tail.close();
      void demo.close();
    },
  };
}

function isBuilt(demo: DemoDatabase): boolean {
  try {
    demo.now();
    return true;
  } catch {
    return false;
  }
}

/** Dependencies with the demo's store and clock, without secrets of the installation. */
function depsOfDemo(deps: Deps, { store, nowMs }: CurrentDemo): Deps {
  const { feed: _feed, userHashKey: _key, ...others } = deps;
  return {
    ...others,
    store,
    now: () => nowMs,
    config: { ...deps.config, rateLimits: readRateLimits({}), signIn: noSignIn },
    outcomes: { count() {}, flush: async () => {}, close: async () => {} },
  };
}

function onlyRead({ answers, base }: PagesAddress, isIndexed: boolean): RequestHandler {
  return (request, response, next) => {
    const url = URL.parse(request.originalUrl, 'http://host');
    if (url === null || !answers(request) || pathBelow(base, url.pathname) === null) return next('router');
    if (!isIndexed) response.set('X-Robots-Tag', 'noindex, nofollow');
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    response.status(405).set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }).type('text/plain');
    response.send('The demo is read-only.\n');
  };
}
