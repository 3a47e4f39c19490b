import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DamagedBodyError,
  packBody,
  readBody,
  readGrouping,
  readPayload,
  repackBody,
  unpackBody,
} from '../../data/event-bodies.ts';
import { silentLog } from '../../src/app/log.ts';
import { openDeps } from '../../src/app/open-deps.ts';
import { compressPayload, decompressPayload, withoutFrames } from '../../src/core/events/compress-payload.ts';
import { normalizeSentEvent, scrubAndGroup } from '../../src/core/events/prepare.ts';
import { benchEvent, eventOfSize } from '../support/sized-events.ts';
import { inFull, runs } from '../support/test-level.ts';
import { throwAwayDatabase } from '../support/throw-away-database.ts';

const filesOfDictionaries = { '1.zstd': '82cf672063b7af253c7aea03b50015b1cb20556f07fe39f37514d4f81e6150f6' };

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

function dictionaryFile(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../../src/core/events/dictionaries', name));
}

function preparedOf(raw: string) {
  const facts = {
    receivedAtMs: Date.now(),
    envelopeEventId: eventId,
    newEventId: '',
    sentAtMs: null,
    userAgent: '',
    domain: null,
    clientAddress: '192.0.2.1',
    project: { id: 1, scrubFields: [], storeIpAddresses: false, inboundFilters: null },
    userHashKey: null,
  };
  const { payload, ...prepared } = scrubAndGroup(
    normalizeSentEvent(JSON.parse(raw), facts),
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
  ])('is read back: %.30s', (payload) => {
    expect(readBody(packBody(payload, telling))).toEqual({ payload, ...telling });
  });

  inFull(it)('is read back for any JSON', () => {
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
          expect(readGrouping(row)).toEqual(grouping);
        },
      ),
      { numRuns: runs(240) },
    );
  });

  it.each([
    [2, 0.21],
    [45, 0.16],
  ])('of %i KB is at most %d of what was sent, with how it was grouped', (kilobytes, share) => {
    const sent = eventOfSize(kilobytes, 1);
    const { payload, ...prepared } = preparedOf(sent);
    const row = packBody(payload, prepared);
    expect([row.grouping, row.errors, row.sha256.byteLength]).toEqual(['', '', 16]);
    expect(row.body.byteLength).toBeLessThan(share * Buffer.byteLength(sent));
    expect(readBody(row)).toEqual({
      payload,
      grouping: withoutFrames(prepared.grouping),
      errors: prepared.errors,
    });
    // As a thread hands it over.
    expect(packBody(compressPayload(payload, prepared), prepared)).toEqual(row);
  });

  it('has the hash of a grouping that its parts do not give', () => {
    const grouping = {
      ...telling.grouping,
      hash: 'e'.repeat(64),
      secondary: { hash: 'f'.repeat(64), hasSource: true },
    };
    expect(readBody(packBody('{}', { ...telling, grouping })).grouping).toEqual(grouping);
  });

  it('that a worker compressed has its grouping beside it', () => {
    const row = repackBody(compressPayload('{"message":"on\nlines"}', null), telling);
    expect([JSON.parse(row.grouping), JSON.parse(row.errors)]).toEqual([telling.grouping, telling.errors]);
    expect(readBody(row)).toEqual({ payload: '{"message":"on\nlines"}', ...telling });
    expect(() => readBody({ ...row, errors: '' })).toThrow(DamagedBodyError);
  });

  it('is in memory of its own, as the key of user hashes is: a worker would copy a shared pool too', async () => {
    const database = await throwAwayDatabase();
    const { deps, close } = await openDeps(database.env, { log: silentLog });
    const sent = [compressPayload('{}', null).body, deps.userHashKey];
    await close();
    database.remove();
    for (const bytes of sent) expect(bytes?.buffer.byteLength).toBe(bytes?.byteLength ?? null);
  });

  it('is complete, and the same each time, whatever is compressed next', () => {
    const payloads = ['{"message":"first"}', `{"message":"${'second '.repeat(900)}"}`, '{"message":"é€😀"}'];
    const bodies = payloads.map((payload) => compressPayload(payload, null));
    expect(bodies.map((body) => decompressPayload(body).payload)).toEqual(payloads);
    expect(payloads.map((payload) => compressPayload(payload, null))).toEqual(bodies);
  });

  it('has the version of its dictionary, which never changes', () => {
    const found = Object.keys(filesOfDictionaries).map((name) => [
      name,
      hash('sha256', dictionaryFile(name)),
    ]);
    expect(Object.fromEntries(found)).toEqual(filesOfDictionaries);
    expect(packBody('{}', telling).body[0]).toBe(1);
  });

  it('is refused where its dictionary is unknown', () => {
    const later = Uint8Array.from(packBody('{"message":"a"}', telling).body);
    later[0] = 9;
    const sha256 = hash('sha256', later, 'buffer').subarray(0, 16);
    expect(() => unpackBody({ body: later, sha256 })).toThrow(DamagedBodyError);
  });

  it('is replaced by a later version beside it', () => {
    const grouping = { ...telling.grouping, parts: ['elsewhere'], hash: 'd'.repeat(64) };
    const row = packBody('{}', telling);
    const moved = { ...row, grouping: JSON.stringify(grouping) };
    expect(readBody(moved)).toEqual({ payload: '{}', grouping, errors: telling.errors });
    expect(readGrouping(moved)).toEqual(grouping);
  });

  it('is refused when any byte of it has changed', () => {
    const row = packBody('{"message":"a","extra":"0123456789"}', telling);
    const bytes = row.body.byteLength;
    for (let index = 0; index < bytes; index += 1) {
      const body = Uint8Array.from(row.body);
      body[index] = (body[index] ?? 0) ^ 1;
      expect(() => unpackBody({ ...row, body })).toThrow(DamagedBodyError);
      expect(readPayload({ ...row, body })).toBeNull();
    }
    process.stderr.write(`F13: ${bytes} of ${bytes} changed bytes of a body were found\n`);
  });

  it('returns no grouping where it is damaged', () => {
    const row = packBody('{"message":"a"}', telling);
    expect(readGrouping({ ...row, sha256: Buffer.alloc(16) })).toBeNull();
    expect(
      readGrouping({ ...row, body: Buffer.from('no'), grouping: JSON.stringify(telling.grouping) }),
    ).toEqual(telling.grouping);
  });
});
