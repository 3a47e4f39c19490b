import type {
  MaintenanceWindowChangeRequest,
  MaintenanceWindowRequest,
  MaintenanceWindowView,
} from '../../../../schemas/maintenance-windows.ts';
import { type AuditEvent, audited } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import {
  createBadRequestError,
  createGetter,
  createInvalidParamError,
  createMissingParamsError,
  createTooManyError,
  type OwnerProjectId,
} from '../../errors.ts';
import { requireLine, toOneLine } from '../../parsing/display-text.ts';
import { dayMs, minuteMs } from '../../parsing/durations.ts';
import { formatTimeOfDay, requireTimeZone } from '../../parsing/format/time-zones.ts';
import { formatTime, readDateParam } from '../../parsing/timestamps.ts';
import {
  type IncidentStep,
  type MaintenanceWindow,
  type MonitorRecord,
  type MonitorSelection,
  type WeeklySchedule,
  type WindowChange,
  weekdays,
} from '../../store/monitors.ts';
import { endStep, findCoveredMonitors, nextWeeklyOccurrence, windowCovers } from './advance.ts';

const windowsMax = 500;
const lengthMsMax = 31 * dayMs;
const defaultMinutes = 60;

/** Throws 400 for a window in the past or without monitors, and beyond 500. */
export const createWindow = audited(
  async ({ store, now, by }, projectId: OwnerProjectId, input: MaintenanceWindowRequest) => {
    if ((await store.countWindows(projectId)) >= windowsMax) {
      throw createTooManyError('notifier_too_many_windows', `${windowsMax} maintenance windows`);
    }
    const createdAtMs = now();
    const monitors = await store.listMonitors(projectId);
    const change = readWindowChange(monitors, input, null, createdAtMs);
    const affects = monitors.filter((each) => windowCovers({ projectId, covers: change.covers }, each));
    const createdBy = by.actor.name;
    const result = await store.addWindow({ ...change, projectId, createdAtMs, createdBy }, affects);
    return { result, auditEvent: auditEntry(result, 'maintenance.scheduled') };
  },
);

function auditEntry(
  { id, projectId, title, fromMs, toMs, weekly }: MaintenanceWindow,
  action: `maintenance.${'scheduled' | 'changed' | 'canceled'}`,
): AuditEvent {
  const when = `${formatTime(fromMs)} to ${formatTime(toMs)}`;
  const summary = weekly === null ? when : `${when}, every ${weekly.weekdays.join(', ')}`;
  return { action, object: { kind: 'maintenance_window', id, name: title }, projectId, summary };
}

export const getWindow = createGetter('maintenance_window', (store: Deps['store'], id) =>
  store.findWindow(id),
);

export const updateWindow = audited(
  async ({ store, now }, projectId: OwnerProjectId, id: number, changes: MaintenanceWindowChangeRequest) => {
    for (;;) {
      const before = await getWindow({ store }, projectId, id);
      const atMs = now();
      const monitors = await store.listMonitors(before.projectId);
      const change = readWindowChange(monitors, changes, before, atMs);
      const was = monitors.filter((each) => windowCovers(before, each));
      const affects = monitors.filter((each) => windowCovers({ ...before, ...change }, each));
      const steps: IncidentStep[] =
        before.dueAtMs === null ? [{ does: 'plan', atMs, affects }] : [{ does: 'move', affects }];
      const wakes =
        before.isInProgress || change.isInProgress ? [...was, ...affects].map((each) => each.id) : [];
      const result = await store.applyWindowTransition(before, { change, steps, wakes, atMs });
      if (result !== null) return { result, auditEvent: auditEntry(result, 'maintenance.changed') };
    }
  },
);

/** An active window ends now. Returns it as it was. */
export const deleteWindow = audited(async ({ store, now }, projectId: OwnerProjectId, id: number) => {
  for (;;) {
    const before = await getWindow({ store }, projectId, id);
    const atMs = now();
    const { isInProgress, dueAtMs } = before;
    // One that has not begun stays as canceled, which status pages and their subscribers are told.
    const steps: IncidentStep[] = dueAtMs === null ? [] : [endStep(before, atMs)];
    const wakes = isInProgress ? (await findCoveredMonitors({ store }, before)).map((each) => each.id) : [];
    const isGone = await store.deleteWindow(before, { steps, wakes, atMs });
    if (isGone) return { result: before, auditEvent: auditEntry(before, 'maintenance.canceled') };
  }
});

function readWindowChange(
  monitors: readonly MonitorRecord[],
  changes: MaintenanceWindowChangeRequest,
  before: MaintenanceWindow | null,
  nowMs: number,
): WindowChange {
  const title = requireLine(changes.title ?? before?.title ?? '', 'title');
  const weekly = readWeekly(changes, before?.weekly ?? null);
  const work =
    weekly === null ? readSingleOccurrence(changes, before, nowMs) : nextWeeklyOccurrence(weekly, nowMs);
  const isSame = before?.isInProgress === true && work.fromMs <= nowMs;
  return {
    title,
    message: changes.message == null ? (before?.message ?? '') : changes.message.trim(),
    covers: readCoverage(monitors, changes, before?.covers ?? null),
    weekly,
    ...work,
    isInProgress: isSame,
    dueAtMs: isSame ? work.toMs : work.fromMs,
  };
}

function readWeekly(
  changes: MaintenanceWindowChangeRequest,
  before: WeeklySchedule | null,
): WeeklySchedule | null {
  const { weekdays: days, at, minutes, timezone: zone, starts_at: starts, ends_at: ends } = changes;
  const isOnce = starts != null || ends != null;
  const ofWeeks = [days, at, minutes, zone].some((each) => each != null);
  if (isOnce && ofWeeks) {
    throw createInvalidParamError({
      weekdays: 'weekdays cannot be used together with starts_at and ends_at.',
    });
  }
  if (isOnce || (!ofWeeks && before === null)) return null;
  const chosen = days == null ? (before?.weekdays ?? []) : weekdays.filter((day) => days.includes(day));
  if (chosen.length === 0) throw createMissingParamsError(['weekdays']);
  if (at == null && before === null) throw createMissingParamsError(['at']);
  const clock = at == null ? [before?.hour ?? 0, before?.minute ?? 0] : parseTimeOfDay(at);
  const timezone = zone == null ? (before?.timezone ?? 'UTC') : requireTimeZone(zone);
  const [hour = 0, minute = 0] = clock;
  const lengthMs = minutes == null ? (before?.lengthMs ?? defaultMinutes * minuteMs) : minutes * minuteMs;
  return { weekdays: chosen, hour, minute, lengthMs, timezone };
}

function parseTimeOfDay(text: string): readonly number[] {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (match !== null) return [Number(match[1]), Number(match[2])];
  throw createInvalidParamError({ at: 'at must be a time of day, for example 02:30.' });
}

function readSingleOccurrence(
  { starts_at: starts, ends_at: ends }: MaintenanceWindowChangeRequest,
  before: MaintenanceWindow | null,
  nowMs: number,
): Pick<WindowChange, 'fromMs' | 'toMs'> {
  const once = before?.weekly === null ? before : null;
  if ((ends == null || ends === '') && once === null) throw createMissingParamsError(['ends_at']);
  const fromMs = readDateParam('starts_at', starts) ?? once?.fromMs ?? nowMs;
  const toMs = readDateParam('ends_at', ends) ?? once?.toMs ?? nowMs;
  if (toMs <= nowMs || toMs <= fromMs) {
    throw createInvalidParamError({ ends_at: 'ends_at must be in the future, and after starts_at.' });
  }
  if (toMs - fromMs > lengthMsMax) {
    throw createInvalidParamError({ ends_at: 'ends_at must be at most 31 days after starts_at.' });
  }
  return { fromMs, toMs };
}

function readCoverage(
  monitors: readonly MonitorRecord[],
  changes: MaintenanceWindowChangeRequest,
  before: MonitorSelection | null,
): MonitorSelection {
  const coverage: MonitorSelection = {
    all: changes.all ?? before?.all ?? false,
    monitorIds: changes.monitors == null ? (before?.monitorIds ?? []) : [...new Set(changes.monitors)],
    group: changes.group == null ? (before?.group ?? '') : toOneLine(changes.group),
    tag: changes.tag == null ? (before?.tag ?? '') : toOneLine(changes.tag),
  };
  const availableIds = new Set(monitors.map(({ id }) => id));
  const missing = (changes.monitors ?? []).find((id) => !availableIds.has(id));
  if (missing !== undefined) {
    throw createInvalidParamError({ monitors: `monitors: there is no monitor ${missing}.` });
  }
  const { all, monitorIds, group, tag } = coverage;
  if (all || monitorIds.length > 0 || group !== '' || tag !== '') return coverage;
  throw createBadRequestError(
    'notifier_no_monitors',
    'Choose the affected monitors: monitors, group, tag or all.',
  );
}

export function viewWindow(window: MaintenanceWindow): MaintenanceWindowView {
  const { weekly, covers, isInProgress, dueAtMs } = window;
  return {
    maintenance_window_id: window.id,
    title: window.title,
    message: window.message,
    state: isInProgress ? 'in_progress' : dueAtMs === null ? 'completed' : 'scheduled',
    starts_at: formatTime(window.fromMs),
    ends_at: formatTime(window.toMs),
    weekdays: [...(weekly?.weekdays ?? [])],
    at: weekly === null ? null : formatTimeOfDay(weekly.hour * 60 + weekly.minute),
    minutes: weekly === null ? null : weekly.lengthMs / minuteMs,
    timezone: weekly?.timezone ?? null,
    all: covers.all,
    monitors: [...covers.monitorIds],
    group: covers.group,
    tag: covers.tag,
    incident_id: window.incidentId,
    created_at: formatTime(window.createdAtMs),
    created_by: window.createdBy,
  };
}
