// The verification token in a meta tag. Loaded for the first check: its parser takes 11 MiB.
import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5';
import type { FetchedPage } from '../ports/domain-check-client.ts';
import type { CheckFailure } from '../store/domains.ts';
import { charsetOf, decodePage, metaTagName, trimBlanks } from './challenges.ts';

/** In the `<head>` as browsers parse it: comments, scripts, templates, body prove nothing. XHTML is refused. */
export function checkMetaTag(page: FetchedPage, token: string): CheckFailure | null {
  const mediaType = trimBlanks((page.contentType ?? 'text/html').split(';')[0] ?? '').toLowerCase();
  const text = mediaType === 'text/html' ? decodePage(page, null) : null;
  if (text === null) return 'bad_response';
  let metas = findMetaTags(text);
  const declared = declaredCharset(metas);
  if (declared !== null && charsetOf(page) === null) {
    const redecoded = decodePage(page, declared);
    if (redecoded === null) return 'bad_response';
    metas = findMetaTags(redecoded);
  }
  const contents = metas
    .filter((meta) => meta.get('name')?.toLowerCase() === metaTagName)
    .map((meta) => trimBlanks(meta.get('content') ?? ''));
  if (contents.length === 0) return 'no_record';
  return contents.includes(token) ? null : 'mismatch';
}

type Attributes = ReadonlyMap<string, string>;

function declaredCharset(metas: readonly Attributes[]): string | null {
  for (const meta of metas) {
    const charset =
      meta.get('charset') ??
      /charset[ \t]*=[ \t]*["']?([^\s"';]{1,40})/i.exec(meta.get('content') ?? '')?.[1];
    const isPragma = meta.get('http-equiv')?.toLowerCase() === 'content-type';
    if (charset === undefined || !(meta.has('charset') || isPragma)) continue;
    // HTML standard: a UTF-16 declaration that could be read as ASCII means UTF-8.
    return /^utf-?16/i.test(charset) ? 'utf-8' : charset;
  }
  return null;
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

function findMetaTags(html: string): Attributes[] {
  const { document } = parseHead(html, true);
  const root = document.childNodes.find((node) => isElement(node, 'html')) as Element | undefined;
  const head = root?.childNodes.find((node) => isElement(node, 'head')) as Element | undefined;
  if (head === undefined) return [];
  // The parser moves a <meta> written after </head> into the head; such a tag must not count.
  const endsAt = head.sourceCodeLocation?.endTag?.startOffset ?? Number.POSITIVE_INFINITY;
  return head.childNodes
    .filter((node) => isElement(node, 'meta'))
    .filter((meta) => (meta.sourceCodeLocation?.startOffset ?? endsAt) < endsAt)
    .map((meta) => new Map(meta.attrs.map(({ name, value }) => [name, value])));
}

const headElementsMax = 2000;

/** Whether nothing more of the page has to be downloaded. */
export function isHeadComplete(bytes: Uint8Array): boolean {
  return parseHead(Buffer.from(bytes).toString('latin1'), false).isOver;
}

/** Stops at the body: error recovery can turn a broken body of this size into millions of elements. */
function parseHead(
  html: string,
  isWhole: boolean,
): { document: DefaultTreeAdapterTypes.Document; isOver: boolean } {
  const enough = new Error('The head is over.');
  let elements = 0;
  const createElement: typeof defaultTreeAdapter.createElement = (tagName, namespace, attributes) => {
    elements += 1;
    if (tagName === 'body' || tagName === 'frameset' || elements > headElementsMax) throw enough;
    return defaultTreeAdapter.createElement(tagName, namespace, attributes);
  };
  const treeAdapter = { ...defaultTreeAdapter, createElement };
  const parser = new Parser<DefaultTreeAdapterMap>({ sourceCodeLocationInfo: true, treeAdapter });
  try {
    parser.tokenizer.write(html, isWhole);
  } catch (error) {
    if (error !== enough) throw error;
    return { document: parser.document, isOver: true };
  }
  return { document: parser.document, isOver: false };
}

function isElement(node: Node, tagName: string): node is Element {
  return 'tagName' in node && node.tagName === tagName;
}
