// Any value without its secrets: fields by their names, text by its shape, JSON inside of text as what it is. What is special
// about an event's own fields is in scrub.ts. File, function and module names of frames are left as they are.
import { emptyRecord, isRecord, type JsonRecord, own } from './lenient.ts';
import { addressFieldOf } from './scrub-address.ts';
import { isCardNumber } from './scrub-cards.ts';
import { judgeKey, type KeyVerdict } from './scrub-keys.ts';
import { filtered, isInsidePem, type ScrubState, scrubString, type TextKind } from './scrub-text.ts';

const depthMax = 48;
/** JSON inside of text is read as JSON up to this length; longer text is searched as text. */
const nestedJsonCharsMax = 65_536;

const untouchedFrameFields = new Set([
  'filename',
  'abs_path',
  'function',
  'raw_function',
  'module',
  'package',
  'platform',
  'symbol',
]);

/** Any value: text by its shape, fields by their names, nested JSON as what it is. */
export function scrubValue(value: unknown, state: ScrubState, depth: number, kind: TextKind): unknown {
  if (typeof value === 'string') return scrubNested(value, state, depth, kind);
  if (typeof value === 'number') return scrubNumber(value, state);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthMax) return filtered;
  return Array.isArray(value) ? scrubList(value, state, depth, kind) : scrubFields(value, state, depth, kind);
}

function scrubNumber(value: number, state: ScrubState): unknown {
  if (!isCardNumber(value)) return value;
  state.count += 1;
  return '[card]';
}

/** A JSON document inside of text is scrubbed as a document; text that only begins like one, as text. */
function scrubNested(text: string, state: ScrubState, depth: number, kind: TextKind): string {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > nestedJsonCharsMax || kind === 'source') {
    return scrubString(text, state, kind);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return scrubString(text, state, kind);
  }
  const before = state.count;
  const clean = scrubValue(document, state, depth + 1, kind);
  return state.count === before ? text : JSON.stringify(clean);
}

function scrubList(list: readonly unknown[], state: ScrubState, depth: number, kind: TextKind): unknown[] {
  const clean: unknown[] = [];
  let insidePem = false;
  let flag: KeyVerdict = 'plain';
  for (const entry of list) {
    if (typeof entry === 'string') {
      const told = flag === 'secret' || (flag === 'counted' && !/^\d{1,9}$/.test(entry));
      const hidden = insidePem || (told && !entry.startsWith('-'));
      insidePem = isInsidePem(entry, insidePem);
      if (hidden) state.count += 1;
      clean.push(hidden ? filtered : scrubNested(entry, state, depth, kind));
      // A command line: ["--password", "hunter2"].
      flag = /^--?[A-Za-z][\w-]{0,64}$/.test(entry) ? judgeKey(entry, state.extra) : 'plain';
    } else if (isPair(entry)) clean.push(...scrubPair(entry, state, depth + 1, kind));
    else clean.push(scrubValue(entry, state, depth + 1, kind));
  }
  return clean;
}

function isPair(entry: unknown): entry is [string, unknown] {
  return Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string';
}

/** `["password", "hunter2"]`: a field in the form of a pair; none where the field is dropped. */
function scrubPair(
  pair: readonly [string, unknown],
  state: ScrubState,
  depth: number,
  kind: TextKind,
): Array<[string, unknown]> {
  const holder = emptyRecord();
  scrubField(holder, pair[0], pair[1], state, depth, kind);
  return Object.entries(holder);
}

export function scrubFields(value: unknown, state: ScrubState, depth: number, kind: TextKind): unknown {
  if (!isRecord(value)) return scrubValue(value, state, depth, kind);
  const clean = emptyRecord();
  const named = namedValue(value, state);
  for (const key of Object.keys(value)) {
    if (key === named) {
      state.count += 1;
      clean[key] = filtered;
    } else if (key === 'frames' && Array.isArray(value[key])) {
      clean[key] = value[key].map((frame) => scrubFrame(frame, state, depth + 1));
    } else scrubField(clean, key, value[key], state, depth, kind);
  }
  return clean;
}

/** `{name: "password", value: "hunter2"}`: the field that holds the secret, or null. */
function namedValue(value: JsonRecord, state: ScrubState): string | null {
  const name = own(value, 'name') ?? own(value, 'key');
  if (typeof name !== 'string') return null;
  const holder = ['value', 'val', 'content', 'data'].find((key) => typeof own(value, key) === 'string');
  if (holder === undefined) return null;
  const verdict = judgeKey(name, state.extra);
  return verdict === 'secret' || verdict === 'counted' || verdict === 'address' ? holder : null;
}

export function scrubField(
  target: JsonRecord,
  key: string,
  value: unknown,
  state: ScrubState,
  depth: number,
  kind: TextKind,
): void {
  const verdict = judgeKey(key, state.extra);
  const name = freeKey(
    target,
    key.length < 7 ? key : scrubString(key, state, kind === 'version' ? kind : 'text'),
  );
  if (isHidden(value, verdict)) {
    state.count += 1;
    target[name] = filtered;
  } else if (verdict === 'address' && (typeof value === 'string' || Array.isArray(value))) {
    state.count += 1;
    const kept = addressFieldOf(typeof value === 'string' ? value : value.join(','), state.addresses);
    if (kept !== null) target[name] = kept;
  } else if (verdict === 'id' && isHexId(value)) target[name] = value;
  else target[name] = scrubValue(value, state, depth + 1, hasVersions(verdict) ? 'version' : kind);
}

function hasVersions(verdict: KeyVerdict): boolean {
  return verdict === 'version' || verdict === 'agent';
}

/** The whole subtree goes; flags and nothing stay, and so do numbers that count something. */
function isHidden(value: unknown, verdict: KeyVerdict): boolean {
  if (verdict !== 'secret' && verdict !== 'counted') return false;
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return false;
  return !(verdict === 'counted' && typeof value === 'number');
}

function isHexId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f-]{8,64}$/i.test(value);
}

/** Two keys may become one when their secrets are taken out: the second gets a number. */
export function freeKey(target: JsonRecord, key: string): string {
  if (!Object.hasOwn(target, key)) return key;
  let number = 2;
  while (Object.hasOwn(target, `${key} (${number})`)) number += 1;
  return `${key} (${number})`;
}

function scrubFrame(frame: unknown, state: ScrubState, depth: number): unknown {
  if (!isRecord(frame)) return scrubValue(frame, state, depth, 'text');
  const clean = emptyRecord();
  for (const key of Object.keys(frame)) {
    const value = frame[key];
    if (untouchedFrameFields.has(key)) clean[key] = value;
    else if (key === 'context_line' || key === 'pre_context' || key === 'post_context') clean[key] = value;
    else scrubField(clean, key, value, state, depth, 'text');
  }
  scrubSourceLines(clean, state);
  return clean;
}

/** The lines around a fault are one text: a key may begin before the line and end after it. */
function scrubSourceLines(frame: JsonRecord, state: ScrubState): void {
  const before = Array.isArray(frame['pre_context']) ? frame['pre_context'] : [];
  const after = Array.isArray(frame['post_context']) ? frame['post_context'] : [];
  const hasLine = typeof frame['context_line'] === 'string';
  const lines = [...before, ...(hasLine ? [frame['context_line']] : []), ...after];
  if (lines.length === 0) return;
  const clean = scrubList(lines, state, 1, 'source');
  if (before.length > 0) frame['pre_context'] = clean.slice(0, before.length);
  if (hasLine) frame['context_line'] = clean[before.length];
  if (after.length > 0) frame['post_context'] = clean.slice(-after.length);
}
