import type { VNode } from 'preact';
import type { ArtifactModel } from '../../core/workspace/delivery/artifact.ts';
import type { FileView } from '../../core/workspace/delivery/kinds.ts';
import type { TriedPlace } from '../../core/workspace/delivery/try-place.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askForm, copyButton, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { facts, hiddenCaption, pairs, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { capitalized } from '../parts/mark.ts';
import { cell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { size } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { typeNames } from './artifact-words.ts';
import { code, momentRows, told } from './words.ts';

export function artifactPage(model: ArtifactModel, frame: Frame): PageContent {
  const { artifact, same_content: same, belongs_with: partners } = model;
  return {
    title: visible(artifact.name),
    crumbs: [
      { name: 'Artifacts', path: '/artifacts' },
      { name: artifact.project.name, path: null },
    ],
    main: [
      head(model, frame),
      wholeness(model),
      figures(model, frame),
      html`<div class="cols">
        <div class="col">
          ${artifact.type === 'source' ? null : tryPart(model, frame)}
          ${files('with', 'Related artifact', partners, frame)}
          ${files('same', 'Same content under other names', same, frame)}
        </div>
        <aside class="aside" aria-label="About this file">${identity(artifact)}</aside>
      </div>`,
    ],
  };
}

function head({ artifact }: ArtifactModel, frame: Frame): VNode {
  const { project, release, dist } = artifact;
  const download = pageLink(
    frame,
    { path: `/artifacts/${artifact.artifact_id}/download` },
    { class: 'btn' },
    'Download',
    html`<span class="dim">${size(artifact.size)}</span>`,
  );
  return html`<div class="top">
    <div class="head">
      <p class="small dim">${capitalized(typeNames[artifact.type])}</p>
      <h1 class="mono1">${told(artifact.name)}</h1>
      <p class="cul">
        ${told(project.name)}${release === null ? ', found only by its debug ID' : [' ', told(release)]}
        ${dist === null ? null : [', ', told(dist)]}
      </p>
    </div>
    ${frame.visitor?.canAct === true ? html`<p class="acts">${download}</p>` : null}
  </div>`;
}

/** Whether a script has its source map, and a map its script. */
function wholeness({ artifact, has_map: hasMap, belongs_with: partners }: ArtifactModel): Content {
  if (artifact.date_replaced !== null) {
    const mark = html`<span class="mk warning">${icon('warning')}Replaced</span>`;
    return html`<p class="note">
      ${mark}: another file replaced it under this name. It is still found by its debug ID.
    </p>`;
  }
  const byId = artifact.debug_id === null ? null : [' by debug ID ', code(artifact.debug_id)];
  if (hasMap === false) {
    const mark = html`<span class="mk warning">${icon('warning')}No source map found</span>`;
    return html`<p class="note">
      ${mark}: frames in it are not mapped. Upload its source map under the same release.
    </p>`;
  }
  const mark = (words: string): VNode => html`<span class="mk passed">${icon('passed')}${words}</span>`;
  if (hasMap === true) return html`<p class="note">${mark('Has a source map')}${byId}.</p>`;
  if (artifact.type === 'source_map' && partners.length > 0) {
    return html`<p class="note">${mark('Has a script')}${byId}.</p>`;
  }
  return null;
}

function figures(
  { artifact, release_id: releaseId, same_content: same }: ArtifactModel,
  frame: Frame,
): VNode {
  const { release, date_created: at } = artifact;
  const named = release === null ? 'none' : told(release);
  const linked =
    releaseId === null || release === null
      ? named
      : pageLink(frame, { path: `/releases/${releaseId}` }, null, named);
  return facts([
    { label: 'Size', figure: size(artifact.size) },
    { label: 'Release', figure: linked, small: told(artifact.project.name) },
    { label: 'Uploaded', figure: at === null ? '–' : ago(at, frame.nowMs) },
    {
      label: 'Other names',
      figure: same.length === 0 ? 'none' : String(same.length),
      small: 'of the same content',
    },
  ]);
}

function tryPart({ artifact, tried }: ArtifactModel, frame: Frame): VNode {
  const number = (name: 'line' | 'column', label: string, value: number): VNode =>
    html`<label class="check">
      ${label}${' '}
      <input type="text" name=${name} value=${value} inputmode="numeric" size="7" pattern="[0-9]{1,9}" />
    </label>`;
  return section(
    { id: 'try', title: 'Look up a position' },
    askForm(
      frame,
      { path: `/artifacts/${artifact.artifact_id}`, label: 'Look up a position' },
      number('line', 'Line', tried?.line ?? 1),
      number('column', 'Column', tried?.column ?? 1),
      submit('Look up'),
    ),
    tried === null
      ? html`<p class="hint">Enter a line and column of the script to find the original source position.</p>`
      : html`<div class="sec">${placeOf(tried)}</div>`,
  );
}

const whyNot: Readonly<Record<Exclude<TriedPlace['outcome'], 'mapped'>, string>> = {
  no_map: 'No source map found for this script.',
  not_found: 'The source map has no mapping for this position. Lines and columns start at 1.',
  busy: 'The symbolication workers are busy. Try again in a moment.',
};

function placeOf({ outcome, source }: TriedPlace): Content[] {
  if (outcome !== 'mapped' || source === null) {
    return [html`<p>${outcome === 'mapped' ? whyNot.not_found : whyNot[outcome]}</p>`];
  }
  const { file, line, column, lines } = source;
  const name = `${file ?? 'unknown'}:${line ?? '?'}${column === null ? '' : `:${column}`}`;
  const said = html`<p class="soft">
    ${code(name)}${source.function === null ? null : [' in ', code(source.function)]}
  </p>`;
  if (lines.length === 0) {
    return [
      said,
      html`<p class="hint">The source map has no embedded sources, and this source file was not uploaded.</p>`,
    ];
  }
  const rows = lines.map(
    ({ number, text }) =>
      html`<span class=${number === line ? 'l hit' : 'l'} data-n=${number}>
        ${number === line ? marked(text, column) : [visible(text)]}${'\n'}
      </span>`,
  );
  const place = { class: 'src', tabindex: 0, role: 'group', 'aria-label': 'Source at this position' };
  return [said, html`<pre ...${place}><code>${rows}</code></pre>`];
}

/** Underlines the word at a 1-based column. */
function marked(text: string, column: number | null): Content[] {
  const from = (column ?? 0) - 1;
  if (from < 0 || from >= text.length) return [visible(text)];
  const word = /^[\p{L}\p{N}_$]+|^./su.exec(text.slice(from))?.[0] ?? '';
  return [
    visible(text.slice(0, from)),
    html`<mark>${visible(word)}</mark>`,
    visible(text.slice(from + word.length)),
  ];
}

function files(id: string, title: string, all: readonly FileView[], frame: Frame): Content {
  if (all.length === 0) return null;
  const rows = all.map((file) =>
    el(
      'tr',
      null,
      el(
        'th',
        { scope: 'row' },
        pageLink(
          frame,
          { path: `/artifacts/${file.artifact_id}` },
          { class: 'cell' },
          html`<span class="ttl">${code(file.name)}</span>`,
        ),
        html`<span class="cul">
          ${typeNames[file.type]}${file.release === null ? null : [', ', told(file.release)]}
        </span>`,
      ),
      cell(size(file.size), 'r nowrap'),
    ),
  );
  return section(
    { id, title },
    html`<table class="t mini">${hiddenCaption(title)}<tbody>${rows}</tbody></table>`,
  );
}

function identity(artifact: FileView): VNode {
  return section(
    { id: 'identity', title: 'Identity' },
    pairs([
      ['SHA-256', [html`<code id="sha">${artifact.sha256}</code>`, ' ', copyButton('sha', 'the checksum')]],
      ['Debug ID', artifact.debug_id === null ? null : code(artifact.debug_id)],
      ['Source map', artifact.source_map === null ? null : code(artifact.source_map)],
      ['Distribution', artifact.dist === null ? null : told(artifact.dist)],
      ...momentRows([
        ['Uploaded', artifact.date_created],
        ['Replaced', artifact.date_replaced],
      ]),
      ['ID', String(artifact.artifact_id)],
    ]),
  );
}
