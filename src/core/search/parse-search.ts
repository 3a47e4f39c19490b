// Sentry's search syntax (docs/search.md). Mistakes are reported with their position and left out; it never throws.
import { levels } from '../../../schemas/event.ts';
import {
  type NumberRange,
  type ParsedSearch,
  type Pattern,
  type SearchContext,
  type SearchMistake,
  type SearchTerm,
  searchCharsMax,
  searchTermsMax,
  searchValuesMax,
  type UserKeyKind,
} from '../store/search-terms.ts';
import {
  findSearchKey,
  findUnsupportedKey,
  type KeyMeaning,
  listSearchKeys,
  type ReleasePart,
  type SearchKey,
} from './keys.ts';
import { type RawToken, type RawValue, tokenize } from './tokens.ts';
import {
  assigneesOf,
  flagOf,
  isMistake,
  issueIdOf,
  levelOf,
  mistake,
  numberRangeOf,
  projectOf,
  readPattern,
  releasesOf,
  stateOf,
  timeRangeOf,
  unknown,
  userNameOf,
  versionPatternsOf,
} from './values.ts';

export function parseSearch(text: string, context: SearchContext): ParsedSearch {
  const mistakes: SearchMistake[] = [];
  const terms: SearchTerm[] = [];
  const invalidTokens = new Set<RawToken>();
  const tokens = tokenize(text.slice(0, searchCharsMax));
  let isGrouped = false;
  for (const token of tokens) {
    isGrouped ||= beginsGroup(token, context);
    const read = terms.length < searchTermsMax ? readTerm(token, context, isGrouped) : tooMany(token);
    if (read === null) continue;
    if ('message' in read) {
      if (!mistakes.some(({ message }) => message === read.message)) mistakes.push(read);
      invalidTokens.add(token);
    } else terms.push(read);
  }
  if (text.length > searchCharsMax) mistakes.push(tooLong(text));
  return {
    terms,
    mistakes,
    tokens: tokens.map((token) => ({
      start: token.start,
      end: token.end,
      negated: token.negated,
      key: token.key,
      value: { start: token.valueStart, end: token.end },
      isWrong: invalidTokens.has(token),
    })),
  };
}

/** Keys of the text that are no fields: whether they are stored tags decides whether they are known. */
export function listUnknownKeys(text: string): string[] {
  const names = tokenize(text.slice(0, searchCharsMax)).flatMap((token) => {
    if (token.key === null || token.tag !== null) return [];
    const field = findSearchKey(token.key.text);
    if (field === undefined) return [token.key.text];
    return field.meaning.is === 'has' ? token.values.map((value) => value.text) : [];
  });
  return [...new Set(names)].filter((name) => findSearchKey(name) === undefined);
}

function readTerm(
  token: RawToken,
  context: SearchContext,
  isGrouped: boolean,
): SearchTerm | SearchMistake | null {
  if (isGrouped && token.values.at(-1)?.isQuoted !== true && endsOrBeginsGroup(token))
    return mistake(token, noGroups);
  if (token.unclosed === 'quote') return mistake(token, 'A quote is not closed: add " at the end.');
  if (token.unclosed === 'list') return mistake(token, 'A list is not closed: add ] at the end.');
  if (token.key === null) return readText(token, context);
  if (token.tag !== null) return readPatterns(token, (patterns) => tagTerm(token, token.tag ?? '', patterns));
  const field = findSearchKey(token.key.text);
  if (field !== undefined && field.of !== 'both' && field.of !== context.of) {
    if (context.tags.has(token.key.text)) return readTag(token, token.key.text);
    return mistake(
      token.key,
      `\`${field.name}\` is a key of ${field.of} and does not apply to ${context.of}.`,
    );
  }
  if (field !== undefined) return readField(token, field, context);
  if (context.tags.has(token.key.text)) return readTag(token, token.key.text);
  // `TypeError: x is undefined`, pasted.
  if (isEmpty(token))
    return { field: 'text', negated: token.negated, patterns: [['', `${token.key.text}:`, '']] };
  const unsupported = findUnsupportedKey(token.key.text);
  if (unsupported !== null) {
    const found = mistake(token.key, `\`${token.key.text}\` is not supported: ${unsupported.hint}.`);
    return unsupported.instead === undefined ? found : { ...found, suggestion: unsupported.instead };
  }
  return unknown(token.key, 'key', token.key.text, knownKeys(context));
}

function knownKeys({ of, tags }: SearchContext): string[] {
  const fields = listSearchKeys(of);
  return [...fields.map(({ name }) => name), ...tags, ...fields.flatMap(({ aliases }) => aliases)];
}

const noGroups =
  '`OR` and parentheses are not supported: use a list, for example level:[error,fatal], or quote the text.';

/** `(level:error`; `(reading 'total')` is text. */
function beginsGroup({ key, values: [value] }: RawToken, { tags }: SearchContext): boolean {
  const name =
    key === null && value?.isQuoted === false ? /^\(+!?([\w.-]+):/.exec(value.text)?.[1] : undefined;
  return name !== undefined && (findSearchKey(name) !== undefined || tags.has(name));
}

function endsOrBeginsGroup({ values }: RawToken): boolean {
  return /^\(|\)$/.test(values.at(-1)?.text ?? '');
}

function readText(token: RawToken, { tags }: SearchContext): SearchTerm | SearchMistake | null {
  const [value] = token.values;
  if (value === undefined || value.text.trim() === '') return null;
  if (!value.isQuoted) {
    if (value.text === 'AND' || value.text === '&&') return null;
    if (value.text === 'OR' || value.text === '||') return mistake(token, noGroups);
    if (value.text === 'NOT') {
      return mistake(token, '`NOT` is not supported: write ! before a term, for example !level:info.');
    }
    const subtracted = /^-([\w.-]+):/.exec(value.text)?.[1];
    if (subtracted !== undefined && (findSearchKey(subtracted) !== undefined || tags.has(subtracted))) {
      const instead = `!${subtracted}:`;
      const span = { start: token.start, end: token.start + instead.length };
      const message = `A term is negated by !, not by -: did you mean \`${instead}\`?`;
      return { ...mistake(span, message), suggestion: instead };
    }
  }
  return readPatterns(token, (patterns) => ({
    field: 'text',
    negated: token.negated,
    patterns: patterns.map(containing),
  }));
}

function containing(pattern: Pattern): Pattern {
  return ['', ...pattern, ''];
}

function readTag(token: RawToken, tag: string): SearchTerm | SearchMistake {
  if (isNothing(token)) return { field: 'has_tag', negated: !token.negated, tag };
  return readPatterns(token, (patterns) => tagTerm(token, tag, patterns));
}

function tagTerm(
  { negated }: RawToken,
  tag: string,
  patterns: readonly Pattern[],
  isName = false,
): SearchTerm {
  return { field: 'tag', negated, tag, patterns, isName };
}

function readField(token: RawToken, key: SearchKey, context: SearchContext): SearchTerm | SearchMistake {
  const { meaning } = key;
  const { negated } = token;
  const isOrdered = ['time', 'number'].includes(meaning.is) || key.name === 'release.version';
  if (token.comparison !== null && !isOrdered) return notOrdered(token);
  if (isNothing(token)) {
    if (meaning.is === 'user') return { field: 'has', negated: !negated, what: 'user' };
    if (meaning.is === 'tag') return { field: 'has_tag', negated: !negated, tag: meaning.tag };
    if (meaning.is === 'pattern' && meaning.hasField !== undefined) {
      return { field: 'has', negated: !negated, what: meaning.hasField };
    }
  }
  if (isEmpty(token)) {
    return mistake(token, `\`${key.name}\` needs a value, for example ${key.name}:${exampleOf(meaning)}.`);
  }
  switch (meaning.is) {
    case 'tag':
      return readPatterns(token, (patterns) =>
        tagTerm(token, meaning.tag, patterns, meaning.isName === true),
      );
    case 'version':
      return readPatterns(token, (patterns) =>
        tagTerm(
          token,
          meaning.tag,
          patterns.flatMap((pattern) => versionPatternsOf(pattern, meaning.numbers)),
        ),
      );
    case 'release_part':
      return readReleasePart(token, meaning.part, context);
    case 'project':
      return readValues(
        token,
        (value) => projectOf(value, context),
        (ids) => ({ field: 'project', negated, ids }),
      );
    case 'flag':
      return readValues(
        token,
        (value) => flagOf(value, key.name, meaning.isNot === true),
        (patterns) => tagTerm(token, meaning.tag, patterns, false),
      );
    case 'pattern':
      return readPatternField(token, meaning.field, context);
    case 'is':
      return linkTerm(token) ?? readValues(token, stateOf, (states) => ({ field: 'is', negated, states }));
    case 'level':
      return readValues(token, levelOf, (found) => ({ field: 'level', negated, levels: found }));
    case 'assigned':
      return readValues(
        token,
        (value) => assigneesOf(value, context),
        (to) => ({ field: 'assigned', negated, to: to.flat() }),
      );
    case 'issue':
      return readValues(token, issueIdOf, (ids) => ({ field: 'issue', negated, ids }));
    case 'user':
      return readUser(token, key.name, meaning.by);
    case 'has':
      return readHas(token, context);
    default:
      return readRanges(token, key.name, meaning, context.nowMs);
  }
}

function readReleasePart(
  token: RawToken,
  part: ReleasePart,
  { releases }: SearchContext,
): SearchTerm | SearchMistake {
  return readValues(token, readPattern, (patterns) => {
    const found = patterns.flatMap((pattern) => releasesOf(releases, part, pattern, token.comparison));
    return { field: 'release', negated: token.negated, patterns: found.map((name) => [name]) };
  });
}

function readUser(token: RawToken, name: string, by: UserKeyKind | 'any'): SearchTerm | SearchMistake {
  // Sentry's links have `user:"id:84213"`.
  const named = by === 'any' ? /^(id|email|username|ip):./.exec(token.values[0]?.text ?? '') : null;
  const kind = named !== null && token.values.length === 1 ? (named[1] as UserKeyKind) : by;
  return readValues(
    token,
    (value) => userNameOf(value, name),
    (values) => ({
      ...{ field: 'user', negated: token.negated, by: kind },
      values: kind === by ? values : values.map((value) => value.slice(kind.length + 1)),
    }),
  );
}

function exampleOf(meaning: KeyMeaning): string {
  const examples = {
    is: 'unresolved',
    level: 'error',
    assigned: 'me',
    issue: '42',
    has: 'user',
    flag: 'true',
  } as const;
  if (meaning.is === 'time') return '-24h';
  if (meaning.is === 'number') return '>100';
  if (meaning.is === 'pattern') return meaning.field === 'release' ? 'latest' : '"some text"';
  return meaning.is in examples ? examples[meaning.is as keyof typeof examples] : '"some text"';
}

function readPatternField(
  token: RawToken,
  field: Extract<KeyMeaning, { is: 'pattern' }>['field'],
  context: SearchContext,
): SearchTerm | SearchMistake {
  const { negated } = token;
  const isLatest = ({ text, isQuoted }: RawValue): boolean => text === 'latest' && !isQuoted;
  if ((field === 'release' || field === 'first_release') && token.values.some(isLatest)) {
    if (token.values.length > 1) return mistake(token, '`latest` cannot be in a list with other releases.');
    const releases = context.latestReleases;
    return { field: field === 'release' ? 'latest_release' : 'latest_first', negated, releases };
  }
  return readPatterns(token, (patterns) => ({
    field,
    negated,
    patterns: field === 'message' ? patterns.map(containing) : patterns,
  }));
}

function readPatterns(token: RawToken, make: (patterns: readonly Pattern[]) => SearchTerm) {
  if (token.comparison !== null) return notOrdered(token);
  if (isEmpty(token)) {
    const name = token.key?.text ?? 'text';
    return mistake(token, `\`${name}\` needs a value, for example ${name}:"some text".`);
  }
  return readValues(token, readPattern, make);
}

function notOrdered(token: RawToken): SearchMistake {
  const name = token.key?.text ?? '';
  const instead = name === 'release' ? 'use release.version' : 'give a value, or one with *';
  return mistake(token, `\`${name}\` cannot be compared with ${token.comparison}: ${instead}.`);
}

function readValues<Value>(
  token: RawToken,
  read: (value: RawValue) => Value | SearchMistake,
  make: (values: readonly Value[]) => SearchTerm,
): SearchTerm | SearchMistake {
  if (token.values.length > searchValuesMax) {
    return mistake(token, `A list can have at most ${searchValuesMax} values.`);
  }
  const values: Value[] = [];
  for (const value of token.values) {
    const found = read(value);
    if (isMistake(found)) return found;
    values.push(found);
  }
  return make(values);
}

/** `is:linked` and `is:unlinked`, as in Sentry: whether the issue has a link to a tracker. */
function linkTerm({ values: [value, second], negated }: RawToken): SearchTerm | null {
  const found = second === undefined && /^(un)?linked$/i.exec(value?.text ?? '');
  return found ? { field: 'has', negated: negated !== (found[1] !== undefined), what: 'link' } : null;
}

function readRanges(
  token: RawToken,
  name: string,
  meaning: Extract<KeyMeaning, { is: 'time' | 'number' }>,
  nowMs: number,
): SearchTerm | SearchMistake {
  const isTime = meaning.is === 'time';
  const hint = isTime ? 'a time such as -24h or 2026-11-21' : `a number, for example ${name}:>100`;
  const read = (value: RawValue): NumberRange | SearchMistake =>
    (isTime
      ? timeRangeOf(value.text, token.comparison, nowMs)
      : numberRangeOf(value.text, token.comparison)) ?? mistake(value, `\`${name}\` needs ${hint}.`);
  return readValues(token, read, (ranges) => ({ field: meaning.field, negated: token.negated, ranges }));
}

function readHas(token: RawToken, context: SearchContext): SearchTerm | SearchMistake {
  const { negated } = token;
  const [value, second] = token.values;
  if (value === undefined || second !== undefined) {
    return mistake(token, '`has` takes one key: write has: once for each.');
  }
  if (value.text.toLowerCase() === 'link' && context.of === 'issues') {
    return { field: 'has', negated, what: 'link' };
  }
  const named = /^tags\[(.+)\]$/.exec(value.text)?.[1];
  if (named !== undefined) return { field: 'has_tag', negated, tag: named };
  const field = findSearchKey(value.text);
  if (field === undefined && context.tags.has(value.text))
    return { field: 'has_tag', negated, tag: value.text };
  const meaning = field?.meaning;
  if (meaning?.is === 'tag' || meaning?.is === 'flag') return { field: 'has_tag', negated, tag: meaning.tag };
  if (meaning?.is === 'user') return { field: 'has', negated, what: 'user' };
  if (meaning?.is === 'assigned' && context.of === 'issues')
    return { field: 'has', negated, what: 'assigned' };
  if (meaning?.is === 'pattern' && meaning.hasField !== undefined && field?.of !== otherOf(context)) {
    return { field: 'has', negated, what: meaning.hasField };
  }
  if (meaning?.is === 'level') return { field: 'level', negated, levels };
  if (meaning?.is === 'pattern' && field?.of !== otherOf(context)) {
    // These two are empty where there is none.
    const isText = meaning.field === 'platform' || meaning.field === 'transaction';
    const patterns = isText ? [['']] : [['', '']];
    return { field: meaning.field, negated: isText !== negated, patterns };
  }
  const known = listSearchKeys(context.of).filter(({ meaning: { is } }) => is === 'tag' || is === 'user');
  return unknown(value, 'has', value.text, [
    ...['release', 'environment', 'assigned', 'link'],
    ...known.map(({ name }) => name),
    ...context.tags,
  ]);
}

function otherOf({ of }: SearchContext): 'issues' | 'events' {
  return of === 'issues' ? 'events' : 'issues';
}

/** `key:` without anything. */
function isEmpty({ values }: RawToken): boolean {
  return values.length === 0 || values.every(({ text, isQuoted }) => text === '' && !isQuoted);
}

/** `key:""`: events without it. */
function isNothing({ values, comparison }: RawToken): boolean {
  const [value, second] = values;
  return comparison === null && second === undefined && value?.isQuoted === true && value.text === '';
}

function tooMany(token: RawToken): SearchMistake {
  return mistake(token, `A search can have at most ${searchTermsMax} terms: quote a longer text.`);
}

function tooLong(text: string): SearchMistake {
  const span = { start: searchCharsMax, end: text.length };
  return mistake(span, `A search can have at most ${searchCharsMax} characters.`);
}
