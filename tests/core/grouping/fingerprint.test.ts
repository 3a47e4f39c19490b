import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseEnvelope } from '../../../src/core/envelopes/parse-envelope.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { cutMutualRecursion } from '../../../src/core/grouping/select-frames.ts';
import { parseItemJson } from '../../../src/core/parsing/item-json.ts';
import type { Grouping } from '../../../src/core/store/events.ts';
import { anyEvent, normalized, reordered } from '../../support/events.ts';
import { runs } from '../../support/test-level.ts';

const groupingOf = (raw: unknown): Grouping => computeFingerprint(normalized(raw));

const thrown = (frame: object, platform = 'javascript', type = 'Error', value = 'bad') => ({
  platform,
  exception: { values: [{ type, value, stacktrace: { frames: [{ in_app: true, ...frame }] } }] },
});
describe('the stack', () => {
  const stackOf = (frames: object[], platform = 'python') => ({
    platform,
    exception: { values: [{ type: 'E', value: 'v', stacktrace: { frames } }] },
  });

  it('counts a recursion once, however deep, direct or mutual', () => {
    const f = { function: 'walk', filename: 'tree.py', in_app: true };
    const g = { ...f, function: 'step' };
    const start = { ...f, function: 'main' };
    const deep = (count: number, ring: object[]) =>
      groupingOf(stackOf([start, ...Array.from({ length: count }, () => ring).flat()])).hash;
    expect(deep(40, [f])).toBe(deep(3, [f]));
    expect(deep(40, [f, g])).toBe(deep(3, [f, g]));
    expect(deep(3, [f])).not.toBe(deep(3, [f, g]));
  });

  it.each([
    ['three cycles', 'main step walk step walk step walk', 'main step walk step walk step'],
    ['three cycles, cut elsewhere', 'main step walk step walk step walk step', null],
    ['three cycles and nothing before', 'step walk step walk step walk', 'step walk step walk step'],
    ['a frame less than three cycles', 'a b main walk step walk step walk', null],
    ['two cycles', 'a b main step walk step walk', null],
    ['a ring of six', 'm b c d e f a b c d e f a b c d e f a', null],
    ['a ring of six, cut elsewhere', 'a b c d e f a b c d e f a b c d e f', 'a b c d e f a b c d e f a'],
    ['a ring of seven', 'a b c d e f g a b c d e f g a b c d e f g', null],
    ['one function that calls itself', 'main walk walk walk walk walk walk', null],
  ])('cuts mutual recursion of three cycles and up to six functions: %s', (_, sent, kept) => {
    const frames = sent.split(' ').map((name, index) => ({ frame: {}, file: 'a.py', function: name, index }));
    expect(cutMutualRecursion(frames).map((frame) => frame.function)).toEqual((kept ?? sent).split(' '));
  });

  it('skips library frames to the three nearest of the application', () => {
    const own = (name: string) => ({ function: name, filename: `shop/${name}.py` });
    const library = { function: 'get', filename: '/usr/lib/python3/dist-packages/requests/api.py' };
    const grouping = groupingOf(stackOf([own('a'), own('b'), own('c'), library, own('d'), library]));
    expect(grouping.parts).toEqual(['E @ shop/d.py · d < shop/c.py · c < shop/b.py · b']);
    expect(grouping.notes).toEqual(['2 library frames left out']);
  });

  it('does not use a minified stack without a map, with a note', () => {
    const frame = (colno: number) =>
      thrown({ function: 't', filename: 'https://x.test/app.js', lineno: 1, colno });
    const grouping = groupingOf(frame(5012));
    expect(grouping).toMatchObject({
      source: 'exception',
      parts: ['Error', 'bad'],
      notes: ['minified, no map: stack not used'],
    });
    expect(groupingOf(frame(7777)).hash).toBe(grouping.hash);
  });

  it('uses it once it is mapped', () => {
    const raw = { frames: [{ function: 't', filename: 'https://x.test/a.min.js', lineno: 1, colno: 5012 }] };
    const mapped = {
      frames: [{ function: 'it', filename: 'https://x.test/src/cart.ts', lineno: 2, colno: 400 }],
    };
    const event = {
      platform: 'javascript',
      exception: { values: [{ type: 'Error', value: 'v', stacktrace: mapped, raw_stacktrace: raw }] },
    };
    expect(groupingOf(event).parts).toEqual(['Error @ cart.ts · it']);
  });

  it('tells anonymous functions apart by their source line, never by its number', () => {
    const at = (lineno: number, line: string) =>
      groupingOf(stackOf([{ filename: 'a.py', lineno, context_line: line, in_app: true }])).hash;
    expect(at(1, 'pay()')).toBe(at(900, '  pay()'));
    expect(at(1, 'pay()')).not.toBe(at(1, 'refund()'));
  });

  it('follows the chain of causes, and marks what an SDK made up', () => {
    const chain = (cause: string) => ({
      platform: 'java',
      exception: {
        values: [
          { type: cause, value: 'a' },
          { type: 'Wrapped', value: 'b', stacktrace: { frames: [{ function: 'f', module: 'com.shop.A' }] } },
        ],
      },
    });
    expect(groupingOf(chain('IOException')).hash).not.toBe(groupingOf(chain('NullPointerException')).hash);
    const synthetic = (type: string) => ({
      platform: 'javascript',
      exception: {
        values: [
          {
            type,
            value: 'm',
            mechanism: { type: 'generic', synthetic: true },
            stacktrace: { frames: [{ function: 'f', filename: 'a.js', lineno: 1 }] },
          },
        ],
      },
    });
    expect(groupingOf(synthetic('Error')).parts).toEqual(['(synthetic) @ a.js · f']);
    expect(groupingOf(synthetic('Error')).hash).toBe(groupingOf(synthetic('Other')).hash);
  });

  it('takes the crashed thread when there is no exception and no message', () => {
    const threads = [
      { id: 1, stacktrace: { frames: [{ function: 'a', lineno: 1 }] } },
      { id: 2, crashed: true, stacktrace: { frames: [{ function: 'boom', lineno: 1 }] } },
    ];
    expect(groupingOf({ platform: 'native', threads })).toMatchObject({
      source: 'thread',
      parts: ['(no file) · boom'],
    });
    expect(groupingOf({ platform: 'native' })).toMatchObject({ source: 'empty', parts: ['native'] });
  });
});

describe('messages and fingerprints', () => {
  it.each([
    ['Order 1234 not found', 'Order 7 not found'],
    ['2 of 5 files in /var/www/a failed after 3.5 s', '9 of 17 files in /srv/b/c failed after 200 ms'],
    [
      'Wed Apr 17 22:31:45 2019: ann@x.test via ::1 at 0xfeed',
      'Mon May 6 01:02:03 2024: bob@y.test via 2001:db8::7 at 0xbeef',
    ],
    [
      'token 88ee7c66-29a9-4a4a-bc26-c72d76c5de14 expired 2026-11-20',
      'token 00000000-29a9-4a4a-bc26-c72d76c5de14 expired 2027-01-01',
    ],
    ['GET https://a.test/x/17?y=1 failed', 'GET http://a.test/x/9 failed'],
    ['name="ann" is taken', 'name="bob" is taken'],
    ['commit 3f2a1b9 missing', 'commit abcdef0123456789 missing'],
    ['\n\n  first line\nsecond', 'first line\nother'],
    ['ids [1, 2, 3] unknown', 'ids [4, 5] unknown'],
    ['HTTP/1.1 503 from upstream', 'HTTP/2 503 from upstream'],
    ['no record {"accountId": "a7f"}', 'no record {"accountId": "90b"}'],
    ['connection refused on port 100001', 'connection refused on port 100002'],
    ['socket a:49152->db:100001 refused', 'socket a:49153->db:100002 refused'],
    ['job of 3 Dec 21 12:30:11 CET failed', 'job of 14 Feb 22 01:02:03 +0100 failed'],
  ])('%p and %p share a key', (a, b) => {
    expect(groupingOf({ message: a }).parts).toEqual(groupingOf({ message: b }).parts);
  });

  it.each([
    ['Payment failed', 'Payment refused'],
    ['GET https://a.test/x failed', 'GET https://b.test/x failed'],
    ['GET https://a.test/x failed', 'GET https://a.test/y failed'],
    ['connection refused on port 65535', 'connection refused on port 65534'],
    ['socket a:49152->db:65535 refused', 'socket a:49152->db:65534 refused'],
    ['Undefined index: cart', 'Undefined index: user'],
    ['utf8 broken', 'base64 broken'],
    ['UTF-8 broken', 'UTF-16 broken'],
    ['no element with id: "cart"', 'no element with id: "menu"'],
    ['jquery3.min.js broken', 'jquery.min.js broken'],
  ])('%p and %p have different keys', (a, b) => {
    expect(groupingOf({ message: a }).hash).not.toBe(groupingOf({ message: b }).hash);
  });

  it('groups a template by its words alone', () => {
    const logged = (template: string, params: unknown) =>
      groupingOf({ logentry: { message: template, params } });
    expect(logged('a %s', [1]).hash).toBe(logged('a %s', { x: 2 }).hash);
    expect(logged('a %s', [1])).toMatchObject({ source: 'template', parts: ['a %s'] });
    expect(logged('a %s', [1]).hash).not.toBe(logged('b %s', [1]).hash);
  });

  it("replaces ours by the client's, and puts ours where {{ default }} stands", () => {
    const of = (fingerprint: unknown[], message = 'm') => groupingOf({ message, fingerprint });
    expect(of(['a', 1]).hash).toBe(of(['a', '1'], 'other').hash);
    expect(of(['a']).source).toBe('fingerprint');
    expect(of(['{{default}}']).hash).toBe(groupingOf({ message: 'm' }).hash);
    expect(of(['{{  default }}', 'a'])).toMatchObject({ source: 'fingerprint+default' });
    expect(of(['{{ default }}', 'a']).hash).toBe(of(['{{default}}', 'a']).hash);
    expect(of(['{{ default }}', 'a']).hash).not.toBe(of(['{{ default }}', 'a'], 'other').hash);
    expect(of(['{{ default }}', 'a']).hash).not.toBe(of(['{{ default }}', 'b']).hash);
    expect(of([null, {}]).hash).toBe(groupingOf({ message: 'm' }).hash);
  });

  it('ignores user, server and time', () => {
    const base = thrown({ function: 'f', filename: 'a.js', lineno: 1 });
    const other = {
      ...thrown({ function: 'f', filename: 'a.js', lineno: 99, colno: 7 }),
      release: '2',
      environment: 'b',
      user: { id: 1 },
      tags: { a: 'b' },
      transaction: '/x',
      server_name: 's',
      level: 'fatal',
      request: { url: 'https://x.test/' },
    };
    expect(groupingOf(other).hash).toBe(groupingOf(base).hash);
  });
});

describe('any event', () => {
  const numRuns = runs(800);

  it(`has one grouping in any order of its keys, and after an envelope: ${numRuns} runs`, () => {
    fc.assert(
      fc.property(anyEvent, (raw) => {
        const json = JSON.stringify(raw);
        const grouping = groupingOf(JSON.parse(json));
        expect(grouping.hash).toMatch(/^[0-9a-f]{64}$/);
        expect(groupingOf(reordered(JSON.parse(json)))).toEqual(grouping);
        const envelope = parseEnvelope(
          Buffer.from(`{}\n{"type":"event","length":${Buffer.byteLength(json)}}\n${json}\n`),
        );
        const [item] = envelope.items;
        if (item === undefined) throw new Error('the envelope lost its item');
        expect(groupingOf(parseItemJson(item.payload))).toEqual(grouping);
        expect(groupingOf(normalized(raw))).toEqual(grouping);
      }),
      { numRuns },
    );
  });
});
