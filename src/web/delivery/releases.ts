import type { ListedRelease, ReleasesModel } from '../../core/page-models/delivery/releases.ts';
import { meter } from '../charts/meter.ts';
import { dash, noneText } from '../components/elements.ts';
import { icon } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html } from '../el.ts';
import {
  count,
  counted,
  formatCountOrDash,
  percent,
  replaceInvisible,
  shortTime,
  timeAgo,
  untrustedText,
} from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { crashFree, emptyWithSnippets, shortCommitCode, testRunLink } from './labels.ts';

const path = '/releases';
const noEnvironment = 'production';

export function releasesPage(model: ReleasesModel, context: PageContext): PageContent {
  const { how_to_send: lines, filters, environments, releases, total, newer, older } = model;
  return listPage(context, {
    path,
    title: 'Releases',
    empty: emptyWithSnippets(
      'No releases yet',
      'Releases are created by CI, or by the first event, session or deploy that names one.',
      lines,
    ),
    filters: {
      search: { label: 'Search releases', hint: 'Version or commit', value: filters.q },
      choices: [
        {
          name: 'environment',
          label: 'Environment',
          any: 'Any environment',
          choices: environments,
          chosen: filters.environment,
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
    columns: columns(columnOf(model), context),
    rows: releases,
    pages: { query: { ...filters }, newer, older, all: total, noun: ['release'] },
  });
}

/** Environment of the date column: the chosen one, else production, else the one with most deploys. */
function columnOf({ filters, releases }: ReleasesModel): string {
  if (filters.environment !== null) return filters.environment;
  const named = releases.flatMap(({ arrivals }) => arrivals.map(({ environment }) => environment));
  if (named.length === 0 || named.includes(noEnvironment)) return noEnvironment;
  const counts = Map.groupBy(named, (name) => name);
  return [...counts].sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? noEnvironment;
}

function columns(environment: string, context: PageContext): Array<Column<ListedRelease>> {
  const arrived = ({ arrivals }: ListedRelease): Content => {
    const arrival = arrivals.find((each) => each.environment === environment);
    return arrival === undefined ? null : shortTime(arrival.at, context.nowMs);
  };
  return [
    {
      name: 'Release',
      row: (release) => {
        const arrivedTime = arrived(release);
        const { sessions, events } = release;
        return titleCell(context, {
          path: `${path}/${release.release_id}`,
          title: replaceInvisible(release.version),
          subtitle: placeOf(release, context),
          folded: [
            ['f1', arrivedTime === null ? null : [untrustedText(environment), ' ', arrivedTime]],
            ['f4', sessions.total === 0 ? null : [crashFree(sessions), ' crash-free']],
            ['f5', issuesOf(release) ?? 'no new issues'],
            ['f2', counted(events, 'event')],
          ],
        });
      },
    },
    column(replaceInvisible(environment), 'd1', 'd1 soft', (each) => arrived(each) ?? dash()),
    { name: 'Adoption', class: 'ad', cell: adopted },
    { name: 'Crash-free', class: 'r d3', cell: ({ sessions }) => crashFree(sessions) },
    { name: 'New issues', class: 'd5', cell: (release) => issuesOf(release) ?? noneText() },
    { name: 'Events', class: 'r d2', cell: ({ events }) => formatCountOrDash(events) },
    { name: 'Tests', class: 'd2 ts', cell: ({ test_run: run }) => testRunLink(context, run) },
  ];
}

function placeOf(release: ListedRelease, context: PageContext): Content {
  return [
    untrustedText(release.project.name),
    ', ',
    timeAgo(release.date_created, context.nowMs),
    release.last_commit === null ? null : [', ', shortCommitCode(release.last_commit)],
    release.status === 'archived' ? ', archived' : null,
  ];
}

function adopted({ adoption_share: share }: ListedRelease): Content {
  if (share === null || share === 0) return noneText();
  const percentage = percent(share * 1000, 1000);
  return [
    meter({ part: share, all: 1, name: `${percentage} of sessions in 24 h` }),
    html`<small>${percentage}</small>`,
  ];
}

function issuesOf({ issues }: ListedRelease): Content {
  if (issues.new + issues.regressed === 0) return null;
  return [
    issues.new === 0 ? null : html`<span class="mk new nowrap">${icon('new')}${count(issues.new)}</span>`,
    issues.new > 0 && issues.regressed > 0 ? ' ' : null,
    issues.regressed === 0
      ? null
      : html`<span class="mk regressed nowrap">${icon('regressed')}${count(issues.regressed)} regressed</span>`,
  ];
}
