import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { symbolDefinitions } from '../components/icons.ts';
import { fragmentLink, html, type VNode } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { bareLayout, navigationLayout } from './navigation-layout.ts';

export function renderDocument(page: PageContent, context: PageContext): string {
  const body = renderToString(bodyOf(page, context));
  const symbols = symbolDefinitions(body);
  const chunks = [
    `<!DOCTYPE html>\n<html lang="${page.publicPage?.texts.tag ?? 'en'}" data-live>`,
    renderToString(headOf(page, context)),
    bodyTagOf(page),
    symbols === null ? '' : renderToString(symbols),
    renderToString(fragmentLink('main', { class: 'skip' }, page.publicPage?.texts.skip ?? 'Skip to content')),
    body,
    '</body></html>\n',
  ];
  return chunks.join('\n');
}

function bodyOf(page: PageContent, context: PageContext): VNode {
  if (page.publicPage !== undefined) return publicLayout(page, page.publicPage);
  return page.isBare === true ? bareLayout(page) : navigationLayout(page, context);
}

function bodyTagOf({ isBare, publicPage }: PageContent): string {
  if (publicPage !== undefined) return '<body class="everybody">';
  return isBare === true ? '<body class="bare">' : '<body>';
}

function headOf({ title, publicPage }: PageContent, { assets, base, hasShortcuts }: PageContext): VNode {
  const isOurs = publicPage === undefined;
  const { feed = null, icon = null, sheet = null } = publicPage ?? {};
  const iconLink =
    icon === null ? resource('icon', assets.icon, 'image/svg+xml') : resource('icon', base + icon, null);
  return html`<head>
    <meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${isOurs ? html`<meta name="notifier-base" content=${base} />` : null}
    ${isOurs && !hasShortcuts ? html`<meta name="notifier-keys" content="off" />` : null}
    <title>${isOurs ? `${title} · Notifier` : title}</title>${iconLink}
    ${resource('stylesheet', assets.css, null)}
    ${sheet === null ? null : resource('stylesheet', base + sheet, null)}
    ${feed === null ? null : resource('alternate', `${base}${feed}`, 'application/rss+xml')}
    ${isOurs ? html`<script src=${assets.js}></script>` : null}
  </head>`;
}

function resource(rel: string, href: string, type: string | null): VNode {
  const all: Record<string, unknown> = { rel, href, type };
  return h('link', all);
}

function publicLayout(page: PageContent, { head }: NonNullable<PageContent['publicPage']>): VNode {
  return html`<div>
    <header class="mast-head">${head}</header>
    <main id="main" class="public" tabindex=${-1}>${page.main}</main>
  </div>`;
}
