// Form, creation, display and hashing of project keys. Of secret keys only the SHA-256 is stored.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Deps } from '../deps.ts';
import { base62, randomBase62 } from '../ids.ts';
import type { KeyKind, NewKey, ProjectKey } from '../store/projects.ts';
import type { Store } from '../store/store.ts';
import { defaultScopes } from './key-scopes.ts';

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
