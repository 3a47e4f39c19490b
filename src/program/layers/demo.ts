// The public demo as one layer of Express: the workspace's own pages, on a world that is made of nothing but
// a seed and the time. It asks neither who looks nor the database.
import express, { type RequestHandler } from 'express';
import { demoPages } from '../../../routes/pages/demo.ts';
import { rateLimits } from '../../core/config/limits.ts';
import type { Deps } from '../../core/deps.ts';
import type { Visitor } from '../../core/store/members.ts';
import { placeCounter } from '../../core/workspace/counts.ts';
import type { Visit } from '../../core/workspace/visit.ts';
import { openDemo } from '../../demo/demo.ts';
import { openDemoTail } from '../../demo/tail.ts';
import { companyName, home } from '../../demo/world/company.ts';
import { demoUserKey } from '../../demo/world/errors/told/prepared.ts';
import { countedAddress } from '../../http/limits/client-address.ts';
import type { Assets } from '../../http/pages/assets.ts';
import { demoAnswers } from '../../http/pages/demo-answers.ts';
import type { Gate } from '../../http/pages/gate.ts';
import { createLiveStreams } from '../../http/pages/live-stream.ts';
import { type PagesAddress, pagesAddress } from '../../http/pages/pages-address.ts';
import { below } from '../../http/pages/paths.ts';
import { besidePlaces, besideUptime } from '../../http/pages/place-counts.ts';
import { createPages } from '../../http/pages/router.ts';
import type { Frame } from '../../pages/frame.ts';
import type { Counting } from './router.ts';

export interface DemoLayerOptions {
  readonly counting: Counting;
  readonly assets: Assets['addresses'];
  readonly version: string;
}

export interface DemoLayer {
  readonly layer: RequestHandler;
  /** Ends streams. */
  stop(): void;
}

/** The seed of the demo that everybody sees. */
const seed = 'demo-1';

/** Sees everything and is nobody: there are no sessions here. */
const guest: Visitor = { memberId: null, name: 'a visitor', role: 'admin', sessionId: 0, csrfToken: '' };

const openDoor: Gate = {
  visitor: async () => guest,
  session: async () => null,
  requireSameSite() {},
  requireOwnPage() {},
  admit() {},
  dismiss() {},
};

/** The demo below `/demo` of the pages. Nothing where DEMO is off. */
export function createDemo(deps: Deps, { counting, assets, version }: DemoLayerOptions): DemoLayer {
  const layer = express.Router();
  if (!deps.config.demo) return { layer, stop() {} };
  const pages = pagesAddress(deps.config, deps.userHashKey);
  const address = { ...pages, base: `${pages.base}/demo` };
  const demo = openDemo(seed);
  const world = () => {
    const { store, uptime, reports, nowMs } = demo.at(deps.now());
    return { deps: depsOfDemo(deps, store, nowMs), uptime, reports };
  };
  const answers = demoAnswers(() => demo.at(deps.now()).nowMs);
  const streams = createLiveStreams({
    // Asked late: a world is made for who looks, not for each start.
    deps: { log: deps.log, store: { listProjects: () => demo.at(deps.now()).store.listProjects() } },
    gate: openDoor,
    address,
    tail: openDemoTail(demo, deps),
    nameOf: (_visitor, request) => countedAddress(counting.clientAddress(request)),
  });
  layer.use(onlyRead(address, deps.config.demoIndex));
  layer.use(streams.layer);
  layer.use(answers.again);
  layer.use(
    createPages({
      deps: { ...deps, now: () => demo.at(deps.now()).nowMs },
      declarations: demoPages(),
      gate: openDoor,
      address,
      assets,
      version,
      apiUrl: `https://notifier.${home}/wp-json/notifier/v1`,
      clientAddress: () => '192.0.2.1',
      counts: besideAll,
      world,
      demo: { company: companyName, seed },
      send: answers.send,
    }),
  );
  return { layer, stop: () => streams.stop() };
}

const counted = placeCounter();

async function besideAll(visit: Visit): Promise<Frame['counts']> {
  const { uptime } = visit;
  const uptimeCounts = uptime === undefined ? {} : await besideUptime(uptime, visit);
  return { ...besidePlaces(await counted(visit)), ...uptimeCounts };
}

/** What the models may ask beside the store: the demo's own clock, nothing of the installation. */
function depsOfDemo(deps: Deps, store: Deps['store'], nowMs: number): Deps {
  const { feed: _feed, ...others } = deps;
  return {
    ...others,
    userHashKey: demoUserKey,
    store,
    now: () => nowMs,
    config: { ...deps.config, rateLimits: rateLimits({}) },
    outcomes: { count() {}, flush: async () => {}, close: async () => {} },
  };
}

/** Everything below the demo is read: other methods change nothing, wherever they are tried. */
function onlyRead({ answers, base }: PagesAddress, isIndexed: boolean): RequestHandler {
  return (request, response, next) => {
    const url = URL.parse(request.originalUrl, 'http://host');
    if (url === null || !answers(request) || below(base, url.pathname) === null) return next('router');
    if (!isIndexed) response.set('X-Robots-Tag', 'noindex, nofollow');
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    response.status(405).set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }).type('text/plain');
    response.send('The demo is only read.\n');
  };
}
