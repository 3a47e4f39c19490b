// All pages, in order: assets, rate limit, demo, workspace. Loaded on demand (lazy-layer.ts).
import express from 'express';
import type { Deps } from '../../core/deps.ts';
import { pageLimit } from '../../http/limits/page-limit.ts';
import { createDemo } from './demo.ts';
import type { StoppableLayer } from './lazy-layer.ts';
import { createWorkspace, type WorkspaceOptions } from './workspace.ts';

export function createPagesLayer(deps: Deps, options: WorkspaceOptions): StoppableLayer {
  const { counting, version } = options;
  const layer = express.Router();
  const workspace = createWorkspace(deps, options);
  layer.use(workspace.assets);
  const counted = { ...deps, limitStore: counting.limitStore };
  layer.use(pageLimit(deps.config.rateLimits, counting.clientAddress, counted, workspace.refuseTooMany));
  const demo = createDemo(deps, { counting, assets: workspace.addresses, version });
  layer.use(demo.layer);
  layer.use(workspace.layer);
  return {
    layer,
    stop() {
      workspace.stop();
      demo.stop();
    },
  };
}
