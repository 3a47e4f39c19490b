// Links, the only place where an address becomes one. Ours are made of a path; others only where they lead to
// the web.
import { h, type VNode } from 'preact';
import type { Attributes, Content } from '../el.ts';
import { addressOf, type Frame, type QueryMembers } from '../frame.ts';

interface Target {
  readonly path: string;
  readonly query?: QueryMembers;
  readonly hash?: string;
}

/** Makes one link of an address, around its content. */
export type LinkMaker = (attributes: Attributes | null, ...content: Content[]) => VNode;

/** A link to a page of ours: a path below the base, as in `addressOf`. */
export function pageLink(
  frame: Frame,
  to: Target,
  attributes: Attributes | null,
  ...content: Content[]
): VNode {
  return linksTo(frame, to)(attributes, ...content);
}

/** The same for links that lead to one page from several places: its address is written out once. */
export function linksTo(frame: Frame, to: Target): LinkMaker {
  const hash = to.hash === undefined ? '' : `#${encodeURIComponent(to.hash)}`;
  const address = `${addressOf(frame, to.path, to.query)}${hash}`;
  return (attributes, ...content) => anchor(address, attributes, content);
}

/** A link to a place on this page. */
export function hashLink(id: string, attributes: Attributes | null, ...content: Content[]): VNode {
  return anchor(`#${id}`, attributes, content);
}

/**
 * A link to an address that came from outside, or its content alone where that is none of the web: only http
 * and https are followed, and nobody is told where from.
 */
export function webLink(address: string, ...content: Content[]): Content {
  if (!isOfWeb(address)) return content;
  return anchor(address, { rel: 'noopener noreferrer nofollow ugc' }, content);
}

/** The same as a button; nothing for what is no address of the web. */
export function webButton(address: string, ...content: Content[]): Content {
  if (!isOfWeb(address)) return null;
  return anchor(address, { class: 'btn', rel: 'noopener noreferrer nofollow ugc' }, content);
}

/** A link that leads nowhere now: shown, and not to be followed. */
export function deadLink(attributes: Attributes | null, ...content: Content[]): VNode {
  return anchor(null, { ...attributes, role: 'link', 'aria-disabled': 'true' }, content);
}

function anchor(href: string | null, attributes: Attributes | null, content: readonly Content[]): VNode {
  const all: Record<string, unknown> = { ...attributes, href };
  return h('a', all, ...content);
}

function isOfWeb(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}
