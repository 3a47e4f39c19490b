// Completion of a search while it is typed: the keys and values that the text at the cursor may become.
import { levels } from '../../../schemas/event.ts';
import type { Deps } from '../deps.ts';
import { issueStates, searchCharsMax } from '../store/search-terms.ts';
import { findSearchKey, type KeyMeaning, listSearchKeys } from './keys.ts';
import type { SearchScope } from './search.ts';
import { type RawToken, type RawValue, tokenize } from './tokens.ts';

interface Completion {
  readonly group: 'keys' | 'tags' | 'values';
  /** What takes the place of the text between `start` and `end`. */
  readonly text: string;
  readonly about: string;
  /** Issues that have it; null where they are not counted. */
  readonly count: number | null;
}

export interface Completions {
  /** UTF-16 units of the text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly items: readonly Completion[];
}

const itemsMax = 10;
const tagNamesMax = 1_000;

type Parts = Pick<Deps, 'store' | 'now'>;

/** Of the token that the cursor `at` is in or behind; nothing inside of quotes that are closed. */
export async function completeSearch(
  deps: Parts,
  text: string,
  at: number,
  scope: SearchScope,
): Promise<Completions> {
  const cut = text.slice(0, searchCharsMax);
  const token = tokenize(cut).find(({ start, end }) => at > start && at <= end);
  if (token === undefined) return { start: at, end: at, items: await listKeys(deps, '', scope) };
  const keyEnd = token.key?.end ?? token.end;
  if (token.key === null || at <= keyEnd) {
    const start = token.key?.start ?? token.start + (token.negated ? 1 : 0);
    const end = token.key === null ? token.end : keyEnd + 1;
    return { start, end, items: await listKeys(deps, cut.slice(start, at), scope) };
  }
  const value = valueAt(token, at);
  const typed = cut.slice(value.start, at).replace(/^"/, '');
  const items = await listValues(deps, token, typed, scope);
  return { start: value.start, end: value.end, items };
}

/** The value that the cursor is in; between two values of a list, an empty one. */
function valueAt(token: RawToken, at: number): Pick<RawValue, 'start' | 'end'> {
  return token.values.find(({ start, end }) => at >= start && at <= end) ?? { start: at, end: at };
}

async function listKeys({ store }: Parts, typed: string, scope: SearchScope): Promise<Completion[]> {
  const begun = typed.toLowerCase();
  const fields = listSearchKeys(scope.of)
    .filter(({ name }) => name.toLowerCase().startsWith(begun))
    .map(({ name, about }) => ({ group: 'keys', text: `${name}:`, about, count: null }) as const);
  if (fields.length >= itemsMax) return fields.slice(0, itemsMax);
  const names = await store.listTagNames(scope.projectIds, tagNamesMax);
  const tags = names
    .filter((name) => name.toLowerCase().startsWith(begun) && findSearchKey(name) === undefined)
    .map((name) => ({ group: 'tags', text: keyOfTag(name), about: 'tag', count: null }) as const);
  return [...fields, ...tags].slice(0, itemsMax);
}

/** A name that the syntax has no place for is written as `tags[name]:`. */
function keyOfTag(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name) ? `${name}:` : `tags[${name}]:`;
}

async function listValues(
  deps: Parts,
  token: RawToken,
  typed: string,
  scope: SearchScope,
): Promise<Completion[]> {
  const key = token.key?.text ?? '';
  const meaning = token.tag === null ? findSearchKey(key)?.meaning : undefined;
  const found = await listOf(deps, meaning ?? { is: 'tag', tag: token.tag ?? key }, typed, scope);
  return found
    .filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()))
    .slice(0, itemsMax)
    .map(({ name, count = null }) => ({ group: 'values', text: quoted(name), about: key, count }));
}

interface Value {
  readonly name: string;
  readonly count?: number;
}

async function listOf(
  { store, now }: Parts,
  meaning: KeyMeaning,
  typed: string,
  { projectIds, of, memberId }: SearchScope,
): Promise<readonly Value[]> {
  switch (meaning.is) {
    case 'is':
      return issueStates.map((name) => ({ name }));
    case 'level': {
      const counted = await store.listTagValues(projectIds, 'level', '', levels.length);
      return levels.toReversed().map((name) => counted.find((each) => each.name === name) ?? { name });
    }
    case 'assigned': {
      const members = memberId === null ? [] : await store.listMembers(now());
      return ['me', 'none', ...members.map(({ name }) => name)].map((name) => ({ name }));
    }
    case 'has':
      return listSearchKeys(of)
        .filter(({ meaning: { is } }) => is === 'tag' || is === 'user')
        .map(({ name }) => ({ name }));
    case 'time':
      return ['-1h', '-24h', '-7d', '-30d', '+30d'].map((name) => ({ name }));
    case 'tag':
      return store.listTagValues(projectIds, meaning.tag, typed, itemsMax);
    case 'pattern': {
      if (meaning.field !== 'release' && meaning.field !== 'environment') return [];
      const latest = meaning.field === 'release' ? [{ name: 'latest' }] : [];
      return [...latest, ...(await store.listPlaceNames(projectIds, meaning.field, typed, itemsMax))];
    }
    default:
      return [];
  }
}

function quoted(name: string): string {
  const escaped = name.replaceAll('*', '\\*');
  return /[\s,\]["<>]/.test(name) || name === '' ? `"${escaped.replaceAll('"', '\\"')}"` : escaped;
}
