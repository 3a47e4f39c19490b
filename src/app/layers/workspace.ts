import express, { type RequestHandler } from 'express';
import { workspacePages } from '../../../routes/pages/index.ts';
import { getNamespaceUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { createLiveTail } from '../../core/page-models/live-tail.ts';
import { createNavigationCounter } from '../../core/page-models/navigation-counts.ts';
import type { RefusePage } from '../../http/limits/page-limit.ts';
import { type Assets, createAssets } from '../../http/pages/assets.ts';
import { createLiveStreams } from '../../http/pages/live-stream.ts';
import { toNavigationCounts } from '../../http/pages/navigation-counts.ts';
import { readPagesAddress } from '../../http/pages/pages-address.ts';
import { sendRateLimitedPage, sendRateLimitedText } from '../../http/pages/rate-limited.ts';
import { createPages } from '../../http/pages/router.ts';
import { createSessionGuard } from '../../http/pages/session-guard.ts';
import { createSignIn } from '../../http/pages/sign-in.ts';
import type { StoppableLayer } from './lazy-layer.ts';
import type { CallerContext } from './router.ts';

export interface WorkspaceOptions {
  readonly counting: CallerContext;
  readonly version: string;
}

interface Workspace extends StoppableLayer {
  /** Style sheet, script and icon: not subject to the page rate limit. */
  readonly assets: RequestHandler;
  readonly addresses: Assets['addresses'];
  readonly refuseTooMany: RefusePage;
}

/** Has no routes where PAGES is off. */
export function createWorkspace(deps: Deps, { counting, version }: WorkspaceOptions): Workspace {
  const { config } = deps;
  const layer = express.Router();
  const address = readPagesAddress(config, deps.userHashKey);
  const assets = createAssets(address.base);
  if (!config.pages) {
    const pass: RequestHandler = (_request, _response, next) => next();
    return {
      assets: config.demo ? assets.serve : pass,
      addresses: assets.addresses,
      layer,
      refuseTooMany: (_request, response) => sendRateLimitedText(response),
      stop() {},
    };
  }
  const sessionGuard = createSessionGuard(deps, address);
  const shared = {
    deps,
    sessionGuard,
    address,
    assets: assets.addresses,
    version,
    clientAddress: counting.clientAddress,
  };
  layer.use(createSignIn({ ...shared, limitStore: counting.limitStore }));
  const tail = createLiveTail(deps);
  const streams = createLiveStreams({ ...shared, tail });
  layer.use(streams.layer);
  const counted = createNavigationCounter();
  layer.use(
    createPages({
      ...shared,
      declarations: workspacePages(),
      apiUrl: getNamespaceUrl(config),
      counts: async (context) => toNavigationCounts(await counted(context)),
    }),
  );
  return {
    assets: assets.serve,
    addresses: assets.addresses,
    layer,
    refuseTooMany(request, response, excess) {
      void sendRateLimitedPage(shared, request, response, excess);
    },
    stop() {
      streams.stop();
      tail.close();
    },
  };
}
