// The fields of one object that was sent, each read by its rule: what can be used is kept, what cannot is
// noted by name, and nothing throws. Which fields there are is for the caller to say.
import type { EventError } from '../../../schemas/event.ts';
import { type BagLimit, type BoundedJson, boundedJson } from './bounded-json.ts';
import { cutText, isLongerThan } from './cut-text.ts';
import type { FieldTable, TextRule } from './field-table.ts';
import {
  absent,
  emptyRecord,
  isEmptyList,
  isRecord,
  type JsonRecord,
  lenientString,
  listOf,
  noText,
  withoutNul,
} from './lenient.ts';
import { formatTimestamp, parseTimestamp } from './moments.ts';

/** Why a value is not there as it was sent. */
type NoteType = 'invalid_data' | 'value_too_long' | 'future_timestamp' | 'past_timestamp' | 'clock_drift';

/** At most this many notes on one event; after that, values are set aside without a note. */
const notesMax = 100;
const noteValueCharsMax = 128;
const noteNameCharsMax = 256;
/** Fields without a rule that are kept of one object, and the characters of their names. */
const unknownFieldsMax = 100;
const nameCharsMax = 256;

/** Reads the field `name` of an object; undefined where nothing is to be kept. */
type FieldRule = (fields: Fields, name: string) => unknown;

/** An object of more fields is asked for those of the table, instead of the table for its fields. */
const fieldsLookedUpMax = 64;

/**
 * Starts reading an object. What is set aside goes to `errors`, under the object's own `path` (empty for the
 * event itself) and the name of the field.
 */
export function fieldsOf(source: JsonRecord, errors: EventError[], path = ''): Fields {
  return new Fields(source, errors, null, path, -1);
}

/** A class, because an event has hundreds of objects and closures would be made anew for each (D-103). */
class Fields {
  /** What is kept so far, in the order in which it was read. */
  readonly kept: JsonRecord = emptyRecord();
  readonly #source: JsonRecord;
  readonly #errors: EventError[];
  /** Where it stands: put together only for what is noted. */
  readonly #parent: Fields | null;
  readonly #name: string;
  readonly #index: number;
  readonly #read: string[] = [];

  constructor(source: JsonRecord, errors: EventError[], parent: Fields | null, name: string, index: number) {
    this.#source = source;
    this.#errors = errors;
    this.#parent = parent;
    this.#name = name;
    this.#index = index;
  }

  /** Reads every field by a table, and what the table does not name as `rest` has it. */
  all(table: FieldTable<Fields>, limit: BagLimit): void {
    const names = Object.keys(this.#source);
    const isLookedUp = names.length <= fieldsLookedUpMax;
    let present = 0;
    let known = 0;
    if (isLookedUp) {
      for (let at = 0; at < names.length; at += 1) {
        const place = table.places.get(names[at] as string);
        if (place === undefined) continue;
        present |= 1 << place;
        known += 1;
      }
    }
    for (let place = 0; place < table.names.length; place += 1) {
      if (isLookedUp && (present & (1 << place)) === 0) continue;
      table.reads[place]?.(this, table.names[place] as string);
    }
    if (!isLookedUp || known < names.length) this.rest(limit);
  }

  /** Reads a text by its rule. Empty text and `false` count as not sent. */
  text(name: string, rule: TextRule): string | undefined {
    const value = this.sent(name);
    return noText(value) ? undefined : this.keepText(name, value, rule);
  }

  /** The same for a value that was made of what was sent. */
  keepText(name: string, value: unknown, rule: TextRule): string | undefined {
    const text = this.textOf(name, value, rule);
    if (text !== undefined) this.kept[name] = text;
    return text;
  }

  /** Reads a whole number of 32 bits, or its digits: a longer one may look like a card's, and be scrubbed. */
  count(name: string): void {
    const value = this.sent(name);
    if (noText(value)) return;
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && number >>> 0 === number) this.kept[name] = number;
    else this.note('invalid_data', name, value);
  }

  /** Reads true or false. */
  flag(name: string): void {
    const value = this.sent(name);
    if (typeof value === 'boolean') this.kept[name] = value;
    else if (!absent(value)) this.note('invalid_data', name, value);
  }

  /** Reads a moment in any form that `parseTimestamp` takes; it is kept as RFC 3339. */
  moment(name: string): void {
    const value = this.sent(name);
    if (absent(value)) return;
    const micros = parseTimestamp(value);
    if (micros === null) this.note('invalid_data', name, value);
    else this.kept[name] = formatTimestamp(micros);
  }

  /** Reads JSON of any form that `accepts` takes, cut to a limit. */
  bag(name: string, limit: BagLimit, accepts: (value: unknown) => boolean = isAnything): void {
    const value = this.sent(name);
    if (absent(value)) return;
    if (accepts(value)) this.kept[name] = this.bagOf(name, value, limit);
    else this.note('invalid_data', name, value);
  }

  /** Reads a field by a function of the caller's. */
  read(name: string, rule: FieldRule): void {
    this.keep(name, rule(this, name));
  }

  /** Keeps a value that was read elsewhere; undefined is none. */
  keep(name: string, value: unknown): void {
    if (value !== undefined) this.kept[name] = value;
  }

  /**
   * Keeps the fields that no rule has read, together within one bag; past it the next one is noted and the
   * others are left out. To be called last.
   */
  rest(limit: BagLimit): void {
    const room = { bytesLeft: limit.bytesMax, fieldsLeft: unknownFieldsMax };
    for (const name of Object.keys(this.#source)) {
      if (this.#read.includes(name)) continue;
      if (!this.#keepUnknown(name, limit.depthMax, room)) return;
    }
  }

  /** False where there is no more room. */
  #keepUnknown(name: string, depthMax: number, room: { bytesLeft: number; fieldsLeft: number }): boolean {
    const value = this.#source[name];
    if (absent(value)) return true;
    if (room.fieldsLeft === 0 || room.bytesLeft <= name.length) {
      this.note('value_too_long', name);
      return false;
    }
    const bag = boundedJson(value, { bytesMax: room.bytesLeft, depthMax });
    room.fieldsLeft -= 1;
    room.bytesLeft -= bag.bytes + name.length;
    this.noteBag(name, bag);
    this.kept[cutText(name, nameCharsMax)] = bag.value;
    return true;
  }

  /** What is kept, or undefined where that is nothing. */
  keptIfAny(): JsonRecord | undefined {
    for (const _name in this.kept) return this.kept;
    return undefined;
  }

  /** The value of a field as it was sent: its own, never what a prototype holds. */
  sent(name: string): unknown {
    const value = this.#source[name];
    if (value === undefined || !Object.hasOwn(this.#source, name)) return undefined;
    this.#read.push(name);
    return value;
  }

  /** A value within a limit, without keeping it. */
  bagOf(name: string, value: unknown, limit: BagLimit): unknown {
    const bag = boundedJson(value, limit);
    this.noteBag(name, bag);
    return bag.value;
  }

  /** The text of a value by a rule, without keeping it; undefined (noted) where it cannot be used. */
  textOf(name: string, value: unknown, rule: TextRule): string | undefined {
    const plain = rule.lenient ? lenientString(value) : typeof value === 'string' ? withoutNul(value) : null;
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
    const kept = isTooLong ? cutText(text, rule.charsMax) : text;
    if (!rule.forbidden?.test(kept)) return kept;
    this.note('invalid_data', name, kept);
    return undefined;
  }

  /**
   * The fields of an object within this one; undefined where there is none (noted, unless nothing or an empty
   * list was sent).
   */
  record(name: string): Fields | undefined {
    return this.recordOf(name, this.sent(name));
  }

  /** The same for a value that was made of what was sent. */
  recordOf(name: string, value: unknown): Fields | undefined {
    if (isRecord(value)) return this.within(name, value);
    if (!absent(value) && !isEmptyList(value)) this.note('invalid_data', name, value);
    return undefined;
  }

  /** The fields of an object that stands at a place within this one. */
  within(name: string, source: JsonRecord): Fields {
    return new Fields(source, this.#errors, this, name, -1);
  }

  /** What `read` makes of each entry of a list that is an object; the others are dropped and noted. */
  records(
    name: string,
    entries: readonly unknown[],
    read: (fields: Fields) => JsonRecord | undefined,
  ): JsonRecord[] {
    const kept: JsonRecord[] = [];
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index];
      if (isRecord(entry)) {
        const record = read(new Fields(entry, this.#errors, this, name, index));
        if (record !== undefined) kept.push(record);
      } else if (!absent(entry)) {
        this.note('invalid_data', `${name}.${index}`, entry);
      }
    }
    return kept;
  }

  /**
   * The entries of a list in any of the three forms of the SDK protocol: `{values: […]}`, a bare list, or one
   * object; each list also as PHP writes one with gaps. Null entries are dropped. Undefined where there is no
   * list.
   */
  entries(name: string): unknown[] | undefined {
    const value = this.sent(name);
    const list = isRecord(value) && Object.hasOwn(value, 'values') ? value['values'] : value;
    if (absent(list)) return undefined;
    const entries = listOf(list);
    if (entries !== null) return entries.filter((entry) => !absent(entry));
    if (isRecord(list)) return [list];
    this.note('invalid_data', name, list);
    return undefined;
  }

  /** Notes what was left out of a bag, or could not be kept in it. */
  noteBag(name: string, bag: BoundedJson): void {
    if (bag.cut) this.note('value_too_long', name);
    if (bag.endless) this.note('invalid_data', name);
  }

  /**
   * Notes what became of a field, with its value where that is short and plain; a number that JSON cannot say
   * (1e400) is never repeated.
   */
  note(type: NoteType, name: string, value?: unknown): void {
    if (this.#errors.length >= notesMax) return;
    const error: EventError = { type, name: cutText(this.#nameOf(name), noteNameCharsMax) };
    if (typeof value === 'string') error.value = cutText(withoutNul(value), noteValueCharsMax);
    else if (typeof value === 'boolean' || Number.isFinite(value)) error.value = value;
    this.#errors.push(error);
  }

  #nameOf(name: string): string {
    const path = this.#path();
    return path === '' ? name : `${path}.${name}`;
  }

  #path(): string {
    const own = this.#index === -1 ? this.#name : `${this.#name}.${this.#index}`;
    return this.#parent === null ? own : this.#parent.#nameOf(own);
  }
}

export type { Fields };

function isAnything(): boolean {
  return true;
}
