import { type Content, html, type VNode } from '../el.ts';

export function columnSection(
  {
    id,
    title,
    aside,
    name,
  }: { readonly id: string; readonly title: string; readonly aside?: Content; readonly name: string },
  ...content: Content[]
): VNode {
  const heading = html`<h2 id=${id}>${title}</h2>`;
  const hasAside = aside !== undefined && aside !== null;
  return html`<section class=${name} aria-labelledby=${id}>
    ${hasAside ? html`<div class="top">${heading}${aside}</div>` : heading}${content}
  </section>`;
}
