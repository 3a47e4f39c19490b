import { setImmediate } from 'node:timers/promises';
import { floatToJson, integerToString } from './casts.ts';
import { replaceInvalidUtf8 } from './strings.ts';
import { entriesOf, isList, isPhpArray, PhpFloat, PhpObject, type PhpValue, valuesOf } from './values.ts';

export type Encoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 1 | 7; readonly message: string };

export type EncodeOptions = {
  /** JSON_PRETTY_PRINT, for `_pretty`. */
  readonly pretty?: boolean;
};

/** As `wp_json_encode` (docs/wordpress.md, "JSON"): `?` for bytes that are not UTF-8, `[]` for any empty array. Fails
 * with code 7 on INF and NaN, and with code 1 past the depth. */
export function encodeJson(value: PhpValue, options: EncodeOptions = {}): Encoded {
  try {
    return { ok: true, text: encode(newEncoder(options), value) };
  } catch (error) {
    return toEncodeFailure(error);
  }
}

/** For large values: yields to the event loop every few milliseconds. The value must not change meanwhile. */
export async function encodeJsonInSlices(value: PhpValue, options: EncodeOptions = {}): Promise<Encoded> {
  if (weightOf(value) <= stepWeightMax) return encodeJson(value, options);
  const slicer = createTimeSlicer();
  await slicer.yieldToEventLoop();
  try {
    return { ok: true, text: await encodeInSteps(newEncoder(options), value, slicer) };
  } catch (error) {
    return toEncodeFailure(error);
  }
}

type Encoder = { readonly pretty: boolean; depth: number };

const depthMax = 512;

function newEncoder({ pretty = false }: EncodeOptions): Encoder {
  return { pretty, depth: 0 };
}

function toEncodeFailure(error: unknown): Encoded {
  if (!(error instanceof EncodeError)) throw error;
  return { ok: false, code: error.code, message: messages[error.code] };
}

const messages = {
  1: 'Maximum stack depth exceeded',
  7: 'Inf and NaN cannot be JSON encoded',
} as const;

/** Ends the recursion; not thrown out of this file. */
class EncodeError {
  readonly code: keyof typeof messages;
  constructor(code: keyof typeof messages) {
    this.code = code;
  }
}

function encode(encoder: Encoder, value: PhpValue | undefined): string {
  if (typeof value === 'string') return encodeText(value);
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'bigint') return integerToString(value);
  if (typeof value === 'number') return encodeNumber(value);
  if (value instanceof PhpFloat) return encodeFloat(value.value);
  // PHP counts a container when it opens, even an empty one.
  if (encoder.depth >= depthMax) throw new EncodeError(1);
  encoder.depth += 1;
  const text = Array.isArray(value) ? encodeList(encoder, value) : encodeMembers(encoder, value);
  encoder.depth -= 1;
  return text;
}

function encodeList(encoder: Encoder, list: readonly PhpValue[]): string {
  if (list.length === 0) return '[]';
  const indent = indentOf(encoder);
  let text = '[';
  for (let index = 0; index < list.length; index += 1) {
    text += (index === 0 ? '' : ',') + indent + encode(encoder, list[index]);
  }
  return `${text}${indent.slice(0, -4)}]`;
}

function encodeMembers(encoder: Encoder, value: Exclude<PhpValue, PhpValue[]>): string {
  const entries = cleanEntries(value);
  const isObject = value instanceof PhpObject;
  if (entries.length === 0) return isObject ? '{}' : '[]';
  if (!isObject && entries[0]?.[0] === '0' && isList(value)) {
    return encodeList(encoder, valuesOf(value));
  }
  const indent = indentOf(encoder);
  const colon = encoder.pretty ? ': ' : ':';
  let text = '{';
  for (const [name, member] of entries) {
    text += (text === '{' ? '' : ',') + indent + encodeText(name) + colon + encode(encoder, member);
  }
  return `${text}${indent.slice(0, -4)}}`;
}

async function encodeInSteps(encoder: Encoder, value: PhpValue, slicer: TimeSlicer): Promise<string> {
  if (!isPhpArray(value) && !(value instanceof PhpObject)) return encode(encoder, value);
  if (encoder.depth >= depthMax) throw new EncodeError(1);
  encoder.depth += 1;
  const indent = indentOf(encoder);
  const colon = encoder.pretty ? ': ' : ':';
  const names = value instanceof PhpObject || !isList(value) ? cleanEntries(value) : null;
  const runs: string[] = [];
  let pieces: string[] = [];
  for (const [index, member] of (names?.map(([, each]) => each) ?? valuesOf(value)).entries()) {
    const before = names === null ? '' : encodeText(names[index]?.[0] ?? '') + colon;
    const weight = weightOf(member);
    const text =
      weight > stepWeightMax ? await encodeInSteps(encoder, member, slicer) : encode(encoder, member);
    pieces.push(indent + before + text);
    if (!slicer.isOver(weight)) continue;
    // Joined as we go: joining hundreds of thousands of pieces at once would block the loop.
    runs.push(pieces.join(','));
    pieces = [];
    await slicer.yieldToEventLoop();
  }
  encoder.depth -= 1;
  if (pieces.length > 0) runs.push(pieces.join(','));
  const [open, close] = names === null ? '[]' : '{}';
  return `${open}${runs.join(',')}${indent.slice(0, -4)}${close}`;
}

const stepWeightMax = 1_000;
/** Milliseconds of encoding before the event loop gets its turn. */
const stepMsMax = 4;

type TimeSlicer = { isOver(weight: number): boolean; yieldToEventLoop(): Promise<void> };

function createTimeSlicer(): TimeSlicer {
  let done = 0;
  let beganMs = performance.now();
  return {
    isOver(weight) {
      done += weight;
      if (done <= stepWeightMax) return false;
      done = 0;
      return performance.now() - beganMs >= stepMsMax;
    },
    async yieldToEventLoop() {
      await setImmediate();
      beganMs = performance.now();
    },
  };
}

/** A value and each 64 characters count one. Counting stops past `limit`. */
function weightOf(value: PhpValue | undefined, limit = stepWeightMax): number {
  if (typeof value === 'string') return 1 + value.length / 64;
  if (!isPhpArray(value) && !(value instanceof PhpObject)) return 1;
  let weight = 1;
  if (Array.isArray(value)) {
    for (const member of value) {
      weight += weightOf(member, limit - weight);
      if (weight > limit) return weight;
    }
    return weight;
  }
  for (const [name, member] of entriesOf(value)) {
    weight += name.length / 64 + weightOf(member, limit - weight);
    if (weight > limit) return weight;
  }
  return weight;
}

function indentOf(encoder: Encoder): string {
  return encoder.pretty ? `\n${'    '.repeat(encoder.depth)}` : '';
}

/** Where two names become equal by scrubbing, the last value takes the first position. */
function cleanEntries(value: PhpValue): Array<[string, PhpValue]> {
  const entries = entriesOf(value);
  for (const [name] of entries) {
    if (!name.isWellFormed()) {
      return [...new Map(entries.map(([key, member]) => [replaceInvalidUtf8(key), member]))];
    }
  }
  return entries;
}

function encodeNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  // Integral numbers past 64 bits can only be PHP floats.
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63
    ? integerToString(value)
    : encodeFloat(value);
}

function encodeFloat(value: number): string {
  if (!Number.isFinite(value)) throw new EncodeError(7);
  return floatToJson(value);
}

const needsEscape = /[^\x20-\x7f]|["\\/]/;
const needsMoreThanSlashes = /[^\x20-\x7f]|["\\]/;
const escapedByPhpOnly = /[/\u0080-\uffff]/g;

function encodeText(text: string): string {
  if (!needsEscape.test(text)) return `"${text}"`;
  if (!needsMoreThanSlashes.test(text)) return `"${text.replaceAll('/', '\\/')}"`;
  return JSON.stringify(replaceInvalidUtf8(text)).replace(escapedByPhpOnly, escapeUnit);
}

function escapeUnit(unit: string): string {
  return unit === '/' ? '\\/' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
