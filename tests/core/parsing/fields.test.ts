import { describe, expect, it } from '@jest/globals';
import type { EventError } from '../../../schemas/event.ts';
import { smallJsonLimit } from '../../../src/core/parsing/bounded-json.ts';
import {
  createFieldReader,
  createFieldTable,
  type FieldReader,
} from '../../../src/core/parsing/field-reader.ts';

const word = { charsMax: 4, over: 'cut' } as const;

describe('the fields of an object', () => {
  it('keeps fields in reading order, then the unread ones', () => {
    const fields = createFieldReader({ unknown: 1, b: 'two', nothing: null, a: 'one' }, []);
    fields.text('a', word);
    fields.text('b', word);
    fields.text('c', word);
    fields.rest(smallJsonLimit);
    expect(JSON.stringify(fields.result)).toBe('{"a":"one","b":"two","unknown":1}');
  });

  it('does not keep a dropped field as unknown', () => {
    const errors: EventError[] = [];
    const fields = createFieldReader({ a: {}, flag: 'yes', count: -1, at: 'noon' }, errors, 'user');
    fields.text('a', word);
    fields.flag('flag');
    fields.count('count');
    fields.moment('at');
    fields.rest(smallJsonLimit);
    expect(fields.keptIfAny()).toBeUndefined();
    expect(errors).toEqual([
      { type: 'invalid_data', name: 'user.a' },
      { type: 'invalid_data', name: 'user.flag', value: 'yes' },
      { type: 'invalid_data', name: 'user.count', value: -1 },
      { type: 'invalid_data', name: 'user.at', value: 'noon' },
    ]);
  });

  it.each([0, 3, 80])('reads by a table as field by field, with %i other fields', (others) => {
    const table = createFieldTable<FieldReader>([
      ['a b c', (fields, name) => void fields.text(name, word)],
      ['__proto__', (fields, name) => fields.flag(name)],
      ['n', (fields, name) => fields.count(name)],
    ]);
    const names = ['x', 'n', 'c', '__proto__', 'a', ...Array.from({ length: others }, (_, at) => `o${at}`)];
    const sent = JSON.parse(`{${names.map((name, at) => `"${name}":${at}`).join(',')},"b":null}`);
    const [byTable, byField]: [EventError[], EventError[]] = [[], []];
    const left = createFieldReader(sent, byTable);
    left.all(table, smallJsonLimit);
    const right = createFieldReader(sent, byField);
    for (const name of ['a', 'b', 'c']) right.text(name, word);
    right.flag('__proto__');
    right.count('n');
    right.rest(smallJsonLimit);
    expect(JSON.stringify(left.result)).toBe(JSON.stringify(right.result));
    expect(byTable).toEqual(byField);
    expect(byTable.map(({ name }) => name)).toEqual(['a', 'c', '__proto__']);
  });

  it('names a dropped list entry by its index, and goes on', () => {
    const errors: EventError[] = [];
    const event = createFieldReader({ list: { values: [{ a: 'longer' }, null, 7, { a: 'b' }] } }, errors);
    const records = event.records('list.values', event.entries('list') ?? [], (entry) => {
      entry.text('a', word);
      return entry.result;
    });
    expect(records).toEqual([{ a: 'long' }, { a: 'b' }]);
    expect(errors).toEqual([
      { type: 'value_too_long', name: 'list.values.0.a' },
      { type: 'invalid_data', name: 'list.values.1', value: 7 },
    ]);
  });

  it('reads own properties alone, whatever their names', () => {
    const fields = createFieldReader(JSON.parse('{"__proto__":{"x":1}}'), []);
    fields.json('constructor', smallJsonLimit);
    fields.json('x', smallJsonLimit);
    fields.rest(smallJsonLimit);
    expect(Object.keys(fields.result)).toEqual(['__proto__']);
  });

  it('keeps a hundred unknown fields and notes the next one', () => {
    const errors: EventError[] = [];
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, 1]));
    const fields = createFieldReader(many, errors);
    fields.rest({ bytesMax: 100_000, depthMax: 1 });
    expect(Object.keys(fields.result)).toHaveLength(100);
    expect(errors).toEqual([{ type: 'value_too_long', name: 'f100' }]);
  });
});
