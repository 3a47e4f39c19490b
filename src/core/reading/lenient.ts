// Reading values of unknown shape without ever throwing: what cannot be used is set aside and named.
// Nothing here knows a field of an event; the normalize-*.ts files do.
import type { EventError } from '../../../schemas/event.ts';
import { cutText, isLongerThan } from './cut-text.ts';

/** An object of the input or output: keys are data, so it is read by `own` and made by `emptyRecord`. */
export type JsonRecord = Record<string, unknown>;

/** Why a value is not there as it was sent. */
export type NoteType =
  | 'invalid_data'
  | 'value_too_long'
  | 'future_timestamp'
  | 'past_timestamp'
  | 'clock_drift';

/** Errors noted for one event; what follows is set aside without being named. */
const eventErrorsMax = 100;
const noteValueCharsMax = 128;
const noteNameCharsMax = 256;

/** An object without a prototype, so that `__proto__` and `constructor` are keys like any other. */
export function emptyRecord(): JsonRecord {
  return Object.create(null) as JsonRecord;
}

/** Whether a value is a JSON object; lists and null are none. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own key, or undefined; never what a prototype holds. */
export function own(source: JsonRecord, key: string): unknown {
  return Object.hasOwn(source, key) ? source[key] : undefined;
}

/** True for null, undefined: a field that was not sent. */
export function absent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/**
 * Adds one error, with the value where it is short and plain; a number that JSON cannot say (1e400) is never
 * repeated. At most `eventErrorsMax` are kept.
 */
export function note(errors: EventError[], type: NoteType, name: string, value?: unknown): void {
  if (errors.length >= eventErrorsMax) return;
  const error: EventError = { type, name: cutText(name, noteNameCharsMax) };
  if (typeof value === 'string') error.value = cutText(withoutNul(value), noteValueCharsMax);
  else if (typeof value === 'boolean' || Number.isFinite(value)) error.value = value;
  errors.push(error);
}

/** Without NUL, which PostgreSQL cannot keep in text, and without lone surrogates, which UTF-8 cannot hold. */
export function withoutNul(text: string): string {
  const bare = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return bare.isWellFormed() ? bare : bare.toWellFormed();
}

/**
 * A lenient text (docs/events.md, "How an event is read"): text as it is, true → "True", integers as text,
 * fractions below 2^53 cut to whole numbers; null for all else.
 */
export function lenientString(value: unknown): string | null {
  if (typeof value === 'string') return withoutNul(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const whole = Math.trunc(value);
  if (!Number.isInteger(value) && Math.abs(whole) > Number.MAX_SAFE_INTEGER) return null;
  return Math.abs(whole) < 1e21 ? String(whole === 0 ? 0 : whole) : null;
}

export interface TextRule {
  /** Code points. */
  readonly charsMax: number;
  /** What happens to text over the limit: the start is kept, or the field is set aside. */
  readonly over: 'cut' | 'drop';
  /** Numbers and booleans are taken as text too. */
  readonly lenient?: boolean;
  readonly trim?: boolean;
  /** Text that matches is set aside. */
  readonly forbidden?: RegExp;
}

/** A text field by its rule; undefined (with an error noted) when it cannot be used, undefined alone when it was not sent. */
export function readText(
  value: unknown,
  name: string,
  errors: EventError[],
  rule: TextRule,
): string | undefined {
  if (absent(value)) return undefined;
  const plain = rule.lenient ? lenientString(value) : typeof value === 'string' ? withoutNul(value) : null;
  if (plain === null) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const text = rule.trim ? plain.trim() : plain;
  if (text === '') return undefined;
  if (isLongerThan(text, rule.charsMax)) {
    note(errors, 'value_too_long', name, rule.over === 'drop' ? text : undefined);
    if (rule.over === 'drop') return undefined;
  }
  const kept = cutText(text, rule.charsMax);
  if (rule.forbidden?.test(kept)) {
    note(errors, 'invalid_data', name, kept);
    return undefined;
  }
  return kept;
}

/** A whole number from 0 up; digits as text are taken too. */
export function readCount(value: unknown, name: string, errors: EventError[]): number | undefined {
  if (absent(value)) return undefined;
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  note(errors, 'invalid_data', name, value);
  return undefined;
}

/** true or false; all else is set aside. */
export function readFlag(value: unknown, name: string, errors: EventError[]): boolean | undefined {
  if (absent(value)) return undefined;
  if (typeof value === 'boolean') return value;
  note(errors, 'invalid_data', name, value);
  return undefined;
}

/** The three forms of a list in the SDK protocol: `{values: […]}`, a bare list, or one object. Null entries are dropped. */
export function readValues(value: unknown, name: string, errors: EventError[]): unknown[] | undefined {
  if (absent(value)) return undefined;
  const list = isRecord(value) && Object.hasOwn(value, 'values') ? value['values'] : value;
  if (absent(list)) return undefined;
  if (Array.isArray(list)) return list.filter((entry) => !absent(entry));
  if (isRecord(list)) return [list];
  note(errors, 'invalid_data', name, list);
  return undefined;
}

/** Sets a field that has a value. */
export function put(target: JsonRecord, field: string, value: unknown): void {
  if (value !== undefined) target[field] = value;
}
