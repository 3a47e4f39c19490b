import type { WindowChangeRequest, WindowRequest } from '../../../../schemas/maintenance-windows.ts';
import { type AuditBy, type AuditedAct, actAudited } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { badRequest, invalidParam, missingParams, type Owner, ofOwner } from '../../errors.ts';
import { momentText, parseMoment } from '../../reading/moments.ts';
import { oneLine } from '../../reading/one-line.ts';
import { dayMs, minuteMs } from '../../reading/spans.ts';
import { requireZone } from '../../reading/words/clocks.ts';
import type { KeptMonitor } from '../../store/monitors/monitoring.ts';
import {
  type Coverage,
  type MaintenanceWindow,
  type WeeklyWork,
  type WindowChange,
  type WorkStep,
  weekdays,
} from '../../store/monitors/windows.ts';
import { covers, weeklyWork } from './times.ts';
import { coveredBy, endOf } from './turning.ts';

type Parts = Pick<Deps, 'store' | 'now'>;

const windowsMax = 500;
const lengthMsMax = 31 * dayMs;
const usualMinutes = 60;

/** Throws 400 for a window in the past or without monitors, and beyond 500. */
export function createWindow(
  deps: Parts,
  projectId: Owner,
  asked: WindowRequest,
  by: AuditBy,
): Promise<MaintenanceWindow> {
  return actAudited(deps, by, async ({ store, now }) => {
    if ((await store.countWindows(projectId)) >= windowsMax) {
      throw badRequest(
        'notifier_too_many_windows',
        `A project may have at most ${windowsMax} maintenance windows.`,
      );
    }
    const createdAtMs = now();
    const monitors = await store.listKeptMonitors(projectId);
    const change = changeOf(monitors, asked, null, createdAtMs);
    const affects = monitors.filter((each) => covers({ projectId, covers: change.covers }, each));
    const createdBy = by.actor.name;
    const result = await store.addWindow({ ...change, projectId, createdAtMs, createdBy }, affects);
    return { result, told: auditEntry(result, 'work.planned') };
  });
}

function auditEntry(
  { id, projectId, title, fromMs, toMs, weekly }: MaintenanceWindow,
  action: `work.${'planned' | 'changed' | 'called_off'}`,
): AuditedAct {
  const when = `${momentText(fromMs)} to ${momentText(toMs)}`;
  const summary = weekly === null ? when : `${when}, every ${weekly.weekdays.join(', ')}`;
  return { action, object: { kind: 'maintenance_window', id, name: title }, projectId, summary };
}

export async function getWindow(
  { store }: Pick<Deps, 'store'>,
  projectId: Owner,
  id: number,
): Promise<MaintenanceWindow> {
  return ofOwner(await store.findWindow(id), projectId, 'maintenance_window');
}

export function updateWindow(
  deps: Parts,
  projectId: Owner,
  id: number,
  asked: WindowChangeRequest,
  by: AuditBy,
): Promise<MaintenanceWindow> {
  return actAudited(deps, by, async ({ store, now }) => {
    for (;;) {
      const before = await getWindow({ store }, projectId, id);
      const atMs = now();
      const monitors = await store.listKeptMonitors(before.projectId);
      const change = changeOf(monitors, asked, before, atMs);
      const was = monitors.filter((each) => covers(before, each));
      const affects = monitors.filter((each) => covers({ ...before, ...change }, each));
      const steps: WorkStep[] =
        before.dueAtMs === null ? [{ does: 'plan', atMs, affects }] : [{ does: 'move', affects }];
      const wakes = before.isUnderWay || change.isUnderWay ? [...was, ...affects].map((each) => each.id) : [];
      const result = await store.turnWindow(before, { change, steps, wakes, atMs });
      if (result !== null) return { result, told: auditEntry(result, 'work.changed') };
    }
  });
}

/** An active window ends now. Returns it as it was. */
export function deleteWindow(
  deps: Parts,
  projectId: Owner,
  id: number,
  by: AuditBy,
): Promise<MaintenanceWindow> {
  return actAudited(deps, by, async ({ store, now }) => {
    for (;;) {
      const before = await getWindow({ store }, projectId, id);
      const atMs = now();
      const { isUnderWay, dueAtMs } = before;
      const steps: WorkStep[] =
        dueAtMs === null ? [] : isUnderWay ? [endOf(before, atMs)] : [{ does: 'drop' }];
      const wakes = isUnderWay ? (await coveredBy({ store }, before)).map((each) => each.id) : [];
      const isGone = await store.deleteWindow(before, { steps, wakes, atMs });
      if (isGone) return { result: before, told: auditEntry(before, 'work.called_off') };
    }
  });
}

function changeOf(
  monitors: readonly KeptMonitor[],
  asked: WindowChangeRequest,
  before: MaintenanceWindow | null,
  nowMs: number,
): WindowChange {
  const title = asked.title == null ? (before?.title ?? '') : oneLine(asked.title);
  if (title === '') throw invalidParam({ title: 'title must not be empty.' });
  const weekly = weeklyOf(asked, before?.weekly ?? null);
  const work = weekly === null ? onceOf(asked, before, nowMs) : weeklyWork(weekly, nowMs);
  const isSame = before?.isUnderWay === true && work.fromMs <= nowMs;
  return {
    title,
    message: asked.message == null ? (before?.message ?? '') : asked.message.trim(),
    covers: coverageOf(monitors, asked, before?.covers ?? null),
    weekly,
    ...work,
    isUnderWay: isSame,
    dueAtMs: isSame ? work.toMs : work.fromMs,
  };
}

function weeklyOf(asked: WindowChangeRequest, before: WeeklyWork | null): WeeklyWork | null {
  const { weekdays: days, at, minutes, timezone: zone, starts_at: starts, ends_at: ends } = asked;
  const isOnce = starts != null || ends != null;
  const ofWeeks = [days, at, minutes, zone].some((each) => each != null);
  if (isOnce && ofWeeks) {
    throw invalidParam({ weekdays: 'weekdays cannot be used together with starts_at and ends_at.' });
  }
  if (isOnce || (!ofWeeks && before === null)) return null;
  const chosen = days == null ? (before?.weekdays ?? []) : weekdays.filter((day) => days.includes(day));
  if (chosen.length === 0) throw missingParams(['weekdays']);
  if (at == null && before === null) throw missingParams(['at']);
  const clock = at == null ? [before?.hour ?? 0, before?.minute ?? 0] : clockOf(at);
  const timezone = zone == null ? (before?.timezone ?? 'UTC') : requireZone(zone);
  const [hour = 0, minute = 0] = clock;
  const lengthMs = minutes == null ? (before?.lengthMs ?? usualMinutes * minuteMs) : minutes * minuteMs;
  return { weekdays: chosen, hour, minute, lengthMs, timezone };
}

function clockOf(text: string): readonly number[] {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (match !== null) return [Number(match[1]), Number(match[2])];
  throw invalidParam({ at: 'at must be a time of day, for example 02:30.' });
}

function onceOf(
  { starts_at: starts, ends_at: ends }: WindowChangeRequest,
  before: MaintenanceWindow | null,
  nowMs: number,
): Pick<WindowChange, 'fromMs' | 'toMs'> {
  const once = before?.weekly === null ? before : null;
  if ((ends == null || ends === '') && once === null) throw missingParams(['ends_at']);
  const fromMs = momentOf('starts_at', starts) ?? once?.fromMs ?? nowMs;
  const toMs = momentOf('ends_at', ends) ?? once?.toMs ?? nowMs;
  if (toMs <= nowMs || toMs <= fromMs) {
    throw invalidParam({ ends_at: 'ends_at must be in the future, and after starts_at.' });
  }
  if (toMs - fromMs > lengthMsMax) {
    throw invalidParam({ ends_at: 'ends_at must be at most 31 days after starts_at.' });
  }
  return { fromMs, toMs };
}

function momentOf(field: 'starts_at' | 'ends_at', text: string | null | undefined): number | null {
  if (text == null || text === '') return null;
  const atMs = parseMoment(text);
  if (atMs !== null) return atMs;
  throw invalidParam({ [field]: `${field} must be a date, for example 2026-12-01T08:00:00Z.` });
}

function coverageOf(
  monitors: readonly KeptMonitor[],
  asked: WindowChangeRequest,
  before: Coverage | null,
): Coverage {
  const coverage: Coverage = {
    all: asked.all ?? before?.all ?? false,
    monitorIds: asked.monitors == null ? (before?.monitorIds ?? []) : [...new Set(asked.monitors)],
    group: asked.group == null ? (before?.group ?? '') : oneLine(asked.group),
    tag: asked.tag == null ? (before?.tag ?? '') : oneLine(asked.tag),
  };
  const theirs = new Set(monitors.map(({ id }) => id));
  const missing = (asked.monitors ?? []).find((id) => !theirs.has(id));
  if (missing !== undefined) {
    throw invalidParam({ monitors: `monitors: there is no monitor ${missing}.` });
  }
  const { all, monitorIds, group, tag } = coverage;
  if (all || monitorIds.length > 0 || group !== '' || tag !== '') return coverage;
  throw badRequest('notifier_no_monitors', 'Choose the affected monitors: monitors, group, tag or all.');
}
