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
  const methods = wayOrder.filter((method) =>
    looks.some(({ found }) => found.some(({ type }) => type === method)),
  );
  const [shown, rest] = [looks.slice(0, shownMax), looks.slice(shownMax)];
  return section(
    {
      id: 'd-looks',
      title: 'Checks',
      beside: html`<span class="small dim">${countWords(looks.length)}</span>`,
    },
    scrollableTable('Checks', lookTable(shown, methods, context, 'Verification checks, newest first')),
    rest.length === 0
      ? null
      : html`<details class="data">
        <summary>${counted(rest.length, 'check')} before</summary>
        ${scrollableTable('Earlier checks', lookTable(rest, methods, context, 'Earlier checks'))}
      </details>`,
  );
}

function countWords(looks: number): string {
  return looks < 50 ? counted(looks, 'check') : 'the latest 50 checks';
}

type Way = (typeof wayOrder)[number];

function lookTable(
  looks: readonly CheckView[],
  methods: readonly Way[],
  frame: PageContext,
  caption: string,
): VNode {
  const heads = [
    columnHeader('When'),
    ...methods.map((method) => columnHeader(capitalize(methodNames[method]))),
    columnHeader('Result'),
  ];
  const rows = looks.map(
    (look) =>
      html`<tr>
        <th scope="row" class="nowrap">
          ${shortTime(look.at, frame.nowMs)}<span class="cul">${look.is_manual ? 'on request' : 'scheduled'}</span>
        </th>
        ${methods.map((method) => cell(foundBy(look, method), 'nowrap'))}
        ${cell([domainMark(look.status), ` ${look.means}`], 'soft')}
      </tr>`,
  );
  return html`<table class="t small">
    ${hiddenCaption(caption)}${headerRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
}

function foundBy({ found, outcome }: CheckView, method: Way): Content {
  const own = found.find(({ type }) => type === method);
  if (own === undefined) return html`<span class="dim">not checked</span>`;
  if (own.code === 'ok') return statusMark('passed', 'found');
  const code = html`<code class="dim">${own.code}</code>`;
  // If one method succeeded, the others are not failures.
  return outcome === 'ok' ? code : [iconMark('failed'), ' ', code];
}
