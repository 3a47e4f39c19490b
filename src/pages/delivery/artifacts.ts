import type { VNode } from 'preact';
import type { ArtifactsModel, ListedArtifact } from '../../core/workspace/delivery/artifacts.ts';
import { fileTypes } from '../../core/workspace/delivery/kinds.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dash } from '../parts/layout.ts';
import { listPage } from '../parts/list.ts';
import { capitalized } from '../parts/mark.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { swatch } from '../plots/figure.ts';
import { shares } from '../plots/meter.ts';
import { counted, size } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { typeNames } from './artifact-words.ts';
import { emptyWithLines } from './send-lines.ts';
import { code, told } from './words.ts';

const path = '/artifacts';
const checksumShown = 12;
const projectsNamed = 3;

export function artifactsPage(model: ArtifactsModel, frame: Frame): PageContent {
  const { how_to_send: lines, asked, artifacts, counts, newer, older } = model;
  const allOfKind = asked.type === null ? allOf(model) : counts[asked.type];
  return listPage(frame, {
    path,
    title: 'Artifacts',
    empty:
      lines === null
        ? undefined
        : emptyWithLines(
            'No artifacts yet',
            'Upload source maps so that stack traces show your original source.',
            lines,
          ),
    tabs: {
      label: 'Type',
      name: 'type',
      current: asked.type,
      query: { ...asked },
      all: [
        [null, 'All', allOf(model)],
        ...fileTypes.map((type) => [type, `${capitalized(typeNames[type])}s`, counts[type]] as const),
      ],
    },
    filters: {
      kept: { type: asked.type },
      search: { label: 'Search artifacts', hint: 'Name, checksum or debug ID', value: asked.q },
      more: [
        html`<label class="vh" for="release">Release</label>`,
        html`<input
          id="release" name="release" type="text" placeholder="Any release" value=${asked.release}
        />`,
      ],
    },
    plot: taken(model),
    noneFits: ['No artifacts match', 'No artifact has this name, type or release.', 'Show all artifacts'],
    isSection: true,
    caption: 'Artifacts, newest first',
    columns: columns(frame),
    rows: artifacts,
    pages: { query: { ...asked }, newer, older, all: allOfKind, noun: ['file'] },
  });
}

function allOf({ counts }: ArtifactsModel): number {
  return fileTypes.reduce((sum, type) => sum + counts[type], 0);
}

function taken({ contents }: ArtifactsModel): Content {
  const bytes = contents.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes === 0) return null;
  const pieces = contents.reduce((sum, each) => sum + each.contents, 0);
  const fills = ['f-ink', 'f-error', 'f-info'] as const;
  const rest = contents.slice(projectsNamed);
  const named = contents.slice(0, projectsNamed).map(
    ({ project, bytes: own }, index) =>
      html`<span>
        ${swatch(fills[index] ?? 'f-info')}${told(project.name)} <span class="n">${size(own)}</span>
      </span>`,
  );
  const others = rest.reduce((sum, each) => sum + each.bytes, 0);
  const more = others === 0 ? null : html`<span>${counted(rest.length, 'other')} ${size(others)}</span>`;
  const said = contents
    .slice(0, projectsNamed)
    .map(({ project, bytes: own }) => `${visible(project.name)} ${size(own)}`)
    .join(', ');
  const total = html`<span><b>${size(bytes)}</b> in ${counted(pieces, 'content')}</span>`;
  if (contents.length < 2) return html`<figure><figcaption>${total}</figcaption></figure>`;
  const each = contents.map(({ bytes: own }) => own);
  return html`<figure>
    <figcaption>${total}<span class="key">${named}${more}</span></figcaption>
    ${shares(each, `${said}, of ${size(bytes)}`)}
  </figure>`;
}

function columns(frame: Frame): Array<Column<ListedArtifact>> {
  const came = ({ date_created: at }: ListedArtifact): VNode => (at === null ? dash() : ago(at, frame.nowMs));
  return [
    {
      name: 'Artifact',
      row: (file) =>
        titleCell(frame, {
          path: `${path}/${file.artifact_id}`,
          title: code(file.name),
          place: [typeNames[file.type], ' ', code(file.sha256.slice(0, checksumShown))],
          folded: [
            ['f5', size(file.size)],
            ['f2', told(file.project.name)],
            ['f4', file.release === null ? null : told(file.release)],
            ['f2', came(file)],
          ],
        }),
    },
    { name: 'Size', head: 'r d5 w5', class: 'r d5 nowrap', cell: (file) => size(file.size) },
    { name: 'Project', head: 'd2 w9 gapl', class: 'd2 soft gapl', cell: ({ project }) => told(project.name) },
    {
      name: 'Release',
      head: 'd3 w9',
      class: 'd3',
      cell: ({ release, dist }) =>
        release === null ? dash() : [told(release), dist === null ? null : [', ', told(dist)]],
    },
    { name: 'Uploaded', class: 'd2 seen', cell: came },
  ];
}
