// Cron settings, named as in Sentry's `monitor_config`.
import type { MonitorChangeRequest } from '../../../../schemas/monitors.ts';
import { invalidParam, missingParams } from '../../errors.ts';
import { minuteMs } from '../../reading/spans.ts';
import { requireZone } from '../../reading/words/clocks.ts';
import type { CronTerms } from '../../store/monitors/cron.ts';
import { usualCron } from './check-ins.ts';
import { scheduleOfText, scheduleText } from './schedule.ts';

export const ofJobs = [
  'schedule',
  'timezone',
  'checkin_margin',
  'max_runtime',
  'failure_issue_threshold',
  'recovery_threshold',
] as const satisfies ReadonlyArray<keyof MonitorChangeRequest>;

/** Throws 400 without a schedule, and for one that never runs. */
export function cronTermsOf(asked: MonitorChangeRequest, before: CronTerms | null): CronTerms {
  const { schedule: text, timezone: zone } = asked;
  const schedule = text == null || text === '' ? before?.schedule : scheduleOfText(text);
  if (schedule === undefined) throw missingParams(['schedule']);
  if (schedule === null) {
    throw invalidParam({
      schedule: 'schedule must be a crontab that occurs, or an interval, for example 10 minutes.',
    });
  }
  const usual = before ?? usualCron;
  const timezone = zone == null || zone === '' ? usual.timezone : requireZone(zone);
  return {
    schedule,
    timezone,
    marginMs: asked.checkin_margin == null ? usual.marginMs : asked.checkin_margin * minuteMs,
    runtimeMs: asked.max_runtime == null ? usual.runtimeMs : asked.max_runtime * minuteMs,
    failures: asked.failure_issue_threshold ?? usual.failures,
    recoveries: asked.recovery_threshold ?? usual.recoveries,
  };
}

export interface CronView {
  readonly schedule: string;
  readonly timezone: string;
  readonly checkin_margin: number;
  readonly max_runtime: number;
  readonly failure_issue_threshold: number;
  readonly recovery_threshold: number;
}

export function cronView(terms: CronTerms): CronView {
  const { schedule, timezone, marginMs, runtimeMs, failures, recoveries } = terms;
  return {
    schedule: scheduleText(schedule),
    timezone,
    checkin_margin: marginMs / minuteMs,
    max_runtime: runtimeMs / minuteMs,
    failure_issue_threshold: failures,
    recovery_threshold: recoveries,
  };
}
