import type { DeploysModel, ListedDeploy } from '../../core/page-models/delivery/deploys.ts';
import { type Lane, laneChart } from '../charts/lane-chart.ts';
import { orDash, tabs } from '../components/elements.ts';
import { iconMark, statusMark } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatDayAndTime,
  replaceInvisible,
  span,
  timeAgo,
  untrustedText,
} from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { deployOutcomes, emptyWithSnippets, shortCommitCode } from './labels.ts';

const path = '/deploys';
const tabsOfEnvironments = 6;
const lanesMax = 12;

export function deploysPage(model: DeploysModel, context: PageContext): PageContent {
  const { how_to_send: lines, filters, deploys, newer, older } = model;
  return listPage(context, {
    path,
    title: 'Deploys',
    empty: emptyWithSnippets(
      'No deploys yet',
      'Deploys are sent by your deployment tool. Send the same key again when a deploy finishes.',
      lines,
    ),
    intro: lines === null ? tabsOf(model, context) : null,
    filters: {
      preserved: { environment: filters.environment, outcome: filters.outcome },
      search: { label: 'Search deploys', hint: 'Version, environment or name', value: filters.q },
    },
    plot: recent(model, context),
    noneFits: ['No deploys match', 'No deploy has this version, environment or name.', 'Show all deploys'],
    isSection: true,
    caption: 'Deploys, newest first',
    columns: columns(context),
    rows: deploys,
    pages: { query: { ...filters }, newer, older, all: filteredTotal(model), noun: ['deploy'] },
  });
}

function sumOf({ environments }: DeploysModel, key: 'deploys' | 'failed'): number {
  return environments.reduce((sum, each) => sum + each[key], 0);
}

function tabsOf(model: DeploysModel, context: PageContext): VNode {
  const { filters, environments } = model;
  const isWhole = filters.environment === null && filters.outcome === null;
  const environmentTabs = environments.slice(0, tabsOfEnvironments).map(({ environment, deploys }) => ({
    name: replaceInvisible(environment),
    path,
    query: { environment, q: filters.q },
    count: count(deploys),
    isCurrent: filters.environment === environment && filters.outcome === null,
  }));
  return tabs(context, 'Environment', [
    { name: 'All', path, query: { q: filters.q }, count: count(sumOf(model, 'deploys')), isCurrent: isWhole },
    ...environmentTabs,
    {
      name: 'Failed',
      path,
      query: { outcome: 'failed', q: filters.q },
      count: count(sumOf(model, 'failed')),
      isCurrent: filters.outcome === 'failed',
    },
    {
      name: 'Rolled back',
      path,
      query: { outcome: 'back', q: filters.q },
      isCurrent: filters.outcome === 'back',
    },
  ]);
}

/** For one project a lane per environment; for several a lane per project, in one environment. */
function recent(model: DeploysModel, context: PageContext): Content {
  const onlyEnvironment = context.project === null ? shownEnvironment(model) : null;
  const shown = model.recent.deploys.filter(
    ({ environment }) => onlyEnvironment === null || environment === onlyEnvironment,
  );
  if (shown.length === 0) return null;
  const laneName = ({ environment, project }: ListedDeploy): string =>
    replaceInvisible(onlyEnvironment === null ? environment : project.name);
  const drawn: Lane[] = [...Map.groupBy(shown, laneName)]
    .slice(0, lanesMax)
    .map(([name, all]) => ({ name, marks: all.map(markOf) }));
  const lost = shown.filter(({ outcome }) => outcome === 'failed' || outcome === 'taken_back').length;
  const days = model.recent.is_all ? 'in 14 days' : 'of the latest in 14 days';
  const all = `${counted(shown.length, 'deploy')}${onlyEnvironment === null ? '' : ` to ${replaceInvisible(onlyEnvironment)}`}`;
  const stayed = lost === 0 ? 'none rolled back' : `${count(lost)} failed or rolled back`;
  return laneChart({
    lanes: drawn,
    fromMs: Date.parse(model.recent.from),
    toMs: context.nowMs,
    finding: [html`<b>${all}</b>`, ` ${days}, ${stayed}`],
    aside: html`<span class="key small">${keyOf()}</span>`,
    name: `${all} ${days}: ${stayed}. The table has each.`,
  });
}

function keyOf(): VNode[] {
  return (['done', 'failed', 'back'] as const).map((outcome) => {
    const [shape, word] = deployOutcomes[outcome];
    return html`<span>${statusMark(shape, outcome === 'failed' ? 'failed or rolled back' : word)}</span>`;
  });
}

/** The chosen environment, else production, else the one with the most deploys. */
function shownEnvironment({ filters, environments }: DeploysModel): string | null {
  if (filters.environment !== null) return filters.environment;
  const production = environments.find(({ environment }) => environment === 'production');
  return (production ?? environments[0])?.environment ?? null;
}

function markOf(deploy: ListedDeploy): Lane['marks'][number] {
  const at = Date.parse(momentOf(deploy));
  const [shape, word] = deployOutcomes[deploy.outcome];
  const name = `${replaceInvisible(deploy.project.name)} ${replaceInvisible(deploy.version)}`;
  return { atMs: at, shape, label: `${name}, ${formatDayAndTime(at)}: ${word}` };
}

function momentOf(deploy: ListedDeploy): string {
  return deploy.date_finished ?? deploy.date_started ?? deploy.date_created ?? '';
}

function filteredTotal(model: DeploysModel): number | null {
  const { filters, environments } = model;
  if (filters.outcome !== null) return null;
  if (filters.environment === null) return sumOf(model, 'deploys');
  return environments.find(({ environment }) => environment === filters.environment)?.deploys ?? null;
}

function columns(context: PageContext): Array<Column<ListedDeploy>> {
  const ended = (deploy: ListedDeploy): VNode => timeAgo(momentOf(deploy), context.nowMs);
  return [
    { class: 'lv', cell: ({ outcome }) => iconMark(...deployOutcomes[outcome]) },
    {
      name: 'Deploy',
      row: (deploy) =>
        titleCell(context, {
          path: `/releases/${deploy.release_id}`,
          title: [replaceInvisible(deploy.project.name), ' ', replaceInvisible(deploy.version)],
          subtitle: secondLine(deploy),
          folded: [
            ['f4', untrustedText(deploy.environment)],
            ['f5', ended(deploy)],
            ['f1', deploy.deployed_by === null ? null : untrustedText(deploy.deployed_by)],
          ],
        }),
    },
    column('Environment', 'd3 w9', 'd3', ({ environment }) => untrustedText(environment)),
    { name: 'Finished', class: 'd5 seen', cell: ended },
    column('Duration', 'r d2 w7', 'r d2 soft nowrap', ({ duration_ms: ms }) => orDash(ms, span)),
    column('Deployed by', 'd1 w9 gapl', 'd1 soft gapl', ({ deployed_by: by }) => orDash(by, untrustedText)),
    column('Result', 'd2 w11', 'd2 soft', resultOf),
  ];
}

function secondLine({ deploy_id: id, revision, outcome }: ListedDeploy): Content {
  const [shape, word] = deployOutcomes[outcome];
  return [
    `deploy ${id}`,
    revision === null ? null : [', ', shortCommitCode(revision)],
    outcome === 'done' ? null : [', ', html`<span class="mk ${shape}">${word}</span>`],
  ];
}

function resultOf({ taken_back_by: back, comment, date_created: at }: ListedDeploy): Content {
  if (back !== null) {
    const lastedText = at === null ? '' : `after ${span(Date.parse(back.at) - Date.parse(at))}, `;
    return `${lastedText}by deploy ${back.deploy_id}`;
  }
  return comment === null ? null : untrustedText(comment);
}
