// A payload comes back as it was stored, or not at all; whatever program stored it, and with how it was
// grouped.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  BodyDamaged,
  type BodyRow,
  groupingColumn,
  groupingOf,
  packBody,
  payloadOf,
  readBody,
  unpackBody,
} from '../../data/event-bodies.ts';
import { packPayload, type Telling } from '../../src/core/events/pack.ts';
import { finishEvent, readEvent } from '../../src/core/events/prepare.ts';
import { benchEvent, eventOfSize } from '../bench/event.ts';

/** None of these ever changes: what was written with them is in every database. */
const filesOfDictionaries = {
  '1.txt': 'dd935ca3ee9ce371c56862a1508542a1a2c1865f21995bf159277263b1675879',
  '2.txt': 'b404db0682cfffea7d782b223ace1f315bee6134347f22b6a2c38fd16b56c6b7',
  '2.codes': 'c461285c04d0071b33a7178e63105017e3ad695927c8a9710c7a9cff249a5f26',
};

/** What the first program that packed in this way made of `{"message":"snow \u2603"}` and `told`. */
const firstShort =
  '02bc77655558cee67782dffff40fda3aced4766c828b41122d7226e9285d77c874fbaa5758caed06599cfdb5d478a1d67cf4d6576af391bdc7ae3e7602';

const told: Telling = {
  grouping: {
    algorithm: 'ng2',
    source: 'stacktrace',
    parts: ['TypeError @ cart.js · add', 'Error'],
    notes: ['2 library frames left out'],
    hash: hash('sha256', ['ng2', 'stacktrace', 'TypeError @ cart.js · add', 'Error'].join('\0')),
  },
  errors: [{ type: 'invalid_data', name: 'tags', value: 'x' }],
};

function dictionaryFile(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../../src/core/events/dictionaries', name));
}

function packedOf({ body, body_sha256: sha256 }: BodyRow) {
  return { body, sha256 };
}

/** An event as the rules hand it over: the one of benchmarks, which no dictionary was made of. */
function preparedOf(raw: string) {
  const facts = {
    receivedAtMs: Date.now(),
    envelopeEventId: 'dba14118348f40699d79b480f1dd202d',
    newEventId: '',
    sentAtMs: null,
    userAgent: '',
    clientAddress: '192.0.2.1',
    project: { id: 1, groupingVersion: 'ng2', scrubFields: [], storeIpAddresses: false },
    userHashKey: null,
  };
  const { payload, ...prepared } = finishEvent(
    readEvent(JSON.parse(raw), facts),
    { needsMapping: false },
    facts,
  );
  return { ...prepared, payload: String(payload) };
}

describe('the body of an event', () => {
  it.each([
    '{}',
    '{"message":"snow \u2603"}',
    '{\n  "message": "on lines"\n}\n',
    '{"message":"\u0000\u001f\ud83d\ude00 \u65e5\u672c\u8a9e"}',
    `{"x":"${'long '.repeat(1_000)}"}`,
    `{"x":"${'long '.repeat(50_000)}"}`,
    '{"message":"\u65e5\u672c\u8a9e\u306e\u8aad\u307f\u53d6\u308a\u30a8\u30e9\u30fc\u304c\u767a\u751f\u3057\u307e\u3057\u305f"}',
  ])('comes back: %.30s', (payload) => {
    expect(readBody(packBody(payload, told))).toEqual({ payload, ...told });
  });

  it('comes back whatever it says', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ maxLength: 400 }),
      fc.constant(benchEvent(3)),
    );
    const word = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 30 }),
        word,
        fc.array(word),
        fc.option(word),
        (texts, source, parts, said) => {
          const payload = JSON.stringify(texts).toWellFormed();
          const grouping = { algorithm: 'ng2', source, parts, notes: [], hash: said ?? 'f'.repeat(64) };
          const row = packBody(payload, { grouping, errors: [] });
          expect(readBody(row)).toEqual({ payload, grouping, errors: [] });
          expect(groupingOf(row)).toEqual(grouping);
        },
      ),
    );
  });

  it('is a sixth of what was sent, with how it was grouped', () => {
    const { payload, ...telling } = preparedOf(benchEvent(1));
    const row = packBody(payload, telling);
    expect([row.grouping, row.errors, row.body_sha256.byteLength]).toEqual(['', '', 16]);
    expect(row.body.byteLength).toBeLessThan(Buffer.byteLength(benchEvent(1)) / 5.5);
    expect(readBody(row)).toEqual({ payload, grouping: telling.grouping, errors: telling.errors });
  });

  it('has the hash of a grouping that does not follow from its parts', () => {
    const grouping = {
      ...told.grouping,
      hash: 'e'.repeat(64),
      plain: { hash: 'f'.repeat(64), isInformed: true },
    };
    expect(readBody(packBody('{}', { ...told, grouping })).grouping).toEqual(grouping);
  });

  it('of a large event stands apart from how it was grouped', () => {
    const { payload, ...telling } = preparedOf(eventOfSize(27, 1));
    const row = packBody(payload, telling);
    expect(JSON.parse(row.grouping)).toEqual(telling.grouping);
    expect(row.body.byteLength).toBeLessThan(payload.length / 4);
    expect(readBody(row)).toEqual({ payload, grouping: telling.grouping, errors: telling.errors });
    // As a thread hands it over.
    expect(packBody(packPayload(payload), telling)).toEqual(row);
  });

  it.each([
    ['by 0.1.0, small', { level: 1, windowBits: 12, memLevel: 5 }],
    ['by 0.1.0, large', { level: 1 }],
    ['with the first dictionary', { level: 9, dictionary: dictionaryFile('1.txt') }],
  ])('is read as it was stored %s', (_by, options) => {
    const payload = '{"message":"snow \u2603","platform":"php"}';
    const row: BodyRow = {
      body: deflateSync(payload, options),
      body_sha256: hash('sha256', payload, 'buffer'),
      grouping: JSON.stringify(told.grouping),
      errors: JSON.stringify(told.errors),
    };
    expect(readBody(row)).toEqual({ payload, ...told });
    expect(groupingOf(row)).toEqual(told.grouping);
    expect(payloadOf(row)).toBe(payload);
  });

  it('is read as the first program stored it that packs how it was grouped', () => {
    const body = Buffer.from(firstShort, 'hex');
    const row = {
      body,
      body_sha256: hash('sha256', body, 'buffer').subarray(0, 16),
      grouping: '',
      errors: '',
    };
    expect(readBody(row)).toEqual({ payload: '{"message":"snow \u2603"}', ...told });
  });

  it('says what it was made with, which never changes', () => {
    const found = Object.keys(filesOfDictionaries).map((name) => [
      name,
      hash('sha256', dictionaryFile(name)),
    ]);
    expect(Object.fromEntries(found)).toEqual(filesOfDictionaries);
    expect(packBody('{}', told).body[0]).toBe(2);
    expect(packPayload('{}').body.subarray(2, 6)).toEqual(
      deflateSync('', { dictionary: dictionaryFile('1.txt') }).subarray(2, 6),
    );
  });

  it('is refused where its dictionary is not known here', () => {
    const payload = '{"message":"a"}';
    const body = deflateSync(payload, { dictionary: Buffer.from('another') });
    expect(() => unpackBody({ body, sha256: hash('sha256', payload, 'buffer') })).toThrow(BodyDamaged);
    const later = Uint8Array.from(packBody(payload, told).body);
    later[0] = 3;
    const sha256 = hash('sha256', later, 'buffer').subarray(0, 16);
    expect(() => unpackBody({ body: later, sha256 })).toThrow(BodyDamaged);
  });

  it('gives way to what was written beside it later', () => {
    const grouping = { ...told.grouping, parts: ['elsewhere'], hash: 'd'.repeat(64) };
    const row = packBody('{}', told);
    const moved = { ...row, grouping: JSON.stringify(grouping) };
    expect(readBody(moved)).toEqual({ payload: '{}', grouping, errors: told.errors });
    expect(groupingOf(moved)).toEqual(grouping);
    // And needs nothing beside it where that is what it says itself.
    expect(groupingColumn(moved, JSON.stringify(groupingOf(row)))).toBe('');
    expect(groupingColumn(row, moved.grouping)).toBe(moved.grouping);
  });

  it.each([
    ['short', packBody('{"message":"a","extra":"0123456789"}', told)],
    ['large', packBody(packPayload('{"message":"a","extra":"0123456789"}'), told)],
  ])('is refused when any byte of it has changed: %s', (size, row) => {
    const packed = packedOf(row);
    let refused = 0;
    for (let index = 0; index < packed.body.byteLength; index += 1) {
      const body = Uint8Array.from(packed.body);
      body[index] = (body[index] ?? 0) ^ 1;
      let read: string | null = null;
      try {
        read = unpackBody({ ...packed, body }).payload;
      } catch (error) {
        expect(error).toBeInstanceOf(BodyDamaged);
        refused += 1;
      }
      // Some bits of the container mean nothing; what is read is right in any case.
      expect([null, '{"message":"a","extra":"0123456789"}']).toContain(read);
      expect(payloadOf({ ...row, body })).toBe(read);
    }
    const bytes = packed.body.byteLength;
    // The hash of a short one is that of its bytes.
    if (size === 'short') expect(refused).toBe(bytes);
    process.stderr.write(
      `F13: ${refused} of ${bytes} changed bytes of a ${size} body were found, ${bytes - refused} changed nothing that is read\n`,
    );
  });

  it('tells nothing of its grouping where it is damaged', () => {
    const row = packBody('{"message":"a"}', told);
    expect(groupingOf({ ...row, body_sha256: Buffer.alloc(16) })).toBeNull();
    expect(groupingOf({ ...row, body: Buffer.from('no'), grouping: JSON.stringify(told.grouping) })).toEqual(
      told.grouping,
    );
  });
});
