// Form, creation, display and hashing of project keys. Of secret keys only the SHA-256 is stored.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createInvalidParamError } from '../errors.ts';
import { base62, randomBase62 } from '../ids.ts';
import { cutText } from '../parsing/cut-text.ts';
import { dayMs, parseDuration } from '../parsing/durations.ts';
import { type EpochMs, formatTime, parseTime } from '../parsing/timestamps.ts';
import { parseWebOrigin } from '../parsing/web-url.ts';
import {
  type KeyKind,
  type KeyScope,
  type NewKey,
  type ProjectKey,
  secretScopes,
} from '../store/projects.ts';
import type { Store } from '../store/store.ts';

const checksumCharacters = 6;
type Form = KeyKind | 'personal';

const randomCharacters: Readonly<Record<Form, number>> = { public: 32, secret: 43, personal: 43 };
const prefixes: Readonly<Record<Form, string>> = {
  public: 'ntf_pk_',
  secret: 'ntf_sk_',
  personal: 'ntf_pt_',
};

/** Imported keys too. */
const importablePattern = /^[A-Za-z0-9_-]{8,128}$/;

/** Prefix, 32 or 43 random base62 characters, and six characters of CRC32 over all before. */
export function generateKey(kind: Form, randomBytes: (count: number) => Buffer): string {
  const body = prefixes[kind] + randomBase62(randomCharacters[kind], randomBytes);
  return body + checksumOf(body);
}

export function isImportableKey(key: string): boolean {
  return importablePattern.test(key);
}

/** The form if the key has exactly one of ours, else null. */
export function detectKeyForm(key: string): Form | null {
  for (const kind of ['public', 'secret', 'personal'] as const) {
    const length = prefixes[kind].length + randomCharacters[kind] + checksumCharacters;
    if (key.startsWith(prefixes[kind]) && key.length === length && /^[0-9A-Za-z_]+$/.test(key)) return kind;
  }
  return null;
}

/** Detects typing mistakes without a query. */
export function hasValidChecksum(key: string): boolean {
  const body = key.slice(0, -checksumCharacters);
  return checksumOf(body) === key.slice(-checksumCharacters);
}

/** 64 hex digits; 256 random bits need neither salt nor a slow hash. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** `ntf_sk_abcdefgh…wxyz`. */
export function maskKey(key: Pick<ProjectKey, 'prefix' | 'lastFour'>): string {
  return `${key.prefix}…${key.lastFour}`;
}

export interface CreatedKey {
  readonly key: ProjectKey;
  /** The full key; a secret one cannot be shown again. */
  readonly text: string;
}

export interface KeyOptions
  extends Partial<Pick<NewKey, 'label' | 'scopes' | 'allowedOrigins' | 'expiresAtMs'>> {
  readonly imported?: string;
}

export async function createKey(
  deps: Pick<Deps, 'now' | 'randomBytes'> & { readonly store: Pick<Store, 'createKey'> },
  projectId: number,
  kind: KeyKind,
  options: KeyOptions = {},
): Promise<CreatedKey> {
  const { imported, ...fields } = options;
  const text = imported ?? generateKey(kind, deps.randomBytes);
  const isImported = imported !== undefined;
  const key = await deps.store.createKey({
    ...buildKey({ projectId, kind, text, isImported, createdAtMs: deps.now() }),
    ...fields,
  });
  return { key, text };
}

/** Of a secret key only the hash and the displayable parts. */
export function buildKey(key: {
  projectId: number;
  kind: KeyKind;
  text: string;
  isImported: boolean;
  createdAtMs: number;
}): NewKey {
  const { projectId, kind, text, isImported, createdAtMs } = key;
  return {
    projectId,
    kind,
    hash: hashKey(text),
    prefix: getDisplayPrefix(text),
    lastFour: text.slice(-Math.min(4, Math.floor(text.length / 4))),
    imported: isImported,
    label: '',
    publicKey: kind === 'public' ? text : null,
    scopes: defaultScopes(kind),
    allowedOrigins: [],
    createdAtMs,
    expiresAtMs: null,
  };
}

/** The displayable start: of our form the prefix and eight characters, else at most four. */
export function getDisplayPrefix(text: string): string {
  const kind = detectKeyForm(text);
  return text.slice(0, kind === null ? Math.min(4, Math.floor(text.length / 4)) : prefixes[kind].length + 8);
}

export function isKeyValid(key: Pick<ProjectKey, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): boolean {
  return (
    (key.revokedAtMs === null || key.revokedAtMs > nowMs) &&
    (key.expiresAtMs === null || key.expiresAtMs > nowMs)
  );
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < checksumCharacters; index += 1) {
    text = base62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

// Allowed origins stop a copied public key in other websites, not requests of programs, which send no Origin.

const originsMax = 50;

/** A request without Origin is no browser's and is allowed; `null` (opaque) is not. */
export function isOriginAllowed(
  { allowedOrigins }: Pick<ProjectKey, 'allowedOrigins'>,
  origin: string | undefined,
): boolean {
  if (allowedOrigins.length === 0 || origin === undefined || origin === '') return true;
  return allowedOrigins.includes(origin.toLowerCase());
}

/** Throws 400 for invalid or too many origins. */
export function parseKeyOrigins(texts: readonly string[]): readonly string[] {
  const origins = texts.map((text) => parseWebOrigin(text));
  if (origins.includes(null) || origins.length > originsMax) {
    throw createInvalidParamError({
      allowed_origins: `allowed_origins must be up to ${originsMax} origins, for example https://example.com.`,
    });
  }
  return [...new Set(origins.filter((origin) => origin !== null))];
}

// Scopes of keys; the route table says which route needs which.

function defaultScopes(kind: KeyKind): readonly KeyScope[] {
  return kind === 'public' ? ['ingest'] : secretScopes;
}

export function hasScope({ scopes }: Pick<ProjectKey, 'scopes'>, scope: KeyScope): boolean {
  return scopes.includes(scope);
}

/** Throws 400 for none, unknown ones, or ones not for this kind: a public key is visible and may not read. */
export function parseScopes(kind: KeyKind, words: readonly string[]): readonly KeyScope[] {
  const known: readonly string[] = defaultScopes(kind);
  const unknownScope = words.find((word) => !known.includes(word));
  if (words.length === 0 || unknownScope !== undefined) {
    const problem =
      unknownScope === undefined ? 'No scope was given' : `"${unknownScope.slice(0, 40)}" is none of them`;
    throw createBadRequestError(
      'notifier_key_scopes',
      `The scopes of a ${kind} key are ${known.join(', ')}. ${problem}.`,
    );
  }
  return defaultScopes(kind).filter((scope) => words.includes(scope));
}

const labelCharactersMax = 100;
const lifeMsMax = 10 * 365 * dayMs;

/** As written; absent means unchanged. */
export interface KeyOptionTexts {
  readonly label?: string | undefined;
  /** Separated by commas or spaces. */
  readonly scopes?: string | undefined;
  /** Separated by commas or white space; empty for everywhere. */
  readonly origins?: string | undefined;
  /** `90d`, a date, a time, or `never`. */
  readonly expires?: string | undefined;
}

export type ParsedKeyOptions = Omit<KeyOptions, 'imported'>;

export function parseKeyOptions(kind: KeyKind, words: KeyOptionTexts, nowMs: EpochMs): ParsedKeyOptions {
  return {
    ...(words.label === undefined ? {} : { label: cutText(words.label, labelCharactersMax) }),
    ...(words.scopes === undefined ? {} : { scopes: parseScopes(kind, listed(words.scopes)) }),
    ...(words.origins === undefined ? {} : { allowedOrigins: originsOf(kind, words.origins) }),
    ...(words.expires === undefined ? {} : { expiresAtMs: parseExpiry(words.expires.trim(), nowMs) }),
  };
}

function originsOf(kind: KeyKind, text: string): readonly string[] {
  const origins = parseKeyOrigins(listed(text));
  if (kind === 'secret' && origins.length > 0) {
    throw createBadRequestError(
      'notifier_key_origins',
      'A secret key has no allowed origins, because it is never used in a page.',
    );
  }
  return origins;
}

/** Null for `never`. Throws 400. */
export function parseExpiry(text: string, nowMs: EpochMs): EpochMs | null {
  if (text === 'never') return null;
  const span = parseDuration(text);
  const endsAtMs = span === null ? parseTime(text) : nowMs + span;
  if (endsAtMs === null || Number.isFinite(Number(text))) {
    throw createBadRequestError(
      'notifier_key_expires',
      'The expiry must be a duration, for example 90d, a date, for example 2027-01-31, or never.',
    );
  }
  if (endsAtMs <= nowMs || endsAtMs > nowMs + lifeMsMax) {
    const problem = `${formatTime(endsAtMs).slice(0, 16).replace('T', ' ')} UTC is not.`;
    throw createBadRequestError(
      'notifier_key_expires',
      `The expiry must be in the future, within ten years: ${problem}`,
    );
  }
  return endsAtMs;
}

function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter((each) => each !== '');
}
