// Creates elements: `html` from a template, `el` by a call. Links are created only by the functions at the end:
// local paths below the base, and http(s) URLs from outside.
import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';
import { type PageContext, pageUrl, type QueryParams } from './page-context.ts';

export type { VNode };
export type Content = ComponentChildren;

type Value = string | number | boolean | null | undefined;

/** HTML and SVG attributes. `true` writes only the name; `false`, null and undefined omit the attribute,
 * except `aria-…`, where `false` is a value. Event handlers, styles and raw markup are type errors. */
export type Attributes = { readonly [name: string]: Value } & {
  readonly [Forbidden in `on${string}` | 'style' | 'href' | 'srcdoc' | 'dangerouslySetInnerHTML']?: never;
};

/** Text in `content` is escaped when the page is rendered. */
export function el(tag: string, attributes: Attributes | null, ...content: Content[]): VNode {
  return h(tag, attributes as Record<string, Value>, ...content);
}

const forbidden = /^(?:on.*|style|href|srcdoc|dangerouslySetInnerHTML)$/i;

type Template = (markup: TemplateStringsArray, ...values: ReadonlyArray<Content | Attributes>) => VNode;
type Maker = (
  this: { 0: number },
  tag: string,
  attributes: Attributes | null,
  ...content: Content[]
) => VNode;

/** htm template with one root element: html`<p class="note">${text}</p>`. Values are escaped, never parsed as
 * markup. Forbidden attributes throw. Whitespace around a line break in text is removed. */
export const html = (htm as unknown as { bind: (maker: Maker) => Template }).bind(function checked(
  tag,
  attributes,
  ...content
) {
  // Turns off htm's cache for static elements: Preact elements must not be shared between pages.
  this[0] = 3;
  for (const name in attributes) {
    if (forbidden.test(name)) throw new Error(`The attribute ${name} is not for pages.`);
  }
  return el(tag, attributes, ...content);
});

export interface Target {
  readonly path: string;
  readonly query?: QueryParams;
  readonly hash?: string;
}

export function pageLink(
  context: PageContext,
  to: string | Target,
  attributes: Attributes | null,
  ...content: Content[]
): VNode {
  return createLinkMaker(context, to)(attributes, ...content);
}

/** For several links to the same URL, which is built once. */
export function createLinkMaker(context: PageContext, target: string | Target) {
  const to = typeof target === 'string' ? { path: target } : target;
  const hash = to.hash === undefined ? '' : `#${encodeURIComponent(to.hash)}`;
  const address = `${pageUrl(context, to.path, to.query)}${hash}`;
  return (attributes: Attributes | null, ...content: Content[]) => anchor(address, attributes, content);
}

export function fragmentLink(id: string, attributes: Attributes | null, ...content: Content[]): VNode {
  return anchor(`#${id}`, attributes, content);
}

/** A link to an untrusted URL; its content alone unless it is http or https. Sends no referrer. */
export function externalLink(address: string, ...content: Content[]): Content {
  if (!isHttpUrl(address)) return content;
  return anchor(address, { rel: 'noopener noreferrer nofollow ugc' }, content);
}

export function externalLinkButton(address: string, ...content: Content[]): Content {
  if (!isHttpUrl(address)) return null;
  return anchor(address, { class: 'btn', rel: 'noopener noreferrer nofollow ugc' }, content);
}

export function disabledLink(attributes: Attributes | null, ...content: Content[]): VNode {
  return anchor(null, { ...attributes, role: 'link', 'aria-disabled': 'true' }, content);
}

function anchor(href: string | null, attributes: Attributes | null, content: readonly Content[]): VNode {
  const all: Record<string, unknown> = { ...attributes, href };
  return h('a', all, ...content);
}

function isHttpUrl(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}
