// What counts as being answered: small and large bodies by themselves, and no body that comes slowly.
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createUnderWay } from '../../../src/http/server/under-way.ts';

function exchange(headers: Record<string, string>, complete = false) {
  const outgoing = new EventEmitter();
  return {
    incoming: { headers, complete } as unknown as IncomingMessage,
    outgoing: outgoing as unknown as ServerResponse,
    close: () => void outgoing.emit('close'),
  };
}

describe('a request', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['of 48 KiB is small', { 'content-length': '49152' }, false],
    ['of a byte more is large', { 'content-length': '49153' }, true],
    ['that does not say how long it is is large', { 'transfer-encoding': 'chunked' }, true],
    ['of 6 KiB, compressed, is small', { 'content-length': '6144', 'content-encoding': 'gzip' }, false],
    ['of more, compressed, is large', { 'content-length': '6145', 'content-encoding': 'gzip' }, true],
  ])('%s', (_what, headers, isLarge) => {
    expect(createUnderWay().of(exchange(headers).incoming).isLarge).toBe(isLarge);
  });

  it('counts among its kind until its answer is out', () => {
    const underWay = createUnderWay();
    const [small, large] = [exchange({ 'content-length': '10' }), exchange({ 'content-length': '100000' })];
    const [ofSmall, ofLarge] = [underWay.of(small.incoming), underWay.of(large.incoming)];
    ofSmall.add(small.incoming, small.outgoing);
    ofLarge.add(large.incoming, large.outgoing);
    expect([ofSmall.count(), ofLarge.count()]).toEqual([1, 1]);
    small.close();
    expect([ofSmall.count(), ofLarge.count()]).toEqual([0, 1]);
  });

  it('keeps no place when its body comes slowly', () => {
    let nowMs = 0;
    const received = new Map<IncomingMessage, number>();
    const underWay = createUnderWay({
      clock: () => nowMs,
      receivedBytes: (incoming) => received.get(incoming) ?? 0,
    });
    const add = (bytes: number, complete = false) => {
      const { incoming, outgoing } = exchange({ 'content-length': '900000' }, complete);
      const kind = underWay.of(incoming);
      kind.add(incoming, outgoing);
      received.set(incoming, bytes);
      return kind;
    };
    add(32_000);
    add(40_000);
    const kind = add(0, true);
    nowMs = 600;
    add(0);
    underWay.look();
    expect(kind.count()).toBe(4);
    nowMs = 1_000;
    underWay.look();
    expect(kind.count()).toBe(3);
    nowMs = 1_600;
    underWay.look();
    expect(kind.count()).toBe(1);
  });
});
