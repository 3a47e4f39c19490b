import type { VNode } from 'preact';
import { bidiIsolated, hiddenCaption, section } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { type Content, html } from '../el.ts';
import type { PageContext } from '../page-context.ts';

export function overviewList(
  context: PageContext,
  [id, title, path, all]: readonly [id: string, title: string, path: string, all: string],
  content: VNode,
): VNode {
  return section({ id, title, beside: pageLink(context, { path }, { class: 'small' }, all) }, content);
}

export function rowTable(caption: string, rows: readonly VNode[]): VNode {
  return html`<table class="t mini">${hiddenCaption(caption)}<tbody>${rows}</tbody></table>`;
}

export function titleHeader(frame: PageContext, path: string, title: string, below: Content): VNode {
  return html`<th scope="row">
    ${pageLink(frame, { path }, { class: 'cell' }, html`<span class="ttl">${bidiIsolated(title)}</span>`)}
    ${below === null ? null : html`<span class="cul">${below}</span>`}
  </th>`;
}
