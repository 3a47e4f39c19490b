// Around a page that is shown to everybody: what stands at its head, and the page in one column.
import type { VNode } from 'preact';
import { html } from '../el.ts';
import type { PageContent } from '../frame.ts';

/** The page without places and without the name of the program. */
export function forEverybody(page: PageContent, { head }: NonNullable<PageContent['everybody']>): VNode {
  return html`<div>
    <header class="mast-head">${head}</header>
    <main id="main" class="public" tabindex=${-1}>${page.main}</main>
  </div>`;
}
