// Workspaces that answer as the demo never does: nothing in it yet, to somebody who may not, too often, with
// a database that fails. Each is opened when its first page is looked at, with a Chromium of its own.

import { silentLog } from '../../../src/app/log.ts';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { applyConfiguration } from '../../../src/core/projects/apply-configuration.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';
import { adminToken, signedInAt } from '../../support/pages.ts';
import { type Demo, openDemo, pathOf } from './demo.ts';
import { type Harness, openHarness } from './harness.ts';
import type { World } from './looked-at.ts';

export interface Worlds {
  get(world: World): Promise<Demo>;
  close(): Promise<void>;
}

/** The worlds by name; only those that are asked for are opened. */
export function worldsOf(chromiumPath: string): Worlds {
  const opened = new Map<World, Promise<Demo>>();
  return {
    get(world) {
      const known = opened.get(world) ?? openers[world](chromiumPath);
      opened.set(world, known);
      return known;
    },
    async close() {
      for (const each of opened.values()) await (await each).close();
    },
  };
}

const openers: Readonly<Record<World, (chromiumPath: string) => Promise<Demo>>> = {
  // Nightly, pages have to bear as much as there is.
  demo: (chromiumPath) => openDemo(chromiumPath),
  empty: (chromiumPath) => openSmall(chromiumPath, {}, ({ signIn }) => signIn(adminToken)),
  asOfAViewer: (chromiumPath) =>
    openSmall(chromiumPath, {}, async ({ page, origin }, { deps }) => {
      const { browser } = await signedInAt(origin, deps, 'viewer', 'Vera');
      const [name = '', value = ''] = browser.cookie?.split('=') ?? [];
      await page.context().addCookies([{ name, value, url: origin }]);
      const channel = { type: 'webpush', name: 'Browsers' } as const;
      await createChannel(deps, null, channel, commandLineSource);
      const [vera] = await deps.store.listMembers(deps.now());
      await deps.store.addPushSubscription({
        ...{ channelId: 1, memberId: vera?.id ?? 0, endpoint: 'https://push.example/a' },
        ...{ p256dh: '', auth: '', device: 'Firefox on Linux', createdAtMs: deps.now() },
      });
    }),
  crowded: (chromiumPath) =>
    openSmall(
      chromiumPath,
      { env: { RATE_LIMITS: 'on', RATE_LIMIT_PAGES_PER_MINUTE: '1' } },
      // The clock stands still, so what this takes never comes back.
      async (_, { agent }) => void (await agent.get('/sign-in').expect(200)),
    ),
  broken: (chromiumPath) =>
    openSmall(chromiumPath, { deps: { log: silentLog } }, async ({ signIn }, { deps }) => {
      await signIn(adminToken);
      const fails = () => Promise.reject(new Error('The database is gone.'));
      Object.assign(deps.store, { placeCounts: fails, listProjects: fails });
    }),
};

async function openSmall(
  chromiumPath: string,
  options: TestAppOptions,
  prepare: (harness: Harness, app: TestApp) => Promise<void>,
): Promise<Demo> {
  const env = { NOTIFIER_ADMIN_TOKEN: adminToken, ...options.env };
  const app = await openTestApp({ ...options, env });
  await applyConfiguration(app.deps, () => {});
  const harness = await openHarness(chromiumPath, app.origin);
  await prepare(harness, app);
  return {
    harness,
    pathOf: (page) => pathOf(harness, page),
    async close() {
      await harness.close();
      await app.close();
    },
  };
}
