import { splitCulprit, splitTitle } from '../../core/page-models/issues/list.ts';
import type { AttentionIssue, AttentionReason } from '../../core/page-models/overview/needs-attention.ts';
import {
  type OverviewModel,
  type OverviewRange,
  type OverviewRelease,
  type OverviewRun,
  overviewRanges,
} from '../../core/page-models/overview/overview.ts';
import { hourMs } from '../../core/parsing/durations.ts';
import { histogram, severityStacks } from '../charts/histogram.ts';
import { sparkline } from '../charts/sparkline.ts';
import { bidiIsolated, type Fact, facts } from '../components/elements.ts';
import { iconMark, statusMark } from '../components/icons.ts';
import { cell, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatDifference, percent, shortTime, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { overviewSummary, rangeNames } from './summary.ts';
import {
  expiringSoonSection,
  hasUptime,
  openIncidentsSection,
  overviewList,
  overviewTable,
  rowTable,
  uptimeFacts,
  uptimeSection,
} from './uptime.ts';

const shortRanges: Readonly<Record<OverviewRange, string>> = { '24h': '24 h', '7d': '7 d', '30d': '30 d' };
const beforeTexts: Readonly<Record<OverviewRange, string>> = {
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

function ranges({ range }: OverviewModel, context: PageContext): VNode {
  const choices = overviewRanges.map((each) =>
    pageLink(
      context,
      { path: '/', query: { range: each } },
      { class: 'btn small', 'aria-current': each === range ? 'page' : null },
      shortRanges[each],
    ),
  );
  return html`<nav class="joined" aria-label="Range">${choices}</nav>`;
}

function bigFacts(model: OverviewModel, context: PageContext): Fact[] {
  const { issues, events, range, releases, test_runs: runs, suites, watched: monitoring } = model;
  const within = `in ${shortRanges[range]}`;
  const to = (path: string, text: Content): VNode => pageLink(context, path, null, text);
  const change = formatDifference(events.total, events.before, 'before');
  const [release] = releases;
  const [run] = runs;
  const [failed, ...more] = model.failed_suites;
  const shown: Fact[] = [
    ['Unresolved issues', to('/issues', count(issues.open)), `${count(issues.new)} new ${within}`],
    ...(hasUptime(monitoring) ? [] : [regressedFact(model, context)]),
    [
      `Events, ${shortRanges[range]}`,
      count(events.total),
      change?.replace(' than before', '') ?? 'none before',
    ],
    ...(hasUptime(monitoring) ? uptimeFacts(monitoring, context) : [reportsOf(model, context)]),
  ];
  if (release !== undefined) {
    const version = html`<bdi>${shortVersion(release.version)}</bdi>`;
    const small = [html`<bdi>${release.project}</bdi>`, ', ', timeAgo(release.date_created, context.nowMs)];
    shown.push(['Latest release', to(`/releases/${release.release_id}`, version), small]);
  }
  if (run !== undefined) {
    const small = [`of ${counted(suites, 'suite')}, `, timeAgo(run.date_created, context.nowMs)];
    const result =
      failed === undefined
        ? to(`/test-runs/${run.test_run_id}`, run.status)
        : to(
            more.length > 0 ? '/test-runs' : `/test-runs/${failed.test_run_id}`,
            `${count(1 + more.length)} failed`,
          );
    shown.push(['Latest test runs', result, small]);
  }
  return shown;
}

function regressedFact({ issues }: OverviewModel, context: PageContext): Fact {
  return [
    'Regressed',
    pageLink(context, { path: '/issues', query: { state: 'regressed' } }, null, count(issues.regressed)),
    'unresolved',
  ];
}

function reportsOf({ range, new_reports: reports }: OverviewModel, context: PageContext): Fact {
  return [
    `Reports, ${shortRanges[range]}`,
    pageLink(context, '/feedback', null, count(reports)),
    'from users',
  ];
}

const versionLettersMax = 12;

/** Removes the package before `@` and shortens the version for a large figure. */
function shortVersion(version: string): string {
  const name = version.slice(version.lastIndexOf('@') + 1) || version;
  return name.length <= versionLettersMax ? name : `${name.slice(0, versionLettersMax - 1)}…`;
}

function events({ events: shown, range, releases }: OverviewModel, context: PageContext): VNode {
  const barMs = shown.bar_hours * hourMs;
  const bars = shown.bars.map(({ at, debug, ...levels }) => {
    const fromMs = Date.parse(at);
    return { fromMs, toMs: fromMs + barMs, counts: { ...levels, info: levels.info + debug } };
  });
  const change = formatDifference(shown.total, shown.before, beforeTexts[range]);
  return histogram(context, {
    bars,
    stacks: severityStacks,
    markers: releases.map(({ date_created: at, version }) => ({ atMs: Date.parse(at), name: version })),
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

const releasesShown = 5;

function overviewLists(model: OverviewModel, context: PageContext): Content[] {
  const { releases, test_runs: runs, reports, acts: activities, watched: monitoring } = model;
  return [
    overviewList(
      context,
      ['look-at', 'Needs attention', '/issues', 'All issues'],
      attentionSection(model, context),
    ),
    hasUptime(monitoring)
      ? [openIncidentsSection(monitoring, context), uptimeSection(monitoring, context)]
      : null,
    overviewTable(
      context,
      ['released', 'Releases', '/releases', 'All releases'],
      'Latest releases',
      releases.slice(0, releasesShown).map((each) => release(each, context)),
    ),
    overviewTable(
      context,
      ['tests', 'Tests', '/test-runs', 'All runs'],
      'Latest run of each suite',
      runs.map((each) => run(each, context)),
    ),
    monitoring === undefined ? null : expiringSoonSection(monitoring, context),
    overviewTable(
      context,
      ['reports', 'Feedback', '/feedback', 'All feedback'],
      'Latest feedback',
      reports.map((each) => report(each, context)),
    ),
    activities.length === 0
      ? null
      : overviewList(
          context,
          ['acts', 'Audit log', '/audit', 'Full audit log'],
          html`<ol class="log">${activities.map((each) => activityItem(each, context))}</ol>`,
        ),
  ];
}

function attentionSection({ look_at: issues, range }: OverviewModel, context: PageContext): VNode {
  if (issues.length > 0) {
    return rowTable(
      'Issues that need attention',
      issues.map((each) => issue(each, context)),
    );
  }
  return html`<p class="calm">No unresolved issue had events in ${rangeNames[range]}.</p>`;
}

const reasonMarks: Readonly<Record<AttentionReason, VNode | null>> = {
  regressed: statusMark('regressed'),
  fatal: null,
  growing: statusMark('warning', 'Growing'),
  new: statusMark('new'),
  seen: null,
};

function issue(each: AttentionIssue, context: PageContext): VNode {
  const { type, message } = splitTitle(each.title);
  const { function: code, text, file } = splitCulprit(each.culprit);
  const reason = reasonMarks[each.why];
  const name = `${counted(each.events, 'event')}, newest last`;
  const location = code === null ? bidiIsolated(text ?? file ?? '') : html`<code>${code}</code>`;
  const title = titleCell(context, {
    path: `/issues/${each.issue_id}`,
    title: type === null ? message : [html`<strong>${type}</strong>`, ' ', message],
    subtitle: [reason, reason === null ? null : ' ', bidiIsolated(each.project), ' ', location],
  });
  return html`<tr>
    ${cell(iconMark(each.level), 'lv')}${title}
    ${cell(sparkline({ values: each.spark, name, stepPx: 3 }), 'sp d3')}${cell(count(each.events), 'r')}
  </tr>`;
}

function release(each: OverviewRelease, context: PageContext): VNode {
  const { new_issues: fresh, regressed_issues: back } = each;
  const brought: Content[] = [
    back === 0 ? null : statusMark('regressed', `${count(back)} regressed`),
    back > 0 && fresh > 0 ? ', ' : null,
    fresh === 0 ? null : `${count(fresh)} new`,
    back + fresh === 0 ? html`<span class="dim">no new issues</span>` : null,
  ];
  const path = `/releases/${each.release_id}`;
  return html`<tr>
    ${titleCell(context, { path, title: each.version, subtitle: bidiIsolated(each.project) })}
    ${cell(brought, 'k')}${cell(timeAgo(each.date_created, context.nowMs), 'r soft')}
  </tr>`;
}

function run(each: OverviewRun, context: PageContext): VNode {
  const { tests, passed, shares } = each;
  const name = `Share of tests that passed in ${counted(shares.length, 'run')}, ${percent(passed, tests, 1)} in the latest`;
  const path = `/test-runs/${each.test_run_id}`;
  return html`<tr>
    ${titleCell(context, { path, title: each.project, subtitle: bidiIsolated(each.suite ?? 'no suite') })}
    ${cell(sparkline({ values: shares, name, isLastOpen: false, stepPx: 3 }), 'sp d3')}${cell(endOf(each), 'k')}
    ${cell(percent(passed, tests, 1), 'r')}
  </tr>`;
}

function endOf({ status, failed, flaky, tests }: OverviewRun): VNode {
  if (status === 'failed' || status === 'error') {
    return statusMark('failed', failed === 0 ? 'failed' : `${count(failed)} failed`);
  }
  if (flaky > 0) return statusMark('flaky', `${count(flaky)} flaky`);
  return tests === 0 ? statusMark('skipped', 'no tests') : statusMark('passed', 'passed');
}

function report(each: OverviewModel['reports'][number], context: PageContext): VNode {
  const subtitle = [bidiIsolated(each.project), each.domain === '' ? null : [' ', bidiIsolated(each.domain)]];
  return html`<tr>
    ${titleCell(context, { path: `/feedback/${each.feedback_id}`, title: each.message, subtitle })}
    ${cell(timeAgo(each.date_created, context.nowMs), 'r soft')}
  </tr>`;
}

function activityItem({ at, actor, verb, object }: OverviewModel['acts'][number], context: PageContext) {
  const objectName = bidiIsolated(object.name);
  const isSelf = object.kind === 'member' && object.name === actor.name;
  const linked =
    object.path === null
      ? objectName
      : pageLink(context, { path: object.path, query: { project: null } }, null, objectName);
  return html`<li>
    ${shortTime(at, context.nowMs)}
    <div>
      <strong>${bidiIsolated(actor.name)}</strong> ${verb}${isSelf || object.name === '' ? null : [' ', linked]}
    </div>
  </li>`;
}
