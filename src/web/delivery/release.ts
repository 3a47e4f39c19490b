import { eachReleaseText, releaseTexts } from '../../../schemas/releases.ts';
import type { ReleaseModel } from '../../core/page-models/delivery/release.ts';
import { swatch } from '../charts/chart-figure.ts';
import { lineChart } from '../charts/line-chart.ts';
import { type Fact, facts, nameValueList, pageHead, section } from '../components/elements.ts';
import { type IconName, icon, statusMark } from '../components/icons.ts';
import { dataTable, miniTable, rowHeader } from '../components/table.ts';
import { type Content, el, externalLink, html, pageLink, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatCountOrDash,
  formatDayAndTime,
  fullTime,
  percent,
  replaceInvisible,
  shortTime,
  untrustedCode,
  untrustedText,
} from '../formatters.ts';
import { linkedIncidents } from '../incidents/linked-incidents.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { crashFree, customFieldRows, shortCommitCode, testRunLink, timeRows } from './labels.ts';
import { artifactsPart, deploysPart, releaseIssues } from './release-parts.ts';

type Commit = ReleaseModel['commits'][number];

function commitsPart({ commits, release }: ReleaseModel, context: PageContext): Content {
  if (commits.length === 0) return null;
  const all = release.commit_count;
  const aside =
    all > commits.length ? html`<span class="small dim">${commits.length} of ${count(all)}</span>` : null;
  return section(
    { id: 'commits', title: 'Commits', aside },
    miniTable('Commits of this release', commits, { cell: (commit) => commitCell(commit, context) }),
  );
}

function commitCell(commit: Commit, context: PageContext): Content[] {
  const { id, message, author, repository, at } = commit;
  const [first = id, ...others] = message?.split('\n') ?? [];
  const rest = others.join('\n').trim();
  return [
    html`<span class="ttl">${untrustedText(first)}</span>`,
    html`<span class="cul">
      ${shortCommitCode(id)}${author === null ? null : [' ', untrustedText(author)]}
      ${repository === null ? null : [', ', untrustedText(repository)]}
      ${at === null ? null : [', ', shortTime(at, context.nowMs)]}
    </span>`,
    rest === '' ? null : folded('Full message', html`<p class="said">${untrustedText(rest)}</p>`),
    filesOf(commit),
  ];
}

const changeWords: Readonly<Record<string, string>> = { A: 'added', M: 'changed', D: 'removed' };

const worseShareMin = 0.005;
/** With fewer sessions, the share is not compared. */
const comparableSessionsMin = 100;

export function releasePage(model: ReleaseModel, context: PageContext): PageContent {
  const { release, project } = model;
  return {
    title: replaceInvisible(release.version),
    breadcrumbs: [
      { name: 'Releases', path: '/releases' },
      { name: project.name, path: null },
    ],
    main: [
      head(model, context),
      verdict(model, context),
      linkedIncidents(model.incidents, context),
      releaseFacts(model, context),
      adoption(model),
      verdictPart(model, context),
      releaseIssues(model, context),
      html`<div class="cols even">
        ${deploysPart(model, context)}${artifactsPart(model, context)}${commitsPart(model, context)}
        ${comparedLinks(model, context)}${aboutPart(model)}
      </div>`,
    ],
  };
}

function head({ release, project, before, authors }: ReleaseModel, context: PageContext): VNode {
  const { commit_count: commits, last_commit: newest, date_created: createdAt } = release;
  const since = before === null ? null : [' since ', beforeLink(context, before)];
  return pageHead({
    above: [untrustedText(project.name), release.status === 'archived' ? ', archived' : null],
    title: untrustedText(release.version),
    below: [
      commits === 0
        ? null
        : [counted(commits, 'commit'), authors > 1 ? ` by ${count(authors)} people` : null, since],
      newest === null ? null : [commits === 0 ? 'Commit ' : ', newest ', shortCommitCode(newest)],
      commits === 0 && newest === null ? null : '. ',
      createdAt === null ? null : ['Created ', fullTime(createdAt)],
      release.url === null ? null : ['. ', externalLink(release.url, 'URL ', icon('out'))],
    ],
    actions:
      before === null
        ? undefined
        : pageLink(
            context,
            { path: `/releases/${release.release_id}`, hash: 'compared' },
            { class: 'btn' },
            html`<span>Compare with ${untrustedText(before.version)}</span>`,
          ),
  });
}

function beforeLink(context: PageContext, before: NonNullable<ReleaseModel['before']>): VNode {
  return pageLink(context, `/releases/${before.release_id}`, null, untrustedText(before.version));
}

function verdict({ release, before, regressed_issues: back }: ReleaseModel, context: PageContext): Content {
  if (before === null) return null;
  const now = release.sessions;
  const then = before.sessions;
  const isComparable = now.total >= comparableSessionsMin && then.total >= comparableSessionsMin;
  const [share, shareBefore] = [now.crash_free_share ?? 1, then.crash_free_share ?? 1];
  const name = untrustedText(before.version);
  const first = back[0];
  const returned =
    first === undefined
      ? null
      : [
          ', and ',
          pageLink(context, `/issues/${first.issue_id}`, null, `#${first.issue_id}`),
          back.length === 1 ? ' regressed' : ` and ${counted(back.length - 1, 'other')} regressed`,
        ];
  if (isComparable && shareBefore - share >= worseShareMin) {
    return html`<p class="note">
      ${statusMark('down', ['Worse than ', name])}
      : crash-free sessions fell from ${crashFreeText(then)} to ${crashFreeText(now)}${returned}.
    </p>`;
  }
  if (isComparable && share - shareBefore >= worseShareMin) {
    const mark = statusMark('passed', ['Better than ', name]);
    const change = `: crash-free sessions rose from ${crashFreeText(then)} to ${crashFreeText(now)}`;
    return html`<p class="note">${mark}${change}${returned}.</p>`;
  }
  if (first === undefined) return null;
  const mark = statusMark('regressed', `${counted(back.length, 'issue')} back`);
  return html`<p class="note">${mark} that had been resolved before ${untrustedText(release.version)}.</p>`;
}

function crashFreeText({ total, crashed }: { readonly total: number; readonly crashed: number }): string {
  return percent(total - crashed, total, 2);
}

function releaseFacts(model: ReleaseModel, context: PageContext): VNode {
  const { release, before, events, adoption: adopted, test_run: run } = model;
  const { sessions, issues } = release;
  const { recent_sessions: recent, recent_sessions_of_all: all } = adopted;
  const rows: Fact[] = [
    [
      'Adoption',
      all === 0 ? '–' : percent(recent, all),
      all === 0 ? 'none in 24 h' : `${count(recent)} of ${count(all)} in 24 h`,
    ],
    [
      'Crash-free sessions',
      crashFree(sessions),
      sessions.total === 0 ? 'no sessions' : `of ${counted(sessions.total, 'session')}`,
    ],
    [
      'New issues',
      formatCountOrDash(issues.new),
      issues.regressed === 0 ? null : `and ${count(issues.regressed)} regressed`,
    ],
    ['Resolved issues', formatCountOrDash(issues.resolved), null],
    [
      'Events',
      formatCountOrDash(events),
      before === null ? null : [count(before.events), ' in ', untrustedText(before.version)],
    ],
    [
      'Tests',
      run === null ? '–' : testRunLink(context, { ...run, created_at: run.created_at ?? '' }),
      run === null ? 'no test runs' : `of ${count(run.tests)}`,
    ],
  ];
  return facts(rows);
}

function adoption({
  adoption: { points, point_hours: hours },
  release,
  before,
  deploys,
}: ReleaseModel): Content {
  if (!points.some(({ sessions }) => sessions > 0)) return null;
  const share = (part: number, all: number): number | null => (all === 0 ? null : (part / all) * 100);
  const max = Math.max(...points.map((point) => share(point.sessions, point.all_sessions) ?? 0));
  const version = replaceInvisible(release.version);
  const key = [
    html`<span>${swatch('f-ink')}${untrustedText(release.version)}</span>`,
    before === null ? null : html`<span>${swatch('f-info')}${untrustedText(before.version)}</span>`,
  ];
  return el(
    'div',
    { class: 'sec' },
    lineChart({
      points: points.map((point) => ({
        atMs: Date.parse(point.at),
        value: share(point.sessions, point.all_sessions),
        second: before === null ? null : share(point.before_sessions, point.all_sessions),
      })),
      markers: deploys.flatMap(({ environment, outcome, date_finished: at }) =>
        at === null || outcome === 'failed' || outcome === 'stopped'
          ? []
          : [{ atMs: Date.parse(at), name: environment }],
      ),
      lines: before === null ? [version] : [version, replaceInvisible(before.version)],
      top: 100,
      word: (value) => `${Math.round(value)}%`,
      finding: [html`<b>Share of sessions</b>`, hoursText(hours)],
      aside: html`<span class="key small">${key}</span>`,
      name: `Share of sessions on ${version} from ${formatDayAndTime(Date.parse(points[0]?.at ?? ''))}: at most ${Math.round(max)}%.`,
      height: 146,
    }),
  );
}

/** Length of the time window before each point. */
function hoursText({ least: min, most: max }: ReleaseModel['adoption']['point_hours']): string {
  if (max === 1) return ' in the hour before';
  return min === max ? ` in the ${max} h before` : ` in the ${min} to ${max} h before`;
}

function comparedLinks({ release, before, events }: ReleaseModel, context: PageContext): Content {
  if (before === null) return null;
  const rows: Array<readonly [string, Content, Content]> = [
    ['Crash-free sessions', crashFree(release.sessions), crashFree(before.sessions)],
    ['Sessions', formatCountOrDash(release.sessions.total), formatCountOrDash(before.sessions.total)],
    ['New issues', formatCountOrDash(release.issues.new), formatCountOrDash(before.issues.new)],
    ['Regressed', formatCountOrDash(release.issues.regressed), formatCountOrDash(before.issues.regressed)],
    ['Events', formatCountOrDash(events), formatCountOrDash(before.events)],
    ['Commits', formatCountOrDash(release.commit_count), formatCountOrDash(before.commit_count)],
    ['Artifacts', formatCountOrDash(release.artifact_count), formatCountOrDash(before.artifact_count)],
  ];
  return section(
    { id: 'compared', title: ['Compared with ', untrustedText(before.version)] },
    dataTable(context, {
      caption: 'Compared with the previous release',
      class: 't',
      rows,
      columns: [
        { row: ([name]) => rowHeader(name) },
        { name: untrustedText(release.version), class: 'r', cell: ([, now]) => now },
        { name: beforeLink(context, before), class: 'r', cell: ([, , then]) => then },
      ],
    }),
  );
}

function filesOf({ paths, path_count: all }: Commit): Content {
  if (all === 0) return null;
  const lines = paths.map(
    ({ path, type }) =>
      html`<li>${untrustedCode(path)}<span class="dim"> ${changeWords[type] ?? ''}</span></li>`,
  );
  const hiddenCount = all - paths.length;
  return folded(
    counted(all, 'file'),
    html`<ul>${lines}</ul>`,
    hiddenCount === 0 ? null : html`<p class="hint">${counted(hiddenCount, 'file')} more in the API.</p>`,
  );
}

function folded(title: string, ...content: Content[]): VNode {
  return html`<details class="small"><summary>${title}</summary>${content}</details>`;
}

function aboutPart({ release, refs }: ReleaseModel): Content {
  // Skip a commit that is already listed with its repository.
  const isNamed = (commit: string): boolean => refs.some((each) => each.commit === commit);
  const { ref, last_commit: newest } = release;
  const rows: Array<readonly [Content, Content]> = [
    ['Package', release.package === null ? null : untrustedText(release.package)],
    ...Object.values(
      eachReleaseText((name, isUrl): readonly [Content, Content] => {
        const text = release[name];
        const isHidden = text === null || isNamed(text);
        const shown = isHidden ? null : isUrl ? externalLink(text, untrustedText(text)) : untrustedCode(text);
        return [releaseTexts[name].label, shown];
      }),
    ),
    ['Latest commit', newest === null || newest === ref || isNamed(newest) ? null : untrustedCode(newest)],
    ...refs.map(
      ({ repository, commit, previous }) => [untrustedText(repository), refText(commit, previous)] as const,
    ),
    ...timeRows([
      ['Started', release.date_started],
      ['Released', release.date_released],
    ]),
    ...customFieldRows(release.metadata),
  ];
  if (rows.every(([, value]) => value === null)) return null;
  return section({ id: 'about', title: 'Notes' }, nameValueList(rows));
}

function refText(commit: string, previous: string | null): Content {
  return previous === null
    ? untrustedCode(commit)
    : [untrustedCode(commit), ' after ', untrustedCode(previous)];
}

type Verdict = ReleaseModel['verdict']['verdict'];
type CheckName = keyof ReleaseModel['verdict']['checks'];

const verdictIcons: Readonly<Record<Verdict, IconName>> = {
  pass: 'passed',
  fail: 'failed',
  unknown: 'skipped',
};
const verdictLabels: Readonly<Record<Verdict, string>> = { pass: 'Pass', fail: 'Fail', unknown: 'Unknown' };
const checkNames: ReadonlyArray<readonly [CheckName, string]> = [
  ['tests', 'Tests'],
  ['new_issues', 'New issues'],
  ['regressed_issues', 'Regressed issues'],
  ['crash_free', 'Crash-free sessions'],
  ['monitors', 'Monitors'],
];

function verdictPart({ verdict: { verdict, checks } }: ReleaseModel, context: PageContext): VNode {
  const rows = checkNames.map(([name, heading]): readonly [Content, Content] => [
    heading,
    [
      verdictMark(checks[name].verdict),
      ' ',
      untrustedText(checks[name].reason),
      name === 'tests' ? failedCases(checks.tests, context) : null,
    ],
  ]);
  return section({ id: 'verdict', title: 'Verdict', aside: verdictMark(verdict) }, nameValueList(rows));
}

function verdictMark(verdict: Verdict): VNode {
  return statusMark(verdictIcons[verdict], verdictLabels[verdict]);
}

const casesShown = 5;

function failedCases(
  { failed_cases: cases }: ReleaseModel['verdict']['checks']['tests'],
  context: PageContext,
): Content {
  if (cases.length === 0) return null;
  const lines = cases.slice(0, casesShown).map(
    ({ case_id: id, name, is_new: isNew }) => html`<li>
      ${pageLink(context, `/test-runs/cases/${encodeURIComponent(id)}`, null, untrustedText(name))}
      ${isNew ? html`<span class="dim"> new failure</span>` : null}
    </li>`,
  );
  return html`<ul class="small">${lines}</ul>`;
}
