// Parameters that the template shows to be secret ("password %s") are removed from the formatted text too.
import { cutText } from '../parsing/cut-text.ts';
import {
  createJsonObject,
  getOwn,
  isJsonObject,
  type JsonObject,
  toArray,
} from '../parsing/unknown-values.ts';
import { classifyFieldName, isSecretVerdict } from './table/names.ts';
import { filteredText, joinPattern } from './table/patterns.ts';
import { type ScrubState, scrubString } from './text.ts';
import { scrubValue } from './values.ts';

/** Limit of a message: docs/events.md, "Fields". */
const messageCharsMax = 8192;

/** Fills in `formatted` where the entry has only a template and parameters. */
export function scrubLogEntry(value: unknown, state: ScrubState): unknown {
  const params = isJsonObject(value) ? getOwn(value, 'params') : undefined;
  if (!isJsonObject(value) || typeof params !== 'object' || params === null) {
    return scrubValue(value, state, 1, 'text');
  }
  const secret = secretParameters(getOwn(value, 'message'), params as JsonObject, state);
  const result = createJsonObject();
  for (const key of Object.keys(value)) result[key] = value[key];
  if (secret.size > 0) {
    result['params'] = withoutParameters(params as JsonObject, secret, state);
    if (typeof result['formatted'] === 'string') {
      result['formatted'] = withoutValues(result['formatted'], params as JsonObject, secret);
    }
  }
  if (typeof result['formatted'] !== 'string' && typeof result['message'] === 'string') {
    const filled = formatTemplate(result['message'], result['params'], messageCharsMax);
    if (filled !== null) result['formatted'] = filled;
  }
  return scrubValue(result, state, 1, 'text');
}

function secretParameters(template: unknown, params: JsonObject, state: ScrubState): ReadonlySet<string> {
  const found = new Set<string>();
  for (const key of Object.keys(params)) {
    if (!Array.isArray(params) && isSecretVerdict(classifyFieldName(key, state.extra))) found.add(key);
  }
  if (typeof template !== 'string' || !placeholder.test(template)) return found;
  // Fill each placeholder with a sample. Where scrubbing removes the sample, the parameter is a secret.
  for (const [head, tail] of markers) {
    const keys: string[] = [];
    const text = template.replaceAll(placeholders, (match: string, ...groups: unknown[]) => {
      if (match === '%%') return match;
      const name = groups.slice(0, 4).find((group) => typeof group === 'string' && group !== '');
      keys.push(typeof name === 'string' ? keyOf(name, match) : String(keys.length));
      return `${head}${keys.length + 10}${tail}`;
    });
    const clean = scrubString(text, { ...state, count: 0 }, 'text');
    const remaining = findPlaceholdersLeft(clean, head, tail);
    for (const [index, key] of keys.entries()) if (!remaining.has(String(index + 11))) found.add(key);
  }
  return found;
}

const markers = [
  ['q7Zk', 'x3Wm9'],
  ['7391', '5'],
] as const;
const positionDigitsMax = 6;

function findPlaceholdersLeft(text: string, head: string, tail: string): ReadonlySet<string> {
  const remaining = new Set<string>();
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + 1)) {
    const start = at + head.length;
    for (let end = start; end < start + positionDigitsMax && /\d/.test(text[end] ?? ''); end += 1) {
      if (text.startsWith(tail, end + 1)) remaining.add(text.slice(start, end + 1));
    }
  }
  return remaining;
}

const placeholder = /[%{?$:]/;
const placeholders = joinPattern(
  'g',
  // `%%` is a percent sign; `%s`, `%2$s`, `%(name)s`, `%-5d`.
  String.raw`%%|%(?:(\d{1,2})\$|\((\w{1,64})\))?[-+ 0#]{0,4}\d{0,3}(?:\.\d{1,2})?[sdrifvqxaogeEGjcu]`,
  // `{}`, `{0}`, `{name!r}`, `${name}`.
  String.raw`|\$?\{(?:([\w.]{1,64})(?:[!:][^{}]{0,16})?)?\}`,
  // `:name`, `$1`, `@name` and `?`, as in SQL.
  String.raw`|(?<=[=\s(,])[:$@](\w{1,64})|(?<=[=\s(,])\?(?=[\s,);]|$)`,
);

/** `%2$s` and `$2` count from 1, `{0}` from 0. */
function keyOf(name: string, placeholder: string): string {
  return /^\d+$/.test(name) && !placeholder.includes('{') ? String(Number(name) - 1) : name;
}

function withoutParameters(params: JsonObject, secret: ReadonlySet<string>, state: ScrubState): unknown {
  const hide = (key: string, value: unknown): unknown => {
    const isPlain = typeof value === 'string' || typeof value === 'number';
    if (!isPlain || !secret.has(key) || value === '' || value === filteredText) return value;
    state.count += 1;
    return filteredText;
  };
  if (Array.isArray(params)) return params.map((value, index) => hide(String(index), value));
  const clean = createJsonObject();
  for (const key of Object.keys(params)) clean[key] = hide(key, params[key]);
  return clean;
}

/** Maximum number of secrets that are searched for in the text; with more, the whole text is filtered. */
const secretsMax = 64;

function withoutValues(formatted: string, params: JsonObject, secret: ReadonlySet<string>): string {
  const values = new Set<string>();
  for (const key of Object.keys(params)) {
    const value = params[key];
    if (!secret.has(key) || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const text = String(value);
    if (text.length >= 3 && text !== filteredText) values.add(text);
  }
  if (values.size > secretsMax) return filteredText;
  let clean = formatted;
  for (const text of values) clean = clean.replaceAll(text, filteredText);
  return clean;
}

const printf =
  /%%|%(?:(?<place>\d{1,2})\$|\((?<name>[\w.]{1,64})\))?(?<flags>[-+0#]{0,4})(?<width>\d{0,3})(?:\.(?<digits>\d{1,2}))?(?<as>[sdiufFxXoOeEgGrcaj])/g;
/** `{}`, `{0}`, `{name}`, `{name:format}`, `{name!r}`; `{{` and `}}` are literal braces. */
const braces = /\{\{|\}\}|\{(?<name>[\w.]{0,64})(?:[!:][^{}]{0,16})?\}/g;

type Placeholder = Readonly<Record<string, string | undefined>>;

/** Supports printf, Python and PSR-3. Null where nothing can be filled in. Unmatched placeholders stay. */
export function formatTemplate(template: string, params: unknown, charsMax: number): string | null {
  const list = toArray(params);
  const parameters: Parameters = { list: list ?? [], named: namedOf(params, list) };
  if (parameters.list.length === 0 && parameters.named === null) return null;
  const printfCount = countOf(template, printf);
  const isPrintf = printfCount > 0 && (printfCount === list?.length || countOf(template, braces) === 0);
  const filled = fill(template, isPrintf ? printf : braces, parameters, charsMax);
  return filled === null && printfCount > 0 ? fill(template, printf, parameters, charsMax) : filled;
}

interface Parameters {
  readonly list: readonly unknown[];
  readonly named: JsonObject | null;
}

/** An object, or an object as the only list entry, as in Python's logging. */
function namedOf(params: unknown, list: readonly unknown[] | null): JsonObject | null {
  if (isJsonObject(params)) return params;
  const [first] = list ?? [];
  return list?.length === 1 && isJsonObject(first) ? first : null;
}

function countOf(template: string, pattern: RegExp): number {
  return template.match(pattern)?.filter((one) => !isEscape(one)).length ?? 0;
}

function isEscape(placeholder: string): boolean {
  return placeholder === '%%' || placeholder === '{{' || placeholder === '}}';
}

function fill(template: string, pattern: RegExp, params: Parameters, charsMax: number): string | null {
  let text = '';
  let from = 0;
  let next = 0;
  let isFilled = false;
  for (const found of template.matchAll(pattern)) {
    // A code point has at most two UTF-16 units; longer text is cut anyway.
    if (text.length > 2 * charsMax) break;
    const [match] = found;
    text += template.slice(from, found.index);
    from = found.index + match.length;
    if (isEscape(match)) {
      text += match[0];
      continue;
    }
    const placeholder = found.groups ?? {};
    const value = parameterOf(placeholder, params, next);
    if (placeholder['place'] === undefined && !isNamed(placeholder, params)) next += 1;
    isFilled ||= value !== undefined;
    text += value === undefined ? match : written(value, placeholder);
  }
  return isFilled ? cutText(text + template.slice(from), charsMax) : null;
}

function isNamed({ name = '' }: Placeholder, { named }: Parameters): boolean {
  return name !== '' && (named !== null || /^\d+$/.test(name));
}

function parameterOf(placeholder: Placeholder, params: Parameters, next: number): unknown {
  const { name = '', place: position } = placeholder;
  const { list, named } = params;
  if (position !== undefined) return list[Number(position) - 1];
  if (!isNamed(placeholder, params)) return list[next];
  const value = named === null ? undefined : getOwn(named, name);
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
