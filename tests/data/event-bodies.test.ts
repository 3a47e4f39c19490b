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
import { eventGrouping, packPayload, type Told } from '../../src/core/events/pack.ts';
import { finishEvent, readEvent } from '../../src/core/events/prepare.ts';
import { benchEvent, eventOfSize } from '../bench/event.ts';

/** None of these ever changes: what was written with them is in every database. */
const filesOfDictionaries = {
  '1.txt': 'dd935ca3ee9ce371c56862a1508542a1a2c1865f21995bf159277263b1675879',
  '2.txt': 'ce9df44ec2309cb7287cda47d2a3a3ec656c14807b5839f7ce7e4a25f713212f',
  '2.codes': '13d003bdb913a54601a334e710b3466a70686b94fb887729c92937b2a1bf51d2',
};

/** What the first program that packed in this way made of an event. */
const firstShort =
  '02148f846816dc027ff0191fbc72deb41ecb805de0da61cc53a0b697cc9d69e860ab4fb98b38f2e18cce438f85a07cc6f4bd972bfef6e0cec19d53';

const eventId = 'dba14118348f40699d79b480f1dd202d';
const telling = {
  grouping: {
    algorithm: 'ng2',
    source: 'stacktrace',
    parts: ['TypeError @ cart.js · add', 'Error'],
    notes: ['2 library frames left out'],
    hash: hash('sha256', ['ng2', 'stacktrace', 'TypeError @ cart.js · add', 'Error'].join('\0')),
  },
  errors: [{ type: 'invalid_data' as const, name: 'tags', value: 'x' }],
};
const told: Told = { eventId, ...telling };

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
    envelopeEventId: eventId,
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

/** Letters that no event of the samples has. */
function randomText(length: number): string {
  return Array.from({ length }, (_, nth) => String.fromCodePoint(0x4e00 + ((nth * 7_919) % 1_009))).join('');
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
    expect(readBody(packBody(payload, told), eventId)).toEqual({ payload, ...telling });
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
          const row = packBody(payload, { eventId, grouping, errors: [] });
          expect(readBody(row, eventId)).toEqual({ payload, grouping, errors: [] });
          expect(groupingOf(row)).toEqual(grouping);
        },
      ),
    );
  });

  it('is a sixth of what was sent, with how it was grouped', () => {
    const { payload, ...prepared } = preparedOf(benchEvent(1));
    const row = packBody(payload, prepared);
    expect([row.grouping, row.errors, row.body_sha256.byteLength]).toEqual(['', '', 16]);
    expect(row.body.byteLength).toBeLessThan(Buffer.byteLength(benchEvent(1)) / 6);
    expect(readBody(row, eventId)).toEqual({
      payload,
      grouping: eventGrouping(prepared.grouping),
      errors: prepared.errors,
    });
  });

  it.each([
    [`{"event_id":"${eventId}","message":"a"}`, 'left out'],
    [`{"event_id":"${eventId}" ,"message":"a"}`, 'kept'],
    [`{"event_id":"${eventId}"}`, 'kept'],
    [`{"event_id":"${'a'.repeat(32)}","message":"a"}`, 'kept'],
    [`, "event_id":"${eventId}"`, 'kept'],
  ])('comes back with the id that stands in its row: %s', (payload, what) => {
    const row = packBody(payload, told);
    expect(readBody(row, eventId).payload).toBe(payload);
    // Whoever does not ask which event it is may read it too.
    const unnamed = payloadOf(row, '');
    expect(unnamed).toBe(what === 'left out' ? payload.replace(eventId, '') : payload);
  });

  it('is made by zlib where our codes do worse', () => {
    const random = randomText(2_000);
    const row = packBody(random, told);
    expect([row.body[0], row.grouping]).toEqual([0x58, JSON.stringify(told.grouping)]);
    expect(readBody(row, eventId)).toEqual({ payload: random, ...telling });
  });

  it('has the hash of a grouping that does not follow from its parts', () => {
    const grouping = {
      ...told.grouping,
      hash: 'e'.repeat(64),
      plain: { hash: 'f'.repeat(64), isInformed: true },
    };
    expect(readBody(packBody('{}', { ...told, grouping }), eventId).grouping).toEqual(grouping);
  });

  it('of a large event stands apart from how it was grouped', () => {
    const { payload, ...prepared } = preparedOf(eventOfSize(27, 1));
    const row = packBody(payload, prepared);
    expect(JSON.parse(row.grouping)).toEqual(eventGrouping(prepared.grouping));
    expect(row.body.byteLength).toBeLessThan(payload.length / 4);
    expect(readBody(row, eventId)).toEqual({
      payload,
      grouping: eventGrouping(prepared.grouping),
      errors: prepared.errors,
    });
    // As a thread hands it over.
    expect(packBody(packPayload(payload), prepared)).toEqual(row);
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
    expect(readBody(row, eventId)).toEqual({ payload, ...telling });
    expect(groupingOf(row)).toEqual(told.grouping);
    expect(payloadOf(row, eventId)).toBe(payload);
  });

  it('is read as the first program stored it that packs how it was grouped', () => {
    const body = Buffer.from(firstShort, 'hex');
    const row = {
      body,
      body_sha256: hash('sha256', body, 'buffer').subarray(0, 16),
      grouping: '',
      errors: '',
    };
    expect(readBody(row, eventId)).toEqual({
      payload: `{"event_id":"${eventId}","message":"snow \u2603"}`,
      ...telling,
    });
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
    expect(() => unpackBody({ body, sha256: hash('sha256', payload, 'buffer') }, eventId)).toThrow(
      BodyDamaged,
    );
    const later = Uint8Array.from(packBody(payload, told).body);
    later[0] = 3;
    const sha256 = hash('sha256', later, 'buffer').subarray(0, 16);
    expect(() => unpackBody({ body: later, sha256 }, eventId)).toThrow(BodyDamaged);
  });

  it('gives way to what was written beside it later', () => {
    const grouping = { ...told.grouping, parts: ['elsewhere'], hash: 'd'.repeat(64) };
    const row = packBody('{}', told);
    const moved = { ...row, grouping: JSON.stringify(grouping) };
    expect(readBody(moved, eventId)).toEqual({ payload: '{}', grouping, errors: told.errors });
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
        read = unpackBody({ ...packed, body }, eventId).payload;
      } catch (error) {
        expect(error).toBeInstanceOf(BodyDamaged);
        refused += 1;
      }
      // Some bits of the container mean nothing; what is read is right in any case.
      expect([null, '{"message":"a","extra":"0123456789"}']).toContain(read);
      expect(payloadOf({ ...row, body }, eventId)).toBe(read);
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
