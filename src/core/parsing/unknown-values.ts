/** Keys are client data: read it with `getOwn`, create it with `createJsonObject`. */
export type JsonObject = Record<string, unknown>;

/** No inherited keys. A constructor, because V8 makes objects with a null prototype hash tables, which are slower. */
export function createJsonObject(): JsonObject {
  return new EmptyRecord() as JsonObject;
}

const EmptyRecord = function EmptyRecord() {} as unknown as new () => object;
EmptyRecord.prototype = Object.freeze(Object.create(null));

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function getOwn(source: JsonObject, key: string): unknown {
  return Object.hasOwn(source, key) ? source[key] : undefined;
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** PHP sends `false` for a missing text. */
export function isTextAbsent(value: unknown): boolean {
  return isAbsent(value) || value === false;
}

/** PHP also writes an empty map as an empty list. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** An array, or the values of an object with integer keys (a PHP array with gaps); null otherwise. */
export function toArray(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return null;
  return sortIntegerKeys(Object.keys(value))?.map((name) => value[name]) ?? null;
}

/** Sorts integer keys; null if one is not an integer. */
export function sortIntegerKeys(names: readonly string[]): readonly string[] | null {
  if (!names.every((name) => /^(?:0|-?[1-9]\d{0,18})$/.test(name))) return null;
  return names.toSorted((one, other) => Number(one) - Number(other));
}

/** An object, or an array as an object keyed by index; null otherwise. */
export function toJsonObject(value: unknown): JsonObject | null {
  if (isJsonObject(value)) return value;
  if (!Array.isArray(value)) return null;
  const map = createJsonObject();
  // No limited field can hold more.
  const entries = value.length > entriesMax ? value.slice(0, entriesMax) : value;
  for (const [index, entry] of entries.entries()) map[String(index)] = entry;
  return map;
}

const entriesMax = 131_072;

/** Removes NUL (invalid in PostgreSQL text) and replaces lone surrogates (invalid in UTF-8). */
export function removeNul(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** Sentry's lenient strings: true is "True", numbers are truncated to integers; null for other types. */
export function toLenientString(value: unknown): string | null {
  if (typeof value === 'string') return removeNul(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const truncated = Math.trunc(value);
  if (!Number.isInteger(value) && Math.abs(truncated) > Number.MAX_SAFE_INTEGER) return null;
  return Math.abs(truncated) < 1e21 ? String(truncated === 0 ? 0 : truncated) : null;
}
