// Creates elements: `html` from a template, `el` by a call. Links are created only in link.ts.
import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

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
