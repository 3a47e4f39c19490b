import { findTransitions } from '../../core/monitors/state.ts';
import { hourMs, minuteMs } from '../../core/parsing/durations.ts';
import type { Check, MonitorRecord } from '../../core/store/monitors.ts';
import { ines, jun, mara, tomas } from '../shared/company.ts';
import { type DemoContext, outageMinutes, timeAgoMs } from '../shared/context.ts';
import { checkMessage, type Outage, publicUpdate, recoveredAtMs, teamUpdate } from './outage.ts';
import { shopOutages } from './shop-outages.ts';

const otherOutages: readonly Outage[] = [
  {
    title: 'Stock import runs twice',
    days: 82.3,
    severity: 'minor',
    monitor: 'nightly-stock-import',
    kind: 'degraded',
    code: 'late',
    end: {
      minute: 33,
      body: 'The import has ended. Stock was right all the time, and is a little younger now.',
    },
    acknowledgedMinute: 9,
    lead: mara,
    cause: 'a second run that began before the first had ended',
    issue: 'cron-overlap',
    updates: [
      teamUpdate(10, mara, 'Two imports at once, each waiting for the other.'),
      teamUpdate(18, mara, 'The second one is stopped; the first goes on from where it was.', 'identified'),
    ],
    postMortem: {
      isPublic: false,
      text: 'The import took longer than the time between two of them, because the supplier had sent all articles instead of the changed ones.',
      wentWell: 'The lock did what it was for: nothing was written twice.',
      actions: [['A run that finds another one ends at once and says so', tomas, true]],
    },
  },
  {
    title: 'Blog down',
    days: 40.1,
    severity: 'critical',
    monitor: 'blog',
    kind: 'down',
    code: '500',
    end: { minute: 14, body: 'The blog is back.' },
    acknowledgedMinute: 5,
    lead: tomas,
    cause: 'a full disk',
    updates: [
      publicUpdate(7, tomas, 'The blog is away. The shop is not affected.', 'identified'),
      teamUpdate(10, tomas, 'Disk full: backups of plugins were never removed.', 'monitoring'),
    ],
    postMortem: {
      isPublic: false,
      text: 'Backups that a plugin made at every update filled the disk.',
      wentWell: 'It was found at once: the log said so.',
      actions: [['An alarm at 85% of the disk', tomas, true]],
    },
  },
  {
    title: 'Nightly stock import missed',
    days: 17.3,
    severity: 'minor',
    monitor: 'nightly-stock-import',
    kind: 'down',
    code: 'missed',
    end: { minute: 340, body: 'Stock is right again.' },
    acknowledgedMinute: 19,
    lead: jun,
    cause: 'the job was switched off in a deploy and not on again',
    updates: [
      teamUpdate(25, jun, 'The timer is off since the last deploy of the workers.', 'identified'),
      teamUpdate(62, jun, 'Started by hand; it needs four hours.', 'monitoring'),
    ],
    postMortem: {
      isPublic: false,
      text: 'A deploy stops the timers and starts them again at its end. It ended early, with the old image still pulled.',
      wentWell: 'The monitor noticed in the minute that it should.',
      actions: [['Timers are started whatever the deploy does', tomas, true]],
    },
  },
  {
    title: 'App cannot sign in',
    days: 32.93,
    severity: 'critical',
    monitor: 'mobile-api',
    kind: 'down',
    code: '401',
    end: { minute: 72, body: 'Signing in from the app works again.' },
    acknowledgedMinute: 8,
    lead: jun,
    cause: 'a release of the app that signed with an old key',
    release: '7.6.0',
    issue: 'jwt-expired',
    updates: [
      publicUpdate(9, jun, 'Signing in from the app fails. The web shop works.'),
      teamUpdate(26, jun, 'Signature of the new build is made with last year’s key.', 'identified'),
      publicUpdate(
        58,
        jun,
        'We accept the signature of the new build. Signing in works again.',
        'monitoring',
      ),
    ],
    postMortem: {
      isPublic: true,
      text: 'The build machine had the key of last year. Testers were signed in already and saw nothing.',
      wentWell: 'Accepting the old key for a while took one setting.',
      actions: [
        ['The build fails where its key is not the newest', jun, true],
        ['A test that signs in on a fresh device', mara, false],
      ],
    },
  },
  {
    title: 'Mail digest late',
    days: 26.4,
    severity: 'minor',
    monitor: 'redis',
    kind: 'degraded',
    end: { minute: 100, body: 'The digest went out, an hour and a half late.' },
    acknowledgedMinute: 12,
    lead: tomas,
    cause: 'a long queue after the sale',
    updates: [
      teamUpdate(14, tomas, 'The queue holds 40,000 mails: the sale.', 'identified'),
      teamUpdate(101, tomas, 'No post-mortem: nothing is broken, it was full.'),
    ],
  },
  {
    title: 'Images missing',
    days: 86.2,
    severity: 'minor',
    monitor: 'image-servers',
    kind: 'degraded',
    code: '200',
    end: { minute: 27, body: 'Pictures are back.' },
    acknowledgedMinute: 11,
    lead: ines,
    cause: 'the provider of the image servers',
    updates: [
      publicUpdate(12, ines, 'Pictures load slowly or not at all.'),
      teamUpdate(15, ines, 'One of three servers is away; the provider knows.', 'identified'),
    ],
  },
];

export const cardPayments: Outage = {
  title: 'Card payments are failing',
  days: outageMinutes / 1440,
  severity: 'critical',
  monitor: 'payments-gateway',
  kind: 'down',
  code: '502',
  acknowledgedMinute: 2,
  lead: mara,
  updates: [
    teamUpdate(3, mara, 'On it. Tomas, please hold further deploys of checkout-api.'),
    publicUpdate(6, mara, 'Card payments fail with an error. No card is charged twice.'),
    teamUpdate(
      21,
      jun,
      'Provider support, case 8841-C: their EU cluster refuses requests with three retries inside 2 s. So it may be both: their limit, and our new retry.',
    ),
    publicUpdate(
      28,
      mara,
      'Our payment provider confirms trouble on its side. You can still order and pay by bank transfer; your basket is kept.',
    ),
    teamUpdate(95, jun, 'Taking the release back is being tried on staging.'),
  ],
};

const slowSearch: Outage = {
  title: 'Product search is slow',
  days: 58 / 1440,
  severity: 'minor',
  monitor: 'product-search',
  kind: 'degraded',
  code: '200',
  reason: 'takes longer than 1,000 ms',
  acknowledgedMinute: 8,
  lead: jun,
  cause: 'an index is being rebuilt',
  updates: [
    teamUpdate(11, jun, 'The index is being rebuilt after the night’s import.', 'identified'),
    publicUpdate(
      19,
      jun,
      'Product search is slow while an index is rebuilt. Results are complete and take 2 to 3 seconds.',
      'monitoring',
    ),
  ],
};

export const outages: readonly Outage[] = [...shopOutages, ...otherOutages, cardPayments, slowSearch];

export type OutageSpan = ReturnType<typeof listOutageSpans>[number];

export function listOutageSpans(nowMs: number) {
  return outages.map((outage) => {
    const { monitor, kind, code = '', days } = outage;
    const fromMs = timeAgoMs(nowMs, days);
    const toMs = recoveredAtMs(outage, fromMs);
    return { monitor, kind, code, reason: checkMessage(outage), fromMs, toMs };
  });
}

export async function getMonitorBySlug({ deps }: DemoContext, slug: string): Promise<MonitorRecord> {
  const monitor = await deps.store.findMonitor(slug);
  if (monitor === null) throw new Error(`There is no monitor ${slug}.`);
  return monitor;
}

export async function recordStateChange(
  demo: DemoContext,
  slug: string,
  check: Omit<Check, 'from'>,
  certificateEndsAtMs: number | null = null,
): Promise<void> {
  const monitor = await getMonitorBySlug(demo, slug);
  const { atMs, result, message: reason } = check;
  const isSame = monitor.state === result;
  const stateSinceMs = isSame ? monitor.stateSinceMs : atMs;
  const status = { state: result, stateSinceMs, reason, pendingTransition: null, countedToMs: atMs };
  await demo.deps.store.saveChecks([
    {
      monitor,
      check: { ...check, from: '' },
      status,
      // Times are written at the end, for the whole history at once.
      times: [],
      turns: findTransitions(monitor, status, { isEnding: false }),
      certificateEndsAtMs: certificateEndsAtMs ?? monitor.certificateEndsAtMs,
      nextCheckAtMs: atMs + monitor.intervalMs,
      runs: monitor.runs,
    },
  ]);
}

export function activeMaintenance(nowMs: number) {
  return { fromMs: timeAgoMs(nowMs, 0, 0, 65), toMs: nowMs + hourMs - 5 * minuteMs };
}
