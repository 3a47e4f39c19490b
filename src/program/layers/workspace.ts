// The workspace as one layer of Express: style sheet and script, sign-in, pages.
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
  /** The port that was bound. */
  readonly port: number | undefined;
  readonly counting: Counting;
  /** Of the program, as the foot of a page says it. */
  readonly version: string;
}

export interface Workspace {
  /** Style sheet, script and icon: they do not count against the limit on pages. */
  readonly assets: RequestHandler;
  /** Where those are, for whatever else is a page. */
  readonly addresses: Assets['addresses'];
  readonly layer: RequestHandler;
  /** Tells an address that it asks for too many pages. */
  readonly refuseTooMany: RefusePage;
  /** Ends what would go on for ever: streams. Pages are still answered. */
  stop(): void;
}

/** The pages over `deps`. Nothing where PAGES is off. */
export function createWorkspace(deps: Deps, { port, counting, version }: WorkspaceOptions): Workspace {
  const { config } = deps;
  const layer = express.Router();
  const address = pagesAddress(config, deps.userHashKey);
  const assets = createAssets(address.base);
  if (!config.pages) {
    // The demo has its pages without the workspace.
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
