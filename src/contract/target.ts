// The server under test, and a template made into a request to it. Nothing is sent here.
import { gzipSync } from 'node:zlib';
import type { BodyTemplate, RequestTemplate } from './check.ts';
import type { Masks, SentRequest } from './exchange.ts';

export interface Target {
  /** The site: what stands before `/wp-json`. */
  readonly siteUrl: URL;
  readonly publicKey: string;
  readonly secretKey: string;
  /** A domain with bug reports on, and whether the caller named it. */
  readonly domain: string;
  readonly domainGiven: boolean;
  /** A domain on which nobody switched bug reports on. */
  readonly domainOff: string;
  /** The name for which the one proof is made, and the one release. */
  readonly proofDomain: string;
  readonly releaseVersion: string;
  /** 32 lower-case hex characters of this run: ids that nobody has used. */
  readonly run: string;
}

export type Values = ReadonlyMap<string, string>;

/**
 * What every template may name. Ids are derived from the run, so that a run's own repeats meet themselves
 * only.
 */
export function targetValues(target: Target): Map<string, string> {
  return new Map([
    ['public_key', target.publicKey],
    ['secret_key', target.secretKey],
    ['domain', target.domain],
    ['domain_off', target.domainOff],
    ['proof_domain', target.proofDomain],
    ['release_version', target.releaseVersion],
    ['event_id', `a${target.run.slice(1)}`],
    ['envelope_event_id', `b${target.run.slice(1)}`],
    ['unknown_proof_id', `dv_${target.run.slice(0, 22)}`],
  ]);
}

/**
 * Keys, the server's own address, and what is this run's own: two recordings then say the same of the same.
 */
export function targetMasks(target: Target): Masks {
  const site = target.siteUrl.href.replace(/\/$/, '');
  const own = [
    'public_key',
    'secret_key',
    'proof_domain',
    'release_version',
    'event_id',
    'envelope_event_id',
  ];
  return [...targetValues(target)]
    .filter(([name]) => own.includes(name))
    .map(([name, value]): readonly [string, string] => [value, `{{${name}}}`])
    .concat([[site, '{{site}}']]);
}

/** The placeholder names in a template that must have a value, each once. */
export function placeholdersOf(template: RequestTemplate): string[] {
  if (template.literal === true) return [];
  const text = JSON.stringify([
    template.path,
    template.apiPath,
    template.sitePath,
    template.headers,
    template.body,
  ]);
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((found) => found[1] ?? ''))];
}

/**
 * Fills `{{name}}`; a name without a value stays as it is, for the caller has asked `placeholdersOf` before.
 */
export function filled(text: string, values: Values): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values.get(name) ?? whole);
}

/** The request that a template makes at this target. */
export function requestOf(template: RequestTemplate, target: Target, values: Values): SentRequest {
  const plain = bodyBytes(template.body, values);
  const body = template.encoding === 'gzip' ? gzipSync(plain) : plain;
  const coding: ReadonlyArray<readonly [string, string]> =
    template.encoding === undefined ? [] : [['Content-Encoding', template.encoding]];
  const headers = template.headers.map(([name, value]) => [name, filled(value, values)] as const);
  return {
    method: template.method,
    url: target.siteUrl,
    target: `${target.siteUrl.pathname.replace(/\/$/, '')}${filled(addressOf(template), values)}`,
    headers: [['User-Agent', 'notifier-contract/1.0'], ...headers, ...coding],
    body,
  };
}

function addressOf(template: RequestTemplate): string {
  if (template.sitePath !== undefined) return template.sitePath;
  if (template.apiPath !== undefined) return `/wp-json${template.apiPath}`;
  return `/wp-json/notifier/v1${template.path ?? ''}`;
}

function bodyBytes(body: BodyTemplate | undefined, values: Values): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(filled(body, values));
  if ('base64' in body) return Buffer.from(body.base64, 'base64');
  if ('json' in body) return Buffer.from(filled(JSON.stringify(body.json), values));
  return Buffer.from(body.repeat.repeat(body.times));
}
