// Sentry's search syntax (docs/search.md). Mistakes are reported with their place and left out; it never throws.
import { type Level, levels } from '../../../schemas/event.ts';
import { foldCase } from '../parsing/fold-text.ts';
import {
  type IssueStateName,
  issueStates,
  type NumberRange,
  type ParsedSearch,
  type Pattern,
  type SearchContext,
  type SearchMistake,
  type SearchTerm,
  type SoughtAssignee,
  searchCharsMax,
  searchTermsMax,
  searchValuesMax,
} from '../store/search-terms.ts';
import { findSearchKey, type KeyMeaning, listSearchKeys, type SearchKey } from './keys.ts';
import { type RawToken, type RawValue, tokenize } from './tokens.ts';
import { findNearestWord, numberRangeOf, patternOf, timeRangeOf } from './values.ts';

export function parseSearch(text: string, context: SearchContext): ParsedSearch {
  const mistakes: SearchMistake[] = [];
  const terms: SearchTerm[] = [];
  const wrong = new Set<RawToken>();
  const tokens = tokenize(text.slice(0, searchCharsMax));
  for (const token of tokens) {
    const read = terms.length < searchTermsMax ? readTerm(token, context) : tooMany(token);
    if (read === null) continue;
    if ('message' in read) {
      mistakes.push(read);
      wrong.add(token);
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
      isWrong: wrong.has(token),
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

/** Null for a token that means nothing, such as AND. */
function readTerm(token: RawToken, context: SearchContext): SearchTerm | SearchMistake | null {
  if (token.unclosed === 'quote') return mistake(token, 'A quote is not closed: add " at the end.');
  if (token.unclosed === 'list') return mistake(token, 'A list is not closed: add ] at the end.');
  if (token.key === null) return readText(token);
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
  return unknown(token.key, 'key', token.key.text, knownKeys(context));
}

function knownKeys({ of, tags }: SearchContext): string[] {
  const fields = listSearchKeys(of);
  return [...fields.map(({ name }) => name), ...tags, ...fields.flatMap(({ aliases }) => aliases)];
}

function readText(token: RawToken): SearchTerm | SearchMistake | null {
  const [value] = token.values;
  if (value === undefined || value.text.trim() === '') return null;
  if (!value.isQuoted && value.text === 'AND') return null;
  if (!value.isQuoted && (value.text === 'OR' || /^\(/.test(value.text))) {
    const what = value.text === 'OR' ? '`OR` is' : 'Parentheses are';
    return mistake(
      token,
      `${what} not supported: use a list, for example level:[error,fatal], or quote the text.`,
    );
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
  if (token.comparison !== null && meaning.is !== 'time' && meaning.is !== 'number') return notOrdered(token);
  if (isNothing(token)) {
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
        (value) => assigneeOf(value, context),
        (to) => ({ field: 'assigned', negated, to }),
      );
    case 'issue':
      return readValues(token, issueIdOf, (ids) => ({ field: 'issue', negated, ids }));
    case 'user':
      return readValues(
        token,
        (value) => userNameOf(value, key.name),
        (values) => ({ field: 'user', negated, by: meaning.by, values }),
      );
    case 'has':
      return readHas(token, context);
    default:
      return readRanges(token, key.name, meaning, context.nowMs);
  }
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
  if (field === 'release' && token.values.some(isLatest)) {
    if (token.values.length > 1) return mistake(token, '`latest` cannot be in a list with other releases.');
    return { field: 'latest_release', negated, releases: context.latestReleases };
  }
  return readPatterns(token, (patterns) => ({
    field,
    negated,
    patterns: field === 'message' ? patterns.map(containing) : patterns,
  }));
}

function readPatterns(
  token: RawToken,
  make: (patterns: readonly Pattern[]) => SearchTerm,
): SearchTerm | SearchMistake {
  if (token.comparison !== null) return notOrdered(token);
  if (isEmpty(token)) {
    const name = token.key?.text ?? 'text';
    return mistake(token, `\`${name}\` needs a value, for example ${name}:"some text".`);
  }
  const read = (value: RawValue): Pattern | SearchMistake =>
    patternOf(value.text) ?? mistake(value, 'A value can have at most 10 wildcards.');
  return readValues(token, read, make);
}

function notOrdered(token: RawToken): SearchMistake {
  const name = token.key?.text ?? '';
  return mistake(
    token,
    `\`${name}\` cannot be compared with ${token.comparison}: give a value, or one with *.`,
  );
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

function stateOf(value: RawValue): IssueStateName | SearchMistake {
  const name = value.text.toLowerCase();
  const meant = stateAliases[name] ?? name;
  const state = issueStates.find((each) => each === meant);
  return state ?? unknown(value, 'is', value.text, issueStates);
}

const stateAliases: Readonly<Record<string, string>> = { archived: 'ignored', muted: 'ignored' };

function flagOf(value: RawValue, name: string, isNot: boolean): Pattern | SearchMistake {
  const text = value.text.toLowerCase();
  if (!/^(?:true|false|1|0)$/.test(text)) return unknown(value, name, value.text, ['true', 'false']);
  return [/^[t1]/.test(text) === isNot ? 'no' : 'yes'];
}

function levelOf(value: RawValue): Level | SearchMistake {
  const level = levels.find((each) => each === value.text.toLowerCase());
  return level ?? unknown(value, 'level', value.text, levels);
}

function issueIdOf(value: RawValue): number | SearchMistake {
  return /^[1-9]\d{0,14}$/.test(value.text)
    ? Number(value.text)
    : mistake(value, '`issue` needs a number, for example issue:42.');
}

function assigneeOf(
  value: RawValue,
  { members, teams, memberId }: SearchContext,
): SoughtAssignee | SearchMistake {
  const name = foldCase(value.text);
  if (!value.isQuoted && name === 'none') return 'nobody';
  if (!value.isQuoted && name === 'me') {
    return memberId ?? mistake(value, '`me` needs a member who is signed in: name a member instead.');
  }
  const member = members.find((each) => [each.name, each.email ?? ''].some((one) => foldCase(one) === name));
  if (member !== undefined) return member.id;
  const team = teams.find((each) => foldCase(`#${each.name}`) === name);
  if (team !== undefined) return { team: team.id };
  // A key learns no names of members and teams.
  const names =
    memberId === null ? [] : [...members.map((each) => each.name), ...teams.map((each) => `#${each.name}`)];
  return unknown(value, 'assigned', value.text, ['me', 'none', ...names]);
}

function userNameOf(value: RawValue, key: string): string | SearchMistake {
  const pattern = patternOf(value.text);
  if (pattern === null || pattern.length > 1) {
    return mistake(value, `\`${key}\` needs the whole value: users are stored as hashes, so * finds none.`);
  }
  return pattern.join('');
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

interface Span {
  readonly start: number;
  readonly end: number;
}

function mistake({ start, end }: Span, message: string): SearchMistake {
  return { start, end, message };
}

const shownMax = 60;

/** `of` is `key`, or the key whose value is unknown. */
function unknown(span: Span, of: string, text: string, known: readonly string[]): SearchMistake {
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
  const what = of === 'key' ? `Unknown key \`${shown}\`` : `Unknown value \`${shown}\` for ${of}`;
  const nearest = findNearestWord(text.slice(0, shownMax), known);
  if (nearest === null) return mistake(span, `${what}.`);
  const suggestion = /[\s,\]"]/.test(nearest) ? `"${nearest.replaceAll('"', '\\"')}"` : nearest;
  return { ...mistake(span, `${what}: did you mean \`${nearest}\`?`), suggestion };
}

function isMistake(found: unknown): found is SearchMistake {
  return typeof found === 'object' && found !== null && 'message' in found;
}

function tooMany(token: RawToken): SearchMistake {
  return mistake(token, `A search can have at most ${searchTermsMax} terms.`);
}

function tooLong(text: string): SearchMistake {
  const span = { start: searchCharsMax, end: text.length };
  return mistake(span, `A search can have at most ${searchCharsMax} characters.`);
}
