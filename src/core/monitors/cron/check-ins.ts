// Reads check-ins of Sentry SDKs and `sentry-cli monitors run`. Odd values become defaults.
import { parseEventId } from '../../ids.ts';
import { cutText } from '../../reading/cut-text.ts';
import { isRecord, type JsonRecord, own } from '../../reading/lenient.ts';
import { oneLine } from '../../reading/one-line.ts';
import { minuteMs } from '../../reading/spans.ts';
import { zoneOf } from '../../reading/words/clocks.ts';
import type { CronTerms } from '../../store/monitors/cron.ts';
import { scheduleFault, scheduleOf } from './schedule.ts';

export const usualCron: Omit<CronTerms, 'schedule'> = {
  timezone: 'UTC',
  marginMs: minuteMs,
  runtimeMs: 30 * minuteMs,
  failures: 1,
  recoveries: 1,
};
export const usualEnvironment = 'production';

export interface CheckIn {
  /** 32 hex digits. Null if missing or all zeros, which means the latest check-in. */
  readonly id: string | null;
  readonly slug: string;
  readonly status: 'in_progress' | 'ok' | 'error';
  readonly durationMs: number | null;
  readonly environment: string;
  /** Null without a valid `monitor_config`. */
  readonly terms: CronTerms | null;
  /** Which parameter keeps the terms from being read, and what it takes; null where there are terms. */
  readonly termsFault: string | null;
}

/** Minutes and runs, the same as in the schemas of the API. */
const minutesMax = 40_320;
const thresholdMax = 720;
const environmentCharactersMax = 64;
const slugCharactersMax = 50;
const slugTextMax = 200;
const statuses = ['in_progress', 'ok', 'error'] as const;

export function readCheckIn(item: unknown): CheckIn | null {
  if (!isRecord(item)) return null;
  const slug = jobSlugOf(own(item, 'monitor_slug'));
  const said = own(item, 'status');
  const status = statuses.find((each) => each === said);
  if (slug === null || status === undefined) return null;
  const duration = own(item, 'duration');
  const environment = own(item, 'environment');
  const terms = termsOf(own(item, 'monitor_config'));
  return {
    id: idOf(own(item, 'check_in_id')),
    slug,
    status,
    durationMs: isLength(duration) ? Math.round(duration * 1000) : null,
    environment:
      (typeof environment === 'string' && oneLine(cutText(environment, environmentCharactersMax))) ||
      usualEnvironment,
    terms: typeof terms === 'string' ? null : terms,
    termsFault: typeof terms === 'string' ? terms : null,
  };
}

/**
 * A config with a schedule that comes, in a zone that there is; what else is odd in it is as usual. What is
 * wrong with it, in a sentence, where it has no such schedule or zone.
 */
function termsOf(config: unknown): CronTerms | string {
  const schedule = isRecord(config) ? own(config, 'schedule') : undefined;
  if (!isRecord(config) || !isRecord(schedule)) {
    return 'the check-in has no monitor_config.schedule, an object with type and value.';
  }
  const [type, value, unit] = [own(schedule, 'type'), own(schedule, 'value'), own(schedule, 'unit')];
  const read = scheduleOf(type, value, unit);
  if (read === null) return `monitor_config.schedule.${scheduleFault(type, unit)}`;
  const timezone = zoneOf(own(config, 'timezone') ?? 'UTC');
  if (timezone === null) {
    return 'monitor_config.timezone must be the name of a time zone such as Europe/Berlin.';
  }
  return {
    schedule: read,
    timezone,
    marginMs: countOf(config, 'checkin_margin', usualCron.marginMs / minuteMs, minutesMax) * minuteMs,
    runtimeMs: countOf(config, 'max_runtime', usualCron.runtimeMs / minuteMs, minutesMax) * minuteMs,
    failures: countOf(config, 'failure_issue_threshold', 1, thresholdMax),
    recoveries: countOf(config, 'recovery_threshold', 1, thresholdMax),
  };
}

function countOf(config: JsonRecord, name: string, usual: number, most: number): number {
  const value = own(config, name);
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 1;
  return isCount ? Math.min(value, most) : usual;
}

/** Same spelling as Sentry's server: lower case, digits, hyphens. Null if nothing is left. */
export function jobSlugOf(value: unknown): string | null {
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

function idOf(value: unknown): string | null {
  const id = parseEventId(value);
  return id === null || /^0+$/.test(id) ? null : id;
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 31 * 86_400;
}
