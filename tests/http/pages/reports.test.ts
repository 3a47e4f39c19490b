import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import type { ReportModel } from '../../../src/core/page-models/reports/report.ts';
import { type Monitored, nextChecks, startMonitored } from '../../support/monitored.ts';
import { openWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const week = '/reports/2026-W47';
const weekMs = [Date.parse('2026-11-16'), Date.parse('2026-11-23')] as const;

let workspace: TestWorkspace;
let server: Monitored;
let model: ReportModel;
beforeAll(async () => {
  server = await startMonitored();
  workspace = await openWorkspace({ env: { NOTIFIER_FETCH_ALLOW: '127.0.0.1' } });
  await watchAndBreak();
  await sendSessions();
  model = await workspace.viewer.json(week);
});
afterAll(async () => {
  await workspace.close();
  await server.close();
});

async function watchAndBreak(): Promise<void> {
  const { app, member } = workspace;
  const monitoring = startMonitorLoop(app.deps, { everyMs: 3_600_000 });
  const url = `http://127.0.0.1:${server.port}/`;
  await member.post('/monitors', { name: 'Front page', type: 'http', url, interval: '60' });
  const watch = async (answer: number, checks: number): Promise<void> => {
    server.answer = answer;
    await nextChecks(app, monitoring, checks);
  };
  await watch(200, 3);
  await watch(502, 4);
  await member.post('/incidents/1/acknowledge', {});
  await watch(200, 2);
  await member.post('/incidents/1/resolve', {});
  await app.postSecret('/incidents', { title: 'Mail is late', severity: 'critical' });
  await monitoring.stop();
}

async function sendSessions(): Promise<void> {
  const { app } = workspace;
  const sessions = { attrs: { release: 'shop@1.1.0' }, aggregates: [{ exited: 7, crashed: 1 }] };
  await app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' })
    .send(`{}\n{"type":"sessions"}\n${JSON.stringify(sessions)}\n`)
    .expect(200);
}

const within = (at: string): boolean => Date.parse(at) >= weekMs[0] && Date.parse(at) < weekMs[1];
const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

describe('the figures of a report are those of the pages', () => {
  it('issues: new, resolved, events by project and by bar, the busiest', async () => {
    const { issues } = await workspace.viewer.json('/issues?state=all&range=30d');
    expect(model.sums.new_issues).toBe(issues.filter((each: Seen) => within(each.first_seen)).length);
    const resolved = await workspace.viewer.json('/issues?query=is:resolved&range=30d');
    expect(model.sums.resolved_issues).toBe(resolved.total);
    expect(model.sums.events).toBe(sum(issues.map((each: Seen) => each.events)));
    const busiest = issues.toSorted((a: Seen, b: Seen) => b.events - a.events || a.issue_id - b.issue_id);
    expect(model.top_issues.map(({ issue_id: id, events }) => [id, events])).toEqual(
      busiest.map((each: Seen) => [each.issue_id, each.events]),
    );
    const levels = model.errors.bars.flatMap(({ at: _at, ...bar }) => Object.values(bar));
    expect([sum(levels), sum(model.errors.weekday_hours.flat())]).toEqual([
      model.sums.events,
      model.sums.events,
    ]);
    expect(sum(model.projects.map(({ events }) => events))).toBe(model.sums.events);
  });

  it('sent and accepted events', async () => {
    const ids = model.projects.map(({ project_id: id }) => id);
    const projects = await Promise.all(ids.map((id) => workspace.admin.json(`/projects/${id}`)));
    const days = projects.flatMap(({ sent }) =>
      sent.days.filter((day: { from: string }) => within(day.from)),
    );
    const of = (fates: readonly string[]): number =>
      sum(days.flatMap(({ counts }) => fates.map((fate) => counts[fate])));
    expect(model.sums.sent).toBe(of(['accepted', 'known', 'limited', 'refused']));
    expect(model.sums.lost_share).toBe(1 - of(['accepted']) / model.sums.sent);
    expect(model.sums.sent).toBeGreaterThan(6);
  });

  it('monitors: downtime and uptime', async () => {
    const { figures } = await workspace.viewer.json('/monitors/front-page');
    const { uptime, down_ms: downMs } = figures['7d'];
    expect(downMs).toBeGreaterThan(0);
    expect(model.monitors).toMatchObject([{ slug: 'front-page', uptime, down_ms: downMs }]);
    expect(model.sums.availability).toBe(uptime);
  });

  it('incidents with time to acknowledge and time to resolve', async () => {
    const { counts } = await workspace.viewer.json('/incidents');
    const [own, other] = await Promise.all([1, 2].map((id) => workspace.viewer.json(`/incidents/${id}`)));
    expect([model.sums.incidents, model.incidents.length]).toEqual([counts.all, counts.all]);
    expect(model.incidents.map(({ title }) => title)).toEqual([own.title, other.title]);
    expect(model.sums.acknowledge_ms).toBe((own.acknowledge_ms + other.acknowledge_ms) / 2);
    expect(model.sums.recover_ms).toBe(own.lasted_ms);
    expect(model.sums.recover_ms).toBeGreaterThan(0);
  });

  it('releases, deploys, test runs, sessions, feedback', async () => {
    const releases = (await workspace.viewer.json('/releases')).releases;
    expect(model.releases_in_all).toBe(releases.length);
    expect(model.releases.map(({ release_id: id }) => id)).toEqual(
      releases.map((each: { release_id: number }) => each.release_id),
    );
    const sessions = releases.map((each: { sessions: { total: number } }) => each.sessions.total);
    expect([model.sums.sessions, model.sums.crash_free_share]).toEqual([sum(sessions), 7 / 8]);
    expect(sum(sessions)).toBe(8);
    expect(model.deploys.all).toBe((await workspace.viewer.json('/deploys')).deploys.length);
    const { runs, passed_share: passed } = await workspace.viewer.json('/test-runs');
    expect([model.sums.test_runs, model.sums.passed_share]).toEqual([runs.length, passed]);
    const { counts } = await workspace.viewer.json('/feedback');
    expect(model.sums.feedback).toBe(counts.open + counts.resolved);
  });

  it('the figures of one project, and of all projects as their sum', async () => {
    const parts = await Promise.all(
      model.projects.map(({ project_id: id }) => workspace.viewer.json(`${week}?project=${id}`)),
    );
    for (const figure of [
      'events',
      'new_issues',
      'resolved_issues',
      'feedback',
      'sent',
      'sessions',
    ] as const) {
      expect([figure, sum(parts.map(({ sums }) => sums[figure]))]).toEqual([figure, model.sums[figure]]);
    }
  });

  it('the list shows the same as the report', async () => {
    const { reports } = await workspace.viewer.json('/reports');
    expect(reports[0]).toEqual({ ...model.period, ...model.sums });
  });
});

interface Seen {
  readonly issue_id: number;
  readonly first_seen: string;
  readonly events: number;
}
