// Reads check-ins of Sentry SDKs and `sentry-cli monitors run`. Odd values become defaults.
import { parseEventId } from '../../ids.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { toOneLine } from '../../parsing/display-text.ts';
import { minuteMs } from '../../parsing/durations.ts';
import { findTimeZone } from '../../parsing/format/time-zones.ts';
import { getOwn, isJsonObject, type JsonObject } from '../../parsing/unknown-values.ts';
import type { CronSettings } from '../../store/monitors.ts';
import { parseSchedule, scheduleFault } from './schedule.ts';

export const defaultCron: Omit<CronSettings, 'schedule'> = {
  timezone: 'UTC',
  marginMs: minuteMs,
  runtimeMs: 30 * minuteMs,
  failures: 1,
  recoveries: 1,
};
export const defaultEnvironment = 'production';

export type CheckIn = NonNullable<ReturnType<typeof parseCheckIn>>;

/** Minutes and runs, the same as in the schemas of the API. */
const minutesMax = 40_320;
const thresholdMax = 720;
const environmentCharactersMax = 64;
const slugCharactersMax = 50;
const slugTextMax = 200;
const statuses = ['in_progress', 'ok', 'error'] as const;

export function parseCheckIn(item: unknown) {
  if (!isJsonObject(item)) return null;
  const slug = monitorSlugOf(getOwn(item, 'monitor_slug'));
  const sentStatus = getOwn(item, 'status');
  const status = statuses.find((each) => each === sentStatus);
  if (slug === null || status === undefined) return null;
  const duration = getOwn(item, 'duration');
  const environment = getOwn(item, 'environment');
  const settings = parseMonitorConfig(getOwn(item, 'monitor_config'));
  return {
    /** 32 hex digits. Null if missing or all zeros, which means the latest check-in. */
    id: parseCheckInId(getOwn(item, 'check_in_id')),
    slug,
    status,
    durationMs: isDurationSeconds(duration) ? Math.round(duration * 1000) : null,
    environment:
      (typeof environment === 'string' && toOneLine(cutText(environment, environmentCharactersMax))) ||
      defaultEnvironment,
    settings: typeof settings === 'string' ? null : settings,
    /** Which parameter keeps the settings from being read, and what it takes; null where there are settings. */
    settingsFault: typeof settings === 'string' ? settings : null,
  };
}

/** The settings, with defaults for other invalid members; an error sentence if schedule or time zone are invalid. */
function parseMonitorConfig(config: unknown): CronSettings | string {
  const schedule = isJsonObject(config) ? getOwn(config, 'schedule') : undefined;
  if (!isJsonObject(config) || !isJsonObject(schedule)) {
    return 'the check-in has no monitor_config.schedule, an object with type and value.';
  }
  const [type, value, unit] = [getOwn(schedule, 'type'), getOwn(schedule, 'value'), getOwn(schedule, 'unit')];
  const read = parseSchedule(type, value, unit);
  if (read === null) return `monitor_config.schedule.${scheduleFault(type, unit)}`;
  const timezone = findTimeZone(getOwn(config, 'timezone') ?? 'UTC');
  if (timezone === null) {
    return 'monitor_config.timezone must be the name of a time zone such as Europe/Berlin.';
  }
  return {
    schedule: read,
    timezone,
    marginMs: parseCount(config, 'checkin_margin', defaultCron.marginMs / minuteMs, minutesMax) * minuteMs,
    runtimeMs: parseCount(config, 'max_runtime', defaultCron.runtimeMs / minuteMs, minutesMax) * minuteMs,
    failures: parseCount(config, 'failure_issue_threshold', 1, thresholdMax),
    recoveries: parseCount(config, 'recovery_threshold', 1, thresholdMax),
  };
}

function parseCount(config: JsonObject, name: string, usual: number, max: number): number {
  const value = getOwn(config, name);
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 1;
  return isCount ? Math.min(value, max) : usual;
}

/** Same spelling as Sentry's server: lower case, digits, hyphens. Null if nothing is left. */
export function monitorSlugOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > slugTextMax) return null;
  const slug = value
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .slice(0, slugCharactersMax)
    .replace(/^[-_]+|[-_]+$/g, '');
  return slug === '' ? null : slug;
}

function parseCheckInId(value: unknown): string | null {
  const id = parseEventId(value);
  return id === null || /^0+$/.test(id) ? null : id;
}

function isDurationSeconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 31 * 86_400;
}
