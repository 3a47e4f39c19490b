import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ItemFilter } from '../../../src/core/envelopes/item-filter.ts';
import { supportedItemTypes } from '../../../src/core/envelopes/item-types.ts';
import { parseEnvelope } from '../../../src/core/envelopes/parse-envelope.ts';

function filtered(bytes: Buffer, lengths: readonly number[]) {
  const filter = new ItemFilter();
  const kept: Buffer[] = [];
  let at = 0;
  for (let nth = 0; at < bytes.length; nth += 1) {
    const end = at + Math.max(1, lengths[nth % lengths.length] ?? bytes.length);
    const chunk = Buffer.from(bytes.subarray(at, end));
    kept.push(...filter.feed(chunk).map((part) => Buffer.from(part)));
    // The caller frees it.
    chunk.fill(0);
    at = end;
  }
  kept.push(...filter.end());
  return { bytes: Buffer.concat(kept), holdsTaken: filter.holdsTaken };
}

/** Items as the grammar reads them, or what it refuses them for. */
function itemsOf(bytes: Buffer, isEmptied: boolean) {
  try {
    return parseEnvelope(bytes).items.map(({ type, payload }) => [
      type,
      isEmptied && !supportedItemTypes.has(type) ? '' : payload.toString('latin1'),
    ]);
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

const item = fc.record({
  type: fc.constantFrom('event', 'transaction', 'replay_recording', 'attachment', 'log', 'session'),
  payload: fc.string({ unit: fc.constantFrom('a', '{', '"', '\n', '\r', 'é'), maxLength: 40 }),
  hasLength: fc.boolean(),
  blanks: fc.constantFrom('', '\n', ' \n'),
});

function textOf(of: { type: string; payload: string; hasLength: boolean; blanks: string }): string {
  const { type, payload, hasLength, blanks } = of;
  const text = hasLength ? payload : payload.replaceAll('\n', ' ');
  const length = hasLength ? { length: Buffer.byteLength(text) } : {};
  return `${JSON.stringify({ type, ...length })}\n${text}\n${blanks}`;
}

describe('an envelope whose unsupported items are emptied', () => {
  it('has the same items, however it is chunked', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 30 })),
        (items, cuts) => {
          const bytes = Buffer.from(`{"event_id":"a"}\n${items.map((each) => textOf(each)).join('')}`);
          const { bytes: left, holdsTaken } = filtered(bytes, cuts);
          expect(itemsOf(left, false)).toEqual(itemsOf(bytes, true));
          expect(left.length).toBeLessThanOrEqual(bytes.length + items.length * 12);
          if (items.some(({ type }) => supportedItemTypes.has(type))) expect(holdsTaken).toBe(true);
        },
      ),
    );
  });

  it('is unchanged where it is not an envelope', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('{', '}', '"type":"transaction"', '\n', ' ', 'x', ','),
          maxLength: 60,
        }),
        fc.array(fc.integer({ min: 1, max: 7 })),
        (text, cuts) => {
          const bytes = Buffer.from(text);
          const before = itemsOf(bytes, true);
          expect(itemsOf(filtered(bytes, cuts).bytes, false)).toEqual(before);
        },
      ),
    );
  });

  it('keeps no bytes of a replay of a megabyte, in memory or in the output', () => {
    const payload = 'x'.repeat(1_000_000);
    const bytes = Buffer.from(`{}\n{"type":"replay_recording","length":1000000}\n${payload}\n`);
    const { bytes: left, holdsTaken } = filtered(bytes, [65_536]);
    expect([left.length < 100, holdsTaken]).toEqual([true, false]);
  });
});
