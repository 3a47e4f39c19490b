// What a page of the demo leads to, read from its markup alone, as somebody without a browser would: links,
// images, forms that ask, and its headings.
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export interface Walked {
  /** The text of each `h1`. */
  readonly titles: readonly string[];
  /** Addresses of ours with what is asked of them, in the order in which they stand. */
  readonly links: readonly Link[];
  /** Forms that do something else than ask, by their address. */
  readonly posts: readonly string[];
  /** Names that a link may lead to within the page. */
  readonly ids: ReadonlySet<string>;
}

interface Link {
  /** From the host on, without a fragment. */
  readonly path: string;
  /** Of the fragment; null without one. */
  readonly fragment: string | null;
  readonly words: string;
  /** Whether it is a form with what stands in it. */
  readonly isForm: boolean;
}

/** Reads a page that was answered at `url`. */
export function walked(html: string, url: URL): Walked {
  const all = elementsOf(parse(html));
  const links: Link[] = [];
  const add = (to: URL | null, words: string, isForm: boolean): void => {
    if (to === null || to.origin !== url.origin) return;
    const fragment = to.hash === '' ? null : decodeURIComponent(to.hash.slice(1));
    links.push({ path: `${to.pathname}${to.search}`, fragment, words, isForm });
  };
  const posts: string[] = [];
  for (const each of all) {
    const address = attribute(each, 'href') ?? attribute(each, 'src');
    if (address !== null) add(URL.parse(address, url), textOf(each), false);
    if (each.tagName !== 'form') continue;
    if (attribute(each, 'method')?.toLowerCase() === 'post') posts.push(attribute(each, 'action') ?? '');
    else for (const to of asked(each, all, url)) add(to, 'a form', true);
  }
  return {
    titles: all.filter(({ tagName }) => tagName === 'h1').map(textOf),
    links,
    posts,
    ids: new Set(all.flatMap((each) => attribute(each, 'id') ?? [])),
  };
}

/** Where a form leads as it stands: once for each of its buttons, as each may say something of its own. */
function asked(form: Element, all: readonly Element[], url: URL): URL[] {
  const id = attribute(form, 'id');
  const within = new Set(elementsOf(form));
  const own = all.filter((each) => within.has(each) || (id !== null && attribute(each, 'form') === id));
  const fields = own.flatMap(valuesOf);
  const buttons = own.filter(
    (each) => each.tagName === 'button' && (attribute(each, 'type') ?? 'submit') === 'submit',
  );
  return (buttons.length === 0 ? [null] : buttons).flatMap((button) => {
    const name = button === null ? null : attribute(button, 'name');
    const pressed = button === null || name === null ? [] : [[name, attribute(button, 'value') ?? '']];
    const action = (button === null ? null : attribute(button, 'formaction')) ?? attribute(form, 'action');
    const to = URL.parse(action ?? url.pathname, url);
    if (to === null) return [];
    to.search = new URLSearchParams([...fields, ...pressed]).toString();
    return [to];
  });
}

/** What a field sends along: nothing where it has no name, is off, or is not chosen. */
function valuesOf(field: Element): Array<[string, string]> {
  const name = attribute(field, 'name');
  if (name === null || attribute(field, 'disabled') !== null) return [];
  if (field.tagName === 'textarea') return [[name, textOf(field)]];
  if (field.tagName === 'select') {
    const options = elementsOf(field).filter(({ tagName }) => tagName === 'option');
    const chosen = options.find((each) => attribute(each, 'selected') !== null) ?? options[0];
    return chosen === undefined ? [] : [[name, attribute(chosen, 'value') ?? textOf(chosen)]];
  }
  if (field.tagName !== 'input') return [];
  const type = attribute(field, 'type') ?? 'text';
  if (['checkbox', 'radio'].includes(type) && attribute(field, 'checked') === null) return [];
  return ['submit', 'reset', 'button', 'file'].includes(type)
    ? []
    : [[name, attribute(field, 'value') ?? '']];
}

function elementsOf(node: Node, found: Element[] = []): Element[] {
  if ('tagName' in node) found.push(node);
  if ('content' in node) elementsOf(node.content, found);
  if ('childNodes' in node) for (const child of node.childNodes) elementsOf(child, found);
  return found;
}

function attribute(element: Element, name: string): string | null {
  return element.attrs.find((each) => each.name === name)?.value ?? null;
}

/** All text within, runs of blanks as one. */
function textOf(node: Node): string {
  const parts = (each: Node): string =>
    'value' in each ? each.value : 'childNodes' in each ? each.childNodes.map(parts).join('') : '';
  return parts(node).replaceAll(/\s+/g, ' ').trim();
}
