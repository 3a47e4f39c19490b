// `npm run seed -- --demo`: loads the demo scenario into your own database.

import { silentLog } from '../src/app/log.ts';
import { openDeps } from '../src/app/open-deps.ts';
import type { Deps } from '../src/core/deps.ts';
import { type DemoKeys, type LoadOptions, loadDemo } from '../src/demo/load.ts';
import { slugs } from '../src/demo/shared/company.ts';

export interface SeedOptions extends LoadOptions {
  readonly nowMs: number;
  tell(line: string): void;
}

/** Long, for busy machines: an event stored before symbolication would be grouped differently. */
const mappingBudgetMs = 60_000;

/** Returns a summary with working keys. Changes nothing if a project exists. Throws as `openDeps` does. */
export async function seedDemo(
  env: Readonly<Record<string, string | undefined>>,
  { nowMs, tell, ...options }: SeedOptions,
): Promise<string> {
  const clock = { nowMs };
  // A year of events is sent within seconds.
  const { deps, close } = await openDeps(
    { ...env, RATE_LIMITS: 'off' },
    { log: silentLog, warn: tell, now: () => clock.nowMs, eventMappingMs: mappingBudgetMs },
  );
  try {
    for (const name of slugs) {
      const project = await deps.store.findProjectByName(name);
      if (project !== null) return alreadyThere(project);
    }
    const keys = await loadDemo(deps, clock, options);
    await silence(deps);
    return await summaryOf(deps, keys);
  } finally {
    await close();
  }
}

function alreadyThere({ name, id }: { readonly name: string; readonly id: number }): string {
  return `The project "${name}" is there already (${id}); nothing was changed.
To make the demo world, take another database: DATABASE_URL=sqlite:data/local/demo.db npm run seed -- --demo
`;
}

/** Pauses monitors and channels, so that a server sends no requests or notifications. */
async function silence({ store, now }: Deps): Promise<void> {
  const paused = { state: 'paused', stateSinceMs: now() } as const;
  const asked = { ...paused, stateUntilMs: null, reason: '', pendingTransition: null, nextCheckAtMs: null };
  for (const each of await store.listMonitors(null)) {
    if (each.state !== 'paused') await store.changeMonitor(each, { ...each, ...asked });
  }
  for (const { id, state } of await store.listChannels()) {
    if (state !== 'paused') await store.changeChannel(id, { ...paused, pausedUntilMs: null });
  }
}

async function totals({ store }: Pick<Deps, 'store'>): Promise<Record<string, number>> {
  const window = { limit: 1, offset: 0, descending: true } as const;
  const sums: Record<string, number> = {};
  const add = (name: string, count: number): void => {
    sums[name] = (sums[name] ?? 0) + count;
  };
  for (const { id } of await store.listProjects()) {
    const issues = await store.listIssues(id, { ...window, limit: 1000, orderBy: 'id' });
    add('issues', issues.total);
    add(
      'events',
      issues.rows.reduce((sum, issue) => sum + issue.eventsCount, 0),
    );
    add('releases', (await store.listReleases(id, { ...window, orderBy: 'date_created' })).total);
    add('deploys', (await store.listDeploys(id, { ...window, orderBy: 'date_created' })).total);
    add('runs', (await store.listTestRuns(id, { ...window, orderBy: 'created_at' })).total);
    add('artifacts', (await store.listArtifacts(id, window)).total);
    for (const spam of [false, true]) {
      add('reports', (await store.listFeedback(id, { ...window, spam })).total);
    }
  }
  return sums;
}

async function summaryOf(deps: Pick<Deps, 'store'>, texts: DemoKeys): Promise<string> {
  const all = await totals(deps);
  const keys = slugs.map((slug) => [slug, texts[slug].public, texts[slug].secret]);
  const widths = [0, 1].map((column) => Math.max(...keys.map((row) => row[column]?.length ?? 0)));
  const rows = [['Project', 'Public key', 'Secret key, shown this once'], ...keys].map(
    ([name = '', shown = '', secret = '']) =>
      `  ${name.padEnd(widths[0] ?? 0)}  ${shown.padEnd(widths[1] ?? 0)}  ${secret}`,
  );
  return `Made Harbour & Pine: ${slugs.length} projects, ${all['issues']} issues of ${all['events']} events, ${all['releases']} releases,
${all['deploys']} deploys, ${all['runs']} test runs, ${all['artifacts']} artifacts, ${all['reports']} reports of visitors.

${rows.join('\n')}

Next
  npm start    serves it; open the link to sign in that it prints
`;
}
