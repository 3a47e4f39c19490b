import type { VNode } from 'preact';
import { type Content, html } from '../el.ts';

export function columnSection(
  {
    id,
    title,
    beside,
    name,
  }: { readonly id: string; readonly title: string; readonly beside?: Content; readonly name: string },
  ...content: Content[]
): VNode {
  const heading = html`<h2 id=${id}>${title}</h2>`;
  const hasBeside = beside !== undefined && beside !== null;
  return html`<section class=${name} aria-labelledby=${id}>
    ${hasBeside ? html`<div class="top">${heading}${beside}</div>` : heading}${content}
  </section>`;
}
