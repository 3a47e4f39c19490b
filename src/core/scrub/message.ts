// A log entry: its template says which of its parameters are secrets ("login %s with password %s"), and those
// go from the text that was made with them as well. Where the client left it to the server to make that text,
// it is made here, of what is left of the parameters.
import { cutText } from '../reading/cut-text.ts';
import { emptyRecord, isRecord, type JsonRecord, listOf, own } from '../reading/lenient.ts';
import { judgeKey, promisesSecret } from './table/names.ts';
import { filtered, patternOf } from './table/patterns.ts';
import { type ScrubState, scrubString } from './text.ts';
import { scrubValue } from './values.ts';

/** As long as a message may be: docs/events.md, "Fields". */
const messageCharsMax = 8192;

/** The entry without secrets; filled where only its template and its parameters came. */
export function scrubMessage(value: unknown, state: ScrubState): unknown {
  const params = isRecord(value) ? own(value, 'params') : undefined;
  if (!isRecord(value) || typeof params !== 'object' || params === null) {
    return scrubValue(value, state, 1, 'text');
  }
  const secret = secretParameters(own(value, 'message'), params as JsonRecord, state);
  const made = emptyRecord();
  for (const key of Object.keys(value)) made[key] = value[key];
  if (secret.size > 0) {
    made['params'] = withoutParameters(params as JsonRecord, secret, state);
    if (typeof made['formatted'] === 'string') {
      made['formatted'] = withoutValues(made['formatted'], params as JsonRecord, secret);
    }
  }
  if (typeof made['formatted'] !== 'string' && typeof made['message'] === 'string') {
    const filled = interpolate(made['message'], made['params'], messageCharsMax);
    if (filled !== null) made['formatted'] = filled;
  }
  return scrubValue(made, state, 1, 'text');
}

/** Names, or places from 0, of the parameters that are secrets. */
function secretParameters(template: unknown, params: JsonRecord, state: ScrubState): ReadonlySet<string> {
  const found = new Set<string>();
  for (const key of Object.keys(params)) {
    if (!Array.isArray(params) && promisesSecret(judgeKey(key, state.extra))) found.add(key);
  }
  if (typeof template !== 'string' || !placeholder.test(template)) return found;
  // Each placeholder is filled with a sample; where scrubbing removes the sample, the parameter is a secret.
  for (const [head, tail] of strangers) {
    const keys: string[] = [];
    const text = template.replaceAll(placeholders, (whole: string, ...groups: unknown[]) => {
      if (whole === '%%') return whole;
      const name = groups.slice(0, 4).find((group) => typeof group === 'string' && group !== '');
      keys.push(typeof name === 'string' ? keyOf(name, whole) : String(keys.length));
      return `${head}${keys.length + 10}${tail}`;
    });
    const clean = scrubString(text, { ...state, count: 0 }, 'text');
    const left = placesLeft(clean, head, tail);
    for (const [index, key] of keys.entries()) if (!left.has(String(index + 11))) found.add(key);
  }
  return found;
}

/** What stands before and behind the number of a place in a sample: of a password, and of a PIN. */
const strangers = [
  ['q7Zk', 'x3Wm9'],
  ['7391', '5'],
] as const;
const placeDigitsMax = 6;

/** The numbers of the samples that are still in the text, found in one pass over it. */
function placesLeft(text: string, head: string, tail: string): ReadonlySet<string> {
  const left = new Set<string>();
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + 1)) {
    const start = at + head.length;
    for (let end = start; end < start + placeDigitsMax && /\d/.test(text[end] ?? ''); end += 1) {
      if (text.startsWith(tail, end + 1)) left.add(text.slice(start, end + 1));
    }
  }
  return left;
}

const placeholder = /[%{?$:]/;
/** What a template leaves to be filled in; the groups are the place or the name of the parameter. */
const placeholders = patternOf(
  'g',
  // `%%` is a percent sign; `%s`, `%2$s`, `%(name)s`, `%-5d`.
  String.raw`%%|%(?:(\d{1,2})\$|\((\w{1,64})\))?[-+ 0#]{0,4}\d{0,3}(?:\.\d{1,2})?[sdrifvqxaogeEGjcu]`,
  // `{}`, `{0}`, `{name!r}`, `${name}`.
  String.raw`|\$?\{(?:([\w.]{1,64})(?:[!:][^{}]{0,16})?)?\}`,
  // `:name`, `$1`, `@name` and `?`, as statements have them.
  String.raw`|(?<=[=\s(,])[:$@](\w{1,64})|(?<=[=\s(,])\?(?=[\s,);]|$)`,
);

/** `%2$s` and `$2` count from 1, `{0}` from 0. */
function keyOf(name: string, whole: string): string {
  return /^\d+$/.test(name) && !whole.includes('{') ? String(Number(name) - 1) : name;
}

function withoutParameters(params: JsonRecord, secret: ReadonlySet<string>, state: ScrubState): unknown {
  const hide = (key: string, value: unknown): unknown => {
    const isPlain = typeof value === 'string' || typeof value === 'number';
    if (!isPlain || !secret.has(key) || value === '' || value === filtered) return value;
    state.count += 1;
    return filtered;
  };
  if (Array.isArray(params)) return params.map((value, place) => hide(String(place), value));
  const clean = emptyRecord();
  for (const key of Object.keys(params)) clean[key] = hide(key, params[key]);
  return clean;
}

/** Of so many secrets each is looked for in the text made of them; of more nothing is kept (D-126). */
const secretsMax = 64;

function withoutValues(formatted: string, params: JsonRecord, secret: ReadonlySet<string>): string {
  const values = new Set<string>();
  for (const key of Object.keys(params)) {
    const value = params[key];
    if (!secret.has(key) || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const text = String(value);
    if (text.length >= 3 && text !== filtered) values.add(text);
  }
  if (values.size > secretsMax) return filtered;
  let clean = formatted;
  for (const text of values) clean = clean.replaceAll(text, filtered);
  return clean;
}

// The text of a message whose client sent its template and its parameters apart.

/** `%s`, `%5.2f`, `%2$s`, `%(name)s`, and `%%` for a percent sign. */
const printf =
  /%%|%(?:(?<place>\d{1,2})\$|\((?<name>[\w.]{1,64})\))?(?<flags>[-+0#]{0,4})(?<width>\d{0,3})(?:\.(?<digits>\d{1,2}))?(?<as>[sdiufFxXoOeEgGrcaj])/g;
/** `{}`, `{0}`, `{name}`, `{name:format}`, `{name!r}`, and `{{` and `}}` for the braces. */
const braces = /\{\{|\}\}|\{(?<name>[\w.]{0,64})(?:[!:][^{}]{0,16})?\}/g;

/** A placeholder by the groups of its pattern. */
type Placeholder = Readonly<Record<string, string | undefined>>;

/**
 * A template filled with its parameters, a list or an object of them, at most `charsMax` characters; null
 * where nothing of it can be filled. The forms are those of printf, of Python and of PSR-3; which of them a
 * template is written in is told by what it holds. A placeholder without a parameter stays as it is.
 */
export function interpolate(template: string, params: unknown, charsMax: number): string | null {
  const list = listOf(params);
  const given: Parameters = { list: list ?? [], named: namedOf(params, list) };
  if (given.list.length === 0 && given.named === null) return null;
  const printfCount = countOf(template, printf);
  const isPrintf = printfCount > 0 && (printfCount === list?.length || countOf(template, braces) === 0);
  const filled = fill(template, isPrintf ? printf : braces, given, charsMax);
  return filled === null && printfCount > 0 ? fill(template, printf, given, charsMax) : filled;
}

interface Parameters {
  readonly list: readonly unknown[];
  readonly named: JsonRecord | null;
}

/** Named parameters: an object, or the only one of a list, as Python's logging takes them. */
function namedOf(params: unknown, list: readonly unknown[] | null): JsonRecord | null {
  if (isRecord(params)) return params;
  const [only] = list ?? [];
  return list?.length === 1 && isRecord(only) ? only : null;
}

function countOf(template: string, pattern: RegExp): number {
  return template.match(pattern)?.filter((one) => !isEscape(one)).length ?? 0;
}

function isEscape(placeholder: string): boolean {
  return placeholder === '%%' || placeholder === '{{' || placeholder === '}}';
}

/** The filled template, or null where nothing was filled. */
function fill(template: string, pattern: RegExp, params: Parameters, charsMax: number): string | null {
  let text = '';
  let from = 0;
  let next = 0;
  let isFilled = false;
  for (const found of template.matchAll(pattern)) {
    // A code point has two units at most; what is longer is cut anyway.
    if (text.length > 2 * charsMax) break;
    const [whole] = found;
    text += template.slice(from, found.index);
    from = found.index + whole.length;
    if (isEscape(whole)) {
      text += whole[0];
      continue;
    }
    const placeholder = found.groups ?? {};
    const value = parameterOf(placeholder, params, next);
    if (placeholder['place'] === undefined && !isNamed(placeholder, params)) next += 1;
    isFilled ||= value !== undefined;
    text += value === undefined ? whole : written(value, placeholder);
  }
  return isFilled ? cutText(text + template.slice(from), charsMax) : null;
}

/** Whether a placeholder says which parameter it is; a name means a place where there are places alone. */
function isNamed({ name = '' }: Placeholder, { named }: Parameters): boolean {
  return name !== '' && (named !== null || /^\d+$/.test(name));
}

/** The parameter of a placeholder, `next` being the place of the next one; undefined where there is none. */
function parameterOf(placeholder: Placeholder, params: Parameters, next: number): unknown {
  const { name = '', place } = placeholder;
  const { list, named } = params;
  if (place !== undefined) return list[Number(place) - 1];
  if (!isNamed(placeholder, params)) return list[next];
  const value = named === null ? undefined : own(named, name);
  return value === undefined && /^\d+$/.test(name) ? list[Number(name)] : value;
}

function written(value: unknown, { flags = '', width = '', digits, as = 's' }: Placeholder): string {
  const text = converted(value, as, digits);
  if (flags.includes('-')) return text.padEnd(Number(width));
  return text.padStart(Number(width), flags.includes('0') && typeof value === 'number' ? '0' : ' ');
}

function converted(value: unknown, as: string, digits: string | undefined): string {
  if (typeof value === 'number') {
    if ('diu'.includes(as)) return String(Math.trunc(value));
    if ('fF'.includes(as)) return value.toFixed(Math.min(Number(digits ?? 6), 20));
    if ('xX'.includes(as) && Number.isSafeInteger(value)) return value.toString(16);
    return String(value);
  }
  if (typeof value === 'string') return as === 'r' ? `'${value}'` : value;
  return JSON.stringify(value) ?? '';
}
