// The server under test, and how templates become requests to it.
import { gzipSync } from 'node:zlib';
import type { BodyTemplate, RequestTemplate } from './check-types.ts';
import type { Masks, SentRequest } from './exchange.ts';

export interface Target {
  readonly siteUrl: URL;
  readonly publicKey: string;
  readonly secretKey: string;
  /** A domain with bug reports enabled, and whether it was given as an option. */
  readonly domain: string;
  readonly domainGiven: boolean;
  readonly domainOff: string;
  /** Domain of the verification and version of the release that all runs share. */
  readonly proofDomain: string;
  readonly releaseVersion: string;
  /** 32 hex characters, unique per run. */
  readonly run: string;
}

export type Values = ReadonlyMap<string, string>;

/** Placeholders of the target. Ids are derived from the run, so that runs do not collide. */
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

/** Secrets, URLs and values of this run, so that recordings are comparable. */
export function targetMasks(target: Target): Masks {
  const site = target.siteUrl.href.replace(/\/$/, '');
  const maskedNames = [
    'public_key',
    'secret_key',
    'proof_domain',
    'release_version',
    'event_id',
    'envelope_event_id',
  ];
  return [...targetValues(target)]
    .filter(([name]) => maskedNames.includes(name))
    .map(([name, value]): readonly [string, string] => [value, `{{${name}}}`])
    .concat([[site, '{{site}}']]);
}

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

/** Replaces `{{name}}`; unknown names stay. */
export function fillPlaceholders(text: string, values: Values): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values.get(name) ?? placeholder);
}

export function buildRequest(template: RequestTemplate, target: Target, values: Values): SentRequest {
  const plain = bodyBytes(template.body, values);
  const body = template.encoding === 'gzip' ? gzipSync(plain) : plain;
  const coding: ReadonlyArray<readonly [string, string]> =
    template.encoding === undefined ? [] : [['Content-Encoding', template.encoding]];
  const headers = template.headers.map(([name, value]) => [name, fillPlaceholders(value, values)] as const);
  return {
    method: template.method,
    url: target.siteUrl,
    target: `${target.siteUrl.pathname.replace(/\/$/, '')}${fillPlaceholders(addressOf(template), values)}`,
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
  if (typeof body === 'string') return Buffer.from(fillPlaceholders(body, values));
  if ('base64' in body) return Buffer.from(body.base64, 'base64');
  if ('json' in body) return Buffer.from(fillPlaceholders(JSON.stringify(body.json), values));
  return Buffer.from(body.repeat.repeat(body.times));
}
