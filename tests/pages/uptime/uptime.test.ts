// Monitors, incidents, status pages, channels and rules: the figures of each model by hand, the page that
// says the same, and texts from outside that stay texts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ConfigData, HtmlValidate } from 'html-validate';
import type { ChannelModel } from '../../../src/core/workspace/uptime/channel.ts';
import type { ChannelsModel } from '../../../src/core/workspace/uptime/channels.ts';
import type { IncidentModel } from '../../../src/core/workspace/uptime/incident.ts';
import type { IncidentsModel } from '../../../src/core/workspace/uptime/incidents.ts';
import type { MonitorModel } from '../../../src/core/workspace/uptime/monitor.ts';
import type { MonitorsModel } from '../../../src/core/workspace/uptime/monitors.ts';
import type { RuleModel, RulesModel } from '../../../src/core/workspace/uptime/rules.ts';
import type { StatusModel } from '../../../src/core/workspace/uptime/status.ts';
import type { StatusPageModel, StatusPagesModel } from '../../../src/core/workspace/uptime/status-pages.ts';
import { allOrSome, fullOrShort } from '../../support/test-level.ts';
import { secret } from '../../support/uptime/incidents.ts';
import { dayMs, minuteMs, nowMs } from '../../support/uptime/monitors.ts';
import { ask, askFile } from '../../support/uptime/pages.ts';

const rules = JSON.parse(readFileSync(join(import.meta.dirname, '../../../.htmlvalidate.json'), 'utf8'));
const validator = new HtmlValidate(rules as ConfigData);

async function model<Model>(address: string): Promise<Model> {
  return (await ask(address)).model as Model;
}

/** What a reader sees, in one line. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(?:svg|script|head)[\s\S]*?<\/(?:svg|script|head)>/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}

const addresses = [
  '/monitors',
  '/monitors?sort=uptime&type=http&q=pay',
  '/monitors?q=nothing',
  '/monitors/payments-gateway',
  '/monitors/payments-gateway?range=30d&checks=all',
  '/monitors/careers-page',
  '/monitors/old-api',
  '/monitors/hard-one',
  '/incidents',
  '/incidents?month=2026-05',
  '/incidents/16',
  '/incidents/15',
  '/incidents/17',
  '/incidents/18',
  '/incidents/11',
  '/incidents/3',
  '/status-pages',
  '/status-pages/harbour-pine',
  '/status-pages/inside',
  '/status/harbour-pine',
  '/status/inside',
  '/status/calm',
  '/alert-channels',
  '/alert-channels/2',
  '/alert-channels/3',
  '/alert-channels/5',
  '/alert-channels/rules',
  '/alert-channels/rules/4',
  '/alert-channels/rules/5',
  '/reports',
  '/reports?span=month',
  '/reports/2026-W46',
  '/reports/2026-W47',
  '/reports/2026-10',
  '/reports/2026-11',
];

describe('K: every page of what is watched', () => {
  const looked = addresses.map((address, index) => [address, index] as const);
  it.each(allOrSome(looked, 4))(
    '%s is valid HTML, and its texts from outside are texts',
    async (address, index) => {
      // The short form looks at one page as one of them, at the next that it looks at as the other.
      const roles: ReadonlyArray<'viewer' | 'admin'> = ['viewer', 'admin'];
      for (const role of fullOrShort(
        roles,
        roles.filter((_role, place) => place === (index >> 2) % 2),
      )) {
        const { html } = await ask(address, { role });
        const report = await validator.validateString(html);
        expect(report.results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([]);
        expect(html).not.toContain('<script>alert');
        expect(html).not.toMatch(/NaN|undefined|\[object|Infinity|Invalid/);
        expect(textOf(html)).not.toMatch(/\bnull\b/);
      }
    },
  );

  it('whoever may not act is shown no form that acts', async () => {
    for (const address of addresses) {
      const { html } = await ask(address, { role: 'viewer' });
      expect([address, html.includes('method="post"')]).toEqual([address, false]);
      // Of what excludes each other one is chosen.
      const radios = html.match(/<input[^>]*type="radio"[^>]*>/g) ?? [];
      const names = new Set(radios.map((radio) => /name="([^"]*)"/.exec(radio)?.[1]));
      expect([address, radios.filter((radio) => radio.includes(' checked')).length]).toEqual([
        address,
        names.size,
      ]);
    }
  });
});

describe('K: monitors', () => {
  it('counts states, and puts those first that need a look', async () => {
    const { counts, monitors } = await model<MonitorsModel>('/monitors');
    expect(counts).toEqual({ all: 10, down: 1, degraded: 1, maintenance: 1, pending: 1, paused: 1, up: 5 });
    const states = monitors.map(({ state }) => state);
    expect(states.slice(0, 5)).toEqual(['down', 'degraded', 'maintenance', 'pending', 'paused']);
    expect(new Set(states.slice(5))).toEqual(new Set(['up']));
  });

  it('says the uptime of 24 hours and of 30 days, and the same on the page', async () => {
    const { model: all, html } = await ask('/monitors');
    const [payments] = (all as MonitorsModel).monitors;
    // Watched from 14:40 of the day before on, 23 h 55 min; down for 37 min.
    expect(payments?.uptime_24h).toBeCloseTo(1 - 37 / (23 * 60 + 55), 6);
    // Thirty days up to now: 29 whole ones and 14 h 35 min.
    expect(payments?.uptime_30d).toBeCloseTo(1 - 37 / (29 * 1440 + 875), 6);
    expect(textOf(html)).toMatch(/Payments gateway returns status 502 since 13:58, 37 min/);
    expect(textOf(html)).toContain('97.42%');
    expect(textOf(html)).toContain('99.91%');
  });

  it('leaves pending and paused time out, and planned work', async () => {
    const { monitors } = await model<MonitorsModel>('/monitors');
    const of = (slug: string) => monitors.find((each) => each.slug === slug);
    expect(of('careers-page')).toMatchObject({ uptime_24h: null, uptime_30d: null });
    expect(of('old-api')).toMatchObject({ uptime_24h: null, uptime_30d: 1 });
    expect(of('image-servers')?.days.at(-1)).toMatchObject({
      state: 'maintenance',
      maintenance_ms: 35 * minuteMs,
    });
    expect(of('image-servers')?.uptime_30d).toBe(1);
  });

  it.each([
    ['state=down', ['payments-gateway']],
    ['type=dns', ['mail-records']],
    ['group=Payments', ['payments-gateway', 'old-api']],
    ['q=IMPORT', ['nightly-stock-import']],
    ['project=2', ['payments-gateway', 'old-api']],
    ['state=down&type=dns', []],
    ['state=unheard-of&q=mail', ['mail-records', 'mail-digest']],
  ])('by %s', async (query, slugs) => {
    const { monitors } = await model<MonitorsModel>(`/monitors?${query}`);
    expect(monitors.map(({ slug }) => slug)).toEqual(slugs);
  });

  it('sorts by uptime, the least first, and who has none last', async () => {
    const { monitors } = await model<MonitorsModel>('/monitors?sort=uptime');
    expect(monitors[0]?.slug).toBe('nightly-stock-import');
    expect(monitors.at(-1)?.slug).toBe('careers-page');
  });

  it('one of them: its days are the sums, its trouble is where it was, its channel by the project', async () => {
    const { model: read, html } = await ask('/monitors/payments-gateway');
    const one = read as MonitorModel;
    expect(one.figures['90d'].down_ms).toBe((37 + 51) * minuteMs);
    expect(one.days.reduce((sum, day) => sum + day.down_ms, 0)).toBe(one.figures['90d'].down_ms);
    expect(one.budget.share).toBeCloseTo(37 / ((29 * 1440 + 875) * 0.001), 4);
    expect(one.series).toHaveLength(288);
    expect(one.trouble).toEqual([
      { from: '2026-11-21T13:58:00.000Z', to: '2026-11-21T14:35:00.000Z', kind: 'down', is_open: true },
    ]);
    expect(one.told).toEqual([{ channel_id: 2, name: 'Order desk', is_paused: false, rules: ['Down'] }]);
    expect(one.components).toEqual([{ name: 'Card payments', slug: 'harbour-pine', page: 'Harbour & Pine' }]);
    expect(one.incidents.map(({ incident_id: id }) => id)).toEqual([18, 16, 14, 4]);
    expect(one.checks).toHaveLength(12);
    expect(textOf(html)).toMatch(
      /Down for 37 min\. Returns status 502 ?\. Card payments are failing is open/,
    );
    // Work that is to come is no reason, and did not last.
    expect(textOf(html)).toMatch(/24 Nov Maintenance Database update from 09:30 until 09:40 /);
  });

  it.each([
    ['24h', 5 * minuteMs, 288],
    ['7d', 30 * minuteMs, 336],
    ['30d', 120 * minuteMs, 360],
  ])('a range of %s', async (range, step, points) => {
    const one = await model<MonitorModel>(`/monitors/front-page?range=${range}`);
    expect([one.step_ms, one.series.length]).toEqual([step, points]);
    expect(Date.parse(one.series.at(-1)?.at ?? '') + step).toBeGreaterThan(nowMs);
  });

  it('none of that name was not found', async () => {
    await expect(ask('/monitors/nobody')).rejects.toThrow('A monitor with this name was not found');
  });
});

describe('K: incidents', () => {
  it('counts what goes on, and how quickly things were seen to', async () => {
    const { counts, figures, open } = await model<IncidentsModel>('/incidents');
    expect(counts).toEqual({ all: 10, open: 2, planned: 2, resolved: 6 });
    expect(figures).toMatchObject({ open: 2, open_critical: 1, in_90_days: 8, in_90_days_before: 1 });
    // 3, 9, 4, 4, 6, 0, 4, 4 minutes, of which the fourth is the median.
    expect(figures.to_acknowledge).toEqual({ median_ms: 4 * minuteMs, longest_ms: 9 * minuteMs });
    // 12, 24, 51, 51, 60, 365.
    expect(figures.to_resolve).toEqual({ median_ms: 51 * minuteMs, longest_ms: 365 * minuteMs });
    // Card payments and product search overlap: that time counts once.
    expect(figures.trouble_ms).toBe((294 + 24 + 12 + 51 + 365 + 51 + 60) * minuteMs);
    expect(figures).toMatchObject({ linked_to_release: 1, linked_to_issue: 3 });
    expect(open).toHaveLength(4);
  });

  it('three months by the day on which trouble began, without maintenance', async () => {
    const { calendar } = await model<IncidentsModel>('/incidents');
    expect(calendar.map(({ month, days }) => [month, days.length])).toEqual([
      ['2026-09', 30],
      ['2026-10', 31],
      ['2026-11', 30],
    ]);
    const days = calendar.flatMap((month) => month.days).filter(({ incidents }) => incidents > 0);
    expect(days.map(({ date, trouble_ms: ms, was_down: isDown }) => [date, ms / minuteMs, isDown])).toEqual([
      ['2026-09-05', 60, false],
      ['2026-09-22', 51, true],
      ['2026-10-23', 365, false],
      ['2026-11-10', 51, true],
      ['2026-11-11', 12, false],
      ['2026-11-15', 24, false],
      ['2026-11-21', 294 + 37, true],
    ]);
    const { html } = await ask('/incidents');
    expect(html).toContain('<td class="q5 bad today" aria-current="date">');
    expect(textOf(html)).toContain('21 5:31 , 2 incidents, something was down');
  });

  it.each([
    ['state=open', [16, 15]],
    ['state=planned', [18, 17]],
    ['severity=critical', [16, 11, 4]],
    ['month=2026-09', [4, 3]],
    ['day=2026-11-21', [17, 16, 15]],
    ['q=redis', [12]],
    ['project=2', [16, 14, 12, 4]],
    ['month=2026-13&state=resolved&q=stock', [9]],
  ])('by %s', async (query, ids) => {
    const { incidents } = await model<IncidentsModel>(`/incidents?${query}`);
    expect(incidents.map(({ incident_id: id }) => id)).toEqual(ids);
  });

  it('one that goes on: causes, what it hits, what was alike before', async () => {
    const { model: read, html } = await ask('/incidents/16');
    const one = read as IncidentModel;
    expect(one).toMatchObject({
      acknowledge_ms: 3 * minuteMs,
      first_public_ms: 6 * minuteMs,
      lasted_ms: 37 * minuteMs,
    });
    expect(one.causes.linked.map(({ name, path }) => [name, path])).toEqual([['#1061', '/issues/1061']]);
    expect(one.causes.proposed.map(({ path }) => path)).toEqual(['/releases/900', '/test-runs/8812']);
    expect(one.causes.dismissed.map(({ path }) => path)).toEqual(['/deploys']);
    expect(one.hit.monitors).toMatchObject([{ path: '/monitors/payments-gateway', state: 'down' }]);
    expect(one.hit.components).toMatchObject([{ path: '/status/harbour-pine', state: 'not_working' }]);
    expect(one.shown_on).toEqual([{ slug: 'harbour-pine', name: 'Harbour & Pine' }]);
    expect(one.before.map(({ incident_id: id }) => id)).toEqual([14, 4]);
    expect(one.events?.hours).toHaveLength(8);
    const words = textOf(html);
    expect(words).toMatch(/Acknowledged after 3 min/);
    expect(words).toMatch(/2 public, 2 for the team/);
    expect(words).toContain('Only the team may read this.');
    expect(html.match(/name="answer" value="link"/g)).toHaveLength(2);
  });

  it('one that is over: its steps, its post-mortem, and what is usual', async () => {
    const { model: read, html } = await ask('/incidents/11');
    const one = read as IncidentModel;
    expect(one.steps.map(({ step, after_ms: ms }) => [step, ms / minuteMs])).toEqual([
      ['began', 0],
      ['acknowledged', 6],
      ['identified', 24],
      ['mended', 43],
      ['resolved', 51],
    ]);
    expect(html).toContain(
      'aria-label="Began; Acknowledged, 6 min; Identified, 24 min; Fixed, 43 min; Resolved, 51 min."',
    );
    const words = textOf(html);
    expect(words).toMatch(/Failed tests keep the gate shut Tomas Lindqvist done 13 Nov/);
    expect(words).toMatch(/2 min more than the median/);
    expect(words).toMatch(/Dismissed Deploy checkout-api 2.30.3 , 3 h before/);
  });
});

describe('K: status pages', () => {
  it('list: how each reads now, and what is planned', async () => {
    const { pages, planned } = await model<StatusPagesModel>('/status-pages');
    expect(pages.map(({ slug, state, headline }) => [slug, state, headline])).toEqual([
      ['harbour-pine', 'not_working', 'Card payments are failing. Product search is slow'],
      ['inside', 'working', 'All systems operational'],
      ['calm', 'working', 'All systems operational'],
    ]);
    expect(pages[0]).toMatchObject({ components: 6, groups: 3, newest_word_at: '2026-11-21T14:26:00.000Z' });
    expect(planned.map(({ incident_id: id, is_under_way: isNow }) => [id, isNow])).toEqual([
      [17, true],
      [18, false],
    ]);
  });

  it('editor: groups with what feeds them', async () => {
    const { parts, shows } = await model<StatusPageModel>('/status-pages/harbour-pine');
    expect(parts.map(({ group, components }) => [group, components.length])).toEqual([
      ['Shop', 3],
      ['Payments', 2],
      ['Content', 1],
    ]);
    expect(parts[0]?.components[2]?.monitors.map(({ slug }) => slug)).toEqual([
      'front-page',
      'nightly-stock-import',
    ]);
    expect(shows).toEqual({ days: true, percent: true, incidents: true, feeds: true });
  });

  it('for everybody: the worst of what feeds a part, and nothing that was said to the team', async () => {
    const { model: read, html } = await ask('/status/harbour-pine');
    const page = read as StatusModel;
    const basket = page.groups[0]?.components[2];
    const watched = 89 * 1440 + 875;
    expect(basket?.uptime).toBeCloseTo(1 - (43 + 365) / watched, 6);
    expect(basket?.days.filter(({ state }) => state === 'down').map(({ date }) => date)).toEqual([
      '2026-10-23',
      '2026-11-10',
    ]);
    expect(page.groups[1]?.components[1]).toEqual({
      name: 'Refunds',
      state: 'working',
      uptime: null,
      days: [],
    });
    expect(page.open.map(({ incident_id: id }) => id)).toEqual([16, 15]);
    expect(page.planned.map(({ incident_id: id }) => id)).toEqual([17, 18]);
    const feed = await askFile('/status/harbour-pine.rss');
    for (const said of [html, JSON.stringify(read), feed.text]) {
      expect(said).not.toContain(secret);
      expect(said).not.toMatch(/Mara Feld|Jun Park|#1061|payments-gateway|checkout-api|518/);
    }
    expect(html).not.toMatch(/<script|class="side"|csrf/);
    expect(html).toContain('<body class="everybody">');
    expect(textOf(html)).toMatch(/Basket and checkout Operational 99\.68%/);
    expect(textOf(html)).toMatch(/16 to 20 Nov No incidents/);
  });

  it('feed: one item a public word, the newest first, escaped', async () => {
    const { contentType, text } = await askFile('/status/harbour-pine.rss');
    expect(contentType).toBe('application/rss+xml; charset=utf-8');
    const items = [...text.matchAll(/<item><title>([^<]*)<\/title>/g)].map(([, title]) => title);
    expect(items[0]).toBe('Investigating: Card payments are failing');
    expect(new Set([...text.matchAll(/<guid[^>]*>([^<]*)</g)].map(([, id]) => id)).size).toBe(items.length);
    expect(text).toContain('<title>Harbour &amp; Pine status</title>');
  });

  it('a page that offers no feed has none', async () => {
    await expect(askFile('/status/inside.rss')).rejects.toThrow('A feed of this page was not found');
  });

  it.each([
    ['harbour-pine', 'down'],
    ['calm', 'operational'],
  ])('badge of %s says %s', async (slug, word) => {
    const { contentType, text } = await askFile(`/status/${slug}/badge.svg`);
    expect(contentType).toBe('image/svg+xml; charset=utf-8');
    expect(text).toContain(`aria-label="status: ${word}"`);
    expect(text).not.toContain('style=');
  });
});

describe('K: alert channels and rules', () => {
  it('counts what left and what did not arrive', async () => {
    const all = await model<ChannelsModel>('/alert-channels');
    expect(all.counts).toEqual({ all: 5, on: 3, failing: 1, paused: 1 });
    expect(all).toMatchObject({ sent: 50 + 12 + 1, arrived: 45 + 12, waiting: 4, rules: 4 });
    expect(all.channels.map(({ state }) => state)).toEqual(['failing', 'paused', 'on', 'on', 'on']);
    const { html } = await ask('/alert-channels');
    expect(textOf(html)).toMatch(
      /63 notifications sent in the last 7 days, 6 not delivered: Order desk returns status 500 since 12:40\. 4 are pending/,
    );
  });

  it.each([
    ['state=failing', [2]],
    ['type=email', [3]],
    ['q=PHONE', [4]],
    ['type=teams', []],
  ])('by %s', async (query, ids) => {
    const { channels } = await model<ChannelsModel>(`/alert-channels?${query}`);
    expect(channels.map(({ channel_id: id }) => id)).toEqual(ids);
  });

  it('one: its deliveries page by page, each once', async () => {
    const seen: number[] = [];
    let address: string | null = '/alert-channels/2';
    while (address !== null) {
      const one: ChannelModel = await model<ChannelModel>(address);
      seen.push(...one.deliveries.map(({ delivery_id: id }) => id));
      address = one.older === null ? null : `/alert-channels/2?after=${one.older}`;
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, back) => 500 - back));
  });

  it('one: shares, and the delivery that is asked for in full', async () => {
    const one = await model<ChannelModel>('/alert-channels/2');
    expect(one).toMatchObject({ sent: 50, arrived: 45, waiting: 4, arrived_share_90d: 0.9 });
    // Of the 45 that arrived every other took a second try.
    expect(one.first_try_share).toBeCloseTo(23 / 50, 6);
    expect(one.delivery?.delivery_id).toBe(500);
    const asked = await model<ChannelModel>('/alert-channels/2?delivery=491');
    expect(asked.delivery).toMatchObject({ delivery_id: 491, state: 'given_up', tries: 6 });
    await expect(ask('/alert-channels/2?delivery=900')).rejects.toThrow(
      'A delivery with this number was not found',
    );
  });

  it('rules: each once, with those it tells, and the parts of one as fields', async () => {
    const { rules: all } = await model<RulesModel>('/alert-channels/rules');
    expect(all.map(({ rule_id: id, channels }) => [id, channels.map((each) => each.channel_id)])).toEqual([
      [1, [1, 2, 3]],
      [2, [2]],
      [4, [1]],
      [5, [5]],
    ]);
    const { model: read, html } = await ask('/alert-channels/rules/4');
    const rule = read as RuleModel;
    expect(rule.sent).toBe(12);
    expect(rule.days.reduce((sum, { sent }) => sum + sent, 0)).toBe(12);
    expect(rule.limit).toEqual({ count: 500, unit: 'users', within_ms: 45 * minuteMs });
    expect(html).toContain('<option value="2700000" selected>45 min</option>');
    expect(html).toContain('<option value="a project that is gone" selected>');
    expect(html.match(/name="channels\[\]"[^>]*checked/g)).toHaveLength(1);
    await expect(ask('/alert-channels/rules/3')).rejects.toThrow('A rule with this number was not found');
  });
});

it('the last day of a strip is today', async () => {
  const { monitors } = await model<MonitorsModel>('/monitors');
  const today = new Date(nowMs - (nowMs % dayMs)).toISOString().slice(0, 10);
  expect(monitors.map(({ days }) => days.at(-1)?.date)).toEqual(monitors.map(() => today));
});
