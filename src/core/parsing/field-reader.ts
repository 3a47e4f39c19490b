// Reads the fields of one sent object by rules. Values that cannot be used are noted by name; nothing throws.
import type { EventError } from '../../../schemas/event.ts';
import { type BoundedJsonResult, type JsonLimit, limitJson } from './bounded-json.ts';
import { cutText, isLongerThan } from './cut-text.ts';
import { formatMicroseconds, parseMicroseconds } from './timestamps.ts';
import {
  createJsonObject,
  isAbsent,
  isEmptyList,
  isJsonObject,
  isTextAbsent,
  type JsonObject,
  removeNul,
  toArray,
  toLenientString,
} from './unknown-values.ts';

/** Why a value was changed or dropped (Sentry's names of event processing errors). */
type NoteType = 'invalid_data' | 'value_too_long' | 'future_timestamp' | 'past_timestamp' | 'clock_drift';

/** Notes per event; further values are dropped without a note. */
const notesMax = 100;
const noteValueCharsMax = 128;
const noteNameCharsMax = 256;
const unknownFieldsMax = 100;
const nameCharsMax = 256;

type FieldRule = (fields: FieldReader, name: string) => unknown;

/** A larger object is searched for the table's names instead of looking up each of its fields. */
const fieldsLookedUpMax = 64;

/** Starts reading an object. Notes go to `errors`, named by `path` (empty for the event itself) and field. */
export function createFieldReader(source: JsonObject, errors: EventError[], path = ''): FieldReader {
  return new FieldReader(source, errors, null, path, -1);
}

/** A class, because closures for the hundreds of objects of an event were slower. */
class FieldReader {
  readonly result: JsonObject = createJsonObject();
  readonly #source: JsonObject;
  readonly #errors: EventError[];
  /** Parents instead of a path: the path is built only if something is noted. */
  readonly #parent: FieldReader | null;
  readonly #name: string;
  readonly #index: number;
  readonly #read: string[] = [];

  constructor(
    source: JsonObject,
    errors: EventError[],
    parent: FieldReader | null,
    name: string,
    index: number,
  ) {
    this.#source = source;
    this.#errors = errors;
    this.#parent = parent;
    this.#name = name;
    this.#index = index;
  }

  /** Reads every field by a table, and the fields that are not in it with `rest`. */
  all(table: FieldTable<FieldReader>, limit: JsonLimit): void {
    const names = Object.keys(this.#source);
    const isLookedUp = names.length <= fieldsLookedUpMax;
    let present = 0;
    let known = 0;
    if (isLookedUp) {
      for (let at = 0; at < names.length; at += 1) {
        const index = table.indexByName.get(names[at] as string);
        if (index === undefined) continue;
        present |= 1 << index;
        known += 1;
      }
    }
    for (let index = 0; index < table.names.length; index += 1) {
      if (isLookedUp && (present & (1 << index)) === 0) continue;
      table.reads[index]?.(this, table.names[index] as string);
    }
    if (!isLookedUp || known < names.length) this.rest(limit);
  }

  /** Empty text and `false` count as not sent. */
  text(name: string, rule: TextRule): string | undefined {
    const value = this.sent(name);
    return isTextAbsent(value) ? undefined : this.setText(name, value, rule);
  }

  setText(name: string, value: unknown, rule: TextRule): string | undefined {
    const text = this.textOf(name, value, rule);
    if (text !== undefined) this.result[name] = text;
    return text;
  }

  /** Unsigned 32-bit integers or their digits; longer numbers may look like a card number to the scrubber. */
  count(name: string): void {
    const value = this.sent(name);
    if (isTextAbsent(value)) return;
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && number >>> 0 === number) this.result[name] = number;
    else this.note('invalid_data', name, value);
  }

  flag(name: string): void {
    const value = this.sent(name);
    if (typeof value === 'boolean') this.result[name] = value;
    else if (!isAbsent(value)) this.note('invalid_data', name, value);
  }

  /** Reads a time in any form that `parseMicroseconds` takes; kept as RFC 3339. */
  moment(name: string): void {
    const value = this.sent(name);
    if (isTextAbsent(value)) return;
    const micros = parseMicroseconds(value);
    if (micros === null) this.note('invalid_data', name, value);
    else this.result[name] = formatMicroseconds(micros);
  }

  json(name: string, limit: JsonLimit, accepts: (value: unknown) => boolean = isAnything): void {
    const value = this.sent(name);
    if (isAbsent(value)) return;
    if (accepts(value)) this.result[name] = this.limitedJson(name, value, limit);
    else this.note('invalid_data', name, value);
  }

  read(name: string, rule: FieldRule): void {
    this.set(name, rule(this, name));
  }

  set(name: string, value: unknown): void {
    if (value !== undefined) this.result[name] = value;
  }

  /** Keeps the fields without a rule, within a shared limit; excess is noted once. To be called last. */
  rest(limit: JsonLimit): void {
    const budget = { bytesLeft: limit.bytesMax, fieldsLeft: unknownFieldsMax };
    for (const name of Object.keys(this.#source)) {
      if (this.#read.includes(name)) continue;
      if (!this.#keepUnknown(name, limit.depthMax, budget)) return;
    }
  }

  #keepUnknown(name: string, depthMax: number, budget: { bytesLeft: number; fieldsLeft: number }): boolean {
    const value = this.#source[name];
    if (isAbsent(value)) return true;
    if (budget.fieldsLeft === 0 || budget.bytesLeft <= name.length) {
      this.note('value_too_long', name);
      return false;
    }
    const limited = limitJson(value, { bytesMax: budget.bytesLeft, depthMax });
    budget.fieldsLeft -= 1;
    budget.bytesLeft -= limited.bytes + name.length;
    this.noteLimited(name, limited);
    this.result[cutText(name, nameCharsMax)] = limited.value;
    return true;
  }

  keptIfAny(): JsonObject | undefined {
    for (const _name in this.result) return this.result;
    return undefined;
  }

  /** The value of a field as sent; own properties only. */
  sent(name: string): unknown {
    const value = this.#source[name];
    if (value === undefined || !Object.hasOwn(this.#source, name)) return undefined;
    this.#read.push(name);
    return value;
  }

  limitedJson(name: string, value: unknown, limit: JsonLimit): unknown {
    const limited = limitJson(value, limit);
    this.noteLimited(name, limited);
    return limited.value;
  }

  /** Converts a value by a text rule without keeping it; undefined (noted) if it cannot be used. */
  textOf(name: string, value: unknown, rule: TextRule): string | undefined {
    const plain = rule.lenient ? toLenientString(value) : typeof value === 'string' ? removeNul(value) : null;
    if (plain === null) {
      this.note('invalid_data', name, value);
      return undefined;
    }
    const text = rule.trim ? plain.trim() : plain;
    if (text === '') return undefined;
    const isTooLong = isLongerThan(text, rule.charsMax);
    if (isTooLong && rule.over === 'drop') {
      this.note('value_too_long', name, text);
      return undefined;
    }
    if (isTooLong) this.note('value_too_long', name);
    const shortened = isTooLong ? cutText(text, rule.charsMax) : text;
    if (!rule.forbidden?.test(shortened)) return shortened;
    this.note('invalid_data', name, shortened);
    return undefined;
  }

  /** Undefined if it is not an object (noted, unless nothing or an empty list was sent). */
  record(name: string): FieldReader | undefined {
    return this.recordOf(name, this.sent(name));
  }

  recordOf(name: string, value: unknown): FieldReader | undefined {
    if (isJsonObject(value)) return this.within(name, value);
    if (!isAbsent(value) && !isEmptyList(value)) this.note('invalid_data', name, value);
    return undefined;
  }

  within(name: string, source: JsonObject): FieldReader {
    return new FieldReader(source, this.#errors, this, name, -1);
  }

  /** Applies `read` to each object in a list; other entries are dropped and noted. */
  records(
    name: string,
    entries: readonly unknown[],
    read: (fields: FieldReader) => JsonObject | undefined,
  ): JsonObject[] {
    const list: JsonObject[] = [];
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index];
      if (isJsonObject(entry)) {
        const record = read(new FieldReader(entry, this.#errors, this, name, index));
        if (record !== undefined) list.push(record);
      } else if (!isAbsent(entry)) {
        this.note('invalid_data', `${name}.${index}`, entry);
      }
    }
    return list;
  }

  // Sentry's three forms: `{values: […]}`, an array (also PHP's with gaps), or one object. Undefined if none.
  entries(name: string): unknown[] | undefined {
    const value = this.sent(name);
    const list = isJsonObject(value) && Object.hasOwn(value, 'values') ? value['values'] : value;
    if (isAbsent(list)) return undefined;
    const entries = toArray(list);
    if (entries !== null) return entries.filter((entry) => !isAbsent(entry));
    if (isJsonObject(list)) return [list];
    this.note('invalid_data', name, list);
    return undefined;
  }

  noteLimited(name: string, limited: BoundedJsonResult): void {
    if (limited.cut) this.note('value_too_long', name);
    if (limited.endless) this.note('invalid_data', name);
  }

  /** Adds a note, with the value if it is short. Numbers that JSON cannot express (1e400) are left out. */
  note(type: NoteType, name: string, value?: unknown): void {
    if (this.#errors.length >= notesMax) return;
    const error: EventError = { type, name: cutText(this.#nameOf(name), noteNameCharsMax) };
    if (typeof value === 'string') error.value = cutText(removeNul(value), noteValueCharsMax);
    else if (typeof value === 'boolean' || Number.isFinite(value)) error.value = value;
    this.#errors.push(error);
  }

  #nameOf(name: string): string {
    const path = this.#path();
    return path === '' ? name : `${path}.${name}`;
  }

  #path(): string {
    const name = this.#index === -1 ? this.#name : `${this.#name}.${this.#index}`;
    return this.#parent === null ? name : this.#parent.#nameOf(name);
  }
}

export type { FieldReader };

function isAnything(): boolean {
  return true;
}

export interface TextRule {
  readonly charsMax: number;
  /** Cuts a longer text, or drops the field. */
  readonly over: 'cut' | 'drop';
  readonly lenient?: boolean;
  readonly trim?: boolean;
  readonly forbidden?: RegExp;
}

type Read<Reader> = (fields: Reader, name: string) => void;

/** In the order in which fields are kept. */
interface FieldTable<Reader> {
  readonly names: readonly string[];
  readonly reads: ReadonlyArray<Read<Reader>>;
  readonly indexByName: ReadonlyMap<string, number>;
}

/** Only sent fields are visited. At most 31 fields; names that are read alike are separated by spaces. */
export function createFieldTable<Reader>(
  rows: ReadonlyArray<readonly [names: string, read: Read<Reader>]>,
): FieldTable<Reader> {
  const fields = rows.flatMap(([names, read]) => names.split(' ').map((name) => ({ name, read })));
  return {
    names: fields.map(({ name }) => name),
    reads: fields.map(({ read }) => read),
    indexByName: new Map(fields.map(({ name }, index) => [name, index])),
  };
}
