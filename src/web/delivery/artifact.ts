import type { ArtifactView } from '../../../schemas/artifacts.ts';
import type { ArtifactModel } from '../../core/page-models/delivery/artifact.ts';
import type { SymbolicatedPosition } from '../../core/page-models/delivery/symbolicate-position.ts';
import { copyButton, queryForm, submitButton } from '../components/controls.ts';
import { codeBlock, facts, nameValueList, section } from '../components/elements.ts';
import { capitalize, statusMark } from '../components/icons.ts';
import { miniTable, rowHeader } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { formatBytes, replaceInvisible, timeAgo, untrustedCode, untrustedText } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { artifactTypeNames, timeRows } from './labels.ts';

export function artifactPage(model: ArtifactModel, context: PageContext): PageContent {
  const { artifact, same_content: sameContent, belongs_with: partners } = model;
  return {
    title: replaceInvisible(artifact.name),
    breadcrumbs: [
      { name: 'Artifacts', path: '/artifacts' },
      { name: artifact.project.name, path: null },
    ],
    main: [
      head(model, context),
      sourceMapState(model),
      artifactFacts(model, context),
      html`<div class="cols">
        <div class="col">
          ${artifact.type === 'source' ? null : tryMappingForm(model, context)}
          ${files('with', 'Related artifact', partners, context)}
          ${files('same', 'Same content under other names', sameContent, context)}
        </div>
        <aside class="aside" aria-label="About this file">${identity(artifact)}</aside>
      </div>`,
    ],
  };
}

function head({ artifact }: ArtifactModel, context: PageContext): VNode {
  const { project, release, dist } = artifact;
  const download = pageLink(
    context,
    `/artifacts/${artifact.artifact_id}/download`,
    { class: 'btn' },
    'Download',
    html`<span class="dim">${formatBytes(artifact.size)}</span>`,
  );
  return html`<div class="top">
    <div class="head">
      <p class="small dim">${capitalize(artifactTypeNames[artifact.type])}</p>
      <h1 class="mono1">${untrustedText(artifact.name)}</h1>
      <p class="cul">
        ${untrustedText(project.name)}${release === null ? ', found only by its debug ID' : [' ', untrustedText(release)]}
        ${dist === null ? null : [', ', untrustedText(dist)]}
      </p>
    </div>
    ${context.currentUser?.canAct === true ? html`<p class="acts">${download}</p>` : null}
  </div>`;
}

function sourceMapState({ artifact, has_map: hasMap, belongs_with: partners }: ArtifactModel): Content {
  if (artifact.date_replaced !== null) {
    return html`<p class="note">
      ${statusMark('warning', 'Replaced')}: another file replaced it under this name. It is still found by its debug ID.
    </p>`;
  }
  const byId = artifact.debug_id === null ? null : [' by debug ID ', untrustedCode(artifact.debug_id)];
  if (hasMap === false) {
    return html`<p class="note">
      ${statusMark('warning', 'No source map found')}: frames in it are not mapped. Upload its source map under the same release.
    </p>`;
  }
  if (hasMap === true) return html`<p class="note">${statusMark('passed', 'Has a source map')}${byId}.</p>`;
  if (artifact.type === 'source_map' && partners.length > 0) {
    return html`<p class="note">${statusMark('passed', 'Has a script')}${byId}.</p>`;
  }
  return null;
}

function artifactFacts(
  { artifact, release_id: releaseId, same_content: sameContent }: ArtifactModel,
  context: PageContext,
): VNode {
  const { release, date_created: at } = artifact;
  const named = release === null ? 'none' : untrustedText(release);
  const linked =
    releaseId === null || release === null ? named : pageLink(context, `/releases/${releaseId}`, null, named);
  return facts([
    ['Size', formatBytes(artifact.size)],
    ['Release', linked, untrustedText(artifact.project.name)],
    ['Uploaded', at === null ? '–' : timeAgo(at, context.nowMs)],
    ['Other names', sameContent.length === 0 ? 'none' : String(sameContent.length), 'of the same content'],
  ]);
}

function tryMappingForm({ artifact, tried }: ArtifactModel, context: PageContext): VNode {
  const number = (name: 'line' | 'column', label: string, value: number): VNode =>
    html`<label class="check">
      ${label}${' '}
      <input type="text" name=${name} value=${value} inputmode="numeric" size="7" pattern="[0-9]{1,9}" />
    </label>`;
  return section(
    { id: 'try', title: 'Look up a position' },
    queryForm(
      context,
      { path: `/artifacts/${artifact.artifact_id}`, label: 'Look up a position' },
      number('line', 'Line', tried?.line ?? 1),
      number('column', 'Column', tried?.column ?? 1),
      submitButton('Look up'),
    ),
    tried === null
      ? html`<p class="hint">Enter a line and column of the script to find the original source position.</p>`
      : html`<div class="sec">${positionContent(tried)}</div>`,
  );
}

const unmappedTexts: Readonly<Record<Exclude<SymbolicatedPosition['outcome'], 'mapped'>, string>> = {
  no_map: 'No source map found for this script.',
  not_found: 'The source map has no mapping for this position. Lines and columns start at 1.',
  busy: 'The symbolication workers are busy. Try again in a moment.',
};

function positionContent({ outcome, source }: SymbolicatedPosition): Content[] {
  if (outcome !== 'mapped' || source === null) {
    return [html`<p>${outcome === 'mapped' ? unmappedTexts.not_found : unmappedTexts[outcome]}</p>`];
  }
  const { file, line, column, lines } = source;
  const name = `${file ?? 'unknown'}:${line ?? '?'}${column === null ? '' : `:${column}`}`;
  const original = html`<p class="soft">
    ${untrustedCode(name)}${source.function === null ? null : [' in ', untrustedCode(source.function)]}
  </p>`;
  if (lines.length === 0) {
    return [
      original,
      html`<p class="hint">The source map has no embedded sources, and this source file was not uploaded.</p>`,
    ];
  }
  const rows = lines.map(
    ({ number, text }) =>
      html`<span class=${number === line ? 'l hit' : 'l'} data-n=${number}>
        ${number === line ? marked(text, column) : [replaceInvisible(text)]}${'\n'}
      </span>`,
  );
  return [original, codeBlock('Source at this position', rows)];
}

/** Underlines the word at a 1-based column. */
function marked(text: string, column: number | null): Content[] {
  const from = (column ?? 0) - 1;
  if (from < 0 || from >= text.length) return [replaceInvisible(text)];
  const word = /^[\p{L}\p{N}_$]+|^./su.exec(text.slice(from))?.[0] ?? '';
  return [
    replaceInvisible(text.slice(0, from)),
    html`<mark>${replaceInvisible(word)}</mark>`,
    replaceInvisible(text.slice(from + word.length)),
  ];
}

function files(id: string, title: string, all: readonly ArtifactView[], context: PageContext): Content {
  if (all.length === 0) return null;
  const typeAndRelease = ({ type, release }: ArtifactView): Content => [
    artifactTypeNames[type],
    release === null ? null : [', ', untrustedText(release)],
  ];
  return section({ id, title }, fileTable(title, all, context, typeAndRelease));
}

export function fileTable(
  caption: string,
  files: readonly ArtifactView[],
  context: PageContext,
  subtitleOf: (file: ArtifactView) => Content,
): VNode {
  const nameOf = ({ artifact_id: id, name }: ArtifactView): VNode => {
    const title = html`<span class="ttl">${untrustedCode(name)}</span>`;
    return pageLink(context, `/artifacts/${id}`, { class: 'cell' }, title);
  };
  return miniTable(
    caption,
    files,
    { row: (file) => rowHeader(nameOf(file), subtitleOf(file)) },
    { class: 'r nowrap', cell: ({ size }) => formatBytes(size) },
  );
}

function identity(artifact: ArtifactView): VNode {
  return section(
    { id: 'identity', title: 'Identity' },
    nameValueList([
      ['SHA-256', [html`<code id="sha">${artifact.sha256}</code>`, ' ', copyButton('sha', 'the checksum')]],
      ['Debug ID', artifact.debug_id === null ? null : untrustedCode(artifact.debug_id)],
      ['Source map', artifact.source_map === null ? null : untrustedCode(artifact.source_map)],
      ['Distribution', artifact.dist === null ? null : untrustedText(artifact.dist)],
      ...timeRows([
        ['Uploaded', artifact.date_created],
        ['Replaced', artifact.date_replaced],
      ]),
      ['ID', String(artifact.artifact_id)],
    ]),
  );
}
