import { findFilterLikeWords } from '../../core/page-models/ignored-filters.ts';
import { type Content, disabledLink, html, pageLink, type VNode } from '../el.ts';
import type { PageContext, QueryParams } from '../page-context.ts';

export interface PageHead {
  readonly above?: Content;
  readonly title: Content;
  readonly below?: Content;
  /** A line of marks under `below`. */
  readonly states?: Content;
  readonly actions?: Content;
}

export function pageHead({ above, title, below, states, actions }: PageHead): VNode {
  return html`<div class="top">
    <div class="head">
      ${above === undefined ? null : html`<p class="small dim">${above}</p>`}
      <h1>${title}</h1>
      ${below === undefined ? null : html`<p class="cul">${below}</p>`}
      ${states === undefined ? null : html`<p class="states">${states}</p>`}
    </div>
    ${actions === undefined || actions === null ? null : html`<div class="acts">${actions}</div>`}
  </div>`;
}

interface Section {
  readonly id: string;
  readonly title: Content;
  readonly aside?: Content;
  readonly class?: string | null;
}

/** `aside` is at the right of the heading; `id` must be unique on the page. */
export function section(
  { id, title, aside, class: className = 'sec' }: Section,
  ...content: Content[]
): VNode {
  const heading = html`<h2 id=${id}>${title}</h2>`;
  return html`<section class=${className} aria-labelledby=${id}>
    ${aside === undefined || aside === null ? heading : html`<div class="top">${heading}${aside}</div>`}
    ${content}
  </section>`;
}

export function plainSection(id: string, title: string, ...content: Content[]): VNode {
  return section({ id, title, class: null }, ...content);
}

/** Text with line breaks, which is scrolled by the keyboard too. */
export function codeBlock(label: string, content: Content, className = 'src', id?: string): VNode {
  const attributes = { class: className, id, tabindex: 0, role: 'group', 'aria-label': label };
  return html`<pre ...${attributes}><code>${content}</code></pre>`;
}

export type Fact = readonly [label: string, value: Content, small?: Content];

export function facts(rows: readonly Fact[], size: 'usual' | 'big' = 'usual'): VNode {
  return html`<dl class=${size === 'big' ? 'facts big' : 'facts'}>
    ${rows.map(
      ([label, value, small]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}${small === undefined || small === null ? null : html`<small>${small}</small>`}</dd>
        </div>`,
    )}
  </dl>`;
}

export function nameValueList(rows: ReadonlyArray<readonly [name: Content, value: Content]>): VNode {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl class="pairs">
    ${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

export interface Tab {
  readonly name: string;
  readonly path: string;
  readonly query?: QueryParams;
  readonly hash?: string;
  readonly count?: string | null;
  readonly isCurrent: boolean;
}

export function tabs(context: PageContext, label: string, all: readonly Tab[]): VNode {
  return html`<nav class="tabs" aria-label=${label}>
    ${all.map(({ name, count, isCurrent, ...to }) =>
      pageLink(
        context,
        to,
        { 'aria-current': isCurrent ? (to.hash === undefined ? 'page' : 'true') : null },
        name,
        count === undefined || count === null ? null : html`<span class="n">${count}</span>`,
      ),
    )}
  </nav>`;
}

interface Pager {
  readonly path: string;
  /** `20 of 36 open issues`. */
  readonly summary: Content;
  /** Queries of the neighbouring pages; null if there is none. */
  readonly newer: QueryParams | null;
  readonly older: QueryParams | null;
}

export function pager(context: PageContext, { path, summary: text, newer, older }: Pager): VNode {
  const to = (query: QueryParams | null) => (query === null ? null : { path, query });
  return html`<nav class="pager" aria-label="Pages">
    <span class="dim">${text}</span>
    <span class="acts">
      ${neighborLink(context, 'prev', to(newer), 'Newer', 'btn small')}
      ${neighborLink(context, 'next', to(older), 'Older', 'btn small')}
    </span>
  </nav>`;
}

/** The one before or after this, which is disabled where there is none. */
export function neighborLink(
  context: PageContext,
  rel: 'prev' | 'next',
  to: Parameters<typeof pageLink>[1] | null,
  name: Content,
  className = 'btn',
): VNode {
  return to === null
    ? disabledLink({ class: className }, name)
    : pageLink(context, to, { class: className, rel }, name);
}

export function emptyState(title: string, description: Content, link: Content = null): VNode {
  return html`<div class="empty">
    <h2>${title}</h2>
    <p>${description}</p>
    ${link === null ? null : html`<p>${link}</p>`}
  </div>`;
}

/** Empty search result. Explains words that look like filters of another tool: they are searched as text. */
export function noResults(
  { query }: Pick<PageContext, 'query'>,
  title: string,
  description: Content,
  link: Content = null,
): VNode {
  const words = findFilterLikeWords(query.get('q'));
  const sentence = [description, ' Unknown filter, searched as text: ', codeList(words), '.'];
  return emptyState(title, words.length === 0 ? description : sentence, link);
}

/** Search words that no issue contains, with help on the filter syntax. */
export function unknownWordsNote(words: readonly string[]): Content {
  if (words.length === 0) return null;
  const isFilter = words.some((word) => findFilterLikeWords(word).length > 0);
  return [
    ' No issue has ',
    codeList(words),
    isFilter
      ? '. Use the filters of the issue list for state, level, environment, release, user and assignee; write a tag as name:value.'
      : '.',
  ];
}

export function codeList(texts: readonly string[]): Content {
  return texts.map((text, index) => [index === 0 ? null : ', ', html`<code>${bidiIsolated(text)}</code>`]);
}

export function dash(): VNode {
  return noneText('–');
}

export function orDash<Value>(value: Value | null, format: (value: Value) => Content): Content {
  return value === null ? dash() : format(value);
}

export function noneText(word = 'none'): VNode {
  return html`<span class="dim">${word}</span>`;
}

/** Only for screen readers. */
export function visuallyHidden(text: string): VNode {
  return html`<span class="vh">${text}</span>`;
}

export function hiddenCaption(text: string): VNode {
  return html`<caption>${visuallyHidden(text)}</caption>`;
}

export function bidiIsolated(text: Content): VNode {
  return html`<bdi>${text}</bdi>`;
}
