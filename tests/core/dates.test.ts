// Dates as build servers write them: the calendar, zones, fractions, and seconds told from milliseconds.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { momentText, parseMoment } from '../../src/core/dates.ts';

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
    expect(momentText(parseMoment(value))).toBe(expected);
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
    expect(parseMoment(value)).toBeNull();
  });

  it('gives back every moment it wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000_000_000, max: 253_402_300_799_999 }), (moment) => {
        expect(parseMoment(momentText(moment))).toBe(moment);
        expect(parseMoment(moment)).toBe(moment);
      }),
    );
  });
});
