import type { VNode } from 'preact';
import {
  type OverviewModel,
  type OverviewRange,
  overviewRanges,
} from '../../core/page-models/overview/overview.ts';
import { hourMs } from '../../core/parsing/durations.ts';
import { histogram, severityStacks } from '../charts/histogram.ts';
import { type Fact, facts } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { timeAgo } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { count, counted, formatDifference } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { overviewLists } from './lists.ts';
import { overviewSummary, rangeNames } from './summary.ts';
import { hasUptime, uptimeFacts } from './uptime.ts';

const shortRanges: Readonly<Record<OverviewRange, string>> = { '24h': '24 h', '7d': '7 d', '30d': '30 d' };
const beforeWords: Readonly<Record<OverviewRange, string>> = {
  '24h': 'the 24 before',
  '7d': 'the 7 before',
  '30d': 'the 30 before',
};

export function overviewPage(model: OverviewModel, context: PageContext): PageContent {
  return {
    title: 'Overview',
    main: [
      html`<div class="top"><h1>Overview</h1>${ranges(model, context)}</div>`,
      overviewSummary(model, context),
      facts(bigFacts(model, context), 'big'),
      html`<div class="sec">${events(model, context)}</div>`,
      html`<div class="cols even">${overviewLists(model, context)}</div>`,
    ],
  };
}

function ranges({ range }: OverviewModel, frame: PageContext): VNode {
  const choices = overviewRanges.map((each) =>
    pageLink(
      frame,
      { path: '/', query: { range: each } },
      { class: 'btn small', 'aria-current': each === range ? 'page' : null },
      shortRanges[each],
    ),
  );
  return html`<nav class="joined" aria-label="Range">${choices}</nav>`;
}

function bigFacts(model: OverviewModel, frame: PageContext): Fact[] {
  const { issues, events, range, releases, test_runs: runs, suites, watched } = model;
  const within = `in ${shortRanges[range]}`;
  const to = (path: string, words: Content): VNode => pageLink(frame, { path }, null, words);
  const change = formatDifference(events.total, events.before, 'before');
  const [release] = releases;
  const [run] = runs;
  const [failed, ...more] = model.failed_suites;
  return [
    {
      label: 'Unresolved issues',
      figure: to('/issues', count(issues.open)),
      small: `${count(issues.new)} new ${within}`,
    },
    ...(hasUptime(watched) ? [] : [cameBack(model, frame)]),
    {
      label: `Events, ${shortRanges[range]}`,
      figure: count(events.total),
      small: change?.replace(' than before', '') ?? 'none before',
    },
    ...(hasUptime(watched) ? uptimeFacts(watched, frame) : [reportsOf(model, frame)]),
    ...(release === undefined
      ? []
      : [
          {
            label: 'Latest release',
            figure: to(`/releases/${release.release_id}`, html`<bdi>${shortVersion(release.version)}</bdi>`),
            small: [html`<bdi>${release.project}</bdi>`, ', ', timeAgo(release.date_created, frame.nowMs)],
          },
        ]),
    ...(run === undefined
      ? []
      : [
          {
            label: 'Latest test runs',
            figure:
              failed === undefined
                ? to(`/test-runs/${run.test_run_id}`, run.status)
                : to(
                    more.length > 0 ? '/test-runs' : `/test-runs/${failed.test_run_id}`,
                    `${count(1 + more.length)} failed`,
                  ),
            small: [`of ${counted(suites, 'suite')}, `, timeAgo(run.date_created, frame.nowMs)],
          },
        ]),
  ];
}

function cameBack({ issues }: OverviewModel, frame: PageContext): Fact {
  return {
    label: 'Regressed',
    figure: pageLink(
      frame,
      { path: '/issues', query: { state: 'regressed' } },
      null,
      count(issues.regressed),
    ),
    small: 'unresolved',
  };
}

function reportsOf({ range, new_reports: reports }: OverviewModel, frame: PageContext): Fact {
  return {
    label: `Reports, ${shortRanges[range]}`,
    figure: pageLink(frame, { path: '/feedback' }, null, count(reports)),
    small: 'from users',
  };
}

const versionLettersMax = 12;

/** Removes the package before `@` and shortens the version for a large figure. */
function shortVersion(version: string): string {
  const bare = version.slice(version.lastIndexOf('@') + 1) || version;
  return bare.length <= versionLettersMax ? bare : `${bare.slice(0, versionLettersMax - 1)}…`;
}

function events({ events: shown, range, releases }: OverviewModel, frame: PageContext): VNode {
  const barMs = shown.bar_hours * hourMs;
  const bars = shown.bars.map(({ at, debug, ...levels }) => {
    const fromMs = Date.parse(at);
    return { fromMs, toMs: fromMs + barMs, counts: { ...levels, info: levels.info + debug } };
  });
  const change = formatDifference(shown.total, shown.before, beforeWords[range]);
  return histogram(frame, {
    bars,
    stacks: severityStacks,
    markers: releases.map(({ date_created: at, version }) => ({ atMs: Date.parse(at), name: version })),
    nowMs: frame.nowMs,
    noun: ['event', 'events'],
    finding: [
      html`<b>${counted(shown.total, 'event')}</b>`,
      ` in ${rangeNames[range]}`,
      change === null ? null : `, ${change}`,
    ],
    barLink: ({ fromMs, toMs }) => ({
      path: '/issues',
      query: { range: `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}` },
    }),
    stackLink: ({ key }) => ({ path: '/issues', query: { level: key, range } }),
  });
}
