// What a key may do (D-179). Which route wants which scope stands in the table of routes.
import { badRequest } from '../errors.ts';
import { type KeyKind, type KeyScope, type ProjectKey, secretScopes } from '../store/projects.ts';

/** What a key may do where nobody said it: a public key sends, a secret one does all the rest. */
export function scopesOfKind(kind: KeyKind): readonly KeyScope[] {
  return kind === 'public' ? ['ingest'] : secretScopes;
}

/** Whether a key may do what a scope stands for. */
export function hasScope({ scopes }: Pick<ProjectKey, 'scopes'>, scope: KeyScope): boolean {
  return scopes.includes(scope);
}

/**
 * The scopes that were named for a key, each once and in one order. Throws 400 for none, for a word that is
 * no scope, and for one that a key of this kind cannot have: a secret does not stand in pages, and what
 * stands in pages reads nothing.
 */
export function scopesOf(kind: KeyKind, words: readonly string[]): readonly KeyScope[] {
  const known: readonly string[] = scopesOfKind(kind);
  const strange = words.find((word) => !known.includes(word));
  if (words.length === 0 || strange !== undefined) {
    const said = strange === undefined ? 'No scope was given' : `"${strange.slice(0, 40)}" is none of them`;
    throw badRequest('notifier_key_scopes', `The scopes of a ${kind} key are ${known.join(', ')}. ${said}.`);
  }
  return scopesOfKind(kind).filter((scope) => words.includes(scope));
}
