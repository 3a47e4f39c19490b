// The one way to an element. Attributes are texts, numbers and flags: what could carry markup or a style
// cannot be said here, and links are parts/link.ts's alone.
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
