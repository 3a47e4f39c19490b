import { describe, expect, it } from '@jest/globals';
import {
  count,
  counted,
  dueIn,
  formatAge,
  formatBytes,
  formatCountOrDash,
  formatDateTime,
  formatDayAndTime,
  formatDifference,
  formatShortCount,
  formatShortTime,
  formatTimeBefore,
  percent,
  span,
} from '../../src/web/formatters.ts';
import { changeText, pointsText } from '../../src/web/reports/labels.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('words for numbers', () => {
  it('formats counts in full, a dash for none in a column, and with their noun', () => {
    expect([
      count(18_402),
      formatCountOrDash(0),
      formatCountOrDash(7),
      counted(1, 'event'),
      counted(2, 'reply', 'replies'),
    ]).toEqual(['18,402', '–', '7', '1 event', '2 replies']);
  });

  it.each([
    [0, '0 events'],
    [0.4, '0 events'],
    [1, '1 event'],
    [1.5, '2 events'],
    [0.6, '1 event'],
    [1.4, '1 event'],
    [2, '2 events'],
    [1_001, '1,001 events'],
  ])('%d with its noun is %s', (value, text) => {
    expect(counted(value, 'event')).toBe(text);
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [3_400, '3.4k'],
    [12_000, '12k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [1_200_000, '1.2M'],
    [2_000_000_000, '2G'],
  ])('%d on an axis is %s', (value, text) => {
    expect(formatShortCount(value)).toBe(text);
  });

  it.each([
    [0, '0 B'],
    [812, '812 B'],
    [3_100_000, '3.1 MB'],
    [999_999, '1000 kB'],
    [120_000_000_000_000, '120 TB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('a share is 0% or 100% only if it is exactly that', () => {
    expect([percent(0, 9), percent(1, 10_000), percent(9_999, 10_000), percent(9, 9), percent(1, 0)]).toEqual(
      ['0%', '<1%', '>99%', '100%', '–'],
    );
    expect(percent(99_995, 100_000, 2)).toBe('>99.99%');
  });

  it('a difference is put in words, and left out if there was nothing before', () => {
    expect([formatDifference(112, 100, 'the day before'), formatDifference(88, 100, 'the 7 before')]).toEqual(
      ['12% more than the day before', '12% less than the 7 before'],
    );
    expect([formatDifference(100, 100, 'x'), formatDifference(3, 0, 'x')]).toEqual(['as many as x', null]);
  });
});

describe('words for times', () => {
  it.each([
    [-5, '0 s'],
    [89 * second, '89 s'],
    [90 * second, '2 min'],
    [89 * minute, '89 min'],
    [90 * minute, '2 h'],
    [35 * hour, '35 h'],
    [36 * hour, '2 d'],
    [400 * day, '400 d'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });

  it('a due time is “now”, a later one “in …”', () => {
    const at = new Date(40 * second).toISOString();
    expect([dueIn(at, 0), dueIn(at, 0, 'within'), dueIn(at, 40 * second), dueIn(at, day)]).toEqual([
      ...['in 40 s', 'within 40 s', 'now', 'now'],
    ]);
  });

  it.each([
    [840, '840 ms'],
    [1_500, '1.5 s'],
    [37 * minute, '37 min'],
    [2 * hour + 10 * minute + 59 * second, '2 h 10 min'],
    [3 * day + 4 * hour, '3 d 4 h'],
    [61 * second, '1 min 1 s'],
  ])('a length of %d ms is %s', (ms, text) => {
    expect(span(ms)).toBe(text);
  });

  it('a log shows today as time, this year as day, older with the year', () => {
    const now = Date.UTC(2026, 0, 2, 12);
    expect(
      [now - hour, now + hour, now + 13 * hour, now - 13 * hour, Date.UTC(2025, 11, 31)].map((at) =>
        formatShortTime(at, now),
      ),
    ).toEqual(['11:00', '13:00', '3 Jan', '1 Jan', '31 Dec 2025']);
    expect([formatDateTime(now), formatDayAndTime(now)]).toEqual([
      '2 Jan 2026, 12:00:00 UTC',
      '2 Jan, 12:00',
    ]);
  });

  it('negative times have a true minus sign', () => {
    expect([formatTimeBefore(0), formatTimeBefore(41_200), formatTimeBefore(130 * second)]).toEqual([
      '0',
      '−41.2 s',
      '−2 min 10 s',
    ]);
  });
});

describe('words of reports', () => {
  it('give the difference of a share to the previous one in points', () => {
    expect(pointsText(0.9999, 0.9995, 2)).toBe('0.04 points more');
    expect(pointsText(0.9, 0.95, 1)).toBe('5.0 points less');
    expect(pointsText(0.95, 0.95004, 2)).toBe('as before');
    expect([pointsText(null, 0.5, 1), pointsText(0.5, null, 1)]).toEqual([null, null]);
  });

  it('give the difference of a count to the previous one', () => {
    expect(changeText(121, 100)).toBe('+21%');
    expect(changeText(96, 100)).toBe('\u22124%');
    expect([changeText(100, 100), changeText(1_001, 1_000)]).toEqual(['0%', '0%']);
    expect([changeText(5, 0), changeText(5, null)]).toEqual(['\u2013', '\u2013']);
  });
});
