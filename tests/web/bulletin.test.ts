import { describe, expect, it } from '@jest/globals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { OverviewModel, OverviewRelease } from '../../src/core/page-models/overview/overview.ts';
import { overviewSummary } from '../../src/web/overview/summary.ts';
import type { PageContext } from '../../src/web/page-context.ts';

const calm = {
  range: '7d',
  from: '2026-11-14T00:00:00.000Z',
  issues: { open: 0, new: 0, regressed: 0, all: 4 },
  events: { total: 0 },
  releases: [],
  failed_suites: [],
} as unknown as OverviewModel;
const frame = { base: '', project: null, nowMs: Date.UTC(2026, 10, 21, 12) } as unknown as PageContext;
const said = (model: Partial<OverviewModel>): string =>
  renderToString(h('div', null, overviewSummary({ ...calm, ...model }, frame))).replaceAll(/<[^>]+>/g, '');

const release = (more: Partial<OverviewRelease>): OverviewRelease => ({
  release_id: 1,
  project_id: 1,
  project: 'shop-web',
  version: '4.18.0',
  date_created: '2026-11-20T00:00:00.000Z',
  new_issues: 0,
  regressed_issues: 0,
  ...more,
});
const failed = (project: string) => ({ test_run_id: 1, project_id: 1, project });

describe('issues', () => {
  it.each([
    [{ open: 0, new: 0, regressed: 0, all: 4 }, 'No unresolved issues; no events in 7 days.'],
    [
      { open: 2, new: 0, regressed: 0, all: 4 },
      '2 of 4 issues are unresolved; nothing new in 7 days, none regressed.',
    ],
    [{ open: 1, new: 1, regressed: 0, all: 1 }, 'The only issue is unresolved: 1 is new in 7 days.'],
    [{ open: 4, new: 0, regressed: 2, all: 4 }, 'All 4 issues are unresolved: 2 regressed.'],
    [
      { open: 36, new: 9, regressed: 1, all: 1_064 },
      '36 of 1,064 issues are unresolved: 9 are new in 7 days, 1 regressed.',
    ],
  ])('%j', (issues, sentence) => {
    expect(said({ issues })).toBe(sentence);
  });

  it('does not say “no events” where events are known', () => {
    const events = { ...calm.events, total: 12 };
    expect(said({ events })).toBe('No unresolved issues; 12 events came in 7 days.');
  });
});

it.each([
  [
    release({ new_issues: 3, regressed_issues: 1 }),
    ' shop-web 4.18.0 brought 3 new issues and 1 regression.',
  ],
  [release({ regressed_issues: 2, version: 'shop@4.18.0' }), ' shop@4.18.0 brought 2 regressions.'],
  [release({}), ''],
  [release({ new_issues: 3, date_created: '2026-11-13T23:59:59.999Z' }), ''],
])('names the newest release with new issues: %#', (newest, sentence) => {
  expect(said({ releases: [release({ release_id: 2 }), newest] })).toBe(`${said({})}${sentence}`);
});

it.each([
  [[failed('shop-web')], ' The latest test run of shop-web failed.'],
  [[failed('shop-web'), failed('api')], ' The latest test runs of 2 suites failed.'],
  [[], ''],
])('tests: %#', (suites, sentence) => {
  expect(said({ failed_suites: suites })).toBe(`${said({})}${sentence}`);
});

describe('an open incident or a monitor that is down', () => {
  const incident = (more: object): object => ({
    incident_id: 7,
    title: 'Card payments are failing',
    severity: 'critical',
    state: 'investigating',
    lasted_ms: 37.5 * 60_000,
    ...more,
  });
  const watched = (incidents: readonly object[], down = 0): Partial<OverviewModel> =>
    ({
      watched: {
        incidents,
        open: { broken: incidents.length },
        monitors: { all: 4, up: 4 - down, down },
        strips: [
          { slug: 'front', name: 'Front page', state: 'down', state_since: '2026-11-19T10:00:00.000Z' },
        ],
      },
    }) as unknown as Partial<OverviewModel>;
  const rest = 'No unresolved issues; no events in 7 days.';

  it.each([
    [[incident({})], 'Card payments have been failing for 37 minutes. '],
    [
      [incident({ title: 'Search is slow.', lasted_ms: 5 * 3_600_000 }), incident({})],
      'Search has been slow for 5 hours. 1 more incident is open. ',
    ],
    [[incident({ title: 'Blog down', lasted_ms: 20_000 })], 'Blog down, for 1 minute. '],
    [[incident({ lasted_ms: 49 * 3_600_000 })], 'Card payments have been failing for 2 days. '],
    [[incident({ state: 'monitoring' }), incident({ state: 'planned', severity: 'planned' })], ''],
    [[], ''],
  ])('comes first: %#', (incidents, sentence) => {
    expect(said(watched(incidents))).toBe(`${sentence}${rest}`);
  });

  it('is the monitor that is down if nobody opened an incident', () => {
    expect(said(watched([], 1))).toBe(`Front page has been down for 2 days. ${rest}`);
    expect(said(watched([], 3))).toBe(`3 monitors are down. ${rest}`);
  });
});
