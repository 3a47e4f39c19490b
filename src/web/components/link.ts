// The only place that creates links: local paths below the base, and http(s) URLs from outside.
import { h, type VNode } from 'preact';
import type { Attributes, Content } from '../el.ts';
import { type PageContext, pageUrl, type QueryParams } from '../page-context.ts';

interface Target {
  readonly path: string;
  readonly query?: QueryParams;
  readonly hash?: string;
}

export type LinkMaker = (attributes: Attributes | null, ...content: Content[]) => VNode;

export function pageLink(
  context: PageContext,
  to: Target,
  attributes: Attributes | null,
  ...content: Content[]
): VNode {
  return createLinkMaker(context, to)(attributes, ...content);
}

/** For several links to the same URL, which is built once. */
export function createLinkMaker(context: PageContext, to: Target): LinkMaker {
  const hash = to.hash === undefined ? '' : `#${encodeURIComponent(to.hash)}`;
  const address = `${pageUrl(context, to.path, to.query)}${hash}`;
  return (attributes, ...content) => anchor(address, attributes, content);
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

export function linkButton(context: PageContext, path: string, word: string, className: string): VNode {
  return pageLink(context, { path }, { class: className }, word);
}
