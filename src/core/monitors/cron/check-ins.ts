// Check-ins of Sentry's SDKs and `sentry-cli monitors run`, read from items of envelopes: leniently where a
// value is left out or odd, and not at all where it names no monitor or no status. Pure.
import { parseEventId } from '../../ids.ts';
import { cutText } from '../../reading/cut-text.ts';
import { isRecord, type JsonRecord, own } from '../../reading/lenient.ts';
import { oneLine } from '../../reading/one-line.ts';
import { minuteMs } from '../../reading/spans.ts';
import { zoneOf } from '../../reading/words/clocks.ts';
import type { CronTerms } from '../../store/monitors/cron.ts';
import { scheduleOf } from './schedule.ts';

/** What is usual where nothing is said of it. */
export const usualCron: Omit<CronTerms, 'schedule'> = {
  timezone: 'UTC',
  marginMs: minuteMs,
  runtimeMs: 30 * minuteMs,
  failures: 1,
  recoveries: 1,
};
export const usualEnvironment = 'production';

export interface CheckIn {
  /** 32 hex; null where the sender gave none, or asks for its last one (all zeros). */
  readonly id: string | null;
  readonly slug: string;
  readonly status: 'in_progress' | 'ok' | 'error';
  readonly durationMs: number | null;
  readonly environment: string;
  /** Null where nothing is said of it, or nothing that can be. */
  readonly terms: CronTerms | null;
}

/** In minutes, and in runs; the schemas of the routes say the same. */
const minutesMax = 40_320;
const thresholdMax = 720;
const environmentCharactersMax = 64;
const slugCharactersMax = 50;
const slugTextMax = 200;
const statuses = ['in_progress', 'ok', 'error'] as const;

/** What an item says, or null for what is no check-in. */
export function readCheckIn(item: unknown): CheckIn | null {
  if (!isRecord(item)) return null;
  const slug = jobSlugOf(own(item, 'monitor_slug'));
  const said = own(item, 'status');
  const status = statuses.find((each) => each === said);
  if (slug === null || status === undefined) return null;
  const duration = own(item, 'duration');
  const environment = own(item, 'environment');
  return {
    id: idOf(own(item, 'check_in_id')),
    slug,
    status,
    durationMs: isLength(duration) ? Math.round(duration * 1000) : null,
    environment:
      (typeof environment === 'string' && oneLine(cutText(environment, environmentCharactersMax))) ||
      usualEnvironment,
    terms: termsOf(own(item, 'monitor_config')),
  };
}

/** A config with a schedule that comes, in a zone that there is; what else is odd in it is as usual. */
function termsOf(config: unknown): CronTerms | null {
  if (!isRecord(config)) return null;
  const schedule = own(config, 'schedule');
  if (!isRecord(schedule)) return null;
  const read = scheduleOf(own(schedule, 'type'), own(schedule, 'value'), own(schedule, 'unit'));
  const timezone = zoneOf(own(config, 'timezone') ?? 'UTC');
  if (read === null || timezone === null) return null;
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

/** The name of a job as Sentry's servers spell it: small letters, digits, dashes; null for none. */
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
