// What a site publishes to verify a domain, and the checks of what was found there. No I/O.

import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5';
import type { Config } from '../config/config.ts';
import type { FetchedPage } from '../ports/domain-check-client.ts';
import {
  type CheckFailure,
  type DomainVerification,
  type VerificationMethod,
  verificationMethods,
} from '../store/domains.ts';

export interface DnsChallengeSettings {
  /** An underscore label cannot be a host name (draft-ietf-dnsop-domain-verification-techniques). */
  readonly label: string;
  /** The CNAME of a verification points below this host; null if the server has no public name. */
  readonly host: string | null;
}

const defaultDnsSettings: DnsChallengeSettings = { label: '_notifier-challenge', host: null };

export function dnsChallengeSettings({
  challengeLabel,
  baseUrl,
}: Pick<Config, 'challengeLabel' | 'baseUrl'>): DnsChallengeSettings {
  const host = baseUrl === null ? null : new URL(baseUrl).hostname;
  const isName = host !== null && isIP(host.replace(/^\[|\]$/g, '')) === 0 && host.includes('.');
  return { label: challengeLabel, host: isName ? host : null };
}

/** CNAME target in place of the TXT record; null without a host. Holds a hash, because DNS ignores case. */
export function cnameTargetFor(token: string, { host }: DnsChallengeSettings): string | null {
  return host === null ? null : `${hash('sha256', token).slice(0, 40)}.${host}`;
}

const metaTagName = 'notifier-site-verification';
const verificationText = (token: string) => `notifier-verification=${token}`;

export const verificationFilePath = '/.well-known/notifier-verification.txt';
export const verificationPagePath = '/';
export const fileBytesMax = 4 * 1024;
/** The <head> of a default WordPress page is 61 KB. */
export const pageBytesMax = 512 * 1024;
const nameCharactersMax = 253;

export type Challenge =
  | {
      type: 'dns_txt';
      name: string;
      value: string;
      values_also_ok: readonly string[];
      cname_also_ok?: string | undefined;
    }
  | { type: 'http_file'; url: string; body: string }
  | { type: 'html_meta'; url: string; tag: string };

/** Subdomains can only be verified by DNS: a file on one host proves nothing about another. */
export function allowedMethods(
  proof: Pick<DomainVerification, 'method' | 'scope'>,
): readonly VerificationMethod[] {
  const allowed: readonly VerificationMethod[] =
    proof.scope === 'subdomains' ? ['dns_txt'] : verificationMethods;
  return allowed.filter((method) => proof.method === 'any' || proof.method === method);
}

export function txtRecordName(
  domain: string,
  { label }: DnsChallengeSettings = defaultDnsSettings,
): string | null {
  const name = `${label}.${domain}`;
  return name.length > nameCharactersMax ? null : name;
}

/** `expiresAt` is a date, YYYY-MM-DD. */
export function buildChallenges(
  domain: string,
  token: string,
  expiresAt: string,
  methods: readonly VerificationMethod[],
  dnsSettings: DnsChallengeSettings = defaultDnsSettings,
): Challenge[] {
  const name = txtRecordName(domain, dnsSettings);
  const target = cnameTargetFor(token, dnsSettings);
  const all: Challenge[] = [
    { type: 'http_file', url: `https://${domain}${verificationFilePath}`, body: verificationText(token) },
    {
      type: 'html_meta',
      url: `https://${domain}${verificationPagePath}`,
      tag: `<meta name="${metaTagName}" content="${token}">`,
    },
  ];
  if (name !== null) {
    const alternatives = [`token=${token}`, verificationText(token)];
    all.unshift({
      type: 'dns_txt',
      name,
      value: `token=${token} expiry=${expiresAt}`,
      values_also_ok: alternatives,
      ...(target === null ? {} : { cname_also_ok: target }),
    });
  }
  return all.filter((challenge) => methods.includes(challenge.type));
}

/** Accepts `token=…`, alone or with `expiry=…`, or `notifier-verification=…`. The expiry is not enforced. */
export function txtRecordMatches(record: string, token: string): boolean {
  const trimmed = trimBlanks(record);
  const quoted = trimmed.length >= 2 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const value = quoted ? trimBlanks(trimmed.slice(1, -1)) : trimmed;
  if (value === verificationText(token)) return true;
  const words = value.split(/[ \t]+/);
  const others = words.filter((word) => word !== `token=${token}`);
  const isExpiry = (word: string) => /^expiry=[0-9A-Za-z:.+-]{1,40}$/.test(word);
  return words.length - others.length === 1 && others.length <= 1 && others.every(isExpiry);
}

export function checkVerificationFile(page: FetchedPage, token: string): CheckFailure | null {
  const text = decodePage(page, null);
  if (text === null) return 'bad_response';
  return trimBlanks(text) === verificationText(token) ? null : 'mismatch';
}

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

/** String.prototype.trim would also remove 0xA0, which is an ordinary byte in a TXT record. */
function trimBlanks(text: string): string {
  return text.replace(/^[ \t\r\n\f]+/, '').replace(/(?<![ \t\r\n\f])[ \t\r\n\f]+$/, '');
}

/** Charset: byte-order mark, then Content-Type, then `declared`, then UTF-8. Null for an unknown charset. */
function decodePage(page: FetchedPage, declared: string | null): string | null {
  try {
    return new TextDecoder(charsetOf(page) ?? declared ?? 'utf-8').decode(page.bytes);
  } catch {
    return null;
  }
}

function charsetOf(page: FetchedPage): string | null {
  const [first, second, third] = page.bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return /;[ \t]*charset[ \t]*=[ \t]*["']?([^\s"';]{1,40})/i.exec(page.contentType ?? '')?.[1] ?? null;
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
  const document = parseHeadOnly(html);
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

/** Stops at the body: error recovery can turn a broken body of this size into millions of elements. */
function parseHeadOnly(html: string): DefaultTreeAdapterTypes.Document {
  return parseHead(html, true).document;
}

/** Whether nothing more of the page has to be downloaded. */
export function isHeadComplete(bytes: Uint8Array): boolean {
  return parseHead(Buffer.from(bytes).toString('latin1'), false).isOver;
}

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
