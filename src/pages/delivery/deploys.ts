import type { VNode } from 'preact';
import type { DeploysModel, ListedDeploy } from '../../core/workspace/delivery/deploys.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dash, tabs } from '../parts/layout.ts';
import { listPage } from '../parts/list.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { type Lane, lanes } from '../plots/lanes.ts';
import { count, counted } from '../words/numbers.ts';
import { dayAndTime, span } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { deployMark, deployMarkWithWord, deployShape, deployWord } from './release-words.ts';
import { emptyWithLines } from './send-lines.ts';
import { commitCode, told } from './words.ts';

const path = '/deploys';
const tabsOfEnvironments = 6;
const lanesMax = 12;

export function deploysPage(model: DeploysModel, frame: Frame): PageContent {
  const { how_to_send: lines, asked, deploys, newer, older } = model;
  return listPage(frame, {
    path,
    title: 'Deploys',
    empty:
      lines === null
        ? undefined
        : emptyWithLines(
            'No deploys yet',
            'Deploys are sent by your deployment tool. Send the same key again when a deploy finishes.',
            lines,
          ),
    lead: lines === null ? tabsOf(model, frame) : null,
    filters: {
      kept: { environment: asked.environment, outcome: asked.outcome },
      search: { label: 'Search deploys', hint: 'Version, environment or name', value: asked.q },
    },
    plot: recent(model, frame),
    noneFits: ['No deploys match', 'No deploy has this version, environment or name.', 'Show all deploys'],
    isSection: true,
    caption: 'Deploys, newest first',
    columns: columns(frame),
    rows: deploys,
    pages: { query: { ...asked }, newer, older, all: fitting(model), noun: ['deploy'] },
  });
}

function sumOf({ environments }: DeploysModel, key: 'deploys' | 'failed'): number {
  return environments.reduce((sum, each) => sum + each[key], 0);
}

function tabsOf(model: DeploysModel, frame: Frame): VNode {
  const { asked, environments } = model;
  const isWhole = asked.environment === null && asked.outcome === null;
  const places = environments.slice(0, tabsOfEnvironments).map(({ environment, deploys }) => ({
    name: visible(environment),
    path,
    query: { environment, q: asked.q },
    count: count(deploys),
    isCurrent: asked.environment === environment && asked.outcome === null,
  }));
  return tabs(frame, 'Environment', [
    { name: 'All', path, query: { q: asked.q }, count: count(sumOf(model, 'deploys')), isCurrent: isWhole },
    ...places,
    {
      name: 'Failed',
      path,
      query: { outcome: 'failed', q: asked.q },
      count: count(sumOf(model, 'failed')),
      isCurrent: asked.outcome === 'failed',
    },
    {
      name: 'Rolled back',
      path,
      query: { outcome: 'back', q: asked.q },
      isCurrent: asked.outcome === 'back',
    },
  ]);
}

/** For one project a lane per environment; for several a lane per project, in one environment. */
function recent(model: DeploysModel, frame: Frame): Content {
  const place = frame.project === null ? placeOf(model) : null;
  const shown = model.recent.deploys.filter(({ environment }) => place === null || environment === place);
  if (shown.length === 0) return null;
  const laneName = ({ environment, project }: ListedDeploy): string =>
    visible(place === null ? environment : project.name);
  const drawn: Lane[] = [...Map.groupBy(shown, laneName)]
    .slice(0, lanesMax)
    .map(([name, all]) => ({ name, marks: all.map(markOf) }));
  const lost = shown.filter(({ outcome }) => outcome === 'failed' || outcome === 'taken_back').length;
  const days = model.recent.is_all ? 'in 14 days' : 'of the latest in 14 days';
  const all = `${counted(shown.length, 'deploy')}${place === null ? '' : ` to ${visible(place)}`}`;
  const stayed = lost === 0 ? 'none rolled back' : `${count(lost)} failed or rolled back`;
  return lanes({
    lanes: drawn,
    fromMs: Date.parse(model.recent.from),
    toMs: frame.nowMs,
    finding: [html`<b>${all}</b>`, ` ${days}, ${stayed}`],
    beside: html`<span class="key small">${keyOf()}</span>`,
    name: `${all} ${days}: ${stayed}. The table has each.`,
  });
}

function keyOf(): VNode[] {
  return (['done', 'failed', 'back'] as const).map(
    (outcome) =>
      html`<span>
        ${deployMarkWithWord(outcome, outcome === 'failed' ? 'failed or rolled back' : undefined)}
      </span>`,
  );
}

/** The chosen environment, else production, else the one with the most deploys. */
function placeOf({ asked, environments }: DeploysModel): string | null {
  if (asked.environment !== null) return asked.environment;
  const production = environments.find(({ environment }) => environment === 'production');
  return (production ?? environments[0])?.environment ?? null;
}

function markOf(deploy: ListedDeploy): Lane['marks'][number] {
  const at = Date.parse(momentOf(deploy));
  const said = `${visible(deploy.project.name)} ${visible(deploy.version)}, ${dayAndTime(at)}: ${deployWord(deploy.outcome)}`;
  return { atMs: at, shape: deployShape(deploy.outcome), said };
}

function momentOf(deploy: ListedDeploy): string {
  return deploy.date_finished ?? deploy.date_started ?? deploy.date_created ?? '';
}

function fitting(model: DeploysModel): number | null {
  const { asked, environments } = model;
  if (asked.outcome !== null) return null;
  if (asked.environment === null) return sumOf(model, 'deploys');
  return environments.find(({ environment }) => environment === asked.environment)?.deploys ?? null;
}

function columns(frame: Frame): Array<Column<ListedDeploy>> {
  const ended = (deploy: ListedDeploy): VNode => ago(momentOf(deploy), frame.nowMs);
  return [
    { class: 'lv', cell: deployMark },
    {
      name: 'Deploy',
      row: (deploy) =>
        titleCell(frame, {
          path: `/releases/${deploy.release_id}`,
          title: [visible(deploy.project.name), ' ', visible(deploy.version)],
          place: secondLine(deploy),
          folded: [
            ['f4', told(deploy.environment)],
            ['f5', ended(deploy)],
            ['f1', deploy.deployed_by === null ? null : told(deploy.deployed_by)],
          ],
        }),
    },
    { name: 'Environment', head: 'd3 w9', class: 'd3', cell: ({ environment }) => told(environment) },
    { name: 'Finished', class: 'd5 seen', cell: ended },
    {
      name: 'Duration',
      head: 'r d2 w7',
      class: 'r d2 soft nowrap',
      cell: ({ duration_ms: ms }) => (ms === null ? dash() : span(ms)),
    },
    {
      name: 'Deployed by',
      head: 'd1 w9 gapl',
      class: 'd1 soft gapl',
      cell: ({ deployed_by: by }) => (by === null ? dash() : told(by)),
    },
    { name: 'Result', head: 'd2 w11', class: 'd2 soft', cell: cameOf },
  ];
}

function secondLine({ deploy_id: id, revision, outcome }: ListedDeploy): Content {
  const shape = deployShape(outcome);
  return [
    `deploy ${id}`,
    revision === null ? null : [', ', commitCode(revision)],
    outcome === 'done' ? null : [', ', html`<span class="mk ${shape}">${deployWord(outcome)}</span>`],
  ];
}

function cameOf({ taken_back_by: back, comment, date_created: at }: ListedDeploy): Content {
  if (back !== null) {
    const stood = at === null ? '' : `after ${span(Date.parse(back.at) - Date.parse(at))}, `;
    return `${stood}by deploy ${back.deploy_id}`;
  }
  return comment === null ? null : told(comment);
}
