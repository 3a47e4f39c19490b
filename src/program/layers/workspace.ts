import express, { type RequestHandler } from 'express';
import { workspacePages } from '../../../routes/pages/index.ts';
import { namespaceUrl } from '../../core/config/addresses.ts';
import type { Deps } from '../../core/deps.ts';
import { placeCounter } from '../../core/workspace/counts.ts';
import { openTail } from '../../core/workspace/tail.ts';
import type { RefusePage } from '../../http/limits/page-limit.ts';
import { type Assets, createAssets } from '../../http/pages/assets.ts';
import { createGate } from '../../http/pages/gate.ts';
import { createLiveStreams } from '../../http/pages/live-stream.ts';
import { pagesAddress } from '../../http/pages/pages-address.ts';
import { besidePlaces } from '../../http/pages/place-counts.ts';
import { createPages } from '../../http/pages/router.ts';
import { createSignIn } from '../../http/pages/sign-in.ts';
import { refuseTooMany, tellTooMany } from '../../http/pages/too-many.ts';
import type { Counting } from './router.ts';

export interface WorkspaceOptions {
  readonly port: number | undefined;
  readonly counting: Counting;
  readonly version: string;
}

export interface Workspace {
  /** Style sheet, script and icon: not subject to the page rate limit. */
  readonly assets: RequestHandler;
  readonly addresses: Assets['addresses'];
  readonly layer: RequestHandler;
  readonly refuseTooMany: RefusePage;
  stop(): void;
}

/** Has no routes where PAGES is off. */
export function createWorkspace(deps: Deps, { port, counting, version }: WorkspaceOptions): Workspace {
  const { config } = deps;
  const layer = express.Router();
  const address = pagesAddress(config, deps.userHashKey);
  const assets = createAssets(address.base);
  if (!config.pages) {
    const pass: RequestHandler = (_request, _response, next) => next();
    return {
      assets: config.demo ? assets.serve : pass,
      addresses: assets.addresses,
      layer,
      refuseTooMany: (_request, response) => tellTooMany(response),
      stop() {},
    };
  }
  const gate = createGate(deps, address);
  const shared = {
    deps,
    gate,
    address,
    assets: assets.addresses,
    version,
    clientAddress: counting.clientAddress,
  };
  layer.use(createSignIn({ ...shared, limitStore: counting.limitStore }));
  const tail = openTail(deps);
  const streams = createLiveStreams({ ...shared, tail });
  layer.use(streams.layer);
  const counted = placeCounter();
  layer.use(
    createPages({
      ...shared,
      declarations: workspacePages(),
      apiUrl: namespaceUrl(config, port),
      counts: async (visit) => besidePlaces(await counted(visit)),
    }),
  );
  return {
    assets: assets.serve,
    addresses: assets.addresses,
    layer,
    refuseTooMany(request, response, excess) {
      void refuseTooMany({ ...shared, assets: assets.addresses, now: deps.now }, request, response, excess);
    },
    stop() {
      streams.stop();
      tail.close();
    },
  };
}
