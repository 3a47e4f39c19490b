import { type Level, levels } from '../../../schemas/event.ts';
import { dayMs, hourMs, minuteMs } from '../parsing/durations.ts';
import { foldCase } from '../parsing/fold-text.ts';
import { matchesPattern } from '../parsing/search-text-form.ts';
import { parseTime } from '../parsing/timestamps.ts';
import { compareVersions, parseReleaseVersion } from '../releases/version.ts';
import {
  type AssigneeTerm,
  type IssueStateName,
  issueStates,
  type NumberRange,
  type Pattern,
  type SearchContext,
  type SearchMistake,
} from '../store/search-terms.ts';
import type { ReleasePart } from './keys.ts';
import { findNearestWord } from './nearest.ts';
import type { RawToken, RawValue } from './tokens.ts';

type Comparison = RawToken['comparison'];

const wildcardsMax = 10;

/** `\*` is a star and `\"` a quote. Null with more than 10 wildcards. */
function patternOf(text: string): Pattern | null {
  const segments = [''];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const isEscape = sign === '\\' && /[*"]/.test(text.charAt(at + 1));
    if (isEscape) at += 1;
    // Several stars in a row are one.
    if (sign === '*') {
      if (segments.length === 1 || segments.at(-1) !== '') segments.push('');
    } else segments[segments.length - 1] += isEscape ? text.charAt(at) : sign;
  }
  // Control characters mark the parts of a search text.
  const clean = segments.map((part) => part.replaceAll(/[\u0000-\u001f]/g, ' '));
  return clean.length > wildcardsMax + 1 ? null : clean;
}

const amount = /^(\d{1,12}(?:\.\d{1,3})?)([km]?)$/i;
const factors: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

export function numberRangeOf(text: string, comparison: Comparison): NumberRange | null {
  const found = amount.exec(text);
  if (found === null) return null;
  const number = Math.round(Number(found[1]) * (factors[(found[2] ?? '').toLowerCase()] ?? 1));
  return rangeOf(number, number, comparison);
}

const relative = /^([+-]?)(\d{1,5})([smhdw])$/;
const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
};

/** `-24h` is later than 24 hours ago, `+24h` earlier, `>24h` longer ago than that; `>-24h` compares moments. A date
 * is that day (UTC), a time that minute or second. */
export function timeRangeOf(text: string, comparison: Comparison, nowMs: number): NumberRange | null {
  const found = relative.exec(text);
  if (found !== null) {
    const atMs = nowMs - Number(found[2]) * (units[found[3] ?? ''] ?? 0);
    const isMoment = comparison !== null && found[1] !== '';
    if (isMoment) return rangeOf(atMs, atMs, comparison);
    if (comparison === null && found[1] === '') return null;
    const isLater = found[1] === '-' || comparison === '<' || comparison === '<=';
    return isLater ? { from: atMs, to: null } : { from: null, to: atMs };
  }
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  const fromMs = parseTime(text);
  if (fromMs === null) return null;
  const isDay = text.length === 10;
  const lengthMs = isDay ? dayMs : /:\d{2}:\d{2}/.test(text) ? 1_000 : minuteMs;
  // After a day means after its beginning, as in Sentry.
  if (comparison === '>' && isDay) return { from: fromMs, to: null };
  return rangeOf(fromMs, fromMs + lengthMs - 1, comparison);
}

function rangeOf(first: number, last: number, comparison: Comparison): NumberRange {
  switch (comparison) {
    case '>':
      return { from: last + 1, to: null };
    case '>=':
      return { from: first, to: null };
    case '<':
      return { from: null, to: first - 1 };
    case '<=':
      return { from: null, to: last };
    default:
      return { from: first, to: last };
  }
}

/** Values of a tag such as `iOS 17.1` with the version: `17` is also `17.1`, and `17.1.2` is stored as `17.1`. */
export function versionPatternsOf([first = '', ...more]: Pattern, numbers: number): Pattern[] {
  const stored = more.length > 0 ? first : first.split('.').slice(0, numbers).join('.');
  const withVersion = ['', ` ${stored}`, ...more];
  return more.length > 0 ? [withVersion] : [withVersion, ['', ` ${stored}.`, '']];
}

export function releasesOf(
  releases: readonly string[],
  part: ReleasePart,
  pattern: Pattern,
  comparison: Comparison,
): string[] {
  if (comparison === null) {
    return releases.filter((each) => matchesPattern(parseReleaseVersion(each)[part] ?? '', pattern));
  }
  const wanted = parseReleaseVersion(pattern.join('*'));
  return releases.filter((each) => {
    const order = compareVersions(parseReleaseVersion(each), wanted);
    return order !== null && (order === 0 ? comparison.length === 2 : order > 0 === (comparison[0] === '>'));
  });
}

export function stateOf(value: RawValue): IssueStateName | SearchMistake {
  const name = value.text.toLowerCase();
  const canonical = stateAliases[name] ?? name;
  const state = issueStates.find((each) => each === canonical);
  return state ?? unknownOf(value, 'is', [...issueStates, 'linked', 'unlinked']);
}

const stateAliases: Readonly<Record<string, string>> = { archived: 'ignored', muted: 'ignored' };

export function flagOf(value: RawValue, name: string, isNot: boolean): Pattern | SearchMistake {
  const text = value.text.toLowerCase();
  if (!/^(?:true|false|yes|no|1|0)$/.test(text)) return unknownOf(value, name, ['true', 'false']);
  return [/^[ty1]/.test(text) === isNot ? 'no' : 'yes'];
}

export function levelOf(value: RawValue): Level | SearchMistake {
  const level = levels.find((each) => each === value.text.toLowerCase());
  return level ?? unknownOf(value, 'level', levels);
}

export function issueIdOf(value: RawValue): number | SearchMistake {
  const number = value.text.replace(/^#/, '');
  return /^[1-9]\d{0,14}$/.test(number)
    ? Number(number)
    : mistake(value, '`issue` needs a number, for example issue:42.');
}

export function projectOf(value: RawValue, { projects }: SearchContext): number | SearchMistake {
  const wanted = foldCase(value.text);
  const project = projects.find(({ id, name }) => foldCase(name) === wanted || String(id) === wanted);
  const names = projects.map(({ name }) => name);
  return project?.id ?? unknown(value, 'project', value.text, names);
}

export function assigneesOf(value: RawValue, context: SearchContext): AssigneeTerm[] | SearchMistake {
  const { teams, memberId } = context;
  if (value.isQuoted || value.text.toLowerCase() !== 'my_teams' || memberId === null) {
    const found = assigneeOf(value, context);
    return isMistake(found) ? found : [found];
  }
  const own = teams.filter(({ members }) => members.some(({ id }) => id === memberId));
  return own.map(({ id }) => ({ team: id }));
}

function assigneeOf(
  value: RawValue,
  { members, teams, memberId }: SearchContext,
): AssigneeTerm | SearchMistake {
  const name = foldCase(value.text);
  if (!value.isQuoted && name === 'none') return 'nobody';
  if (!value.isQuoted && (name === 'me' || name === 'my_teams')) {
    return memberId ?? mistake(value, `\`${name}\` needs a member who is signed in: name one instead.`);
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

export function userNameOf(value: RawValue, key: string): string | SearchMistake {
  const pattern = patternOf(value.text);
  if (pattern === null || pattern.length > 1) {
    return mistake(value, `\`${key}\` needs the whole value: users are stored as hashes, so * finds none.`);
  }
  return pattern.join('');
}

export function readPattern(value: RawValue): Pattern | SearchMistake {
  return patternOf(value.text) ?? mistake(value, 'A value can have at most 10 wildcards.');
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export function mistake({ start, end }: Span, message: string): SearchMistake {
  return { start, end, message };
}

const shownMax = 60;

/** `of` is `key`, or the key whose value is unknown. */
export function unknown(span: Span, of: string, text: string, known: readonly string[]): SearchMistake {
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
  const description = of === 'key' ? `Unknown key \`${shown}\`` : `Unknown value \`${shown}\` for ${of}`;
  const nearest = findNearestWord(text.slice(0, shownMax), known);
  if (nearest === null) return mistake(span, `${description}.`);
  const suggestion = /[\s,\]"]/.test(nearest) ? `"${nearest.replaceAll('"', '\\"')}"` : nearest;
  return { ...mistake(span, `${description}: did you mean \`${nearest}\`?`), suggestion };
}

function unknownOf(value: RawValue, key: string, known: readonly string[]): SearchMistake {
  const found = unknown(value, key, value.text, known);
  if (found.suggestion !== undefined) return found;
  if (/^[^,\s]+,[^\s]+$/.test(value.text) && value.text.split(',').every((each) => known.includes(each))) {
    const list = `[${value.text}]`;
    return { ...mistake(value, `A list is between brackets: did you mean \`${list}\`?`), suggestion: list };
  }
  const names = `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
  return { ...found, message: `${found.message.slice(0, -1)}: use ${names}.` };
}

export function isMistake(found: unknown): found is SearchMistake {
  return typeof found === 'object' && found !== null && 'message' in found;
}
