import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { actionForm } from '../../src/web/components/controls.ts';
import { dialogButton } from '../../src/web/components/dialog-forms.ts';
import { facts } from '../../src/web/components/elements.ts';
import { statusMark } from '../../src/web/components/icons.ts';
import { el, externalLink, html, pageLink } from '../../src/web/el.ts';
import { renderDocument } from '../../src/web/layout/document.ts';
import { navigationItems, type PageContext, pageUrl } from '../../src/web/page-context.ts';

const frame: PageContext = {
  base: '/errors',
  assets: { css: '/a.css', js: '/a.js', icon: '/a.svg' },
  version: '1.2.3',
  timeZone: 'UTC',
  nowMs: Date.UTC(2026, 10, 22, 12),
  currentUser: { name: 'Ines <b>', canAct: true, canManage: false, csrfToken: 'token-1' },
  projects: [{ id: 7, name: 'shop "web"' }],
  project: { id: 7, name: 'shop "web"' },
  counts: { '/issues': { text: '36', isBad: false } },
  path: '/issues',
  query: new URLSearchParams('state=new&notice=x'),
  jsonPath: '/issues.json',
  hasShortcuts: true,
  notice: null,
};
const evil = `"><img src=x onerror=alert(1)>'&`;

describe('parts of pages', () => {
  it('external text is escaped in content and in attributes', () => {
    const html = renderToString(el('p', { title: evil }, evil));
    expect(html).toMatch(/^<p title="&quot;>?[^"<]*">[^<]*<\/p>$/);
    expect(html).not.toMatch(/<img/);
  });

  it('templates escape the same: values are never markup, attributes are those of el', () => {
    const attributes = { title: evil, hidden: false };
    const written = renderToString(html`<p class="note" ...${attributes}>${evil}<b>${['a', null]}</b></p>`);
    const called = el('p', { class: 'note', ...attributes }, evil, el('b', null, 'a'));
    expect(written).toBe(renderToString(called));
    const refused = ['onclick', 'OnClick', 'style', 'href', 'srcdoc', 'dangerouslySetInnerHTML'];
    for (const name of refused) {
      expect(() => html`<p ...${{ [name]: 'x' }}>a</p>`).toThrow(`The attribute ${name} is not for pages.`);
    }
    expect(() => html`<p style="color:red">a</p>`).toThrow('The attribute style is not for pages.');
  });

  it.each([
    ['https://shop.example/a?b', true],
    ['http://shop.example', true],
    ['javascript:alert(1)', false],
    ['JaVaScRiPt:alert(1)', false],
    ['data:text/html,<script>', false],
    [' https://x', true],
    ['//evil.example', false],
    ['/path', false],
    ['', false],
  ])('%s is followed: %s', (address, isFollowed) => {
    const html = renderToString(el('p', null, externalLink(address, 'there')));
    expect(html.includes('<a ')).toBe(isFollowed);
    expect(html).toContain('there');
    if (isFollowed) expect(html).toContain('rel="noopener noreferrer nofollow ugc"');
  });

  it('facts have the requested size', () => {
    const rows = [['Events', '7']] as const;
    const inside = '<div><dt>Events</dt><dd>7</dd></div></dl>';
    expect(renderToString(facts(rows))).toBe(`<dl class="facts">${inside}`);
    expect(renderToString(facts(rows, 'big'))).toBe(`<dl class="facts big">${inside}`);
  });

  it('links are below the base path and keep the project', () => {
    expect(pageUrl(frame, '/issues', { state: 'new', q: '' })).toBe('/errors/issues?project=7&state=new');
    expect(pageUrl(frame, '/', { project: null })).toBe('/errors/');
    expect(renderToString(pageLink(frame, { path: '/x', query: { q: 'a&b"' } }, null, 'x'))).toBe(
      '<a href="/errors/x?project=7&amp;q=a%26b%22">x</a>',
    );
  });

  it('an action form has the token and the way back, without the notice', () => {
    const html = renderToString(el('div', null, actionForm(frame, '/issues/3/resolve', null)));
    expect(html).toContain('action="/errors/issues/3/resolve?project=7"');
    expect(html).toContain('name="csrf_token" value="token-1"');
    expect(html).toContain('name="back" value="/issues?state=new"');
    expect(actionForm({ ...frame, currentUser: null }, '/x', null)).toBeNull();
  });
});

describe('the document', () => {
  const html = renderDocument({ title: evil, main: el('p', null, statusMark('fatal'), evil) }, frame);

  it('escapes everything that comes from outside', () => {
    expect(html).not.toMatch(/<img|<b>/);
    expect(html).toContain('Ines &lt;b');
  });

  it('includes the icons that it uses, and no others', () => {
    const used = [...new Set([...html.matchAll(/<use href="#(s-[a-z]+)"/g)].map(([, name]) => name))].sort();
    const carried = [...html.matchAll(/<symbol id="(s-[a-z]+)"/g)].map(([, name]) => name).sort();
    expect(used).toEqual(['s-caret', 's-fatal', 's-search']);
    expect(carried).toEqual(used);
  });

  it('has every navigation link once', () => {
    const { nav = '' } = /<nav [^>]*>(?<nav>.*?)<\/nav>/s.exec(html)?.groups ?? {};
    for (const { path, name } of navigationItems) {
      expect([path, nav.includes(`href="/errors${path}?project=7"`)]).toEqual([path, true]);
      expect(nav.split(`>${name}<`)).toHaveLength(2);
    }
  });

  it('marks the current page, and links its JSON', () => {
    expect(html.match(/aria-current="page"/g)).toHaveLength(1);
    expect(html).toContain('href="/errors/issues.json?project=7&amp;state=new"');
  });

  it('shows no notice for an unknown code', () => {
    const forged = renderDocument({ title: 't', main: null }, { ...frame, notice: '<script>' });
    expect(forged).not.toContain('class="note"');
  });
});

describe('an opener of a confirmation form', () => {
  const opened = (more: object): string =>
    dialogButton(frame, { id: 'd', path: '/ask' }, { word: 'Delete', ...more })
      .map((part) => renderToString(part as VNode))
      .join('');

  it('is a button and a link, with a full name where the label repeats', () => {
    expect(opened({ label: 'Delete shop' }).match(/aria-label="Delete shop"/g)).toHaveLength(2);
    expect(opened({})).not.toContain('aria-label');
    expect(opened({ class: 'quiet' })).toMatch(/class="quiet js".*class="quiet nojs"/s);
  });
});

describe('elements of pages', () => {
  it('are created only by el.ts, icons.ts and document.ts', () => {
    const root = join(import.meta.dirname, '../../src/web');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const makers = files.filter((name) =>
      /\bh\(|createElement|dangerouslySetInnerHTML:/.test(readFileSync(join(root, name), 'utf8')),
    );
    expect(makers.sort()).toEqual(['components/icons.ts', 'el.ts', 'layout/document.ts']);
  });
});
