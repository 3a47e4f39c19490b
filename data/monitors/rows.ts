import type {
  Check,
  CronJobRuns,
  MonitorRecord,
  MonitorSelection,
  MonitorSettings,
  MonitorState,
  MonitorType,
  PendingTransition,
  WeeklySchedule,
} from '../../src/core/store/monitors.ts';
import {
  type Column,
  defaulted,
  double,
  flag,
  integer,
  json,
  named,
  nullable,
  oneOf,
  type RowOf,
  tableOf,
  text,
} from '../table.ts';

export const monitors = tableOf('monitors', {
  id: defaulted(integer),
  projectId: nullable(integer),
  slug: text,
  name: text,
  type: oneOf<MonitorType>(),
  target: text,
  expects: text,
  settings: json<MonitorSettings>(),
  group: named('group_name', text),
  tags: json<readonly string[]>(),
  goal: double,
  intervalMs: integer,
  timeoutMs: integer,
  state: oneOf<MonitorState>(),
  stateSinceMs: integer,
  stateUntilMs: defaulted(nullable(integer)),
  reason: text,
  pendingTransition: defaulted(nullable(json<PendingTransition>())),
  countedToMs: integer,
  lastCheck: defaulted(nullable(json<Check>())),
  certificateEndsAtMs: defaulted(nullable(integer)),
  medianMs: defaulted(nullable(integer)),
  p95Ms: defaulted(nullable(integer)),
  dueAtMs: nullable(integer),
  version: integer,
  createdAtMs: integer,
  createdBy: text,
  tokenHash: nullable(text),
  checkInSlug: nullable(text),
  environment: nullable(text),
  runs: nullable(json<CronJobRuns>()),
  startedAtMs: defaulted(nullable(integer)),
  sender: nullable(text),
}).without('tokenHash');

export function monitorOf({
  dueAtMs,
  checkInSlug: slug,
  environment,
  ...row
}: RowOf<typeof monitors>): MonitorRecord {
  const { runs, state } = row;
  return {
    ...row,
    // `due_at_ms` of a cron job is also set each hour, to count its time; pages show when it is expected.
    nextCheckAtMs: runs === null || state === 'paused' ? dueAtMs : runs.expectedAtMs,
    job: slug === null ? null : { slug, environment: environment ?? '' },
  };
}

export const checks = tableOf('monitor_checks', {
  monitorId: integer,
  atMs: integer,
  result: oneOf<Check['result']>(),
  code: text,
  durationMs: nullable(integer),
  from: named('location', text),
  message: text,
  body: nullable(text),
});

/** Milliseconds with a blank behind each, so that SQL can append. */
const durations: Column<readonly number[]> = {
  type: 'text',
  encode: (list) => list.map((ms) => `${ms} `).join(''),
  decode: (stored) =>
    String(stored)
      .split(' ')
      .filter((each) => each !== '')
      .map(Number),
};

const sums = {
  monitorId: integer,
  atMs: integer,
  watchedMs: integer,
  downMs: integer,
  degradedMs: integer,
  maintenanceMs: integer,
  checks: integer,
};

export const slices = tableOf('monitor_slices', { ...sums, durations });

export const days = tableOf('monitor_days', {
  ...sums,
  medianMs: nullable(integer),
  p95Ms: nullable(integer),
});

export const windows = tableOf('maintenance_windows', {
  id: defaulted(integer),
  projectId: nullable(integer),
  title: text,
  message: text,
  covers: json<MonitorSelection>(),
  weekly: nullable(json<WeeklySchedule>()),
  fromMs: integer,
  toMs: integer,
  isInProgress: flag,
  dueAtMs: nullable(integer),
  incidentId: defaulted(nullable(integer)),
  version: integer,
  createdAtMs: integer,
  createdBy: text,
});
