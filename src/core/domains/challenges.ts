// What a site publishes to verify a domain, and the checks of what was found there. No I/O.

import { hash } from 'node:crypto';
import { isIP } from 'node:net';
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

export const metaTagName = 'notifier-site-verification';
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

/** String.prototype.trim would also remove 0xA0, which is an ordinary byte in a TXT record. */
export function trimBlanks(text: string): string {
  return text.replace(/^[ \t\r\n\f]+/, '').replace(/(?<![ \t\r\n\f])[ \t\r\n\f]+$/, '');
}

/** Charset: byte-order mark, then Content-Type, then `declared`, then UTF-8. Null for an unknown charset. */
export function decodePage(page: FetchedPage, declared: string | null): string | null {
  try {
    return new TextDecoder(charsetOf(page) ?? declared ?? 'utf-8').decode(page.bytes);
  } catch {
    return null;
  }
}

export function charsetOf(page: FetchedPage): string | null {
  const [first, second, third] = page.bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return /;[ \t]*charset[ \t]*=[ \t]*["']?([^\s"';]{1,40})/i.exec(page.contentType ?? '')?.[1] ?? null;
}
