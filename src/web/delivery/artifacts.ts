import type { ArtifactsModel, ListedArtifact } from '../../core/page-models/delivery/artifacts.ts';
import { artifactTypes } from '../../core/page-models/delivery/kinds.ts';
import { swatch } from '../charts/chart-figure.ts';
import { shareMeter } from '../charts/meter.ts';
import { dash } from '../components/elements.ts';
import { capitalize } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, type VNode } from '../el.ts';
import {
  counted,
  formatBytes,
  replaceInvisible,
  timeAgo,
  untrustedCode,
  untrustedText,
} from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { emptyWithSnippets } from './empty-with-snippets.ts';
import { artifactTypeNames } from './labels.ts';

const path = '/artifacts';
const checksumShown = 12;
const projectsNamed = 3;

export function artifactsPage(model: ArtifactsModel, context: PageContext): PageContent {
  const { how_to_send: lines, filters, artifacts, counts, newer, older } = model;
  const total = filters.type === null ? allOf(model) : counts[filters.type];
  return listPage(context, {
    path,
    title: 'Artifacts',
    empty: emptyWithSnippets(
      'No artifacts yet',
      'Upload source maps so that stack traces show your original source.',
      lines,
    ),
    tabs: {
      label: 'Type',
      name: 'type',
      current: filters.type,
      query: { ...filters },
      all: [
        [null, 'All', allOf(model)],
        ...artifactTypes.map(
          (type) => [type, `${capitalize(artifactTypeNames[type])}s`, counts[type]] as const,
        ),
      ],
    },
    filters: {
      preserved: { type: filters.type },
      search: { label: 'Search artifacts', hint: 'Name, checksum or debug ID', value: filters.q },
      more: [
        html`<label class="vh" for="release">Release</label>`,
        html`<input
          id="release" name="release" type="text" placeholder="Any release" value=${filters.release}
        />`,
      ],
    },
    plot: storageUsed(model),
    noneFits: ['No artifacts match', 'No artifact has this name, type or release.', 'Show all artifacts'],
    isSection: true,
    caption: 'Artifacts, newest first',
    columns: columns(context),
    rows: artifacts,
    pages: { query: { ...filters }, newer, older, all: total, noun: ['file'] },
  });
}

function allOf({ counts }: ArtifactsModel): number {
  return artifactTypes.reduce((sum, type) => sum + counts[type], 0);
}

function storageUsed({ contents }: ArtifactsModel): Content {
  const bytes = contents.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes === 0) return null;
  const pieces = contents.reduce((sum, each) => sum + each.contents, 0);
  const fills = ['f-ink', 'f-plain', 'f-info'] as const;
  const rest = contents.slice(projectsNamed);
  const named = contents.slice(0, projectsNamed).map(
    ({ project, bytes: size }, index) =>
      html`<span>
        ${swatch(fills[index] ?? 'f-info')}${untrustedText(project.name)} <span class="n">${formatBytes(size)}</span>
      </span>`,
  );
  const others = rest.reduce((sum, each) => sum + each.bytes, 0);
  const more =
    others === 0 ? null : html`<span>${counted(rest.length, 'other')} ${formatBytes(others)}</span>`;
  const amounts = contents
    .slice(0, projectsNamed)
    .map(({ project, bytes: size }) => `${replaceInvisible(project.name)} ${formatBytes(size)}`)
    .join(', ');
  const total = html`<span><b>${formatBytes(bytes)}</b> in ${counted(pieces, 'content')}</span>`;
  if (contents.length < 2) return html`<figure><figcaption>${total}</figcaption></figure>`;
  const each = contents.map(({ bytes: size }) => size);
  return html`<figure>
    <figcaption>${total}<span class="key">${named}${more}</span></figcaption>
    ${shareMeter(each, `${amounts}, of ${formatBytes(bytes)}`)}
  </figure>`;
}

function columns(context: PageContext): Array<Column<ListedArtifact>> {
  const uploadedTime = ({ date_created: at }: ListedArtifact): VNode =>
    at === null ? dash() : timeAgo(at, context.nowMs);
  return [
    {
      name: 'Artifact',
      row: (file) =>
        titleCell(context, {
          path: `${path}/${file.artifact_id}`,
          title: untrustedCode(file.name),
          subtitle: [artifactTypeNames[file.type], ' ', untrustedCode(file.sha256.slice(0, checksumShown))],
          folded: [
            ['f5', formatBytes(file.size)],
            ['f2', untrustedText(file.project.name)],
            ['f4', file.release === null ? null : untrustedText(file.release)],
            ['f2', uploadedTime(file)],
          ],
        }),
    },
    column('Size', 'r d5 w5', 'r d5 nowrap', (file) => formatBytes(file.size)),
    column('Project', 'd2 w9 gapl', 'd2 soft gapl', ({ project }) => untrustedText(project.name)),
    column('Release', 'd3 w9', 'd3', ({ release, dist }) =>
      release === null
        ? dash()
        : [untrustedText(release), dist === null ? null : [', ', untrustedText(dist)]],
    ),
    { name: 'Uploaded', class: 'd2 seen', cell: uploadedTime },
  ];
}
