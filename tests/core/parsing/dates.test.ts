import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  formatMicroseconds,
  formatTime,
  parseMicroseconds,
  parseTime,
} from '../../../src/core/parsing/timestamps.ts';
import { runs } from '../../support/test-level.ts';

describe('parseMoment', () => {
  it.each([
    ['2026-11-20T23:33:27.442307317Z', '2026-11-20T23:33:27.442Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T10:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20 10:00:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00+0130', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T10:00:00,5-02', '2026-11-20T12:00:00.500Z'],
    ['2024-02-29T00:00:00z', '2024-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    [1_795_218_239, '2026-11-20T23:43:59.000Z'],
    [1_795_218_239.25, '2026-11-20T23:43:59.250Z'],
    [1_795_218_239_246, '2026-11-20T23:43:59.246Z'],
    ['1795218239', '2026-11-20T23:43:59.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
  ])('reads %j', (value, expected) => {
    expect(formatTime(parseTime(value))).toBe(expected);
  });

  it.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-11-20T24:00:00Z',
    '2026-11-20T10:60:00Z',
    '2026-11-20T10:00:00.1234567890Z',
    '2026-11-20T10:00:00+24:00',
    '20.11.2026',
    'yesterday',
    '',
    '-5',
    '1900-01-01',
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e300,
    null,
    undefined,
    {},
    [2026],
    true,
  ])('refuses %j', (value) => {
    expect(parseTime(value)).toBeNull();
  });

  it('reads back every time it wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000_000_000, max: 253_402_300_799_999 }), (moment) => {
        expect(parseTime(formatTime(moment))).toBe(moment);
        expect(parseTime(moment)).toBe(moment);
      }),
    );
  });
});

describe('formatTimestamp', () => {
  it('writes every second as a Date does', () => {
    const seconds = fc.integer({ min: -1_000_000_000, max: 9_000_000_000 });
    const asDate = (at: number) => `${new Date(at * 1000).toISOString().slice(0, -5)}Z`;
    fc.assert(fc.property(seconds, (at) => expect(formatMicroseconds(at * 1e6)).toBe(asDate(at))));
  });
});

describe('builds and events have their dates read by one reader', () => {
  it.each([
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.500000Z'],
    ['2026-11-20T10:00', '2026-11-20T10:00:00Z'],
    ['2026-11-20 10:00:00 UTC', '2026-11-20T10:00:00Z'],
    ['2026-11-20t10:00:00,123456789 +0130', '2026-11-20T08:30:00.123456Z'],
    ['2026-11-20T10:00:00-02', '2026-11-20T12:00:00Z'],
    [1_795_218_239_246, '2026-11-20T23:43:59.246000Z'],
    ['1795218239246', '2026-11-20T23:43:59.246000Z'],
    [1_795_218_239.246_123, '2026-11-20T23:43:59.246123Z'],
    ['0.25', '1970-01-01T00:00:00.250000Z'],
    ['2255-06-05T23:47:34.740991Z', '2255-06-05T23:47:34.740991Z'],
  ])('reads %j to the microsecond for an event, and its whole milliseconds for a build', (value, micros) => {
    expect(formatMicroseconds(parseMicroseconds(value) ?? Number.NaN)).toBe(micros);
    const millis = micros.replace(
      /(\.\d{3})\d{3}Z$|(:\d\d)Z$/,
      (_all, fraction, second) => `${fraction ?? `${second}.000`}Z`,
    );
    expect(formatTime(parseTime(value))).toBe(millis);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T10:00:61Z',
    '2026-11-20T10:00:00.1234567890Z',
    '2026-11-20T10:00:00+24:00',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    'Fri, 20 Nov 2026 10:00:00 GMT',
    '-5',
    '1e9',
    '',
    -1,
    1e300,
    Number.NaN,
    null,
    true,
    [1_795_218_239],
    { toString: () => '2026-11-20T10:00:00Z' },
  ])('refuses %j for both', (value) => {
    expect([parseMicroseconds(value), parseTime(value)]).toEqual([null, null]);
  });

  it('reads an event only as far as microseconds are exact, a build to the end of 9999', () => {
    for (const text of ['2255-06-05T23:47:34.740992Z', '9999-12-31T23:59:59.999Z']) {
      expect([parseMicroseconds(text), formatTime(parseTime(text))]).toEqual([
        null,
        expect.stringContaining(text.slice(0, 19)),
      ]);
    }
  });

  it('accepts a date without a time for a build, and not for an event', () => {
    expect([parseTime('2026-11-20'), parseMicroseconds('2026-11-20')]).toEqual([
      Date.UTC(2026, 10, 20),
      null,
    ]);
  });

  it('reads any text as the same time for both', () => {
    const two = (max: number) => fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
    const text = fc
      .tuple(
        fc.tuple(fc.integer({ min: 1960, max: 2254 }), two(13), two(32)).map((parts) => parts.join('-')),
        fc.constantFrom('T', ' ', 't', 'x'),
        fc.array(two(61), { minLength: 2, maxLength: 3 }).map((parts) => parts.join(':')),
        fc.oneof(fc.constant(''), fc.stringMatching(/^[.,][0-9]{1,11}$/)),
        fc.constantFrom('', 'Z', 'z', ' UTC', '+01:00', '-0130', '+14', '+2', ' GMT'),
      )
      .map((parts) => parts.join(''));
    const number = fc.oneof(
      fc.double({ min: -1e9, max: 9e9 }),
      fc.double({ min: 1e11, max: 9e12 }),
      fc.integer({ min: -5, max: 3_000_000_000 }),
    );
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(text, number, number.map(String)), (value) => {
        const micros = parseMicroseconds(value);
        if (micros !== null) read += 1;
        expect(parseTime(value)).toBe(micros === null ? null : Math.floor(micros / 1000));
      }),
      { numRuns: runs(2000) },
    );
    expect(read).toBeGreaterThan(runs(200));
  });
});
