// Scopes of keys; the route table says which route needs which.
import { createBadRequestError } from '../errors.ts';
import { type KeyKind, type KeyScope, type ProjectKey, secretScopes } from '../store/projects.ts';

export function defaultScopes(kind: KeyKind): readonly KeyScope[] {
  return kind === 'public' ? ['ingest'] : secretScopes;
}

export function hasScope({ scopes }: Pick<ProjectKey, 'scopes'>, scope: KeyScope): boolean {
  return scopes.includes(scope);
}

/** Throws 400 for none, unknown ones, or ones not for this kind: a public key is visible and may not read. */
export function parseScopes(kind: KeyKind, words: readonly string[]): readonly KeyScope[] {
  const known: readonly string[] = defaultScopes(kind);
  const strange = words.find((word) => !known.includes(word));
  if (words.length === 0 || strange !== undefined) {
    const fault = strange === undefined ? 'No scope was given' : `"${strange.slice(0, 40)}" is none of them`;
    throw createBadRequestError(
      'notifier_key_scopes',
      `The scopes of a ${kind} key are ${known.join(', ')}. ${fault}.`,
    );
  }
  return defaultScopes(kind).filter((scope) => words.includes(scope));
}
