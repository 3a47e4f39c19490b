import type { VNode } from 'preact';
import type { CheckView, DomainModel } from '../../core/page-models/domains/domain.ts';
import { hiddenCaption, section } from '../components/elements.ts';
import { capitalize, iconMark, statusMark } from '../components/mark.ts';
import { cell, columnHeader, headerRow, scrollableTable } from '../components/table.ts';
import { shortTime } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { counted } from '../formatters/numbers.ts';
import type { PageContext } from '../page-context.ts';
import { domainMark, methodNames } from './labels.ts';

const wayOrder = ['dns_txt', 'http_file', 'html_meta'] as const;
const shownMax = 10;

export function checkHistorySection({ looks }: DomainModel, context: PageContext): VNode | null {
  if (looks.length === 0) return null;
  const ways = wayOrder.filter((way) => looks.some(({ found }) => found.some(({ type }) => type === way)));
  const [shown, rest] = [looks.slice(0, shownMax), looks.slice(shownMax)];
  return section(
    {
      id: 'd-looks',
      title: 'Checks',
      beside: html`<span class="small dim">${countWords(looks.length)}</span>`,
    },
    scrollableTable('Checks', lookTable(shown, ways, context, 'Verification checks, newest first')),
    rest.length === 0
      ? null
      : html`<details class="data">
        <summary>${counted(rest.length, 'look')} before</summary>
        ${scrollableTable('Earlier checks', lookTable(rest, ways, context, 'Earlier checks'))}
      </details>`,
  );
}

function countWords(looks: number): string {
  return looks < 50 ? counted(looks, 'look') : 'the latest 50 checks';
}

type Way = (typeof wayOrder)[number];

function lookTable(
  looks: readonly CheckView[],
  ways: readonly Way[],
  frame: PageContext,
  caption: string,
): VNode {
  const heads = [
    columnHeader('When'),
    ...ways.map((way) => columnHeader(capitalize(methodNames[way]))),
    columnHeader('Result'),
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
    ${hiddenCaption(caption)}${headerRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
}

function foundBy({ found, outcome }: CheckView, way: Way): Content {
  const own = found.find(({ type }) => type === way);
  if (own === undefined) return html`<span class="dim">not checked</span>`;
  if (own.code === 'ok') return statusMark('passed', 'found');
  const code = html`<code class="dim">${own.code}</code>`;
  // If one method succeeded, the others are not failures.
  return outcome === 'ok' ? code : [iconMark('failed'), ' ', code];
}
