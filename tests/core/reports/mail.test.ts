import { expect, it } from '@jest/globals';
import type { ReportTotals } from '../../../schemas/reports.ts';
import type { ReportBody } from '../../../src/core/page-models/reports/body.ts';
import { type Period, parsePeriod } from '../../../src/core/page-models/reports/period.ts';
import { buildReportMail } from '../../../src/core/reports/runner.ts';
import { buildReportSummary } from '../../../src/core/reports/summary.ts';

const sums: ReportTotals = {
  availability: 0.99996,
  incidents: 1,
  acknowledge_ms: 90_000,
  recover_ms: 4_320_000,
  events: 12_345,
  new_issues: 3,
  resolved_issues: 2,
  regressed_issues: 1,
  feedback: 4,
  sessions: 800,
  crash_free_share: 0.995,
  sent: 13_000,
  lost_share: 0.05,
  test_runs: 0,
  passed_share: null,
};

const hostile = '<img src=x onerror=alert(1)> & "quoted"\r\n\u202e evil';

function bodyWith(more: object = {}): ReportBody {
  const issue = { issue_id: 7, project_id: 1, project: 'shop', culprit: '', level: 'error', events: 99 };
  return {
    sums,
    sums_before: { ...sums, availability: 1, events: 10_000 },
    top_issues: [
      { ...issue, title: hostile },
      { ...issue, issue_id: 8, title: null, culprit: null },
    ],
    projects: [
      { project_id: 1, name: 'shop', users: 2, users_or_more: false },
      { project_id: 2, name: 'quiet', users: 0, users_or_more: false },
      { project_id: 3, name: 'old', users: null, users_or_more: false },
      { project_id: 4, name: 'loud', users: 1_234, users_or_more: true },
    ],
    incidents: [
      { incident_id: 3, title: 'Mail is late', lasted_ms: 60_000, is_over: false },
      { incident_id: 4, title: null, lasted_ms: 60_000, is_over: true },
    ],
    monitors: [
      { slug: 'front-page', name: 'Front page', uptime: 0.9, down_ms: 5 },
      { slug: 'up', name: 'Always up', uptime: 1, down_ms: 0 },
    ],
    releases: [],
    ending: [{ name: 'shop.example', path: '/domains/dv_1', ends_at: null, state: 'lapsed' }],
    ...more,
  } as unknown as ReportBody;
}

const week = parsePeriod('2026-W46') as Period;
const parts = {
  pagesUrl: 'https://errors.example/n',
  path: '/reports/2026-W46?project=1',
  reason: '“Mail” is sent the report of each week.',
  stopPath: '/reports/schedules',
};

it('has as text the figures, those before, and a link', () => {
  const { text } = buildReportMail(buildReportSummary(week, bodyWith()), parts);
  const lines = text.split('\n');
  expect(lines[0]).toBe('Week 46, 9 to 15 November 2026');
  expect(text).toMatch(/^Availability +99\.99% +before: 100%$/m);
  expect(text).toMatch(/^Time to acknowledge \(mean\) +1 min +before: 1 min$/m);
  expect(text).toMatch(/^Time to recover \(mean\) +1 h 12 min +before: 1 h 12 min$/m);
  expect(text).toMatch(/^Events +12,345 +before: 10,000$/m);
  expect(text).toMatch(/^Tests passed +– +before: –$/m);
  expect(text).toContain(
    '- <img src=x onerror=alert(1)> & "quoted" evil (shop): 99\n  https://errors.example/n/issues/7',
  );
  expect(text).toContain('- Mail is late: open\n  https://errors.example/n/incidents/3');
  expect(text).toContain(
    'Users affected\n- loud: 1,234 or more\n  https://errors.example/n/projects/4\n- shop: 2\n',
  );
  expect(text).not.toMatch(/quiet|old:/);
  // What was deleted is not named.
  expect(text).not.toContain('/incidents/4');
  expect(text).toContain('- Front page: 90.00%');
  expect(text).not.toContain('Always up');
  expect(text).not.toContain('Releases');
  expect(text).toContain('- shop.example: verification lapsed');
  expect(text).toContain('Full report: https://errors.example/n/reports/2026-W46?project=1\n');
  expect(text.trimEnd().split('\n').slice(-2)).toEqual([
    '“Mail” is sent the report of each week.',
    'Unsubscribe: https://errors.example/n/reports/schedules',
  ]);
});

it.each([
  [{ availability: 0.99986 }, /^Availability +99\.98%/m],
  [{ lost_share: 0.0004 }, /^Discarded events +<0\.1%/m],
  [{ crash_free_share: 0.99999 }, /^Crash-free sessions +>99\.99%/m],
  [{ acknowledge_ms: 0 }, /^Time to acknowledge \(mean\) +at once/m],
  [{ recover_ms: 19.6 * 3_600_000 }, /^Time to recover \(mean\) +19 h +before/m],
])('formats a figure as the page does: %j', (figures, line) => {
  const body = bodyWith({ sums: { ...sums, ...figures } });
  expect(buildReportMail(buildReportSummary(week, body), parts).text).toMatch(line);
});

it('has the same as HTML, with names escaped', () => {
  const { html } = buildReportMail(buildReportSummary(week, bodyWith()), parts);
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot; evil (shop)');
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to);
  expect(links).toEqual([
    'https://errors.example/n/reports/2026-W46?project=1',
    'https://errors.example/n/issues/7',
    'https://errors.example/n/projects/4',
    'https://errors.example/n/projects/1',
    'https://errors.example/n/incidents/3',
    'https://errors.example/n/monitors/front-page',
    'https://errors.example/n/domains/dv_1',
    'https://errors.example/n/reports/schedules',
  ]);
  for (const figure of ['99.99%', '99.50%', '12,345', '10,000', 'Week 46, 9 to 15 November 2026']) {
    expect(html).toContain(figure);
  }
  expect(html).not.toMatch(/<(script|link|style|form|iframe)/);
});

it.each([
  ['2026-W49', 'Week 49, 30 November to 6 December 2026'],
  ['2026-W53', 'Week 53, 28 December 2026 to 3 January 2027'],
  ['2026-02', 'February 2026'],
])('calls %s %s', (id, title) => {
  expect(buildReportSummary(parsePeriod(id) as Period, bodyWith()).title).toBe(title);
});

it('has no links without pages, and no earlier figures where they cannot be counted', () => {
  const month = parsePeriod('2026-10') as Period;
  const { text, html } = buildReportMail(buildReportSummary(month, bodyWith({ sums_before: null })), {
    ...parts,
    pagesUrl: null,
  });
  expect(text.split('\n')[0]).toBe('October 2026');
  expect(text).not.toMatch(/https?:|before:|Stop it/);
  expect(html).not.toMatch(/href|Stop it/);
});

it('names five of a kind, each in one short line', () => {
  const many = Array.from({ length: 20 }, (_, nth) => ({
    ...{ issue_id: nth + 1, project_id: 1, project: 'p', level: 'error', events: 20 - nth },
    title: 'x'.repeat(500),
  }));
  const { text } = buildReportMail(buildReportSummary(week, bodyWith({ top_issues: many })), parts);
  expect(text.match(/^- x+/gm)).toHaveLength(5);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200);
});

it('makes no link of a URL in a text of a user', () => {
  const names = ['https://evil.com/login', 'www.evil.com', 'a@evil.com'];
  const issue = { project_id: 1, project: 'shop', culprit: '', level: 'error', events: 9 };
  const top = names.map((title, at) => ({ ...issue, issue_id: at + 1, title }));
  const { text, html } = buildReportMail(buildReportSummary(week, bodyWith({ top_issues: top })), parts);
  for (const form of [text, html]) {
    expect(form.match(/:\/\/evil|www\.e|a@e|evil\.com/)).toBeNull();
    for (const name of names) expect(form.replaceAll('\u200b', '')).toContain(name);
  }
});
