// The two ways to an element: markup in a template (`html`), or one call (`el`). Attributes are texts,
// numbers and flags: what could carry markup or a style cannot be said here, and links are parts/link.ts's.
import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

export type Content = ComponentChildren;

type Value = string | number | boolean | null | undefined;

/**
 * Attributes by their names in HTML and SVG. `true` writes the name alone; `false`, null and undefined leave
 * it away, but for `aria-…`, where `false` is a value. Handlers, styles and raw markup are no attributes
 * here, and an `href` has to go through parts/link.ts.
 */
export type Attributes = { readonly [name: string]: Value } & {
  readonly [Forbidden in `on${string}` | 'style' | 'href' | 'srcdoc' | 'dangerouslySetInnerHTML']?: never;
};

/** An element of HTML or SVG. Texts among `content` are escaped where the page is written. */
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

/**
 * The same of a template that holds one element: html`<p class="note">${text}</p>`. What stands in `${…}` is
 * a text, an element, an attribute's value, or attributes after `...`; it is never read as markup. An
 * attribute that `Attributes` forbids throws. A text that breaks over lines loses the space around the break.
 */
export const html = (htm as unknown as { bind: (maker: Maker) => Template }).bind(function checked(
  tag,
  attributes,
  ...content
) {
  // An element that htm would keep for the next page holds on to the page that it was on.
  this[0] = 3;
  for (const name in attributes) {
    if (forbidden.test(name)) throw new Error(`The attribute ${name} is not for pages.`);
  }
  return el(tag, attributes, ...content);
});
