// The text of a log message whose client sent its template and its parameters apart. Pure.
import { cutText } from '../reading/cut-text.ts';
import { isRecord, type JsonRecord, listOf, own } from '../reading/lenient.ts';

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
