// The demo's workspace on a server of its own, and a Chromium that is signed in to it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyConfiguration } from '../../../src/core/projects/apply-configuration.ts';
import { copyDemo, goldenMs } from '../../demo/look.ts';
import { openTestApp } from '../../support/app.ts';
import { type Harness, openHarness } from './harness.ts';
import type { LookedAt } from './looked-at.ts';

const token = 'the-token-of-the-demo-workspace';

export interface Demo {
  readonly harness: Harness;
  /** Where a page is: its path, or the first one of its kind that another page leads to. */
  pathOf(page: LookedAt): Promise<string>;
  close(): Promise<void>;
}

/** Copies, serves and signs in. */
export async function openDemo(chromiumPath: string): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-demo-'));
  const database = join(folder, 'demo.db');
  await copyDemo(database);
  const env = { DATABASE_URL: `sqlite:${database}`, NOTIFIER_ADMIN_TOKEN: token };
  const app = await openTestApp({ env, nowMs: goldenMs });
  // What a start does: the token of the environment is the one that signs in.
  await applyConfiguration(app.deps, () => {});
  const harness = await openHarness(chromiumPath, app.origin);
  await harness.signIn(token);
  return {
    harness,
    pathOf: (page) => pathOf(harness, page),
    async close() {
      await harness.close();
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Where a page of the demo is: its path, or the first of its kind that the page `from` leads to. */
export async function pathOf({ page, origin }: Harness, { path, from }: LookedAt): Promise<string> {
  if (from === undefined) return path;
  await page.goto(origin + from);
  const found = await page.locator(`main a[href^="${path}"]:visible`).first().getAttribute('href');
  if (found === null) throw new Error(`${from} leads to no ${path}`);
  return found;
}
