// The 90 days of history are calculated from the outages: real checks every five minutes would take hours.
import type { ComponentRequest, StatusPageRequest } from '../../../schemas/status-pages.ts';
import { checkMonitor } from '../../core/monitors/check-monitor.ts';
import { advanceWindows } from '../../core/monitors/maintenance-windows/advance.ts';
import { createWindow } from '../../core/monitors/maintenance-windows/windows.ts';
import { createMonitor, updateMonitor } from '../../core/monitors/monitors.ts';
import { dayMs, hourMs, minuteMs } from '../../core/parsing/durations.ts';
import { medianOf, percentileOf } from '../../core/parsing/format/numbers.ts';
import { formatTime } from '../../core/parsing/timestamps.ts';
import { createStatusPage } from '../../core/status-pages/status-pages.ts';
import type { Check, MonitorHistory, MonitorRecord } from '../../core/store/monitors.ts';
import { companyName, mara, siteHost, tomas } from '../shared/company.ts';
import { type DemoContext, type Step, stepAgo, timeAgoMs } from '../shared/context.ts';
import { relativeTrafficAt } from '../shared/hourly-traffic.ts';
import { auditActor } from '../shared/people.ts';
import type { Random } from '../shared/random.ts';
import { type DemoMonitor, monitors, pausedName, pendingName } from './monitors.ts';
import {
  activeMaintenance,
  getMonitorBySlug,
  listOutageSpans,
  type OutageSpan,
  recordStateChange,
} from './outages.ts';

const madeDays = 110;
const pausedDays = 5.2;
const daysKept = 90;
const sliceMs = 5 * minuteMs;
const checksKept = 60;
/** Resolution of the history by age: what the charts for a day, a week and a month need. */
const resolutions = [
  { ageMs: 1.1 * dayMs, stepMs: sliceMs },
  { ageMs: 7.1 * dayMs, stepMs: 30 * minuteMs },
  { ageMs: 30.5 * dayMs, stepMs: 2 * hourMs },
] as const;

export function monitorSteps(demo: DemoContext): Step[] {
  const { nowMs } = demo;
  const work = activeMaintenance(nowMs);
  const spans = listOutageSpans(nowMs);
  return [
    ...monitors.flatMap((monitor, nth): Step[] => {
      const isPending = monitor.request.name === pendingName;
      const atMs = isPending ? nowMs - minuteMs / 2 : timeAgoMs(nowMs, madeDays, 4, -7 * nth);
      const createStep: Step = {
        atMs,
        run: () => createDemoMonitor(demo, monitor, isPending ? null : atMs + minuteMs),
      };
      if (isPending) return [createStep];
      const untilMs =
        monitor.request.name === 'Image servers'
          ? work.fromMs - 1
          : monitor.request.name === pausedName
            ? timeAgoMs(nowMs, pausedDays) - 1
            : nowMs;
      return [createStep, { atMs: untilMs, run: () => recordHistory(demo, monitor, untilMs, spans) }];
    }),
    stepAgo(demo, { days: pausedDays }, async () => {
      const { id } = await getMonitorBySlug(demo, 'mail-digest');
      await updateMonitor(demo.deps, null, id, { paused: true }, auditActor(demo, tomas));
    }),
    stepAgo(demo, { days: 1.1 }, async () => {
      const { id } = await getMonitorBySlug(demo, 'image-servers');
      const input = {
        title: 'Image servers move to new disks',
        message: 'The image servers move to new disks. Pictures may load slowly; nothing else is affected.',
        starts_at: formatTime(work.fromMs),
        ends_at: formatTime(work.toMs),
        monitors: [id],
      };
      await createWindow(demo.deps, null, input, auditActor(demo, tomas));
    }),
    {
      atMs: work.fromMs + 1000,
      async run() {
        const { store, now, checker } = demo.deps;
        const windows = await advanceWindows({ store }, now(), (error) => {
          throw error;
        });
        if (checker === undefined) throw new Error('This process runs no monitor checks.');
        const monitor = await getMonitorBySlug(demo, 'image-servers');
        await store.saveChecks([await checkMonitor({ checker, now }, monitor, windows)]);
      },
    },
  ];
}

async function createDemoMonitor(
  demo: DemoContext,
  { request, project, usualMs, code }: DemoMonitor,
  upAtMs: number | null,
) {
  const projectId = project === null ? null : demo.projects[project].id;
  const { monitor } = await createMonitor(demo.drawing, projectId, request, auditActor(demo, mara));
  if (upAtMs === null) return;
  const check = { atMs: upAtMs, result: 'up', code, durationMs: usualMs, message: '' } as const;
  await recordStateChange(demo, monitor.slug, check);
}

/** Writes the history until `untilMs` and the last check. */
async function recordHistory(
  demo: DemoContext,
  demoMonitor: DemoMonitor,
  untilMs: number,
  all: readonly OutageSpan[],
): Promise<void> {
  const slug = slugOf(demoMonitor);
  const monitor = await getMonitorBySlug(demo, slug);
  const random = demo.random(`answers of ${slug}`);
  const monitorSpans = [
    ...all.filter((span) => span.monitor === slug),
    ...shortSlowSpans(demo, random, demoMonitor),
  ];
  const history = historyOf({ demoMonitor, monitor, random, spans: monitorSpans }, untilMs, demo.nowMs);
  const [last, ...checks] = history.checks;
  await demo.deps.store.addMonitorHistory(monitor.id, { ...history, checks });
  if (last === undefined) return;
  const { certificateDays } = demoMonitor;
  const endsAtMs = certificateDays === null ? null : timeAgoMs(demo.nowMs, -certificateDays, 5);
  await recordStateChange(demo, slug, last, endsAtMs);
}

function slugOf({ request }: DemoMonitor): string {
  return request.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function shortSlowSpans(
  { nowMs }: DemoContext,
  random: Random,
  { request, usualMs }: DemoMonitor,
): OutageSpan[] {
  if (usualMs === null || request.interval !== 300) return [];
  return Array.from({ length: daysKept - 3 }, (_, day) => day + 3)
    .filter(() => random.percent(1.2))
    .map((days) => {
      const midnight = timeAgoMs(nowMs, days) - (timeAgoMs(nowMs, days) % dayMs);
      const fromMs = midnight + random.between(0, 35) * sliceMs;
      const toMs = fromMs + 2 * sliceMs;
      return { monitor: '', kind: 'degraded', fromMs, toMs, code: '200', reason: 'took long' };
    });
}

interface MonitorInput {
  readonly demoMonitor: DemoMonitor;
  readonly monitor: MonitorRecord;
  readonly random: Random;
  readonly spans: readonly OutageSpan[];
}

function historyOf(measured: MonitorInput, untilMs: number, nowMs: number): MonitorHistory {
  const slices: MonitorHistory['slices'][number][] = [];
  for (const [nth, { ageMs, stepMs }] of resolutions.entries()) {
    const finer = resolutions[nth - 1]?.ageMs;
    const fromMs = startOfStep(nowMs - ageMs, 2 * hourMs);
    const toMs = finer === undefined ? untilMs : Math.min(untilMs, startOfStep(nowMs - finer, 2 * hourMs));
    for (let atMs = fromMs; atMs < toMs; atMs += stepMs) {
      slices.push(sliceOf(measured, atMs, Math.min(toMs, atMs + stepMs), stepMs === sliceMs ? 1 : 2));
    }
  }
  const days = Array.from({ length: daysKept }, (_, back) => startOfStep(nowMs, dayMs) - back * dayMs)
    .filter((atMs) => atMs < untilMs)
    .map((atMs) => sliceOf(measured, atMs, Math.min(untilMs, atMs + dayMs), 24))
    .map(({ durations, ...day }) => ({
      ...day,
      medianMs: medianOf(durations),
      p95Ms: percentileOf(durations, 0.95),
    }));
  return { slices, days, checks: checksOf(measured, untilMs) };
}

function sliceOf(
  { demoMonitor, monitor, random, spans }: MonitorInput,
  fromMs: number,
  toMs: number,
  answers: number,
) {
  const within = (kind: OutageSpan['kind']): number =>
    spans
      .filter((span) => span.kind === kind)
      .reduce((sum, span) => sum + Math.max(0, Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs)), 0);
  const downMs = within('down');
  const watchedMs = Math.max(0, toMs - Math.max(fromMs, monitor.createdAtMs));
  const isGone = demoMonitor.usualMs === null || downMs >= watchedMs;
  const durations = isGone
    ? []
    : Array.from({ length: answers }, (_, nth) =>
        responseTimeMs(demoMonitor.usualMs ?? 0, fromMs + ((toMs - fromMs) * nth) / answers, spans, random),
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
function responseTimeMs(usualMs: number, atMs: number, spans: readonly OutageSpan[], random: Random): number {
  const isSlow = spans.some((span) => span.kind === 'degraded' && span.fromMs <= atMs && atMs < span.toMs);
  const noise = Math.exp((random.next() + random.next() + random.next() - 1.5) * 0.5);
  return Math.max(1, Math.round(usualMs * (0.8 + 0.4 * relativeTrafficAt(atMs)) * noise * (isSlow ? 7 : 1)));
}

function checksOf({ demoMonitor, monitor, random, spans }: MonitorInput, untilMs: number): Check[] {
  const stepMs = demoMonitor.request.type === 'cron' ? dayMs : monitor.intervalMs;
  const lastMs = untilMs - random.between(5, 200) * 1000;
  return Array.from({ length: checksKept }, (_, nth) => lastMs - nth * stepMs)
    .filter((atMs) => atMs > monitor.createdAtMs + hourMs)
    .map((atMs) => {
      const span = spans.find((each) => each.fromMs <= atMs && atMs < each.toMs);
      const isGone = demoMonitor.usualMs === null || span?.kind === 'down';
      return {
        atMs,
        result: span?.kind ?? 'up',
        code: span?.code ?? demoMonitor.code,
        durationMs: isGone ? null : responseTimeMs(demoMonitor.usualMs ?? 0, atMs, spans, random),
        from: '',
        message: span?.reason ?? '',
      };
    });
}

function startOfStep(atMs: number, stepMs: number): number {
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

export function statusPageSteps(demo: DemoContext): Step[] {
  const internalParts = monitors
    .filter(({ request }) => request.name !== pendingName)
    .map((each): Part => [each.request.name, each.request.group ?? '', slugOf(each)]);
  const pages: ReadonlyArray<readonly [StatusPageRequest, readonly Part[]]> = [
    [
      {
        name: companyName,
        description: 'Opening hours of the showroom: weekdays 10:00 to 18:00.',
        published: true,
        hosts: [`status.${siteHost}`],
      },
      publicParts,
    ],
    [{ name: 'Inside', shows: ['days', 'percent', 'incidents'] }, internalParts],
  ];
  return pages.map(([request, parts], nth) => ({
    atMs: timeAgoMs(demo.nowMs, madeDays - 1, 4, -7 * nth),
    async run() {
      const components: ComponentRequest[] = [];
      for (const [name, group, ...slugs] of parts) {
        const monitorIds: number[] = [];
        for (const slug of slugs) monitorIds.push((await getMonitorBySlug(demo, slug)).id);
        components.push({ name, group, monitors: monitorIds });
      }
      await createStatusPage(demo.deps, null, { ...request, components }, auditActor(demo, mara));
    },
  }));
}
