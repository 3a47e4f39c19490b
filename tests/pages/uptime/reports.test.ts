import { describe, expect, it } from '@jest/globals';
import type { ReportsModel } from '../../../src/core/workspace/reports/list.ts';
import { after, before, lastPeriods, periodOf, weekAt } from '../../../src/core/workspace/reports/period.ts';
import type { ReportModel } from '../../../src/core/workspace/reports/report.ts';
import { at, hourMs, minuteMs } from '../../support/uptime/monitors.ts';
import { ask } from '../../support/uptime/pages.ts';

async function report(id: string): Promise<ReportModel> {
  return (await ask(`/reports/${id}`)).model as ReportModel;
}

describe('K: periods', () => {
  it.each([
    ['2026-W47', '2026-11-16', '2026-11-23'],
    ['2026-W01', '2025-12-29', '2026-01-05'],
    ['2026-W53', '2026-12-28', '2027-01-04'],
    ['2021-W01', '2021-01-04', '2021-01-11'],
    ['2024-02', '2024-02-01', '2024-03-01'],
    ['2026-12', '2026-12-01', '2027-01-01'],
  ])('%s is from %s to %s', (id, from, to) => {
    const period = periodOf(id);
    expect([period?.fromMs, period?.toMs]).toEqual([Date.parse(from), Date.parse(to)]);
  });

  it.each(['2025-W53', '2026-W00', '2026-W54', '2026-W1', '2026-13', '2026-00', '26-W01', '2026', ''])(
    '%s is none',
    (id) => {
      expect(periodOf(id)).toBeNull();
    },
  );

  it('each week has a name that names it, and the next begins where it ends, over 30 years', () => {
    let week = weekAt(Date.UTC(2000, 0, 3));
    for (let nth = 0; nth < 30 * 52; nth += 1) {
      expect(periodOf(week.id)).toEqual(week);
      const next = after(week);
      expect(next.fromMs).toBe(week.toMs);
      expect(before(next)).toEqual(week);
      week = next;
    }
  });

  it('the last periods are in a row, newest first', () => {
    expect(lastPeriods('week', at(11, 21), 3).map(({ id }) => id)).toEqual([
      '2026-W47',
      '2026-W46',
      '2026-W45',
    ]);
    expect(lastPeriods('month', at(1, 31), 3).map(({ id }) => id)).toEqual(['2026-01', '2025-12', '2025-11']);
  });
});

describe('K: reports', () => {
  it('list: 13 weeks or three months, the running one marked', async () => {
    const { model, html } = await ask('/reports');
    const { reports } = model as ReportsModel;
    expect(reports).toHaveLength(13);
    expect(reports[0]).toMatchObject({
      id: '2026-W47',
      is_partial: true,
      days: 6,
      days_in_all: 7,
      incidents: 2,
    });
    expect(reports[1]).toMatchObject({
      id: '2026-W46',
      is_partial: false,
      incidents: 3,
      recover_ms: 29 * minuteMs,
    });
    expect(html).toContain('6 of 7 days');
    const months = (await ask('/reports?span=month')).model as ReportsModel;
    expect(months.reports.map(({ id }) => id)).toEqual(['2026-11', '2026-10', '2026-09']);
  });

  it('availability and its budget: the basket was broken for 43 minutes of the week', async () => {
    const { model, html } = await ask('/reports/2026-W46');
    const { monitors, sums, sums_before: past } = model as ReportModel;
    const weekMinutes = 7 * 1440;
    expect(monitors[0]).toMatchObject({ slug: 'front-page', down_ms: 43 * minuteMs });
    expect(monitors[0]?.budget.share).toBeCloseTo(43 / (weekMinutes * 0.001), 6);
    // Eight monitors all week, and one that was paused on its sixth day.
    expect(sums.availability).toBeCloseTo(1 - 43 / (8 * weekMinutes + 5 * 1440 - 0), 3);
    expect(past?.availability).toBe(1);
    expect(html).toContain('used up its error budget');
  });

  it('what was seen to at once is said to be', async () => {
    const words = async (id: string): Promise<string> =>
      (await ask(`/reports/${id}`)).html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect((await report('2026-W43')).sums.acknowledge_ms).toBe(0);
    expect(await words('2026-W43')).toMatch(/Time to acknowledge at once mean /);
    expect(await words('2026-W44')).toMatch(/Time to acknowledge – mean, at once before/);
  });

  it('a running week is compared with as much of the one before', async () => {
    const { period, sums_before: past, next } = await report('2026-W47');
    expect(period.is_partial).toBe(true);
    expect(next).toBeNull();
    const whole = (await report('2026-W46')).sums;
    expect(past?.events).toBeLessThan(whole.events);
    // Up to 15:00 of the Saturday.
    const from = at(11, 9);
    const until = from + (at(11, 21, 15) - at(11, 16));
    expect(until - from).toBe(135 * hourMs);
    expect(past?.incidents).toBe(2);
  });

  it('deliveries and tests are those of the period alone', async () => {
    const { alerts, tests, releases, deploys } = await report('2026-W46');
    expect(releases.map(({ release_id: id, was_taken_back: isBack }) => [id, isBack])).toEqual([
      [881, false],
      [880, true],
    ]);
    expect(deploys).toEqual({ all: 1, failed: 0, taken_back: 1 });
    expect(tests.reduce((sum, { runs }) => sum + runs, 0)).toBe(24);
    expect(alerts).toEqual([]);
    const now = await report('2026-W47');
    expect(now.alerts).toMatchObject([
      { channel_id: 1, sent: 12, arrived: 12 },
      { channel_id: 2, sent: 50, arrived: 45 },
      { channel_id: 5, sent: 1, arrived: 0 },
    ]);
  });

  it('what is none, or is to come, was not found', async () => {
    await expect(ask('/reports/2026-W54')).rejects.toThrow('A report with this name was not found');
    await expect(ask('/reports/2027-01')).rejects.toThrow('A report of a future period was not found');
  });
});
