import { beforeAll, describe, expect, it } from '@jest/globals';
import { demoPages } from '../../routes/pages/demo.ts';
import type { ChannelModel } from '../../src/core/page-models/monitoring/channel.ts';
import type { ChannelRow, ChannelsModel } from '../../src/core/page-models/monitoring/channels.ts';
import type { IncidentView } from '../../src/core/page-models/monitoring/incident-views.ts';
import type { IncidentsModel } from '../../src/core/page-models/monitoring/incidents.ts';
import type { MonitorModel } from '../../src/core/page-models/monitoring/monitor.ts';
import type { MonitorRow, MonitorsModel } from '../../src/core/page-models/monitoring/monitors.ts';
import type { RuleModel, RulesModel } from '../../src/core/page-models/monitoring/rules.ts';
import { viewDays } from '../../src/core/page-models/monitoring/uptime.ts';
import type { ReportListModel, ReportModel } from '../../src/core/page-models/reports/report.ts';
import type { Incident } from '../../src/core/store/incidents.ts';
import type { MonitorInterval } from '../../src/core/store/monitors.ts';
import { golden, goldenMs, lookAtDemo } from './look.ts';

const pages = demoPages();
const minuteMs = 60_000;
const dayMs = 86_400_000;
const midnight = goldenMs - (goldenMs % dayMs);
async function read<Model>(address: string): Promise<Model> {
  return (await lookAtDemo(pages, address)).model as Model;
}
const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
const lower = (text: string): string => text.toLowerCase();

describe('monitors', () => {
  let all: MonitorsModel;
  const of = (slug: string) => all.monitors.find((each) => each.slug === slug);
  beforeAll(async () => {
    all = await read('/monitors');
  });

  it('counts states', () => {
    const { all: every, ...states } = all.counts;
    expect([every, sum(Object.values(states))]).toEqual([all.monitors.length, all.monitors.length]);
    for (const [state, count] of Object.entries(states)) {
      expect([state, all.monitors.filter((each) => each.state === state).length]).toEqual([state, count]);
    }
  });

  it('has the uptime of 24 hours of monitored time, to five minutes', async () => {
    const { store } = await golden();
    // Slices of five minutes that end with the one under way.
    const toMs = goldenMs - (goldenMs % (5 * minuteMs)) + 5 * minuteMs;
    for (const { slug, uptime_24h: uptime } of all.monitors) {
      const monitor = await store.findMonitor(slug);
      const range = { fromMs: toMs - dayMs, toMs, stepMs: 5 * minuteMs };
      const slices = await store.monitorSlices(monitor?.id ?? 0, range);
      const watched = sum(slices.map(({ watchedMs }) => watchedMs));
      const down = sum(slices.map(({ downMs }) => downMs));
      expect([slug, uptime]).toEqual([slug, watched === 0 ? null : 1 - down / watched]);
    }
    expect(of('payments-gateway')?.uptime_24h).toBeLessThan(0.95);
  });

  it('excludes pending, paused and maintenance time; the last day of each strip is today', () => {
    expect(of('careers-page')).toMatchObject({ uptime_24h: null, uptime_30d: null });
    expect(all.monitors.find(({ state }) => state === 'paused')?.uptime_24h).toBeNull();
    const images = of('image-servers');
    expect(images).toMatchObject({ state: 'maintenance', uptime_24h: 1, uptime_30d: 1 });
    expect(new Set(all.monitors.map(({ days }) => days.at(-1)?.date))).toEqual(new Set(['2026-11-21']));
  });

  it('a day has its worst state, slow from a quarter of an hour on', () => {
    const slice = { watchedMs: 1, downMs: 0, degradedMs: 0, maintenanceMs: 0 } as MonitorInterval;
    const stateOf = (parts: Partial<MonitorInterval>) =>
      viewDays([{ ...slice, ...parts, atMs: midnight }], goldenMs, 1)[0]?.state;
    const slow = 15 * minuteMs;
    expect(stateOf({ downMs: 1, degradedMs: slow, maintenanceMs: 1 })).toBe('down');
    expect(stateOf({ degradedMs: slow, maintenanceMs: 1 })).toBe('degraded');
    expect(stateOf({ degradedMs: slow - 1, maintenanceMs: 1 })).toBe('maintenance');
    expect([stateOf({}), stateOf({ watchedMs: 0 })]).toEqual(['up', 'none']);
  });

  it.each<[string, (row: MonitorRow) => boolean]>([
    ['state=down', ({ state }) => state === 'down'],
    ['type=dns', ({ type }) => type === 'dns'],
    ['group=Payments', ({ group }) => group === 'Payments'],
    ['q=IMPORT', ({ name, target, tags }) => lower([name, target, ...tags].join('\n')).includes('import')],
    ['q=wake:yes', ({ tags }) => tags.includes('wake:yes')],
    ['project=2', ({ project }) => project?.project_id === 2],
    ['state=up&type=dns', ({ state, type }) => state === 'up' && type === 'dns'],
    ['state=unheard-of&group=Shop', ({ group }) => group === 'Shop'],
  ])('by %s', async (query, fits) => {
    const { monitors, found } = await read<MonitorsModel>(`/monitors?${query}`);
    const wanted = all.monitors.filter(fits).map(({ slug }) => slug);
    expect([wanted.length > 0, monitors.map(({ slug }) => slug)]).toEqual([true, wanted]);
    expect(found).toBe(wanted.length);
  });

  it.each<[string, (row: MonitorRow) => number | null]>([
    ['uptime', ({ uptime_30d: uptime }) => uptime],
    ['response', ({ median_ms: median }) => (median === null ? null : -median)],
    ['certificate', ({ certificate_ends_at: at }) => (at === null ? null : Date.parse(at))],
  ])('sorts by %s, the worst first, and monitors without one last', async (sort, figure) => {
    const { monitors } = await read<MonitorsModel>(`/monitors?sort=${sort}`);
    const figures = monitors.map((row) => figure(row) ?? Number.POSITIVE_INFINITY);
    expect(figures).toEqual(figures.toSorted((one, other) => one - other));
    expect(figures[0]).toBeLessThan(figures.at(-1) ?? 0);
  });

  it('a single one: its days are the sums, with its incidents', async () => {
    const one = await read<MonitorModel>('/monitors/payments-gateway');
    const last30 = one.days.slice(-30);
    expect(sum(one.days.map(({ down_ms: ms }) => ms))).toBe(one.figures['90d'].down_ms);
    expect(sum(last30.map(({ down_ms: ms }) => ms))).toBe(one.figures['30d'].down_ms);
    const { goal, allowed_ms: allowed, used_ms: used, share } = one.budget;
    expect(allowed).toBe(Math.round((1 - goal) * one.figures['30d'].watched_ms));
    expect([used, share]).toEqual([one.figures['30d'].down_ms, used / allowed]);
    expect(one.trouble.at(-1)).toMatchObject({ kind: 'down', is_open: true, from: one.state_since });
    expect(one.components.map(({ name }) => name)).toContain('Card payments');
    expect(one.notified.find(({ name }) => name === 'Order desk')).toMatchObject({ rules: ['Payments'] });
    const began = one.incidents.map(({ started_at: at }) => Date.parse(at));
    expect(began).toEqual(began.toSorted((left, right) => right - left));
    expect(one.checks).toHaveLength(12);
    expect((await read<MonitorModel>('/monitors/payments-gateway?checks=all')).checks).toHaveLength(50);
    await expect(lookAtDemo(pages, '/monitors/nobody')).rejects.toThrow('was not found');
  });

  it.each([
    // The slice that begins now holds nothing yet.
    ['24h', 5, 287],
    ['7d', 30, 336],
    ['30d', 120, 360],
  ])('a range of %s', async (range, stepMinutes, points) => {
    const one = await read<MonitorModel>(`/monitors/front-page?range=${range}`);
    expect([one.step_ms, one.series.length]).toEqual([stepMinutes * minuteMs, points]);
    const last = Date.parse(one.series.at(-1)?.at ?? '');
    expect([last <= goldenMs, last + one.step_ms >= goldenMs]).toEqual([true, true]);
  });
});

describe('incidents', () => {
  let all: IncidentsModel;
  let stored: Incident[];
  const began = midnight - 90 * dayMs;
  beforeAll(async () => {
    const { store } = await golden();
    all = await read('/incidents');
    const found = await store.listIncidents(0);
    stored = found.filter(({ severity }) => severity !== 'planned');
  });

  it('has mean times to acknowledge and resolve, and counts overlapping downtime once', () => {
    const recent = stored.filter(({ startedAtMs }) => startedAtMs >= began);
    const lengths = (values: readonly number[]) => {
      const sorted = values.toSorted((one, other) => one - other);
      return { median_ms: sorted[Math.ceil(sorted.length / 2) - 1], longest_ms: sorted.at(-1) };
    };
    const { figures } = all;
    expect(figures.in_90_days).toBe(recent.length);
    expect(recent.length).toBeGreaterThan(6);
    const lengthsTo = (read_: (each: Incident) => number | null) =>
      recent.flatMap((each) => (read_(each) === null ? [] : [(read_(each) ?? 0) - each.startedAtMs]));
    expect(figures.to_acknowledge).toEqual(lengths(lengthsTo(({ acknowledgedAtMs }) => acknowledgedAtMs)));
    expect(figures.to_resolve).toEqual(lengths(lengthsTo(({ resolvedAtMs }) => resolvedAtMs)));
    const minutes = new Set<number>();
    for (const { startedAtMs, resolvedAtMs } of stored) {
      for (let at = Math.max(startedAtMs, began); at < (resolvedAtMs ?? goldenMs); at += minuteMs) {
        minutes.add(Math.floor(at / minuteMs));
      }
    }
    expect(Math.abs(figures.trouble_ms / minuteMs - minutes.size)).toBeLessThan(2 * stored.length);
    const going = stored.filter(({ resolvedAtMs }) => resolvedAtMs === null);
    expect([figures.open, going.length > 1]).toEqual([going.length, true]);
  });

  it('three months by the day of the start, without maintenance', () => {
    expect(all.calendar.map(({ month, days }) => [month, days.length])).toEqual([
      ['2026-09', 30],
      ['2026-10', 31],
      ['2026-11', 30],
    ]);
    for (const { date, incidents, trouble_ms: ms } of all.calendar.flatMap(({ days }) => days)) {
      const own = stored.filter((each) => new Date(each.startedAtMs).toISOString().startsWith(date));
      const lasted = own.map((each) => (each.resolvedAtMs ?? goldenMs) - each.startedAtMs);
      expect([date, incidents, ms]).toEqual([date, own.length, sum(lasted)]);
    }
  });

  it.each<[string, (each: IncidentView) => boolean]>([
    ['state=open', ({ is_over: isOver, severity }) => !isOver && severity !== 'planned'],
    ['severity=critical', ({ severity }) => severity === 'critical'],
    ['month=2026-11', ({ started_at: at }) => at.startsWith('2026-11')],
    ['day=2026-11-20', ({ started_at: at }) => at.startsWith('2026-11-20')],
    ['q=BASKET', ({ title, cause, affects }) => lower([title, cause, ...affects].join()).includes('basket')],
    ['project=2', ({ project }) => project?.project_id === 2],
    ['month=2026-13&state=resolved', ({ is_over: isOver }) => isOver],
  ])('by %s', async (query, fits) => {
    const { incidents } = await read<IncidentsModel>(`/incidents?${query}`);
    const wanted = all.incidents.filter(fits).map(({ incident_id: id }) => id);
    expect([wanted.length > 0, incidents.map(({ incident_id: id }) => id)]).toEqual([true, wanted]);
  });
});

describe('alert channels and rules', () => {
  let all: ChannelsModel;
  beforeAll(async () => {
    all = await read('/alert-channels');
  });

  it('counts sent and failed messages, and sorts failing channels first', async () => {
    expect(all.channels.map(({ state }) => state).slice(0, 3)).toEqual(['failing', 'paused', 'on']);
    for (const figure of ['sent', 'arrived', 'waiting'] as const) {
      expect([figure, all[figure]]).toEqual([figure, sum(all.channels.map((each) => each[figure]))]);
    }
    const { text } = await lookAtDemo(pages, '/alert-channels');
    const lost = all.sent - all.arrived;
    expect(text).toContain(`${all.sent} notifications sent in the last 7 days, ${lost} not delivered`);
  });

  it.each<[string, (row: ChannelRow) => boolean]>([
    ['state=failing', ({ state }) => state === 'failing'],
    ['type=email', ({ type }) => type === 'email'],
    ['q=ORDER', ({ name }) => name === 'Order desk'],
  ])('by %s', async (query, fits) => {
    const { channels } = await read<ChannelsModel>(`/alert-channels?${query}`);
    expect(channels).toEqual(all.channels.filter(fits));
  });

  it('a single one: its deliveries page by page, each once, and percentages', async () => {
    const { store } = await golden();
    const { alert_channel_id: id } = all.channels.find(({ name }) => name === 'Order desk') ?? {
      alert_channel_id: 0,
    };
    const kept = (await store.listDeliveries(id, { after: null, before: null, limit: 1_000 })).rows;
    const seen: number[] = [];
    for (let query: string | null = ''; query !== null; ) {
      const page: ChannelModel = await read<ChannelModel>(`/alert-channels/${id}${query}`);
      seen.push(...page.deliveries.map(({ delivery_id: each }) => each));
      query = page.older === null ? null : `?after=${page.older}`;
    }
    expect(seen).toEqual(kept.map((each) => each.id));
    expect(seen.length).toBeGreaterThan(20);
    for (const { alert_channel_id: each } of all.channels) {
      const { rows } = await store.listDeliveries(each, { after: null, before: null, limit: 1_000 });
      const tried = rows.filter(({ atMs, attempts }) => atMs > goldenMs - 7 * dayMs && attempts.length > 0);
      const first = tried.filter(({ state, attempts }) => state === 'arrived' && attempts.length === 1);
      const { first_try_share: share, waiting } = await read<ChannelModel>(`/alert-channels/${each}`);
      expect(share).toBe(tried.length === 0 ? null : first.length / tried.length);
      expect(waiting).toBe(rows.filter(({ state }) => state === 'waiting').length);
    }
    const asked = await read<ChannelModel>(`/alert-channels/${id}?delivery=${seen.at(-1)}`);
    expect(asked.delivery?.delivery_id).toBe(seen.at(-1));
    await expect(lookAtDemo(pages, `/alert-channels/${id}?delivery=1000000`)).rejects.toThrow(
      'was not found',
    );
  });

  it('rules: each once, with its channels, and its parts as fields', async () => {
    const { rules } = await read<RulesModel>('/alert-channels/rules');
    expect([new Set(rules.map(({ rule_id: id }) => id)).size, rules.length]).toEqual([all.rules, all.rules]);
    for (const { rule_id: id, sent, channels } of rules) {
      const { model, html } = await lookAtDemo(pages, `/alert-channels/rules/${id}`);
      const rule = model as RuleModel;
      expect([rule.sent, sum(rule.days.map((day) => day.sent))]).toEqual([sent, sent]);
      expect(rule.channels.filter(({ is_notified: isNotified }) => isNotified)).toEqual(channels);
      expect(html.match(/name="channels\[\]"[^>]*checked/g)).toHaveLength(channels.length);
    }
    await expect(lookAtDemo(pages, '/alert-channels/rules/99')).rejects.toThrow('was not found');
  });
});

describe('reports', () => {
  it('list: 13 weeks or three months, with the current one marked', async () => {
    const { reports } = await read<ReportListModel>('/reports');
    expect([reports.length, reports[0]?.id, reports[12]?.id]).toEqual([13, '2026-W47', '2026-W35']);
    expect(reports[0]).toMatchObject({ is_partial: true, days: 6, days_in_all: 7 });
    expect(reports.slice(1).filter(({ is_partial: isPartial }) => isPartial)).toEqual([]);
    const months = (await read<ReportListModel>('/reports?span=month')).reports;
    expect(months.map(({ id }) => id)).toEqual(['2026-11', '2026-10', '2026-09']);
  });

  it('the current week is compared with the same part of the one before', async () => {
    const { sums_before: past, next } = await read<ReportModel>('/reports/2026-W47');
    const whole = (await read<ReportModel>('/reports/2026-W46')).sums;
    expect([next, (past?.events ?? 0) < whole.events]).toEqual([null, true]);
    expect(past?.events).toBeGreaterThan(whole.events / 2);
  });

  it('notifications are those of the period alone', async () => {
    const { store } = await golden();
    const { alerts, period } = await read<ReportModel>('/reports/2026-W46');
    expect(alerts.length).toBeGreaterThan(2);
    for (const { channel_id: id, sent, arrived } of alerts) {
      const { rows } = await store.listDeliveries(id, { after: null, before: null, limit: 1_000 });
      const own = rows.map((row) => ({ ...row, at: new Date(row.atMs).toISOString() }));
      const within = own.filter(({ at }) => at >= period.from && at < period.to);
      const states = within.filter(({ state }) => state === 'arrived');
      expect([id, sent, arrived]).toEqual([id, within.length, states.length]);
    }
  });

  it('an invalid or future period is not found', async () => {
    await expect(lookAtDemo(pages, '/reports/2026-W54')).rejects.toThrow('was not found');
    await expect(lookAtDemo(pages, '/reports/2027-01')).rejects.toThrow('of a future period was not found');
  });
});
