// /deploys: a lane for each place over 14 days, and the deploys.
import type { VNode } from 'preact';
import type { DeploysModel, ListedDeploy } from '../../core/workspace/delivery/deploys.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { askForm, searchField, submit } from '../parts/controls.ts';
import { dash, hiddenCaption, nothingFits, pageHead, pager, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
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

/** The page. */
export function deploysPage(model: DeploysModel, frame: Frame): PageContent {
  const { how_to_send: lines, asked, deploys } = model;
  return {
    title: 'Deploys',
    main: [
      pageHead({ title: 'Deploys' }),
      lines !== null
        ? emptyWithLines(
            'No deploy has come yet',
            'A deploy comes from whatever brings a release to its servers; one with a key is told of again when it ends.',
            lines,
          )
        : [
            tabsOf(model, frame),
            askForm(
              frame,
              { path, label: 'Filter', kept: { environment: asked.environment, outcome: asked.outcome } },
              searchField('q', 'Search deploys', 'Version, environment or name', asked.q),
              submit('Apply'),
            ),
            recent(model, frame),
            deploys.length === 0
              ? nothingFits(
                  frame,
                  'No deploy fits',
                  'None is of such a version, or went to such a place.',
                  pageLink(frame, { path }, null, 'Show all deploys'),
                )
              : list(model, frame),
          ],
    ],
  };
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

/** Of one project a lane for each environment; of many a lane for each of them, in one environment. */
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
  const days = model.recent.is_all ? 'in 14 days' : 'among the newest of 14 days';
  const all = `${counted(shown.length, 'deploy')}${place === null ? '' : ` to ${visible(place)}`}`;
  const stayed = lost === 0 ? 'all stayed' : `${count(lost)} did not stay`;
  return lanes({
    lanes: drawn,
    fromMs: Date.parse(model.recent.from),
    toMs: frame.nowMs,
    finding: [el('b', null, all), ` ${days}, ${stayed}`],
    beside: el('span', { class: 'key small' }, ...keyOf()),
    name: `${all} ${days}: ${stayed}. The table has each.`,
  });
}

function keyOf(): VNode[] {
  return (['done', 'failed', 'back'] as const).map((outcome) =>
    el('span', null, deployMarkWithWord(outcome, outcome === 'failed' ? 'failed or taken back' : undefined)),
  );
}

/** The environment asked for, else production, else the one with most deploys. */
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

function list(model: DeploysModel, frame: Frame): VNode {
  const { asked, deploys, environments } = model;
  const near = (name: 'after' | 'before', cursor: string | null): QueryMembers | null =>
    cursor === null ? null : { ...asked, [name]: cursor };
  const fitting =
    asked.outcome !== null
      ? null
      : asked.environment === null
        ? sumOf(model, 'deploys')
        : (environments.find(({ environment }) => environment === asked.environment)?.deploys ?? null);
  const head = headRow(
    el('td', { class: 'lv' }),
    columnHead('Deploy'),
    columnHead('Where', 'd3 w9'),
    columnHead('Ended', 'd5 seen'),
    columnHead('Took', 'r d2 w7'),
    columnHead('By', 'd1 w9 gapl'),
    columnHead('Came of it', 'd2 w11'),
  );
  return el(
    'div',
    { class: 'sec' },
    el(
      'table',
      { class: 't list' },
      hiddenCaption('Deploys, newest first'),
      head,
      el('tbody', null, ...deploys.map((deploy) => row(deploy, frame))),
    ),
    pager(frame, {
      path,
      said:
        fitting === null
          ? `${counted(deploys.length, 'deploy')} here`
          : `${count(deploys.length)} of ${counted(fitting, 'deploy')}`,
      newer: near('before', model.newer),
      older: near('after', model.older),
    }),
  );
}

function row(deploy: ListedDeploy, frame: Frame): VNode {
  const { outcome, environment, deployed_by: by } = deploy;
  const took = deploy.duration_ms === null ? dash() : span(deploy.duration_ms);
  const ended = ago(momentOf(deploy), frame.nowMs);
  const word =
    outcome === 'done'
      ? null
      : [', ', el('span', { class: `mk ${deployShape(outcome)}` }, deployWord(outcome))];
  return el(
    'tr',
    null,
    cell(deployMark(deploy), 'lv'),
    titleCell(frame, {
      path: `/releases/${deploy.release_id}`,
      title: [visible(deploy.project.name), ' ', visible(deploy.version)],
      place: [
        `deploy ${deploy.deploy_id}`,
        deploy.revision === null ? null : [', ', commitCode(deploy.revision)],
        word,
      ],
      folded: [
        el('span', { class: 'f4' }, told(environment)),
        el('span', { class: 'f5' }, ended),
        by === null ? null : el('span', { class: 'f1' }, told(by)),
      ],
    }),
    cell(told(environment), 'd3'),
    cell(ended, 'd5 seen'),
    cell(took, 'r d2 soft nowrap'),
    cell(by === null ? dash() : told(by), 'd1 soft gapl'),
    cell(cameOf(deploy), 'd2 soft'),
  );
}

/** What it came to: taken back when and by which, or what was written of it. */
function cameOf({ taken_back_by: back, comment, date_created: at }: ListedDeploy): Content {
  if (back !== null) {
    const stood = at === null ? '' : `after ${span(Date.parse(back.at) - Date.parse(at))}, `;
    return `${stood}by deploy ${back.deploy_id}`;
  }
  return comment === null ? null : told(comment);
}
