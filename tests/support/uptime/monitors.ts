// Monitors of a small world that is watched: one in each state, and one whose texts are hard to show.
import type { Monitor, MonitorSlice } from '../../../src/core/store/monitors/monitors.ts';

export const nowMs = Date.UTC(2026, 10, 21, 14, 35);
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Markup, both directions, and more letters than any line holds. */
export const hardText = `<script>alert(1)</script> "&' \u202eשלום עולם \u0007${'long'.repeat(2_000)}`;

/** A moment of 2026, UTC; months count from 1. */
export function at(month: number, day: number, hours = 0, minutes = 0): number {
  return Date.UTC(2026, month - 1, day, hours, minutes);
}

/** When which monitor was in which trouble, both ends in epoch milliseconds. */
interface Trouble {
  readonly monitorId: number;
  readonly kind: 'down' | 'degraded' | 'maintenance';
  readonly fromMs: number;
  readonly toMs: number;
}

const basics = {
  expects: '200 within 3 s',
  projectId: 1,
  group: 'Shop',
  tags: ['shop'],
  intervalMs: 5 * minuteMs,
  goal: 0.999,
  state: 'up',
  stateSinceMs: at(11, 10, 20, 57),
  reason: '',
  createdAtMs: at(8, 1),
  lastCheck: {
    atMs: nowMs - 64_000,
    result: 'up',
    code: '200',
    durationMs: 184,
    from: 'Falkenstein',
    message: '',
  },
  nextCheckAtMs: nowMs + 56_000,
  certificateEndsAtMs: at(12, 31) + 17 * dayMs,
  stateUntilMs: null,
  medianMs: 184,
  p95Ms: 402,
} as const satisfies Partial<Monitor>;

const none = { certificateEndsAtMs: null, medianMs: null, p95Ms: null } as const;

export const monitors: readonly Monitor[] = [
  {
    ...basics,
    ...none,
    id: 1,
    slug: 'payments-gateway',
    name: 'Payments gateway',
    type: 'http',
    target: 'https://pay.harbourpine.example/ready',
    projectId: 2,
    group: 'Payments',
    tags: ['payments'],
    state: 'down',
    stateSinceMs: at(11, 21, 13, 58),
    reason: 'returns status 502',
    medianMs: 84,
    p95Ms: 160,
    certificateEndsAtMs: at(11, 27, 18),
    lastCheck: { ...basics.lastCheck, result: 'down', code: '502', durationMs: 31, message: 'Bad Gateway' },
  },
  {
    ...basics,
    id: 2,
    slug: 'product-search',
    name: 'Product search',
    type: 'keyword',
    target: 'https://shop.harbourpine.example/search?q=oak',
    goal: 0.995,
    state: 'degraded',
    stateSinceMs: at(11, 21, 9, 41),
    reason: 'p95 over 2 s',
    medianMs: 612,
    p95Ms: 2_400,
  },
  {
    ...basics,
    id: 3,
    slug: 'image-servers',
    name: 'Image servers',
    type: 'http',
    target: 'https://img.harbourpine.example/ping.gif',
    projectId: null,
    group: 'Content',
    state: 'maintenance',
    stateSinceMs: at(11, 21, 14),
    stateUntilMs: at(11, 21, 15, 30),
    certificateEndsAtMs: at(12, 10),
  },
  {
    ...basics,
    ...none,
    id: 4,
    slug: 'careers-page',
    name: 'Careers page',
    type: 'http',
    target: 'https://careers.harbourpine.example',
    projectId: null,
    group: 'Content',
    state: 'pending',
    stateSinceMs: nowMs - 20_000,
    createdAtMs: nowMs - 20_000,
    lastCheck: null,
    nextCheckAtMs: nowMs + 40_000,
  },
  {
    ...basics,
    ...none,
    id: 5,
    slug: 'old-api',
    name: 'Old API',
    type: 'tcp',
    target: '192.0.2.44:5671',
    projectId: 2,
    group: 'Payments',
    state: 'paused',
    stateSinceMs: at(11, 14, 9),
    stateUntilMs: at(11, 28, 9),
    nextCheckAtMs: null,
  },
  {
    ...basics,
    id: 6,
    slug: 'front-page',
    name: 'Front page',
    type: 'http',
    target: 'https://shop.harbourpine.example',
  },
  {
    ...basics,
    id: 7,
    slug: 'mail-records',
    name: 'Mail records',
    type: 'dns',
    target: 'harbourpine.example MX',
    projectId: null,
    group: 'Platform',
    certificateEndsAtMs: null,
    medianMs: 12,
    p95Ms: 30,
  },
  {
    ...basics,
    ...none,
    id: 8,
    slug: 'nightly-stock-import',
    name: 'Nightly stock import',
    type: 'heartbeat',
    target: 'every 24 h, 30 min late allowed',
    group: 'Platform',
    goal: 0.99,
    intervalMs: dayMs,
    nextCheckAtMs: null,
  },
  {
    ...basics,
    ...none,
    id: 9,
    slug: 'mail-digest',
    name: 'Mail digest',
    type: 'cron',
    target: '0 7 * * 1',
    group: '',
  },
  {
    ...basics,
    id: 10,
    slug: 'hard-one',
    name: hardText,
    type: 'tls',
    target: hardText,
    expects: hardText,
    group: hardText.slice(0, 300),
    tags: [hardText],
    reason: hardText,
  },
];

/** What happened to whom; the incidents of the world are of the same times. */
const troubles: readonly Trouble[] = [
  { monitorId: 1, kind: 'down', fromMs: at(11, 21, 13, 58), toMs: nowMs },
  { monitorId: 2, kind: 'degraded', fromMs: at(11, 21, 9, 41), toMs: nowMs },
  { monitorId: 3, kind: 'maintenance', fromMs: at(11, 21, 14), toMs: nowMs },
  { monitorId: 1, kind: 'degraded', fromMs: at(11, 15, 11, 40), toMs: at(11, 15, 12, 4) },
  { monitorId: 6, kind: 'down', fromMs: at(11, 10, 20, 14), toMs: at(11, 10, 20, 57) },
  { monitorId: 8, kind: 'down', fromMs: at(10, 23, 2, 30), toMs: at(10, 23, 8, 35) },
  { monitorId: 1, kind: 'down', fromMs: at(9, 22, 12, 31), toMs: at(9, 22, 13, 22) },
  { monitorId: 10, kind: 'degraded', fromMs: at(9, 5, 10), toMs: at(9, 5, 11) },
];

/** One slice of a monitor's time, from what happened: sums of slices are the slice of the sum. */
export function sliceOf(
  { id, state, createdAtMs, medianMs, p95Ms }: Monitor,
  fromMs: number,
  endMs: number,
): MonitorSlice {
  const from = Math.max(fromMs, createdAtMs);
  const to = Math.min(endMs, nowMs);
  const within = (kind: Trouble['kind']): number =>
    troubles
      .filter((each) => each.monitorId === id && each.kind === kind)
      .reduce((sum, each) => sum + Math.max(0, Math.min(to, each.toMs) - Math.max(from, each.fromMs)), 0);
  const maintenanceMs = within('maintenance');
  const isWatched = state !== 'pending' && !(state === 'paused' && from >= at(11, 14, 9));
  const downMs = within('down');
  const watchedMs = isWatched ? Math.max(0, to - from) - maintenanceMs : 0;
  const isSilent = medianMs === null || downMs > 0 || watchedMs <= 0;
  const wave = 1 + Math.sin(fromMs / (4 * hourMs)) / 5;
  return {
    atMs: fromMs,
    watchedMs,
    downMs,
    degradedMs: within('degraded'),
    maintenanceMs,
    checks: Math.round(watchedMs / (5 * minuteMs)),
    medianMs: isSilent ? null : Math.round(medianMs * wave),
    p95Ms: isSilent ? null : Math.round((p95Ms ?? medianMs * 2) * wave),
  };
}
