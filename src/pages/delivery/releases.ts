import type { ListedRelease, ReleasesModel } from '../../core/workspace/delivery/releases.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { icon } from '../parts/icons.ts';
import { dash, none } from '../parts/layout.ts';
import { listPage } from '../parts/list.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { meter } from '../plots/meter.ts';
import { count, counted, countOrDash, percent } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { crashFree, testsOf } from './release-words.ts';
import { emptyWithLines } from './send-lines.ts';
import { commitCode, told } from './words.ts';

const path = '/releases';
const noEnvironment = 'production';

export function releasesPage(model: ReleasesModel, frame: Frame): PageContent {
  const { how_to_send: lines, asked, environments, releases, total, newer, older } = model;
  return listPage(frame, {
    path,
    title: 'Releases',
    empty:
      lines === null
        ? undefined
        : emptyWithLines(
            'No releases yet',
            'Releases are created by CI, or by the first event, session or deploy that names one.',
            lines,
          ),
    filters: {
      search: { label: 'Search releases', hint: 'Version or commit', value: asked.q },
      choices: [
        {
          name: 'environment',
          label: 'Environment',
          any: 'Any environment',
          choices: environments,
          chosen: asked.environment,
        },
      ],
    },
    noneFits: [
      'No releases match',
      'No release has this version, commit or environment.',
      'Show all releases',
    ],
    caption: 'Releases, newest first',
    class: 't list rels',
    columns: columns(columnOf(model), frame),
    rows: releases,
    pages: { query: { ...asked }, newer, older, all: total, noun: ['release'] },
  });
}

/** Environment of the date column: the chosen one, else production, else the one with most deploys. */
function columnOf({ asked, releases }: ReleasesModel): string {
  if (asked.environment !== null) return asked.environment;
  const named = releases.flatMap(({ arrivals }) => arrivals.map(({ environment }) => environment));
  if (named.length === 0 || named.includes(noEnvironment)) return noEnvironment;
  const counts = Map.groupBy(named, (name) => name);
  return [...counts].sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? noEnvironment;
}

function columns(environment: string, frame: Frame): Array<Column<ListedRelease>> {
  const arrived = ({ arrivals }: ListedRelease): Content => {
    const arrival = arrivals.find((each) => each.environment === environment);
    return arrival === undefined ? null : shortTime(arrival.at, frame.nowMs);
  };
  return [
    {
      name: 'Release',
      row: (release) => {
        const there = arrived(release);
        const { sessions, events } = release;
        return titleCell(frame, {
          path: `${path}/${release.release_id}`,
          title: visible(release.version),
          place: placeOf(release, frame),
          folded: [
            ['f1', there === null ? null : [told(environment), ' ', there]],
            ['f4', sessions.total === 0 ? null : [crashFree(sessions), ' crash-free']],
            ['f5', issuesOf(release) ?? 'no new issues'],
            ['f2', counted(events, 'event')],
          ],
        });
      },
    },
    { name: visible(environment), head: 'd1', class: 'd1 soft', cell: (each) => arrived(each) ?? dash() },
    { name: 'Adoption', class: 'ad', cell: adopted },
    { name: 'Crash-free', class: 'r d3', cell: ({ sessions }) => crashFree(sessions) },
    { name: 'New issues', class: 'd5', cell: (release) => issuesOf(release) ?? none() },
    { name: 'Events', class: 'r d2', cell: ({ events }) => countOrDash(events) },
    { name: 'Tests', class: 'd2 ts', cell: ({ test_run: run }) => testsOf(frame, run) },
  ];
}

function placeOf(release: ListedRelease, frame: Frame): Content {
  return [
    told(release.project.name),
    ', ',
    ago(release.date_created, frame.nowMs),
    release.last_commit === null ? null : [', ', commitCode(release.last_commit)],
    release.status === 'archived' ? ', archived' : null,
  ];
}

function adopted({ adoption_share: share }: ListedRelease): Content {
  if (share === null || share === 0) return none();
  const said = percent(share * 1000, 1000);
  return [meter({ part: share, all: 1, name: `${said} of sessions in 24 h` }), html`<small>${said}</small>`];
}

function issuesOf({ issues }: ListedRelease): Content {
  if (issues.new + issues.regressed === 0) return null;
  return [
    issues.new === 0 ? null : html`<span class="mk new nowrap">${icon('new')}${count(issues.new)}</span>`,
    issues.new > 0 && issues.regressed > 0 ? ' ' : null,
    issues.regressed === 0
      ? null
      : html`<span class="mk regressed nowrap">${icon('regressed')}${count(issues.regressed)} back</span>`,
  ];
}
