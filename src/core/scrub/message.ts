// A log entry: its template says which of its parameters are secrets ("login %s with password %s"), and those
// go from the text that was made with them as well. Where the client left it to the server to make that text,
// it is made here, of what is left of the parameters.
import { emptyRecord, isRecord, type JsonRecord, own } from '../reading/lenient.ts';
import { interpolate } from './interpolate.ts';
import { judgeKey, promisesSecret } from './kinds/names.ts';
import { patternOf } from './kinds/patterns.ts';
import { filtered, type ScrubState, scrubString } from './text.ts';
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
