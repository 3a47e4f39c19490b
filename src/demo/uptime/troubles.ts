import { turnsOf } from '../../core/monitors/turns.ts';
import { hourMs, minuteMs } from '../../core/reading/spans.ts';
import type { KeptMonitor } from '../../core/store/monitors/monitoring.ts';
import type { Check } from '../../core/store/monitors/monitors.ts';
import { ago, troubleMinutes, type World } from '../shared/step.ts';
import { troublesOfShop } from './of-shop.ts';
import { ines, jun, mara, over, type PastTrouble, tomas } from './trouble.ts';

const troublesOfOthers: readonly PastTrouble[] = [
  {
    title: 'Stock import runs twice',
    days: 82.3,
    severity: 'minor',
    monitor: 'nightly-stock-import',
    kind: 'degraded',
    code: 'late',
    minutes: 33,
    acknowledgedMinute: 9,
    lead: mara,
    helpers: [tomas],
    cause: 'a second run that began before the first had ended',
    release: null,
    issue: 'cron-overlap',
    said: [
      {
        minute: 10,
        by: mara,
        isPublic: false,
        body: 'Two imports at once, each waiting for the other.',
      },
      {
        minute: 18,
        by: mara,
        isPublic: false,
        body: 'The second one is stopped; the first goes on from where it was.',
        to: 'identified',
      },
      over(33, mara, 'The import has ended. Stock was right all the time, and is a little younger now.'),
    ],
    postMortem: {
      by: mara,
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
    minutes: 14,
    acknowledgedMinute: 5,
    lead: tomas,
    helpers: [],
    cause: 'a full disk',
    release: null,
    issue: null,
    said: [
      {
        minute: 7,
        by: tomas,
        isPublic: true,
        body: 'The blog is away. The shop is not affected.',
        to: 'identified',
      },
      {
        minute: 10,
        by: tomas,
        isPublic: false,
        body: 'Disk full: backups of plugins were never removed.',
        to: 'monitoring',
      },
      over(14, tomas, 'The blog is back.'),
    ],
    postMortem: {
      by: tomas,
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
    minutes: 340,
    acknowledgedMinute: 19,
    lead: jun,
    helpers: [tomas],
    cause: 'the job was switched off in a deploy and not on again',
    release: null,
    issue: null,
    said: [
      {
        minute: 25,
        by: jun,
        isPublic: false,
        body: 'The timer is off since the last deploy of the workers.',
        to: 'identified',
      },
      {
        minute: 62,
        by: jun,
        isPublic: false,
        body: 'Started by hand; it needs four hours.',
        to: 'monitoring',
      },
      over(340, jun, 'Stock is right again.'),
    ],
    postMortem: {
      by: jun,
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
    minutes: 72,
    acknowledgedMinute: 8,
    lead: jun,
    helpers: [mara],
    cause: 'a release of the app that signed with an old key',
    release: '7.6.0',
    issue: 'jwt-expired',
    said: [
      { minute: 9, by: jun, isPublic: true, body: 'Signing in from the app fails. The web shop works.' },
      {
        minute: 26,
        by: jun,
        isPublic: false,
        body: 'Signature of the new build is made with last year’s key.',
        to: 'identified',
      },
      {
        minute: 58,
        by: jun,
        isPublic: true,
        body: 'We accept the signature of the new build. Signing in works again.',
        to: 'monitoring',
      },
      over(72, jun, 'Signing in from the app works again.'),
    ],
    postMortem: {
      by: jun,
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
    code: '',
    minutes: 100,
    acknowledgedMinute: 12,
    lead: tomas,
    helpers: [],
    cause: 'a long queue after the sale',
    release: null,
    issue: null,
    said: [
      {
        minute: 14,
        by: tomas,
        isPublic: false,
        body: 'The queue holds 40,000 mails: the sale.',
        to: 'identified',
      },
      over(100, tomas, 'The digest went out, an hour and a half late.'),
      { minute: 101, by: tomas, isPublic: false, body: 'No post-mortem: nothing is broken, it was full.' },
    ],
    postMortem: null,
  },
  {
    title: 'Images missing',
    days: 86.2,
    severity: 'minor',
    monitor: 'image-servers',
    kind: 'degraded',
    code: '200',
    minutes: 27,
    acknowledgedMinute: 11,
    lead: ines,
    helpers: [],
    cause: 'the provider of the image servers',
    release: null,
    issue: null,
    said: [
      { minute: 12, by: ines, isPublic: true, body: 'Pictures load slowly or not at all.' },
      {
        minute: 15,
        by: ines,
        isPublic: false,
        body: 'One of three servers is away; the provider knows.',
        to: 'identified',
      },
      over(27, ines, 'Pictures are back.'),
    ],
    postMortem: null,
  },
];

export const pastTroubles: readonly PastTrouble[] = [...troublesOfShop, ...troublesOfOthers];

/** A time in which a monitor was down or degraded. */
export interface Span {
  readonly monitor: string;
  readonly kind: 'down' | 'degraded';
  readonly fromMs: number;
  readonly toMs: number;
  readonly code: string;
  readonly reason: string;
}

export const slowMinutes = 58;

export function spansOf(nowMs: number): Span[] {
  const past = pastTroubles.map((each) => {
    const fromMs = ago(nowMs, each.days);
    const { monitor, kind, code } = each;
    return { monitor, kind, code, reason: reasonOf(each), fromMs, toMs: fromMs + upMinute(each) * minuteMs };
  });
  const toMs = Number.POSITIVE_INFINITY;
  return [
    ...past,
    {
      monitor: 'payments-gateway',
      kind: 'down',
      code: '502',
      reason: 'returns status 502',
      fromMs: ago(nowMs, 0, 0, troubleMinutes),
      toMs,
    },
    {
      monitor: 'product-search',
      kind: 'degraded',
      code: '200',
      reason: 'takes longer than 1,000 ms',
      fromMs: ago(nowMs, 0, 0, slowMinutes),
      toMs,
    },
  ];
}

export function reasonOf({ kind, code }: Pick<PastTrouble, 'kind' | 'code'>): string {
  if (kind === 'degraded') return 'takes longer than it should';
  return code === ''
    ? 'does not respond'
    : /^\d+$/.test(code)
      ? `returns status ${code}`
      : `the run was ${code}`;
}

/** The minute in which the monitor was up again; people report it a minute later. */
export function upMinute({ said, minutes }: PastTrouble): number {
  return (said.find(({ to }) => to === 'monitoring')?.minute ?? minutes) - 1;
}

export async function monitorAt({ deps }: World, slug: string): Promise<KeptMonitor> {
  const found = await deps.store.findMonitor(slug);
  const kept = found === null ? null : await deps.store.findKeptMonitor(found.id);
  if (kept === null) throw new Error(`There is no monitor ${slug}.`);
  return kept;
}

export async function turnMonitor(
  world: World,
  slug: string,
  check: Omit<Check, 'from'>,
  certificateEndsAtMs: number | null = null,
): Promise<void> {
  const monitor = await monitorAt(world, slug);
  const { atMs, result, message: reason } = check;
  const isSame = monitor.state === result;
  const stateSinceMs = isSame ? monitor.stateSinceMs : atMs;
  const standing = { state: result, stateSinceMs, reason, suspicion: null, countedToMs: atMs };
  await world.deps.store.saveChecks([
    {
      monitor,
      check: { ...check, from: '' },
      standing,
      // Times are written at the end, for the whole history at once.
      times: [],
      turns: turnsOf(monitor, standing, { isEnding: false }),
      certificateEndsAtMs: certificateEndsAtMs ?? monitor.certificateEndsAtMs,
      nextCheckAtMs: atMs + monitor.intervalMs,
      runs: monitor.runs,
    },
  ]);
}

/** Start and end of the maintenance window that is active now. */
export function windowOf(nowMs: number) {
  return { fromMs: ago(nowMs, 0, 0, 65), toMs: nowMs + hourMs - 5 * minuteMs };
}
