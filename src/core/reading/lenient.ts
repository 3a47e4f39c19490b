// Values of unknown shape, told apart and read without ever throwing. Which fields there are, and what
// becomes of those that cannot be used, is not known here: fields.ts reads objects.

/** An object of the input or output: keys are data, so it is read by `own` and made by `emptyRecord`. */
export type JsonRecord = Record<string, unknown>;

/**
 * An object that inherits nothing, so that `__proto__` and `constructor` are keys like any other. Made by a
 * constructor whose prototype is empty: one without any prototype is a hash table from its first key on,
 * which takes several times as long to write, to read and to write out as JSON.
 */
export function emptyRecord(): JsonRecord {
  return new EmptyRecord() as JsonRecord;
}

const EmptyRecord = function EmptyRecord() {} as unknown as new () => object;
EmptyRecord.prototype = Object.freeze(Object.create(null));

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

/** True for a text that was not sent: PHP has `false` for one that is missing. */
export function noText(value: unknown): boolean {
  return absent(value) || value === false;
}

/** Whether a value is a list of nothing, which is how PHP writes an empty map as well. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * A list, or the values of an object whose names are all whole numbers, in their order: PHP writes a list
 * with gaps that way. Null for everything else.
 */
export function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  return placesIn(Object.keys(value))?.map((name) => value[name]) ?? null;
}

/** The names of an object as the places of a list, in their order; null where one is no whole number. */
export function placesIn(names: readonly string[]): readonly string[] | null {
  if (!names.every((name) => /^(?:0|-?[1-9]\d{0,18})$/.test(name))) return null;
  return names.toSorted((one, other) => Number(one) - Number(other));
}

/** An object, or one of the entries of a list by their places; null for everything else. */
export function mapOf(value: unknown): JsonRecord | null {
  if (isRecord(value)) return value;
  if (!Array.isArray(value)) return null;
  const map = emptyRecord();
  // A bag holds no more.
  const entries = value.length > entriesMax ? value.slice(0, entriesMax) : value;
  for (const [place, entry] of entries.entries()) map[String(place)] = entry;
  return map;
}

const entriesMax = 131_072;

/**
 * Without NUL, which PostgreSQL cannot keep in text, and without lone surrogates, which UTF-8 cannot hold.
 */
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
