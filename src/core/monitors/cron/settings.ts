// Cron settings, named as in Sentry's `monitor_config`.
import type { MonitorChangeRequest } from '../../../../schemas/monitors.ts';
import { createInvalidParamError, createMissingParamsError } from '../../errors.ts';
import { minuteMs } from '../../parsing/durations.ts';
import { requireTimeZone } from '../../parsing/format/time-zones.ts';
import type { CronSettings } from '../../store/monitors.ts';
import { defaultCron } from './check-ins.ts';
import { parseScheduleText, scheduleText } from './schedule.ts';

export const cronFields = [
  'schedule',
  'timezone',
  'checkin_margin',
  'max_runtime',
  'failure_issue_threshold',
  'recovery_threshold',
] as const satisfies ReadonlyArray<keyof MonitorChangeRequest>;

/** Throws 400 without a schedule, and for one that never runs. */
export function readCronSettings(changes: MonitorChangeRequest, before: CronSettings | null): CronSettings {
  const { schedule: text, timezone: zone } = changes;
  const schedule = text == null || text === '' ? before?.schedule : parseScheduleText(text);
  if (schedule === undefined) throw createMissingParamsError(['schedule']);
  if (schedule === null) {
    throw createInvalidParamError({
      schedule: 'schedule must be a crontab that occurs, or an interval, for example 10 minutes.',
    });
  }
  const usual = before ?? defaultCron;
  const timezone = zone == null || zone === '' ? usual.timezone : requireTimeZone(zone);
  return {
    schedule,
    timezone,
    marginMs: changes.checkin_margin == null ? usual.marginMs : changes.checkin_margin * minuteMs,
    runtimeMs: changes.max_runtime == null ? usual.runtimeMs : changes.max_runtime * minuteMs,
    failures: changes.failure_issue_threshold ?? usual.failures,
    recoveries: changes.recovery_threshold ?? usual.recoveries,
  };
}

export function cronView(settings: CronSettings) {
  const { schedule, timezone, marginMs, runtimeMs, failures, recoveries } = settings;
  return {
    schedule: scheduleText(schedule),
    timezone,
    checkin_margin: marginMs / minuteMs,
    max_runtime: runtimeMs / minuteMs,
    failure_issue_threshold: failures,
    recovery_threshold: recoveries,
  };
}
