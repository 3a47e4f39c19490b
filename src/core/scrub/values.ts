// Scrubs any value: fields by name, text by its form, JSON inside text as JSON.

import { findJsonErrorCode } from '../../wordpress/php/json-decode.ts';
import { createJsonObject, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';
import { removeBoundParameters } from './rules/bound-parameters.ts';
import { isCardNumber, scrubAddressField } from './rules/cards-and-addresses.ts';
import { findSecretEntries, findSecretFields } from './sibling-fields.ts';
import {
  isFieldName,
  isPublicValue,
  isValidationMessage,
  looksLikePin,
  looksRandom,
} from './table/false-positives.ts';
import { classifyFieldName, type FieldNameVerdict, isSecretVerdict } from './table/names.ts';
import { alternatives, filteredText, joinPattern } from './table/patterns.ts';
import type { TextKind } from './table/rules.ts';
import { type ScrubState, scrubString } from './text.ts';

interface KeyFacts {
  readonly name: string;
  /** Of the scrubbed name, so that scrubbing a stored event again changes nothing. */
  readonly verdict: FieldNameVerdict;
  readonly namesQuery: boolean;
}

function factsOf(key: string, state: ScrubState, kind: TextKind): KeyFacts {
  if (state.extra.pattern !== '') return refreshFacts(key, state, kind);
  const known = harmlessKeys.get(key);
  if (known !== undefined) return known;
  const before = state.count;
  const facts = refreshFacts(key, state, kind);
  if (kind !== 'version' && key.length <= 64 && state.count === before && facts.name === key) {
    if (harmlessKeys.size >= harmlessKeysMax) harmlessKeys.clear();
    harmlessKeys.set(key, facts);
  }
  return facts;
}

const harmlessKeys = new Map<string, KeyFacts>();
const harmlessKeysMax = 5_000;

function refreshFacts(key: string, state: ScrubState, kind: TextKind): KeyFacts {
  const name = key.length < 7 ? key : scrubString(key, state, kind === 'version' ? kind : 'text');
  return { name, verdict: classifyFieldName(name, state.extra), namesQuery: queryName.test(key) };
}

const queryName = /(?:query|querystring|query_string|search|fragment)$/i;

const depthMax = 48;
/** Longer JSON is searched as text. */
const nestedJsonCharsMax = 65_536;

export function scrubValue(value: unknown, state: ScrubState, depth: number, kind: TextKind): unknown {
  if (typeof value === 'string') return scrubNested(value, state, depth, kind);
  if (typeof value === 'number') return scrubNumber(value, state);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthMax) return filteredText;
  return Array.isArray(value) ? scrubList(value, state, depth, kind) : scrubFields(value, state, depth, kind);
}

function scrubNumber(value: number, state: ScrubState): unknown {
  if (!isCardNumber(value)) return value;
  state.count += 1;
  return '[card]';
}

function scrubNested(text: string, state: ScrubState, depth: number, kind: TextKind): string {
  if (text.length > nestedJsonCharsMax || kind === 'source' || !looksLikeJson(text)) {
    return scrubString(text, state, kind);
  }
  let document: unknown;
  try {
    if (state.refusedJson >= refusedJsonMax && !mayBeJson(text)) return scrubString(text, state, kind);
    document = JSON.parse(text);
  } catch {
    state.refusedJson += 1;
    return scrubString(text, state, kind);
  }
  const before = state.count;
  const clean = scrubValue(document, state, depth + 1, kind);
  return state.count === before ? text : JSON.stringify(clean);
}

/** JSON.parse errors are slow: after this many, a check that does not throw runs first. */
const refusedJsonMax = 50;

/** Cheap check, since parse errors are much slower than parsing. `[native code]` is a common case. */
function looksLikeJson(text: string): boolean {
  const code = text.charCodeAt(0);
  if (code > 32 && code !== 123 && code !== 91) return false;
  return /^\s*(?:\{\s*["}]|\[\s*["{[\]tfn\d-])/.test(text) && '}]'.includes(text.trimEnd().at(-1) ?? '?');
}

function scrubList(list: readonly unknown[], state: ScrubState, depth: number, kind: TextKind): unknown[] {
  const secrets = list.some(isText) ? findSecretEntries(list, state.extra) : noSecrets;
  const clean: unknown[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const entry = list[index];
    const replacement = secrets.size === 0 ? undefined : secrets.get(index);
    if (replacement !== undefined && entry !== replacement) {
      state.count += 1;
      clean.push(replacement);
    } else if (isPair(entry)) {
      const pair = scrubPair(entry, state, depth + 1, kind);
      if (pair !== null) clean.push(pair);
    } else {
      clean.push(scrubValue(entry, state, depth + 1, kind));
    }
  }
  return clean;
}

const noSecrets: ReadonlyMap<number, string> = new Map();

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function scrubNamedText(
  name: string,
  value: string,
  state: ScrubState,
  kind: TextKind,
): [name: string, value: string] {
  const clean = scrubFields({ [name]: value }, state, 1, kind) as JsonObject;
  const [pair] = Object.entries(clean);
  return pair === undefined ? [scrubString(name, state, kind), ''] : [pair[0], String(pair[1])];
}

function isPair(entry: unknown): entry is [string, unknown] {
  return Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string';
}

function scrubPair(
  pair: readonly [string, unknown],
  state: ScrubState,
  depth: number,
  kind: TextKind,
): [string, unknown] | null {
  const [key, value] = pair;
  // Two field names are not a name and its value.
  if (typeof value === 'string' && isFieldName(value)) return [scrubString(key, state, kind), value];
  const facts = factsOf(key, state, kind);
  const scrubbed = scrubbedBy(facts, value, state, depth, kind);
  return scrubbed === dropped ? null : [facts.name, scrubbed];
}

/** Judges each field by its name, its siblings and its value. Adds to `state.count`. */
export function scrubFields(sent: unknown, state: ScrubState, depth: number, kind: TextKind): unknown {
  if (!isJsonObject(sent)) return scrubValue(sent, state, depth, kind);
  const clean = createJsonObject();
  const keys = Object.keys(sent);
  const value = removeBoundParameters(sent, keys, state.extra, () => {
    state.count += 1;
  });
  const secret = findSecretFields(value, keys, state.extra);
  for (const key of keys) {
    const fieldValue = value[key];
    const replacement = secret?.get(key);
    if (replacement !== undefined && fieldValue !== replacement) {
      state.count += 1;
      clean[key] = replacement;
    } else if (key === 'frames' && Array.isArray(fieldValue)) {
      clean[key] = fieldValue.map((frame) => scrubFrame(frame, state, depth + 1));
    } else {
      scrubField(clean, key, fieldValue, state, depth, kind);
    }
  }
  return clean;
}

/** Writes to `target` under the scrubbed name, or the next free one. Adds to `state.count`. */
export function scrubField(
  target: JsonObject,
  key: string,
  value: unknown,
  state: ScrubState,
  depth: number,
  kind: TextKind,
): void {
  const facts = factsOf(key, state, kind);
  const scrubbed = scrubbedBy(facts, value, state, depth, kind);
  if (scrubbed !== dropped) target[uniqueKey(target, facts.name)] = scrubbed;
}

const dropped = Symbol('dropped');

function scrubbedBy(
  { verdict, namesQuery }: KeyFacts,
  value: unknown,
  state: ScrubState,
  depth: number,
  kind: TextKind,
): unknown {
  if (verdict !== 'plain') {
    if (isHidden(value, verdict)) {
      state.count += 1;
      return filteredText;
    }
    if (verdict === 'address' && (typeof value === 'string' || Array.isArray(value))) {
      state.count += 1;
      return (
        scrubAddressField(typeof value === 'string' ? value : textsOf(value), state.addresses) ?? dropped
      );
    }
    if (verdict === 'id' && isHexId(value)) return value;
  }
  if (namesQuery && typeof value === 'string' && isQuery(value)) {
    // Read like the part of a URL after "?".
    return scrubString(`?${value}`, state, kind).slice(1);
  }
  const hasVersions = verdict === 'version' || verdict === 'agent';
  return scrubValue(value, state, depth + 1, hasVersions ? 'version' : kind);
}

function textsOf(list: readonly unknown[]): string {
  return list.filter((entry) => typeof entry === 'string').join(',');
}

/** Filters whole objects. Flags, states, empty values and counts stay. */
function isHidden(value: unknown, verdict: FieldNameVerdict): boolean {
  if (verdict === 'random') return typeof value === 'string' && looksRandom(value);
  if (verdict === 'pin') {
    return (typeof value === 'string' || typeof value === 'number') && looksLikePin(String(value));
  }
  if (!isSecretVerdict(verdict)) return false;
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  if (typeof value === 'string' && (isPublicValue(value, true) || isValidationMessage(value))) return false;
  if (Array.isArray(value) && value.length > 0 && value.every(isValidationMessage)) return false;
  return !(verdict === 'counted' && typeof value === 'number');
}

function isHexId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f-]{8,64}$/i.test(value);
}

function isQuery(value: string): boolean {
  return /^[\w.%[\]-]{1,64}=/.test(value);
}

/** For names that source maps and debug images need: known token forms and links only. */
export function scrubFileNames(value: unknown, state: ScrubState, depth: number): unknown {
  if (typeof value === 'string') return scrubString(value, state, 'name');
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthMax) return filteredText;
  if (Array.isArray(value)) return value.map((entry) => scrubFileNames(entry, state, depth + 1));
  const clean = createJsonObject();
  for (const key of Object.keys(value))
    clean[key] = scrubFileNames((value as JsonObject)[key], state, depth + 1);
  return clean;
}

/** Two keys may become equal without their secrets: the second gets a number. */
export function uniqueKey(target: JsonObject, key: string): string {
  if (!Object.hasOwn(target, key)) return key;
  const numbers = numbersOf.get(target) ?? new Map<string, number>();
  numbersOf.set(target, numbers);
  let number = numbers.get(key) ?? 2;
  let free = `${key} (${number})`;
  while (Object.hasOwn(target, free)) {
    number += 1;
    free = `${key} (${number})`;
  }
  numbers.set(key, number);
  return free;
}

/** The last number of each key, so that thousands of equal keys stay linear. */
const numbersOf = new WeakMap<JsonObject, Map<string, number>>();

function scrubFrame(frame: unknown, state: ScrubState, depth: number): unknown {
  if (!isJsonObject(frame)) return scrubValue(frame, state, depth, 'text');
  const clean = createJsonObject();
  for (const key of Object.keys(frame)) {
    const value = frame[key];
    if (sourceLineFields.has(key)) {
      clean[key] = value;
    } else if (keptFrameFields.has(key)) {
      clean[key] = typeof value === 'string' ? scrubString(value, state, 'name') : value;
    } else {
      scrubField(clean, key, value, state, depth, 'text');
    }
  }
  scrubSourceLines(clean, state);
  return clean;
}

/** PHP's JSON_ERROR_CTRL_CHAR and JSON_ERROR_SYNTAX, which JSON.parse refuses too. */
const surelyNone: ReadonlySet<number | null> = new Set([3, 4]);

/** False if JSON.parse would throw, which takes ten times as long as to read a short text. Linear. */
function mayBeJson(text: string): boolean {
  return !surelyNone.has(findJsonErrorCode(Buffer.from(text)));
}

/** Kept, except known token forms and secrets in links. */
const keptFrameFields: ReadonlySet<string> = new Set([
  'filename',
  'abs_path',
  'function',
  'raw_function',
  'module',
  'package',
  'platform',
  'symbol',
]);
const sourceLineFields: ReadonlySet<string> = new Set(['pre_context', 'context_line', 'post_context']);

/** Files with unquoted values: settings, shell scripts, markup, SQL. */
const plainFile = joinPattern(
  'i',
  String.raw`(?:\.${alternatives(String.raw`
    env[\w.]{0,16} ya?ml ini conf cfg properties toml tf tfvars sh bash zsh
    ps1 bat cmd sql xml html? json csv tsv txt log md`)}`,
  String.raw`|(?:^|[/\\])(?:\.env|\.npmrc|\.netrc|\.pgpass|Dockerfile|Makefile)[\w.]{0,16})$`,
);

/** Reads the lines together, since a key or a call may span several lines. Changes `frame`. */
function scrubSourceLines(frame: JsonObject, state: ScrubState): void {
  const before = linesOf(frame['pre_context']);
  const after = linesOf(frame['post_context']);
  const contextLine = typeof frame['context_line'] === 'string' ? [frame['context_line']] : [];
  const lines = [...before, ...contextLine, ...after];
  if (lines.length === 0) return;
  const clean = scrubLines(lines, state, kindOfFile(frame));
  const isAsSent = (keptFields: readonly string[], name: string) =>
    keptFields.length === 0 || keptFields === frame[name];
  if (clean === lines && isAsSent(before, 'pre_context') && isAsSent(after, 'post_context')) return;
  if (before.length > 0) frame['pre_context'] = clean.slice(0, before.length);
  if (contextLine.length > 0) frame['context_line'] = clean[before.length];
  if (after.length > 0) frame['post_context'] = clean.slice(-after.length);
}

function linesOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return noLines;
  return value.every(isText) ? value : value.map((line: unknown) => (isText(line) ? line : ''));
}

const noLines: readonly string[] = [];

function kindOfFile(frame: JsonObject): TextKind {
  const file = frame['abs_path'] ?? frame['filename'];
  return typeof file === 'string' && plainFile.test(file.slice(-128).split(/[?#]/, 1)[0] ?? '')
    ? 'settings'
    : 'source';
}

/** One by one where scrubbing them together would change the number of lines. */
function scrubLines(lines: readonly string[], state: ScrubState, kind: TextKind): readonly string[] {
  const before = state.count;
  const clean = scrubString(lines.join('\n'), state, kind);
  if (state.count === before) return lines;
  const cleanLines = clean.split('\n');
  return cleanLines.length === lines.length
    ? cleanLines
    : lines.map((line) => scrubString(line, state, kind));
}
