import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildCulprit, buildTitle } from '../../../src/core/events/title.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalizeEvent } from '../../../src/core/normalize/event.ts';
import { cutBytes, cutText, cutTextFromEnd, isLongerThan } from '../../../src/core/parsing/cut-text.ts';
import { findSuspectComponent } from '../../../src/core/wordpress-components/suspect-component.ts';
import { context } from '../../support/events.ts';
import { runs } from '../../support/test-level.ts';
import { codePointText, graphemeText } from '../../support/texts.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const boundaries = (text: string): Set<number> =>
  new Set([...segmenter.segment(text)].map(({ index }) => index).concat(text.length));

const family = '👨‍👩‍👧‍👦';
const flags = '🇩🇪🇫🇷🇯🇵';

describe('code points, whole graphemes', () => {
  it.each([
    ['ascii', 'abcdef', 4, 'abcd'],
    ['as long as it may be', 'abcd', 4, 'abcd'],
    ['astral characters', '😀😀😀', 2, '😀😀'],
    ['an accent of its own', 'ab\u0301c', 2, 'a'],
    ['a family', `a${family}`, 3, 'a'],
    ['a family that fits', `a${family}b`, 8, `a${family}`],
    ['flags', flags, 3, '🇩🇪'],
    ['flags that fit', flags, 4, '🇩🇪🇫🇷'],
    ['a line end', 'a\r\nb', 2, 'a'],
    ['a skin tone', '👍🏽!', 1, ''],
    ['hangul of three parts', '\u1112\u1161\u11ab\u1112', 2, ''],
    ['nothing', '', 3, ''],
    ['no room', 'abc', 0, ''],
  ])('%s', (_name, text, codePointsMax, kept) => {
    expect(cutText(text, codePointsMax)).toBe(kept);
  });

  it('cuts inside an unreadable run of combining marks', () => {
    const marks = `a${'\u0301'.repeat(5_000)}`;
    expect(cutText(marks, 1_000)).toHaveLength(1_000);
  });

  it('keeps flag emojis whole however many come before', () => {
    for (const codePointsMax of [399, 400, 401]) {
      expect([...cutText('🇩🇪'.repeat(300), codePointsMax)]).toHaveLength(codePointsMax - (codePointsMax % 2));
    }
  });

  it.each([
    ['abc', 2, 'bc'],
    [`${family}b`, 3, 'b'],
    ['a\u0301b', 2, 'b'],
    [flags, 3, '🇯🇵'],
    ['ab', 2, 'ab'],
  ])('from the end: %j at most %i', (text, codePointsMax, kept) => {
    expect(cutTextFromEnd(text, codePointsMax)).toBe(kept);
  });

  it.each([
    ['abc', 2, 'ab'],
    ['äöü', 5, 'äö'],
    ['😀😀', 7, '😀'],
    [`a${family}`, 20, 'a'],
    ['abc', -1, ''],
  ])('by bytes: %j at most %i', (text, bytesMax, kept) => {
    expect(cutBytes(text, bytesMax)).toBe(kept);
  });

  it('any text: a prefix within the limit, without half a character, at most one too short', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, codePointsMax) => {
        const kept = cutText(text, codePointsMax);
        expect(text.startsWith(kept)).toBe(true);
        expect([...kept].length).toBeLessThanOrEqual(codePointsMax);
        expect(boundaries(text).has(kept.length)).toBe(true);
        const next = [...segmenter.segment(text.slice(kept.length))][0]?.segment ?? '';
        if (kept !== text) expect([...kept, ...next].length).toBeGreaterThan(codePointsMax);
        expect(isLongerThan(text, codePointsMax)).toBe([...text].length > codePointsMax);
        const end = cutTextFromEnd(text, codePointsMax);
        expect(text.endsWith(end) && boundaries(text).has(text.length - end.length)).toBe(true);
        const bytes = cutBytes(text, codePointsMax);
        expect(text.startsWith(bytes) && boundaries(text).has(bytes.length)).toBe(true);
        expect(Buffer.byteLength(bytes)).toBeLessThanOrEqual(codePointsMax);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('every cut of a text in an event', () => {
  // Each character is three code points, four UTF-16 units: no limit falls between two of them by luck.
  const long = '👍🏽\ufe0f'.repeat(5_000);
  const source = {
    message: long,
    transaction: long,
    server_name: long,
    platform: long,
    logger: '😀'.repeat(64),
    release: '😀'.repeat(200),
    tags: { a: '😀'.repeat(200), b: '😀'.repeat(201) },
    user: { id: long, username: long, email: long },
    request: { url: long, method: long, query_string: long, headers: { a: long }, data: { a: long } },
    exception: [
      { type: long, value: long, module: long, stacktrace: [{ function: long, context_line: long }] },
    ],
    breadcrumbs: [{ message: long, category: long, data: { a: long } }],
    extra: { a: long, [long]: 1 },
    contexts: { app: { name: long } },
    sdk: { name: long },
    unheard_of: long,
  };
  const { event, errors } = normalizeEvent(source, context);

  it('cuts no character in two', () => {
    const texts = textsIn([
      event,
      errors,
      buildTitle(event),
      buildCulprit(event, findSuspectComponent(event)),
      computeFingerprint(event).parts,
    ]);
    const cut = texts.filter((text) => text.includes('👍'));
    expect(cut.length).toBeGreaterThan(20);
    for (const text of cut) expect(text.replaceAll('👍🏽\ufe0f', '').replaceAll(/[ -~·]/g, '')).toBe('');
  });

  it('limits count code points', () => {
    expect(event).toMatchObject({
      logger: '😀'.repeat(64),
      release: '😀'.repeat(200),
      tags: [['a', '😀'.repeat(200)]],
      transaction: '👍🏽\ufe0f'.repeat(66),
    });
    expect(errors).toContainEqual({ type: 'invalid_data', name: 'tags.b', value: '😀'.repeat(128) });
    expect([...buildTitle(event)].length).toBeGreaterThan(250);
  });
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        '\r',
        '\n',
        'é',
        'e\u0301',
        '\u0301',
        family,
        '🇩',
        '🇪',
        '\u200d',
        '👍',
        '🏽',
        '\u0e33',
      ),
      graphemeText({ maxLength: 2 }),
      codePointText({ maxLength: 2 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join('').toWellFormed());
