// /releases: what went out, where it is, and what came of it.
import type { VNode } from 'preact';
import type { ListedRelease, ReleasesModel } from '../../core/workspace/delivery/releases.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { askForm, searchField, select, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { dash, hiddenCaption, nothingFits, pageHead, pager } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { meter } from '../plots/meter.ts';
import { count, counted, countOrDash, percent } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { crashFree, testsOf } from './release-words.ts';
import { emptyWithLines } from './send-lines.ts';
import { commitCode, told } from './words.ts';

const path = '/releases';
const noEnvironment = 'production';

/** The page. */
export function releasesPage(model: ReleasesModel, frame: Frame): PageContent {
  const { how_to_send: lines, asked, releases } = model;
  return {
    title: 'Releases',
    main: [
      pageHead({ title: 'Releases' }),
      lines !== null
        ? emptyWithLines(
            'No release has come yet',
            'A release comes from a build server, or is made by the first event, session or deploy that names it.',
            lines,
          )
        : [
            askForm(
              frame,
              { path, label: 'Filter' },
              searchField('q', 'Search releases', 'Version or commit', asked.q),
              ...select(
                { id: 'environment', name: 'environment', label: 'Environment' },
                environmentsOf(model),
                asked.environment,
              ),
              submit('Apply'),
            ),
            releases.length === 0
              ? nothingFits(
                  frame,
                  'No release fits',
                  'None has such a version or commit, or came to that environment.',
                  pageLink(frame, { path }, null, 'Show all releases'),
                )
              : list(model, frame),
          ],
    ],
  };
}

function environmentsOf({ environments, asked }: ReleasesModel) {
  const known =
    asked.environment === null || environments.includes(asked.environment)
      ? environments
      : [asked.environment, ...environments];
  return [
    { value: '', name: 'Any environment' },
    ...known.map((name) => ({ value: name, name: visible(name) })),
  ];
}

/** The environment that has a column: the one asked for, else production, else the one most came to. */
function columnOf({ asked, releases }: ReleasesModel): string {
  if (asked.environment !== null) return asked.environment;
  const named = releases.flatMap(({ arrivals }) => arrivals.map(({ environment }) => environment));
  if (named.length === 0 || named.includes(noEnvironment)) return noEnvironment;
  const counts = Map.groupBy(named, (name) => name);
  return [...counts].sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? noEnvironment;
}

function list(model: ReleasesModel, frame: Frame): Content[] {
  const { asked, releases, total, newer, older } = model;
  const environment = columnOf(model);
  const near = (name: 'after' | 'before', cursor: string | null): QueryMembers | null =>
    cursor === null ? null : { ...asked, [name]: cursor };
  const head = headRow(
    columnHead('Release'),
    columnHead(visible(environment), 'd1'),
    columnHead('Sessions on it', 'ad'),
    columnHead('Crash-free', 'r d3'),
    columnHead('New issues', 'd5'),
    columnHead('Events', 'r d2'),
    columnHead('Tests', 'd2 ts'),
  );
  return [
    el(
      'table',
      { class: 't list rels' },
      hiddenCaption('Releases, newest first'),
      head,
      el('tbody', null, ...releases.map((each) => row(each, environment, frame))),
    ),
    pager(frame, {
      path,
      said: `${count(releases.length)} of ${counted(total, 'release')}`,
      newer: near('before', newer),
      older: near('after', older),
    }),
  ];
}

function row(release: ListedRelease, environment: string, frame: Frame): VNode {
  const arrival = release.arrivals.find((each) => each.environment === environment);
  const issues = issuesOf(release);
  const share = release.adoption_share;
  return el(
    'tr',
    null,
    titleCell(frame, {
      path: `${path}/${release.release_id}`,
      title: visible(release.version),
      place: [
        told(release.project.name),
        ', ',
        ago(release.date_created, frame.nowMs),
        release.last_commit === null ? null : [', ', commitCode(release.last_commit)],
        release.status === 'archived' ? ', archived' : null,
      ],
      folded: [
        arrival === undefined
          ? null
          : el('span', { class: 'f1' }, told(environment), ' ', shortTime(arrival.at, frame.nowMs)),
        release.sessions.total === 0
          ? null
          : el('span', { class: 'f4' }, crashFree(release.sessions), ' crash-free'),
        el('span', { class: 'f5' }, issues ?? 'nothing new'),
        el('span', { class: 'f2' }, counted(release.events, 'event')),
      ],
    }),
    cell(arrival === undefined ? dash() : shortTime(arrival.at, frame.nowMs), 'd1 soft'),
    cell(share === null || share === 0 ? el('span', { class: 'dim' }, 'none') : adopted(share), 'ad'),
    cell(crashFree(release.sessions), 'r d3'),
    cell(issues ?? el('span', { class: 'dim' }, 'none'), 'd5'),
    cell(countOrDash(release.events), 'r d2'),
    cell(testsOf(frame, release.test_run), 'd2 ts'),
  );
}

function adopted(share: number): Content[] {
  const said = percent(share * 1000, 1000);
  return [meter({ part: share, all: 1, name: `${said} of sessions in 24 h` }), el('small', null, said)];
}

function issuesOf({ issues }: ListedRelease): Content {
  if (issues.new + issues.regressed === 0) return null;
  return [
    issues.new === 0 ? null : el('span', { class: 'mk new nowrap' }, icon('new'), count(issues.new)),
    issues.new > 0 && issues.regressed > 0 ? ' ' : null,
    issues.regressed === 0
      ? null
      : el('span', { class: 'mk regressed nowrap' }, icon('regressed'), `${count(issues.regressed)} back`),
  ];
}
