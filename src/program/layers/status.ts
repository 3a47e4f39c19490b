// Public status pages, served before rate limits.
import { pagesUrlOf } from '../../core/config/addresses.ts';
import type { Deps } from '../../core/deps.ts';
import { ownHosts } from '../../core/status-pages/hosts.ts';
import { publicStatus } from '../../core/workspace/uptime/status.ts';
import { pageHeaders } from '../../http/pages/answer.ts';
import { type Assets, createAssets } from '../../http/pages/assets.ts';
import { pagesAddress } from '../../http/pages/pages-address.ts';
import { statusAnswers } from '../../http/status/answers.ts';
import { createDirectory } from '../../http/status/directory.ts';
import { createStatusLayer, type StatusLayer } from '../../http/status/layer.ts';

export interface StatusOptions {
  readonly port: number | undefined;
  readonly version: string;
}

/** Rendering code is loaded with the first request. */
export function createStatus(deps: Deps, { port, version }: StatusOptions): StatusLayer {
  const { store, config, now, log, userHashKey } = deps;
  const address = pagesAddress(config, userHashKey);
  const assetsAt = lateAssets();
  const answers = statusAnswers({
    now,
    async model(slug) {
      const model = await publicStatus(store, slug, now());
      return model?.is_public === true ? model : null;
    },
    async render(model, kind, place) {
      const { renderStatus } = await import('../../http/status/render.ts');
      const isRoot = place !== '';
      const base = isRoot ? '' : address.base;
      const shell = { base, isRoot, assets: assetsAt(base).addresses, version };
      const found = isRoot ? `${place}/` : `${pagesUrlOf(config, port)}/status/${model.slug}`;
      return renderStatus(model, kind, shell, found);
    },
    failed: (error, slug) => log.error({ fault: String(error), slug }, 'a status page could not be rendered'),
  });
  const directory = createDirectory({
    now,
    publishedPages: () => store.publishedPages(),
    listed: answers.keepOnly,
    failed: (error) => log.warn({ fault: String(error) }, 'status pages could not be listed'),
  });
  return createStatusLayer({
    now,
    address,
    answers,
    directory,
    ownHosts: ownHosts(config),
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
