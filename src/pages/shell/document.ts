// The document around a page: head, symbols, shell. Written out as text; what its texts hold is escaped
// there.
import type { VNode } from 'preact';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { symbolsOf } from '../parts/icons.ts';
import { hashLink } from '../parts/link.ts';
import { bare, shell } from './shell.ts';

/** The whole page as HTML. */
export function documentOf(page: PageContent, frame: Frame): string {
  const body = renderToString(page.isBare === true ? bare(page) : shell(page, frame));
  const symbols = symbolsOf(body);
  const parts = [
    '<!DOCTYPE html>\n<html lang="en" data-live>',
    renderToString(headOf(page, frame)),
    page.isBare === true ? '<body class="bare">' : '<body>',
    symbols === null ? '' : renderToString(symbols),
    renderToString(hashLink('main', { class: 'skip' }, 'Skip to content')),
    body,
    '</body></html>\n',
  ];
  return parts.join('\n');
}

function headOf({ title }: PageContent, { assets, base }: Frame): VNode {
  return el(
    'head',
    null,
    el('meta', { charset: 'utf-8' }),
    el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    el('meta', { name: 'color-scheme', content: 'light dark' }),
    el('meta', { name: 'notifier-base', content: base }),
    el('title', null, `${title} · Notifier`),
    resource('icon', assets.icon, 'image/svg+xml'),
    resource('stylesheet', assets.css, null),
    // Not deferred: the scheme that a reader chose is set before anything is drawn.
    el('script', { src: assets.js }),
  );
}

function resource(rel: string, href: string, type: string | null): VNode {
  const all: Record<string, unknown> = { rel, href, type };
  return h('link', all);
}
