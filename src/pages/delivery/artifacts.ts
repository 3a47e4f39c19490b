// /artifacts: scripts, maps and sources, and what they take.

import type { VNode } from 'preact';
import type { ArtifactsModel, ListedArtifact } from '../../core/workspace/delivery/artifacts.ts';
import { fileTypes } from '../../core/workspace/delivery/kinds.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { askForm, searchField, submit } from '../parts/controls.ts';
import { dash, hiddenCaption, nothingFits, pageHead, pager, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { capitalized } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { swatch } from '../plots/figure.ts';
import { shares } from '../plots/meter.ts';
import { count, counted, size } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { typeNames } from './artifact-words.ts';
import { emptyWithLines } from './send-lines.ts';
import { code, told } from './words.ts';

const path = '/artifacts';
const checksumShown = 12;
const projectsNamed = 3;

/** The page. */
export function artifactsPage(model: ArtifactsModel, frame: Frame): PageContent {
  const { how_to_send: lines, asked, artifacts } = model;
  return {
    title: 'Artifacts',
    main: [
      pageHead({ title: 'Artifacts' }),
      lines !== null
        ? emptyWithLines(
            'No script or map has come yet',
            'With them the places in minified scripts read as they were written, with their lines.',
            lines,
          )
        : [
            tabsOf(model, frame),
            askForm(
              frame,
              { path, label: 'Filter', kept: { type: asked.type } },
              searchField('q', 'Search artifacts', 'Name, checksum or debug id', asked.q),
              el('label', { class: 'vh', for: 'release' }, 'Release'),
              el('input', {
                id: 'release',
                name: 'release',
                type: 'text',
                placeholder: 'Any release',
                value: asked.release,
              }),
              submit('Apply'),
            ),
            taken(model),
            artifacts.length === 0
              ? nothingFits(
                  frame,
                  'No file fits',
                  'None is called so, is of such a kind, or belongs to that release.',
                  pageLink(frame, { path }, null, 'Show all artifacts'),
                )
              : list(model, frame),
          ],
    ],
  };
}

function allOf({ counts }: ArtifactsModel): number {
  return fileTypes.reduce((sum, type) => sum + counts[type], 0);
}

function tabsOf(model: ArtifactsModel, frame: Frame): VNode {
  const { asked, counts } = model;
  const all = { name: 'All', path, query: { ...asked, type: null }, count: count(allOf(model)) };
  return tabs(frame, 'Kind', [
    { ...all, isCurrent: asked.type === null },
    ...fileTypes.map((type) => ({
      name: `${capitalized(typeNames[type])}s`,
      path,
      query: { ...asked, type },
      count: count(counts[type]),
      isCurrent: asked.type === type,
    })),
  ]);
}

/** What the contents take, by the projects that take most. */
function taken({ contents }: ArtifactsModel): Content {
  const bytes = contents.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes === 0) return null;
  const pieces = contents.reduce((sum, each) => sum + each.contents, 0);
  const fills = ['f-ink', 'f-error', 'f-info'] as const;
  const rest = contents.slice(projectsNamed);
  const named = contents
    .slice(0, projectsNamed)
    .map(({ project, bytes: own }, index) =>
      el(
        'span',
        null,
        swatch(fills[index] ?? 'f-info'),
        told(project.name),
        ' ',
        el('span', { class: 'n' }, size(own)),
      ),
    );
  const others = rest.reduce((sum, each) => sum + each.bytes, 0);
  const more = others === 0 ? null : el('span', null, `${counted(rest.length, 'other')} ${size(others)}`);
  const said = contents
    .slice(0, projectsNamed)
    .map(({ project, bytes: own }) => `${visible(project.name)} ${size(own)}`)
    .join(', ');
  return el(
    'figure',
    null,
    el(
      'figcaption',
      null,
      el('span', null, el('b', null, size(bytes)), ` in ${counted(pieces, 'content')}`),
      contents.length < 2 ? null : el('span', { class: 'key' }, ...named, more),
    ),
    contents.length < 2
      ? null
      : shares(
          contents.map((each) => each.bytes),
          `${said}, of ${size(bytes)}`,
        ),
  );
}

function list(model: ArtifactsModel, frame: Frame): VNode {
  const { asked, artifacts, counts } = model;
  const near = (name: 'after' | 'before', cursor: string | null): QueryMembers | null =>
    cursor === null ? null : { ...asked, [name]: cursor };
  const head = headRow(
    columnHead('Artifact'),
    columnHead('Size', 'r d5 w5'),
    columnHead('Project', 'd2 w9 gapl'),
    columnHead('Release', 'd3 w9'),
    columnHead('Came', 'd2 seen'),
  );
  return el(
    'div',
    { class: 'sec' },
    el(
      'table',
      { class: 't list' },
      hiddenCaption('Artifacts, newest first'),
      head,
      el('tbody', null, ...artifacts.map((each) => row(each, frame))),
    ),
    pager(frame, {
      path,
      said: `${count(artifacts.length)} of ${counted(asked.type === null ? allOf(model) : counts[asked.type], 'file')}`,
      newer: near('before', model.newer),
      older: near('after', model.older),
    }),
  );
}

function row(file: ListedArtifact, frame: Frame): VNode {
  const { release, project, date_created: at } = file;
  const came = at === null ? dash() : ago(at, frame.nowMs);
  const of = release === null ? dash() : [told(release), file.dist === null ? null : [', ', told(file.dist)]];
  return el(
    'tr',
    null,
    titleCell(frame, {
      path: `${path}/${file.artifact_id}`,
      title: code(file.name),
      place: [typeNames[file.type], ' ', code(file.sha256.slice(0, checksumShown))],
      folded: [
        el('span', { class: 'f5' }, size(file.size)),
        el('span', { class: 'f2' }, told(project.name)),
        release === null ? null : el('span', { class: 'f4' }, told(release)),
        el('span', { class: 'f2' }, came),
      ],
    }),
    cell(size(file.size), 'r d5 nowrap'),
    cell(told(project.name), 'd2 soft gapl'),
    cell(of, 'd3'),
    cell(came, 'd2 seen'),
  );
}
