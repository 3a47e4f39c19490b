// The history of verification checks.
import type { VNode } from 'preact';
import type { DomainModel, LookView } from '../../core/workspace/domains/domain.ts';
import { type Content, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { hiddenCaption, section } from '../parts/layout.ts';
import { capitalized, mark, shapeMark } from '../parts/mark.ts';
import { cell, columnHead, headRow, wide } from '../parts/table.ts';
import { shortTime } from '../parts/time.ts';
import { counted } from '../words/numbers.ts';
import { domainMark, wayNames } from './words.ts';

const wayOrder = ['dns_txt', 'http_file', 'html_meta'] as const;
const shownMax = 10;

export function lookedSection({ looks }: DomainModel, frame: Frame): VNode | null {
  if (looks.length === 0) return null;
  const ways = wayOrder.filter((way) => looks.some(({ found }) => found.some(({ type }) => type === way)));
  const [shown, rest] = [looks.slice(0, shownMax), looks.slice(shownMax)];
  return section(
    {
      id: 'd-looks',
      title: 'Checks',
      beside: html`<span class="small dim">${countWords(looks.length)}</span>`,
    },
    wide('Checks', lookTable(shown, ways, frame, 'Verification checks, newest first')),
    rest.length === 0
      ? null
      : html`<details class="data">
        <summary>${counted(rest.length, 'look')} before</summary>
        ${wide('Earlier checks', lookTable(rest, ways, frame, 'Earlier checks'))}
      </details>`,
  );
}

function countWords(looks: number): string {
  return looks < 50 ? counted(looks, 'look') : 'the latest 50 checks';
}

type Way = (typeof wayOrder)[number];

function lookTable(looks: readonly LookView[], ways: readonly Way[], frame: Frame, caption: string): VNode {
  const heads = [
    columnHead('When'),
    ...ways.map((way) => columnHead(capitalized(wayNames[way]))),
    columnHead('Result'),
  ];
  const rows = looks.map(
    (look) =>
      html`<tr>
        <th scope="row" class="nowrap">
          ${shortTime(look.at, frame.nowMs)}<span class="cul">${look.asked ? 'on request' : 'scheduled'}</span>
        </th>
        ${ways.map((way) => cell(foundBy(look, way), 'nowrap'))}
        ${cell([domainMark(look.status), ` ${look.means}`], 'soft')}
      </tr>`,
  );
  return html`<table class="t small">
    ${hiddenCaption(caption)}${headRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
}

function foundBy({ found, outcome }: LookView, way: Way): Content {
  const own = found.find(({ type }) => type === way);
  if (own === undefined) return html`<span class="dim">not checked</span>`;
  if (own.code === 'ok') return mark('passed', 'found');
  const code = html`<code class="dim">${own.code}</code>`;
  // If one method succeeded, the others are not failures.
  return outcome === 'ok' ? code : [shapeMark('failed'), ' ', code];
}
