// Project keys: their form, how they are made, shown, hashed and rotated. Only sha256 digests of secrets are
// ever stored.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Deps } from '../deps.ts';
import { base62, randomBase62 } from '../ids.ts';
import type { KeyKind, NewKey, ProjectKey } from '../store/projects.ts';
import type { Store } from '../store/store.ts';
import { scopesOfKind } from './key-scopes.ts';

const checksumCharacters = 6;
const randomCharacters = { public: 32, secret: 43 } as const;
const prefixes = { public: 'ntf_pk_', secret: 'ntf_sk_' } as const;

/** The characters that any key may have (D-19): imported ones too. */
const importablePattern = /^[A-Za-z0-9_-]{8,128}$/;

/**
 * Makes a key of our form (D-19): prefix, 32 or 43 random base62 characters, six of CRC32 over all before.
 * `randomBytes` is the system's generator.
 */
export function generateKey(kind: KeyKind, randomBytes: (count: number) => Buffer): string {
  const body = prefixes[kind] + randomBase62(randomCharacters[kind], randomBytes);
  return body + checksumOf(body);
}

/** Whether a key may be taken over as it is: 8 to 128 characters of A-Z a-z 0-9 _ - (D-19). */
export function isImportable(key: string): boolean {
  return importablePattern.test(key);
}

/** The kind a key of exactly our form says it is, or null for any other key. */
export function kindByForm(key: string): KeyKind | null {
  for (const kind of ['public', 'secret'] as const) {
    const length = prefixes[kind].length + randomCharacters[kind] + checksumCharacters;
    if (key.startsWith(prefixes[kind]) && key.length === length && /^[0-9A-Za-z_]+$/.test(key)) return kind;
  }
  return null;
}

/** Whether the last six characters are the CRC32 of the rest: a typing mistake shows without a database. */
export function checksumHolds(key: string): boolean {
  const body = key.slice(0, -checksumCharacters);
  return checksumOf(body) === key.slice(-checksumCharacters);
}

/** sha256 of a key as 64 hex: 256 random bits need neither salt nor a slow hash. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** How a key may be shown: `ntf_sk_abcdefgh…wxyz`. */
export function maskedKey(key: Pick<ProjectKey, 'prefix' | 'lastFour'>): string {
  return `${key.prefix}…${key.lastFour}`;
}

export interface CreatedKey {
  readonly key: ProjectKey;
  /** The whole key, which a secret never shows again. */
  readonly text: string;
}

/** What may be said of a key when it is made; each has a default. */
export interface KeyOptions
  extends Partial<Pick<NewKey, 'label' | 'scopes' | 'allowedOrigins' | 'expiresAtMs'>> {
  /** A key that is in use elsewhere, to be taken over as it is. */
  readonly imported?: string;
}

/** Stores a key for a project and answers its whole text, which a secret never shows again. */
export async function createKey(
  deps: Pick<Deps, 'now' | 'randomBytes'> & { readonly store: Pick<Store, 'createKey'> },
  projectId: number,
  kind: KeyKind,
  options: KeyOptions = {},
): Promise<CreatedKey> {
  const { imported, ...said } = options;
  const text = imported ?? generateKey(kind, deps.randomBytes);
  const isImported = imported !== undefined;
  const key = await deps.store.createKey({
    ...newKey({ projectId, kind, text, isImported, createdAtMs: deps.now() }),
    ...said,
  });
  return { key, text };
}

/** A key as it is stored: of a secret only the digest, and what may be shown. */
export function newKey(key: {
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
    prefix: shownPrefix(text),
    lastFour: text.slice(-Math.min(4, Math.floor(text.length / 4))),
    imported: isImported,
    label: '',
    publicKey: kind === 'public' ? text : null,
    scopes: scopesOfKind(kind),
    allowedOrigins: [],
    createdAtMs,
    expiresAtMs: null,
  };
}

/**
 * The first characters of a key, as many as may be shown of one of its form: of ours the kind and eight, else
 * four.
 */
export function shownPrefix(text: string): string {
  const kind = kindByForm(text);
  return text.slice(0, kind === null ? Math.min(4, Math.floor(text.length / 4)) : prefixes[kind].length + 8);
}

/** Whether a key opens anything at a moment: neither revoked nor past its end. */
export function isLive(key: Pick<ProjectKey, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): boolean {
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
