// The 90 days of history are calculated from the outages: real checks every five minutes would take hours.
import type { ComponentRequest, StatusPageRequest } from '../../../schemas/status-pages.ts';
import { checkMonitor } from '../../core/monitors/checking.ts';
import { createMonitor, updateMonitor } from '../../core/monitors/monitors.ts';
import { turnWindows } from '../../core/monitors/windows/turning.ts';
import { createWindow } from '../../core/monitors/windows/windows.ts';
import { momentText } from '../../core/reading/moments.ts';
import { medianOf, percentileOf } from '../../core/reading/percentiles.ts';
import { dayMs, hourMs, minuteMs } from '../../core/reading/spans.ts';
import { createStatusPage } from '../../core/status-pages/status-pages.ts';
import type { KeptMonitor, MonitorHistory } from '../../core/store/monitors/monitoring.ts';
import type { Check } from '../../core/store/monitors/monitors.ts';
import { companyName, home } from '../shared/company.ts';
import type { Dice } from '../shared/dice.ts';
import { byOf } from '../shared/people.ts';
import { rhythmAt } from '../shared/rhythm.ts';
import { ago, type Step, type World } from '../shared/step.ts';
import { type DemoMonitor, monitors, pausedName, pendingName } from './monitors.ts';
import { monitorAt, type Span, spansOf, turnMonitor, windowOf } from './troubles.ts';

const madeDays = 110;
const pausedDays = 5.2;
const daysKept = 90;
const sliceMs = 5 * minuteMs;
const checksKept = 60;
/** Resolution of the history by age: what the charts for a day, a week and a month need. */
const fineness = [
  { ageMs: 1.1 * dayMs, stepMs: sliceMs },
  { ageMs: 7.1 * dayMs, stepMs: 30 * minuteMs },
  { ageMs: 30.5 * dayMs, stepMs: 2 * hourMs },
] as const;

export function monitorSteps(world: World): Step[] {
  const { nowMs } = world;
  const work = windowOf(nowMs);
  const spans = spansOf(nowMs);
  const tomas = 'Tomas Lindqvist';
  return [
    ...monitors.flatMap((monitor, nth): Step[] => {
      const isPending = monitor.asked.name === pendingName;
      const atMs = isPending ? nowMs - minuteMs / 2 : ago(nowMs, madeDays, 4, -7 * nth);
      const made: Step = { atMs, take: () => make(world, monitor, isPending ? null : atMs + minuteMs) };
      if (isPending) return [made];
      const untilMs =
        monitor.asked.name === 'Image servers'
          ? work.fromMs - 1
          : monitor.asked.name === pausedName
            ? ago(nowMs, pausedDays) - 1
            : nowMs;
      return [made, { atMs: untilMs, take: () => measure(world, monitor, untilMs, spans) }];
    }),
    { atMs: ago(nowMs, pausedDays), take: () => pause(world) },
    {
      atMs: ago(nowMs, 1.1),
      async take() {
        const { id } = await monitorAt(world, 'image-servers');
        const asked = {
          title: 'Image servers move to new disks',
          message: 'The image servers move to new disks. Pictures may load slowly; nothing else is affected.',
          starts_at: momentText(work.fromMs),
          ends_at: momentText(work.toMs),
          monitors: [id],
        };
        await createWindow(world.deps, null, asked, byOf(world, tomas));
      },
    },
    {
      atMs: work.fromMs + 1000,
      async take() {
        const { store, now, checker } = world.deps;
        const windows = await turnWindows({ store }, now(), (error) => {
          throw error;
        });
        if (checker === undefined) throw new Error('Nothing asks monitors here.');
        const monitor = await monitorAt(world, 'image-servers');
        await store.saveChecks([await checkMonitor({ checker, now }, monitor, windows)]);
      },
    },
  ];
}

async function make(world: World, { asked, project, usualMs, code }: DemoMonitor, upAtMs: number | null) {
  const projectId = project === null ? null : world.projects[project].id;
  const { monitor } = await createMonitor(world.drawing, projectId, asked, byOf(world, 'Mara Feld'));
  if (upAtMs === null) return;
  const check = { atMs: upAtMs, result: 'up', code, durationMs: usualMs, message: '' } as const;
  await turnMonitor(world, monitor.slug, check);
}

async function pause(world: World): Promise<void> {
  const { id } = await monitorAt(world, 'mail-digest');
  await updateMonitor(world.deps, null, id, { paused: true }, byOf(world, 'Tomas Lindqvist'));
}

/** Writes the history until `untilMs` and the last check. */
async function measure(
  world: World,
  watched: DemoMonitor,
  untilMs: number,
  all: readonly Span[],
): Promise<void> {
  const slug = slugOf(watched);
  const monitor = await monitorAt(world, slug);
  const dice = world.dice(`answers of ${slug}`);
  const own = [...all.filter((span) => span.monitor === slug), ...blips(world, dice, watched)];
  const history = historyOf({ watched, monitor, dice, spans: own }, untilMs, world.nowMs);
  await world.deps.store.addMonitorHistory(monitor.id, history);
  const [last] = history.checks;
  if (last === undefined) return;
  const { certificateDays } = watched;
  const endsAtMs = certificateDays === null ? null : ago(world.nowMs, -certificateDays, 5);
  await turnMonitor(world, slug, { ...last, atMs: last.atMs + 1 }, endsAtMs);
}

function slugOf({ asked }: DemoMonitor): string {
  return asked.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function blips({ nowMs }: World, dice: Dice, { asked, usualMs }: DemoMonitor): Span[] {
  if (usualMs === null || asked.interval !== 300) return [];
  return Array.from({ length: daysKept - 3 }, (_, day) => day + 3)
    .filter(() => dice.percent(1.2))
    .map((days) => {
      const midnight = ago(nowMs, days) - (ago(nowMs, days) % dayMs);
      const fromMs = midnight + dice.between(0, 35) * sliceMs;
      const kind = 'degraded' as const;
      return { monitor: '', kind, fromMs, toMs: fromMs + 2 * sliceMs, code: '200', reason: 'took long' };
    });
}

interface Measured {
  readonly watched: DemoMonitor;
  readonly monitor: KeptMonitor;
  readonly dice: Dice;
  readonly spans: readonly Span[];
}

function historyOf(measured: Measured, untilMs: number, nowMs: number): MonitorHistory {
  const slices: MonitorHistory['slices'][number][] = [];
  for (const [nth, { ageMs, stepMs }] of fineness.entries()) {
    const finer = fineness[nth - 1]?.ageMs;
    const fromMs = stepOf(nowMs - ageMs, 2 * hourMs);
    const toMs = finer === undefined ? untilMs : Math.min(untilMs, stepOf(nowMs - finer, 2 * hourMs));
    for (let atMs = fromMs; atMs < toMs; atMs += stepMs) {
      slices.push(spentOf(measured, atMs, Math.min(toMs, atMs + stepMs), stepMs === sliceMs ? 1 : 2));
    }
  }
  const days = Array.from({ length: daysKept }, (_, back) => stepOf(nowMs, dayMs) - back * dayMs)
    .filter((atMs) => atMs < untilMs)
    .map((atMs) => spentOf(measured, atMs, Math.min(untilMs, atMs + dayMs), 24))
    .map(({ durations, ...day }) => ({
      ...day,
      medianMs: medianOf(durations),
      p95Ms: percentileOf(durations, 0.95),
    }));
  return { slices, days, checks: checksOf(measured, untilMs) };
}

function spentOf({ watched, monitor, dice, spans }: Measured, fromMs: number, toMs: number, answers: number) {
  const within = (kind: Span['kind']): number =>
    spans
      .filter((span) => span.kind === kind)
      .reduce((sum, span) => sum + Math.max(0, Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs)), 0);
  const downMs = within('down');
  const watchedMs = Math.max(0, toMs - Math.max(fromMs, monitor.createdAtMs));
  const isGone = watched.usualMs === null || downMs >= watchedMs;
  const durations = isGone
    ? []
    : Array.from({ length: answers }, (_, nth) =>
        tookOf(watched.usualMs ?? 0, fromMs + ((toMs - fromMs) * nth) / answers, spans, dice),
      );
  const checks = Math.max(1, Math.round(watchedMs / Math.max(monitor.intervalMs, sliceMs)));
  return {
    atMs: fromMs,
    watchedMs,
    downMs,
    degradedMs: within('degraded'),
    maintenanceMs: 0,
    checks,
    durations,
  };
}

/** Response time: higher in busy hours, with random outliers, seven times as high while slow. */
function tookOf(usualMs: number, atMs: number, spans: readonly Span[], dice: Dice): number {
  const isSlow = spans.some((span) => span.kind === 'degraded' && span.fromMs <= atMs && atMs < span.toMs);
  const noise = Math.exp((dice.next() + dice.next() + dice.next() - 1.5) * 0.5);
  return Math.max(1, Math.round(usualMs * (0.8 + 0.4 * rhythmAt(atMs)) * noise * (isSlow ? 7 : 1)));
}

function checksOf({ watched, monitor, dice, spans }: Measured, untilMs: number): Check[] {
  const stepMs = watched.asked.type === 'cron' ? dayMs : monitor.intervalMs;
  const lastMs = untilMs - dice.between(5, 200) * 1000;
  return Array.from({ length: checksKept }, (_, nth) => lastMs - nth * stepMs)
    .filter((atMs) => atMs > monitor.createdAtMs + hourMs)
    .map((atMs) => {
      const span = spans.find((each) => each.fromMs <= atMs && atMs < each.toMs);
      const isGone = watched.usualMs === null || span?.kind === 'down';
      return {
        atMs,
        result: span?.kind ?? 'up',
        code: span?.code ?? watched.code,
        durationMs: isGone ? null : tookOf(watched.usualMs ?? 0, atMs, spans, dice),
        from: '',
        message: span?.reason ?? '',
      };
    });
}

function stepOf(atMs: number, stepMs: number): number {
  return atMs - (atMs % stepMs);
}

type Part = readonly [name: string, group: string, ...fedBy: string[]];

const publicParts: readonly Part[] = [
  ['Front page', 'Shop', 'front-page'],
  ['Product search', 'Shop', 'product-search'],
  ['Basket and checkout', 'Shop', 'basket-shows-a-total', 'checkout-api'],
  ['Customer accounts', 'Shop', 'customer-accounts'],
  ['Card payments', 'Payments', 'payments-gateway'],
  ['Refunds', 'Payments', 'refund-queue'],
  ['Parcel tracking', 'Delivery'],
  ['Labels and returns', 'Delivery', 'nightly-stock-import'],
  ['Blog', 'Content', 'blog', 'blog-feed-is-complete'],
  ['Images', 'Content', 'image-servers'],
  ['Mobile app', 'Content', 'mobile-api'],
];

export function statusPageSteps(world: World): Step[] {
  const who = 'Mara Feld';
  const inside = monitors
    .filter(({ asked }) => asked.name !== pendingName)
    .map((each): Part => [each.asked.name, each.asked.group ?? '', slugOf(each)]);
  const pages: ReadonlyArray<readonly [StatusPageRequest, readonly Part[]]> = [
    [
      {
        name: companyName,
        description: 'Opening hours of the showroom: weekdays 10:00 to 18:00.',
        published: true,
        hosts: [`status.${home}`],
      },
      publicParts,
    ],
    [{ name: 'Inside', shows: ['days', 'percent', 'incidents'] }, inside],
  ];
  return pages.map(([asked, parts], nth) => ({
    atMs: ago(world.nowMs, madeDays - 1, 4, -7 * nth),
    async take() {
      const components: ComponentRequest[] = [];
      for (const [name, group, ...slugs] of parts) {
        const fedBy: number[] = [];
        for (const slug of slugs) fedBy.push((await monitorAt(world, slug)).id);
        components.push({ name, group, monitors: fedBy });
      }
      await createStatusPage(world.deps, null, { ...asked, components }, byOf(world, who));
    },
  }));
}
