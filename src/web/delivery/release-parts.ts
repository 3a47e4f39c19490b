import type { ListedDeploy } from '../../core/page-models/delivery/deploys.ts';
import type { ReleaseModel } from '../../core/page-models/delivery/release.ts';
import { nameValueList, section } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { column, dataTable, scrollableTable } from '../components/table.ts';
import { type Content, externalLink, html, pageLink, type VNode } from '../el.ts';
import { count, counted, shortTime, span, untrustedCode, untrustedText } from '../formatters.ts';
import { issueColumns } from '../issues/columns.ts';
import type { PageContext } from '../page-context.ts';
import { fileTable } from './artifact.ts';
import { artifactTypeNames, deployOutcomes, timeRows } from './labels.ts';

const namesShown = 5;

export function deploysPart({ deploys, release }: ReleaseModel, context: PageContext): VNode {
  const table = dataTable<ListedDeploy>(context, {
    caption: 'Deploys of this release',
    class: 't',
    rows: deploys,
    columns: [
      {
        name: 'Environment',
        row: ({ environment }) => html`<th scope="row" class="nowrap">${untrustedText(environment)}</th>`,
      },
      { name: 'Finished', cell: (deploy) => finished(deploy, context.nowMs) },
      { name: 'Duration', class: 'r', cell: durationOf },
      column('Deployed by', null, 'soft', ({ deployed_by: by }) => (by === null ? '–' : untrustedText(by))),
    ],
  });
  const all = release.deploy_count;
  return section(
    {
      id: 'deploys',
      title: 'Deploys',
      aside:
        all > deploys.length ? html`<span class="small dim">${deploys.length} of ${count(all)}</span>` : null,
    },
    deploys.length === 0
      ? html`<p class="dim">No deploys of this release.</p>`
      : scrollableTable('Deploys', table),
    ...deploys.map(moreOf),
  );
}

function finished({ date_finished, date_started, date_created }: ListedDeploy, nowMs: number): Content {
  const at = date_finished ?? date_started ?? date_created;
  return at === null ? '–' : shortTime(at, nowMs);
}

function durationOf({ outcome, duration_ms: ms }: ListedDeploy): Content {
  const took = ms === null ? null : span(ms);
  if (outcome === 'done') return took ?? '–';
  const [shape, word] = deployOutcomes[outcome];
  return statusMark(shape, took === null ? word : `${outcome}, ${took}`);
}

function moreOf(deploy: ListedDeploy): VNode {
  const { name, url, comment, key, revision, repository } = deploy;
  const text = (value: string | null): Content => (value === null ? null : untrustedText(value));
  const rows: Array<readonly [Content, Content]> = [
    ['Name', text(name)],
    ['Note', text(comment)],
    ['URL', url === null ? null : externalLink(url, untrustedText(url))],
    ['Revision', revision === null ? null : untrustedCode(revision)],
    ['Repository', text(repository)],
    ['Key', key === null ? null : untrustedCode(key)],
    ['State', deploy.status === 'success' ? null : deploy.status.replaceAll('_', ' ')],
    ...timeRows([
      ['Reported', deploy.date_created],
      ['Started', deploy.date_started],
      ['Finished', deploy.date_finished],
    ]),
  ];
  const title = html`<summary>Deploy ${deploy.deploy_id}, ${untrustedText(deploy.environment)}</summary>`;
  return html`<details class="small">${title}${nameValueList(rows)}</details>`;
}

export function artifactsPart({ files, release, project }: ReleaseModel, context: PageContext): VNode | null {
  const all = pageLink(
    context,
    { path: '/artifacts', query: { project: project.project_id, release: release.version } },
    { class: 'small' },
    counted(files.total, 'file'),
  );
  if (files.total === 0) {
    if (!files.are_expected) return null;
    const noArtifacts = 'No artifacts uploaded: frames in minified scripts are not mapped.';
    return section({ id: 'artifacts', title: 'Artifacts' }, html`<p class="dim">${noArtifacts}</p>`);
  }
  return section(
    { id: 'artifacts', title: 'Artifacts', aside: all },
    fileTable('Artifacts of this release', files.shown, context, ({ type }) => artifactTypeNames[type]),
    html`<p class="small">${mapsOf(files)}</p>`,
  );
}

function mapsOf({ scripts, without_map: missing }: ReleaseModel['files']): Content[] {
  if (scripts === 0) return ['No scripts.'];
  if (missing.length === 0) {
    const allMapped =
      scripts === 1
        ? 'The script has a source map'
        : scripts === 2
          ? 'Both scripts have source maps'
          : `All ${count(scripts)} scripts have source maps`;
    return [statusMark('passed', allMapped), '.'];
  }
  const without = `${count(missing.length)} of ${counted(scripts, 'script')} without a source map`;
  const names = missing
    .slice(0, namesShown)
    .flatMap((name, index) => [index === 0 ? '' : ', ', untrustedCode(name)]);
  return [statusMark('warning', without), ': ', ...names, missing.length > namesShown ? ' and others.' : '.'];
}

/** New and regressed issues in one list, resolved ones in another; nothing without either. */
export function releaseIssues(model: ReleaseModel, context: PageContext): Content[] {
  const { release, new_issues: created, regressed_issues: regressed, resolved_issues: resolved } = model;
  const known = new Set(regressed.map(({ issue_id: id }) => id));
  const shown = [...regressed, ...created.filter(({ issue_id: id }) => !known.has(id))];
  const seen = pageLink(
    context,
    { path: '/issues', query: { project: model.project.project_id, release: release.version, state: 'all' } },
    { class: 'small' },
    'Issues in this release',
  );
  const all = release.issues.new + release.issues.regressed;
  return [
    shown.length === 0
      ? null
      : section(
          { id: 'new', title: 'New and regressed in this release', aside: seen },
          table('New and regressed issues', shown, context, known),
          all > shown.length ? more(shown.length, all) : null,
        ),
    resolved.length === 0
      ? null
      : section(
          { id: 'resolved', title: 'Resolved in this release' },
          table('Issues resolved in this release', resolved, context, known),
          release.issues.resolved > resolved.length ? more(resolved.length, release.issues.resolved) : null,
        ),
  ];
}

function more(shown: number, all: number): VNode {
  return html`<p class="small dim">The latest ${shown} of ${count(all)}.</p>`;
}

function table(
  caption: string,
  rows: ReleaseModel['new_issues'],
  context: PageContext,
  back: ReadonlySet<number>,
): VNode {
  const { level, issue, trend, events, users, seen, assignee } = issueColumns(context, false, back);
  return dataTable(context, {
    caption,
    columns: [
      level,
      issue,
      trend,
      { ...events, head: 'r d5 w5' },
      { ...users, head: 'r d2 w5' },
      seen,
      assignee,
    ],
    rows,
  });
}
