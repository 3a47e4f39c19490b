// What is watched, and who is told: monitors and channels, paused from the beginning, because there is
// nothing that a demo could ask, and nobody who would hear it. Incidents are those that people opened;
// reports of weeks and months those that a server makes by itself; status pages show all that.
import type { IncidentChangeRequest, IncidentRequest } from '../../schemas/incidents.ts';
import type { MonitorRequest } from '../../schemas/monitors.ts';
import type { StatusPageRequest } from '../../schemas/status-pages.ts';
import { changeChannel, createChannel } from '../../src/core/alerts/channels.ts';
import { actAudited } from '../../src/core/audit/audit.ts';
import { toldOfChannel } from '../../src/core/audit/told-alerts.ts';
import { actionOf, toldOfIncident } from '../../src/core/audit/told-incidents.ts';
import { toldOfMonitor, toldOfWindow } from '../../src/core/audit/told-monitors.ts';
import { toldOfStatusPage } from '../../src/core/audit/told-status-pages.ts';
import { changeIncident, openIncident } from '../../src/core/incidents/incidents.ts';
import { changeMonitor, createMonitor } from '../../src/core/monitors/monitors.ts';
import { planWindow } from '../../src/core/monitors/windows/windows.ts';
import { momentText } from '../../src/core/reading/moments.ts';
import { dayMs, hourMs } from '../../src/core/reading/spans.ts';
import { makeReport } from '../../src/core/reports/making.ts';
import { byItself } from '../../src/core/reports/runner.ts';
import { createStatusPage } from '../../src/core/status-pages/status-pages.ts';
import { lastPeriods, settleMs } from '../../src/core/workspace/reports/period.ts';
import { home } from './company.ts';
import type { Colleague } from './issues/colleagues.ts';
import { byOf } from './people.ts';
import { ago, type Step, type World } from './world.ts';

const channels = [
  { type: 'mattermost', name: 'Shop errors', url: `https://chat.${home}/hooks/8kq3xw1x7b8z3nq5hd` },
  {
    type: 'webhook',
    name: 'On call',
    url: `https://ops.${home}/notifier`,
    quiet_hours: '22:00 to 07:00 Europe/Berlin',
  },
] as const;

/** Channels of the workspace, made just now: none of the year is told. */
export function channelSteps(world: World): Step[] {
  return channels.map((asked) => ({ atMs: world.nowMs, take: () => makeChannel(world, asked) }));
}

/** Their secrets open something: they are drawn, and follow from nothing. */
async function makeChannel(world: World, asked: (typeof channels)[number]): Promise<void> {
  const by = byOf(world, 'Mara Feld');
  await actAudited(world.drawing, by, async (parts) => {
    const { channel } = await createChannel(parts, null, asked, by.actor.name);
    const paused = await changeChannel(parts, null, channel.id, { paused: true });
    return { result: undefined, told: toldOfChannel(paused, 'channel.created') };
  });
}

const monitors: readonly MonitorRequest[] = [
  { type: 'http', name: 'Front page', url: `https://shop.${home}/`, interval: 60, group: 'Shop' },
  {
    type: 'keyword',
    name: 'Basket shows a total',
    url: `https://shop.${home}/basket`,
    contains: 'Total',
    group: 'Shop',
    tags: ['wake:yes'],
  },
  { type: 'tcp', name: 'Database', host: `db.${home}`, port: 5432, interval: 30 },
  {
    type: 'dns',
    name: 'Mail of the shop',
    host: home,
    record: 'MX',
    answers: `10 mail.${home}`,
    interval: 300,
  },
  { type: 'tls', name: 'Certificate of the shop', host: `shop.${home}`, interval: 3_600, group: 'Shop' },
  { type: 'heartbeat', name: 'Nightly stock import', interval: 86_400, grace: 3_600, tags: ['warehouse'] },
  {
    type: 'cron',
    name: 'Invoices of the night',
    schedule: '30 2 * * 1-5',
    timezone: 'Europe/Berlin',
    checkin_margin: 10,
    max_runtime: 45,
    group: 'Shop',
  },
];

/** Monitors of the workspace, made on one morning of last month. */
export function monitorSteps(world: World): Step[] {
  return monitors.map((asked, nth) => ({
    atMs: ago(world.nowMs, 26, 4, -7 * nth),
    take: () => makeMonitor(world, asked),
  }));
}

async function makeMonitor(world: World, asked: MonitorRequest): Promise<void> {
  const by = byOf(world, 'Mara Feld');
  await actAudited(world.drawing, by, async (parts) => {
    const { monitor } = await createMonitor(
      parts,
      // Check-ins come with the key of a project.
      asked.type === 'cron' ? world.projects['shop-web'].id : null,
      asked,
      by.actor.name,
    );
    const paused = await changeMonitor(parts, null, monitor.id, { paused: true });
    return { result: undefined, told: toldOfMonitor(paused, 'monitor.created') };
  });
}

/** So many minutes after it began somebody did this. */
type Told = readonly [minutes: number, by: Colleague, asked: IncidentChangeRequest];

interface DemoIncident {
  readonly days: number;
  readonly hours: number;
  readonly by: Colleague;
  readonly asked: IncidentRequest;
  /** By its key; linked as its cause, after so many minutes. */
  readonly issue: readonly [minutes: number, key: string];
  readonly told: readonly Told[];
}

const incidents: readonly DemoIncident[] = [
  {
    days: 17,
    hours: 3,
    by: 'Ines Okafor',
    asked: {
      title: 'Basket broken',
      message: 'Nobody can put anything into the basket; the page says nothing.',
      lead: 'Ines Okafor',
    },
    issue: [9, 'total-of-undefined'],
    told: [
      [6, 'Ines Okafor', { message: 'The basket does not open at the moment. We are on it.', public: true }],
      [24, 'Jun Park', { state: 'identified', cause: 'no rate for some postcodes' }],
      [
        43,
        'Ines Okafor',
        { state: 'monitoring', message: 'The version of yesterday is back.', public: true },
      ],
      [51, 'Ines Okafor', { state: 'resolved', message: 'All baskets open again.', public: true }],
      [1_440, 'Ines Okafor', { post_mortem: learnt(), post_mortem_public: true }],
    ],
  },
  {
    days: 0,
    hours: 1.2,
    by: 'Mara Feld',
    asked: {
      title: 'Card payments are refused',
      monitors: [2],
      message: 'Two customers called within a minute.',
    },
    issue: [16, 'capture-502'],
    told: [
      [
        4,
        'Mara Feld',
        { message: 'Card payments fail with an error. No card is charged twice.', public: true },
      ],
      [19, 'Jun Park', { message: 'The payment provider answers 502 to every third capture.' }],
      [26, 'Mara Feld', { state: 'identified', cause: 'the payment provider', public: true }],
    ],
  },
];

/** What Markdown has, each once. */
function learnt(): string {
  return `A new version of the shop could not price some postcodes.

## What happened

1. **4.17.1** went out with six failed tests.
2. The basket asked for a rate that was not there, and \`renderTotals\` threw.

| Time | What |
|---|---|
| 11:40 | the first basket that does not open |
| 12:31 | the last one |

## What changes

- Failed tests keep the gate shut ([the runbook](https://wiki.${home}/gate)).
- A rate that is missing is a word, not an exception.

> Whoever reads this in a year: the postcodes are those of the islands.

    npm run rates -- --postcodes ZE1,ZE2,ZE3 --from https://rates.${home}/v2/latest.json --dry-run --verbose
`;
}

/** Work that is planned for the day after tomorrow. */
export function workSteps(world: World): Step[] {
  const who: Colleague = 'Jun Park';
  const plan = async () => {
    await actAudited(world.deps, byOf(world, who), async (parts) => {
      const asked = {
        title: 'Image servers move to new disks',
        message: 'Pictures may load slowly; nothing else is affected.',
        starts_at: momentText(world.nowMs + 2 * dayMs),
        ends_at: momentText(world.nowMs + 2 * dayMs + 2 * hourMs),
        group: 'Shop',
      };
      const result = await planWindow(parts, null, asked, who);
      return { result: undefined, told: toldOfWindow(result, 'work.planned') };
    });
  };
  return [{ atMs: ago(world.nowMs, 0, 0.5), take: plan }];
}

/** Incidents, from the first word to the last. */
export function incidentSteps(world: World): Step[] {
  return incidents.flatMap(({ days, hours, by, asked, issue: [linkedAfter, key], told }) => {
    let id = 0;
    const at = (minutes: number): number => ago(world.nowMs, days, hours, -minutes);
    const open = async () => {
      await actAudited(world.deps, byOf(world, by), async (parts) => {
        const result = await openIncident(parts, null, asked, by);
        id = result.id;
        return { result, told: toldOfIncident(result, 'incident.opened') };
      });
    };
    const change = (who: Colleague, asking: () => IncidentChangeRequest) => async () => {
      await actAudited(world.deps, byOf(world, who), async (parts) => {
        const result = await changeIncident(parts, null, id, asking(), who);
        return { result, told: toldOfIncident(result, actionOf(asking())) };
      });
    };
    const link = () => ({ link: { kind: 'issue' as const, id: world.issueIds.get(key) ?? 0 } });
    return [
      { atMs: at(0), take: open },
      { atMs: at(linkedAfter), take: change(by, link) },
      ...told.map(([minutes, who, asking]) => ({ atMs: at(minutes), take: change(who, () => asking) })),
    ];
  });
}

const keptReports = { week: 5, month: 3 } as const;

/** The reports of the last weeks and months, each made when it was over, of what had happened by then. */
export function keptReportSteps(world: World): Step[] {
  return (['week', 'month'] as const)
    .flatMap((kind) => lastPeriods(kind, world.nowMs, keptReports[kind]))
    .map(({ id, toMs }) => ({
      atMs: toMs + settleMs,
      take: async () => {
        await makeReport(world.deps, null, id, byItself);
      },
    }));
}

/** Monitors by their numbers, in the order in which they are made. */
const statusPages: readonly StatusPageRequest[] = [
  {
    name: 'Harbour & Pine',
    description: 'Opening hours of the showroom: weekdays 10:00 to 18:00.',
    published: true,
    hosts: [`status.${home}`],
    components: [
      { name: 'Front page', group: 'Shop', monitors: [1, 5] },
      { name: 'Basket and checkout', group: 'Shop', monitors: [2] },
      { name: 'Order mails', group: 'Delivery', monitors: [4] },
      { name: 'Parcel tracking', group: 'Delivery', state: 'slow' },
      { name: 'Stock', group: 'Delivery', monitors: [6] },
    ],
  },
  { name: 'Inside', shows: ['days', 'percent'], components: [{ name: 'Database', monitors: [3] }] },
];

/** Made the day after the monitors. */
export function statusPageSteps(world: World): Step[] {
  const who: Colleague = 'Mara Feld';
  return statusPages.map((asked, nth) => ({
    atMs: ago(world.nowMs, 25, 4, -7 * nth),
    async take() {
      await actAudited(world.deps, byOf(world, who), async (parts) => {
        const result = await createStatusPage(parts, null, asked, who, { isWorkspaceAdmin: true });
        return { result: undefined, told: toldOfStatusPage(result, 'status_page.created') };
      });
    },
  }));
}
