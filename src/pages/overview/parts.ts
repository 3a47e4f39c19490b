import type { VNode } from 'preact';
import { type Content, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { hiddenCaption, outside, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';

export function part(
  frame: Frame,
  [id, title, path, all]: readonly [id: string, title: string, path: string, all: string],
  content: VNode,
): VNode {
  return section({ id, title, beside: pageLink(frame, { path }, { class: 'small' }, all) }, content);
}

export function table(caption: string, rows: readonly VNode[]): VNode {
  return html`<table class="t mini">${hiddenCaption(caption)}<tbody>${rows}</tbody></table>`;
}

export function named(frame: Frame, path: string, title: string, below: Content): VNode {
  return html`<th scope="row">
    ${pageLink(frame, { path }, { class: 'cell' }, html`<span class="ttl">${outside(title)}</span>`)}
    ${below === null ? null : html`<span class="cul">${below}</span>`}
  </th>`;
}
