// The byte grammar of docs/events.md, "Envelopes", and bytes that nobody should send.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  envelopeItemsMax,
  findLeadingEvent,
  headerLineBytesMax,
  parseEnvelope,
  parseEnvelopeHeader,
} from '../../../src/core/envelopes/parse-envelope.ts';
import { RestError } from '../../../src/core/errors.ts';
import { parseItemJson } from '../../../src/core/parsing/item-json.ts';
import { describeWithShared } from '../../support/needs.ts';

const parse = (text: string) => parseEnvelope(Buffer.from(text, 'latin1'));
const itemsOf = (text: string) =>
  parse(text).items.map((item) => [item.type, item.payload.toString('latin1')]);

function refusalOf(action: () => unknown): { code: string; status: number } {
  try {
    action();
  } catch (error) {
    if (error instanceof RestError) return { code: error.code, status: error.status };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a valid envelope', () => {
  it.each([
    ['length', '{}\n{"type":"a","length":3}\nx\ny\n', [['a', 'x\ny']]],
    [
      'no length: up to the line feed',
      '{}\n{"type":"a"}\nxy\n{"type":"b"}\nz',
      [
        ['a', 'xy'],
        ['b', 'z'],
      ],
    ],
    ['last line feed missing', '{}\n{"type":"a","length":2}\nxy', [['a', 'xy']]],
    ['item header at the end, no payload', '{}\n{"type":"a"}', [['a', '']]],
    [
      'length 0 with a line feed',
      '{}\n{"type":"a","length":0}\n\n{"type":"b"}\nz',
      [
        ['a', ''],
        ['b', 'z'],
      ],
    ],
    ['length 0 at the end', '{}\n{"type":"a","length":0}', [['a', '']]],
    [
      'blank lines between items',
      '{}\n{"type":"a"}\nx\n\n\n{"type":"b"}\nz\n',
      [
        ['a', 'x'],
        ['b', 'z'],
      ],
    ],
    ['two line feeds at the end', '{}\n{"type":"a"}\nx\n\n', [['a', 'x']]],
    ['CR belongs to the payload', '{}\n{"type":"a"}\nx\r\n', [['a', 'x\r']]],
    ['a byte order mark is data', '{}\n{"type":"a"}\n\xef\xbb\xbfx\n', [['a', '\xef\xbb\xbfx']]],
    ['bytes that are no text', '{}\n{"type":"a","length":4}\n\x00\xff\n\x80\n', [['a', '\x00\xff\n\x80']]],
    ['unknown types', '{}\n{"type":"mystery"}\nx\n', [['mystery', 'x']]],
    ['length null', '{}\n{"type":"a","length":null}\nx\n', [['a', 'x']]],
    [
      'event and transaction',
      '{}\n{"type":"event"}\n{}\n{"type":"transaction"}\n{}',
      [
        ['event', '{}'],
        ['transaction', '{}'],
      ],
    ],
  ])('%s', (_name, text, items) => {
    expect(itemsOf(text)).toEqual(items);
  });

  it('has its headers as sent, without a prototype', () => {
    const { headers, items } = parse('{"event_id":"1","__proto__":{"a":1}}\n{"type":"a","filename":"f"}\nx');
    expect(headers['event_id']).toBe('1');
    expect(headers['a']).toBeUndefined();
    expect(headers['toString']).toBeUndefined();
    expect(items[0]?.headers).toMatchObject({ type: 'a', filename: 'f' });
  });

  it('reads the first line alone', () => {
    expect(parseEnvelopeHeader(Buffer.from('{"dsn":"x"}\nwhat follows is cut'))?.['dsn']).toBe('x');
    expect(parseEnvelopeHeader(Buffer.from('[]\n'))).toBeNull();
    expect(parseEnvelopeHeader(Buffer.alloc(headerLineBytesMax + 1, 0x20))).toBeNull();
  });

  it.each([
    ['of an SDK', `{}\n{"type":"event"}\n{"message":"${'x'.repeat(99)}"}\n`, 113],
    ['with a length', `{}\n{"type":"event","length":201}\n${'x'.repeat(201)}\n`, 201],
    ['with a little beside it', `{}\n{"type":"event"}\n${'x'.repeat(200)}\n{"type":"session"}\n{}`, 200],
    ['with much beside it', `{}\n{"type":"event"}\n${'x'.repeat(99)}\n{"type":"session"}\n{}`, null],
    ['behind another item', `{}\n{"type":"session"}\n{}\n{"type":"event"}\n${'x'.repeat(999)}`, null],
    ['that is cut', `{}\n{"type":"event","length":999}\n${'x'.repeat(101)}\n`, null],
    ['in a document', `{"message":"${'x'.repeat(99)}"}`, null],
    ['in nothing', '', null],
  ])('finds the event that makes up most of it: %s', (_name, text, length) => {
    expect(findLeadingEvent(Buffer.from(text))?.length ?? null).toBe(length);
  });
});

describe('an invalid envelope', () => {
  const invalid = 'notifier_invalid_envelope';
  const long = `{"a":"${'x'.repeat(headerLineBytesMax)}"}`;
  const many = `{}\n${'{"type":"a"}\n\n'.repeat(envelopeItemsMax + 1)}`;

  it.each([
    ['nothing', '', 'notifier_empty_envelope'],
    ['a header alone', '{}', 'notifier_empty_envelope'],
    ['a header and a line feed', '{}\n', 'notifier_empty_envelope'],
    ['a payload shorter than its length', '{}\n{"type":"a","length":9}\nxy', invalid],
    ['no line feed after a payload', '{}\n{"type":"a","length":1}\nxy\n', invalid],
    ['a length that is no number', '{}\n{"type":"a","length":"1"}\nx', invalid],
    ['a negative length', '{}\n{"type":"a","length":-1}\nx', invalid],
    ['a length past every number', '{}\n{"type":"a","length":1e300}\nx', invalid],
    ['an item header that is no JSON', '{}\nnonsense\nx', invalid],
    ['an item header that is a list', '{}\n[]\nx', invalid],
    ['an item without a type', '{}\n{}\nx', invalid],
    ['a type that is no text', '{}\n{"type":5}\nx', invalid],
    ['a first line that is no object', '5\n{"type":"a"}\nx', invalid],
    ['a first line that is blank', '\n{}\n{"type":"a"}\nx', invalid],
    ['a header line over 8 KiB', `${long}\n{"type":"a"}\nx`, invalid],
    ['an item header over 8 KiB', `{}\n${long}\nx`, invalid],
    ['too many items', many, invalid],
    ['two events', '{}\n{"type":"event"}\n{}\n{"type":"event"}\n{}', 'notifier_duplicate_item'],
  ])('%s', (_name, text, code) => {
    expect(refusalOf(() => parse(text))).toEqual({ code, status: 400 });
  });
});

describe('the JSON of an item', () => {
  it('is parsed completely', () => {
    expect(parseItemJson(Buffer.from('{"a":[1,"\\"{["]}'))).toEqual({ a: [1, '"{['] });
  });

  it.each([
    ['NaN', '{"a":NaN}'],
    ['Infinity', '[Infinity]'],
    ['a byte order mark', '\xef\xbb\xbf{}'],
    ['bytes', '"\xff"'],
    ['nothing', ''],
  ])('is not %s', (_name, text) => {
    expect(refusalOf(() => parseItemJson(Buffer.from(text, 'latin1'))).code).toBe('rest_invalid_json');
  });

  it('nests a hundred levels and no more', () => {
    const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
    expect(parseItemJson(nested(100))).toBeDefined();
    expect(refusalOf(() => parseItemJson(nested(101))).code).toBe('rest_invalid_json');
    expect(refusalOf(() => parseItemJson(nested(1_000_000))).code).toBe('rest_invalid_json');
  });
});

describeWithShared('the sample envelopes', 'samples/envelopes', (folder) => {
  it.each(readdirSync(folder))('%s is read, byte for byte', (name) => {
    const bytes = readFileSync(join(folder, name));
    const { items } = parseEnvelope(bytes);
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) expect(bytes.includes(item.payload)).toBe(true);
  });

  it('splits an event from its attachment', () => {
    const { items } = parseEnvelope(readFileSync(join(folder, 'event-and-attachment.envelope')));
    expect(items.map((item) => [item.type, item.payload.length])).toEqual([
      ['event', 2749],
      ['attachment', 24],
    ]);
  });
});
