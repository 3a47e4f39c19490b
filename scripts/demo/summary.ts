// What is said when the demo world stands: what there is, its keys, and what to do next. Numbers are those
// that the store answers.

import { slugs } from './issues/issue.ts';
import type { World } from './world.ts';

/** Counts of a kind, over all projects. */
async function totals({ deps, projects }: World): Promise<Record<string, number>> {
  const { store } = deps;
  const window = { limit: 1, offset: 0, descending: true } as const;
  const sums: Record<string, number> = {};
  const add = (name: string, count: number): void => {
    sums[name] = (sums[name] ?? 0) + count;
  };
  for (const slug of slugs) {
    const { id } = projects[slug];
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

/** The closing words. */
export async function summaryOf(world: World): Promise<string> {
  const all = await totals(world);
  const keys = slugs.map((slug) => [slug, world.keys[slug].public, world.keys[slug].secret]);
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
