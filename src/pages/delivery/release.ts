import type { VNode } from 'preact';
import type { ReleaseModel } from '../../core/workspace/delivery/release.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { icon } from '../parts/icons.ts';
import { type Fact, facts, hiddenCaption, pageHead, pairs, section } from '../parts/layout.ts';
import { pageLink, webLink } from '../parts/link.ts';
import { fullTime, shortTime } from '../parts/time.ts';
import { swatch } from '../plots/figure.ts';
import { series } from '../plots/series.ts';
import { incidentsOfPart } from '../uptime/incidents-of.ts';
import { count, counted, countOrDash, percent } from '../words/numbers.ts';
import { dayAndTime } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { releaseIssues } from './release-issues.ts';
import { artifactsPart, deploysPart } from './release-parts.ts';
import { crashFree, testsOf } from './release-words.ts';
import { bagRows, code, commitCode, momentRows, told } from './words.ts';

type Commit = ReleaseModel['commits'][number];

function commitsPart({ commits, release }: ReleaseModel, frame: Frame): Content {
  if (commits.length === 0) return null;
  const all = release.commit_count;
  const beside =
    all > commits.length ? html`<span class="small dim">${commits.length} of ${count(all)}</span>` : null;
  const rows = commits.map((commit) => commitRow(commit, frame));
  return section(
    { id: 'commits', title: 'Commits', beside },
    html`<table class="t mini">${hiddenCaption('Commits of this release')}<tbody>${rows}</tbody></table>`,
  );
}

function commitRow(commit: Commit, frame: Frame): VNode {
  const { id, message, author, repository, at } = commit;
  const [first = id, ...others] = message?.split('\n') ?? [];
  const rest = others.join('\n').trim();
  return html`<tr>
    <td>
      <span class="ttl">${told(first)}</span>
      <span class="cul">
        ${commitCode(id)}${author === null ? null : [' ', told(author)]}
        ${repository === null ? null : [', ', told(repository)]}
        ${at === null ? null : [', ', shortTime(at, frame.nowMs)]}
      </span>
      ${rest === '' ? null : folded('Full message', html`<p class="said">${told(rest)}</p>`)}
      ${filesOf(commit)}
    </td>
  </tr>`;
}

const changeWords: Readonly<Record<string, string>> = { A: 'added', M: 'changed', D: 'removed' };

/** Minimum fall of the crash-free share that counts as worse. */
const worseBy = 0.005;
/** With fewer sessions, the share is not compared. */
const sessionsThatTell = 100;

export function releasePage(model: ReleaseModel, frame: Frame): PageContent {
  const { release, project } = model;
  return {
    title: visible(release.version),
    crumbs: [
      { name: 'Releases', path: '/releases' },
      { name: project.name, path: null },
    ],
    main: [
      head(model, frame),
      verdict(model, frame),
      incidentsOfPart(model.incidents, frame),
      figures(model, frame),
      adoption(model),
      releaseIssues(model, frame),
      html`<div class="cols even">
        ${deploysPart(model, frame)}${artifactsPart(model, frame)}${commitsPart(model, frame)}
        ${compared(model, frame)}${aboutPart(model)}
      </div>`,
    ],
  };
}

function head({ release, project, before, authors }: ReleaseModel, frame: Frame): VNode {
  const { commit_count: commits, last_commit: newest, date_created: made } = release;
  const since = before === null ? null : [' since ', beforeLink(frame, before)];
  return pageHead({
    above: [told(project.name), release.status === 'archived' ? ', archived' : null],
    title: told(release.version),
    below: [
      commits === 0
        ? null
        : [counted(commits, 'commit'), authors > 1 ? ` by ${count(authors)} people` : null, since],
      newest === null ? null : [commits === 0 ? 'Commit ' : ', newest ', commitCode(newest)],
      commits === 0 && newest === null ? null : '. ',
      made === null ? null : ['Made ', fullTime(made)],
      release.url === null ? null : ['. ', webLink(release.url, 'URL ', icon('out'))],
    ],
    acts:
      before === null
        ? undefined
        : pageLink(
            frame,
            { path: `/releases/${release.release_id}`, hash: 'compared' },
            { class: 'btn' },
            html`<span>Compare with ${told(before.version)}</span>`,
          ),
  });
}

function beforeLink(frame: Frame, before: NonNullable<ReleaseModel['before']>): VNode {
  return pageLink(frame, { path: `/releases/${before.release_id}` }, null, told(before.version));
}

function verdict({ release, before, regressed_issues: back }: ReleaseModel, frame: Frame): Content {
  if (before === null) return null;
  const now = release.sessions;
  const then = before.sessions;
  const isTold = now.total >= sessionsThatTell && then.total >= sessionsThatTell;
  const [share, shareBefore] = [now.crash_free_share ?? 1, then.crash_free_share ?? 1];
  const name = told(before.version);
  const first = back[0];
  const returned =
    first === undefined
      ? null
      : [
          ', and ',
          pageLink(frame, { path: `/issues/${first.issue_id}` }, null, `#${first.issue_id}`),
          back.length === 1 ? ' regressed' : ` and ${counted(back.length - 1, 'other')} regressed`,
        ];
  if (isTold && shareBefore - share >= worseBy) {
    return html`<p class="note">
      <span class="mk down">${icon('down')}Worse than ${name}</span>
      : crash-free sessions fell from ${shareWord(then)} to ${shareWord(now)}${returned}.
    </p>`;
  }
  if (isTold && share - shareBefore >= worseBy) {
    const mark = html`<span class="mk passed">${icon('passed')}Better than ${name}</span>`;
    const said = `: crash-free sessions rose from ${shareWord(then)} to ${shareWord(now)}`;
    return html`<p class="note">${mark}${said}${returned}.</p>`;
  }
  if (first === undefined) return null;
  const mark = html`<span class="mk regressed">
    ${icon('regressed')}${counted(back.length, 'issue')} back
  </span>`;
  return html`<p class="note">${mark} that had been resolved before ${told(release.version)}.</p>`;
}

function shareWord({ total, crashed }: { readonly total: number; readonly crashed: number }): string {
  return percent(total - crashed, total, 2);
}

function figures(model: ReleaseModel, frame: Frame): VNode {
  const { release, before, events, adoption: adopted, test_run: run } = model;
  const { sessions, issues } = release;
  const { recent_sessions: recent, recent_sessions_of_all: all } = adopted;
  const rows: Fact[] = [
    {
      label: 'Adoption',
      figure: all === 0 ? '–' : percent(recent, all),
      small: all === 0 ? 'none in 24 h' : `${count(recent)} of ${count(all)} in 24 h`,
    },
    {
      label: 'Crash-free sessions',
      figure: crashFree(sessions),
      small: sessions.total === 0 ? 'no sessions' : `of ${counted(sessions.total, 'session')}`,
    },
    {
      label: 'New issues',
      figure: countOrDash(issues.new),
      small: issues.regressed === 0 ? null : `and ${count(issues.regressed)} regressed`,
    },
    { label: 'Resolved issues', figure: countOrDash(issues.resolved), small: null },
    {
      label: 'Events',
      figure: countOrDash(events),
      small: before === null ? null : [count(before.events), ' in ', told(before.version)],
    },
    {
      label: 'Tests',
      figure: run === null ? '–' : testsOf(frame, { ...run, created_at: run.created_at ?? '' }),
      small: run === null ? 'no test runs' : `of ${count(run.tests)}`,
    },
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
  const most = Math.max(...points.map((point) => share(point.sessions, point.all_sessions) ?? 0));
  const version = visible(release.version);
  const key = [
    html`<span>${swatch('f-ink')}${told(release.version)}</span>`,
    before === null ? null : html`<span>${swatch('f-info')}${told(before.version)}</span>`,
  ];
  return el(
    'div',
    { class: 'sec' },
    series({
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
      lines: before === null ? [version] : [version, visible(before.version)],
      top: 100,
      word: (value) => `${Math.round(value)}%`,
      finding: [html`<b>Share of sessions</b>`, hoursWord(hours)],
      beside: html`<span class="key small">${key}</span>`,
      name: `Share of sessions on ${version} from ${dayAndTime(Date.parse(points[0]?.at ?? ''))}: at most ${Math.round(most)}%.`,
      height: 146,
    }),
  );
}

/** Length of the time window before each point. */
function hoursWord({ least, most }: ReleaseModel['adoption']['point_hours']): string {
  if (most === 1) return ' in the hour before';
  return least === most ? ` in the ${most} h before` : ` in the ${least} to ${most} h before`;
}

function compared({ release, before, events }: ReleaseModel, frame: Frame): Content {
  if (before === null) return null;
  const rows: Array<readonly [string, Content, Content]> = [
    ['Crash-free sessions', crashFree(release.sessions), crashFree(before.sessions)],
    ['Sessions', countOrDash(release.sessions.total), countOrDash(before.sessions.total)],
    ['New issues', countOrDash(release.issues.new), countOrDash(before.issues.new)],
    ['Regressed', countOrDash(release.issues.regressed), countOrDash(before.issues.regressed)],
    ['Events', countOrDash(events), countOrDash(before.events)],
    ['Commits', countOrDash(release.commit_count), countOrDash(before.commit_count)],
    ['Artifacts', countOrDash(release.artifact_count), countOrDash(before.artifact_count)],
  ];
  return section(
    { id: 'compared', title: ['Beside ', told(before.version)] },
    el(
      'table',
      { class: 't' },
      html`<caption><span class="vh">Compared with the previous release</span></caption>`,
      html`<thead>
        <tr>
          <td></td><th scope="col" class="r">${told(release.version)}</th>
          <th scope="col" class="r">${beforeLink(frame, before)}</th>
        </tr>
      </thead>`,
      el(
        'tbody',
        null,
        rows.map(
          ([name, now, then]) =>
            html`<tr><th scope="row">${name}</th><td class="r">${now}</td><td class="r">${then}</td></tr>`,
        ),
      ),
    ),
  );
}

function filesOf({ paths, path_count: all }: Commit): Content {
  if (all === 0) return null;
  const lines = paths.map(
    ({ path, type }) => html`<li>${code(path)}<span class="dim"> ${changeWords[type] ?? ''}</span></li>`,
  );
  const left = all - paths.length;
  return folded(
    counted(all, 'file'),
    html`<ul>${lines}</ul>`,
    left === 0 ? null : html`<p class="hint">${counted(left, 'file')} more in the API.</p>`,
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
    ['Package', release.package === null ? null : told(release.package)],
    ['Reference', ref === null || isNamed(ref) ? null : code(ref)],
    ['URL', release.url === null ? null : webLink(release.url, told(release.url))],
    ['Latest commit', newest === null || newest === ref || isNamed(newest) ? null : code(newest)],
    ...refs.map(
      ({ repository, commit, previous }) => [told(repository), refWords(commit, previous)] as const,
    ),
    ...momentRows([
      ['Started', release.date_started],
      ['Released', release.date_released],
    ]),
    ...bagRows(release.metadata),
  ];
  if (rows.every(([, value]) => value === null)) return null;
  return section({ id: 'about', title: 'Notes' }, pairs(rows));
}

function refWords(commit: string, previous: string | null): Content {
  return previous === null ? code(commit) : [code(commit), ' after ', code(previous)];
}
