// When a job is to run, read from a request, and as it is shown: the words are those of `monitor_config`.
import type { MonitorChangeRequest } from '../../../../schemas/monitors.ts';
import { invalidParam, missingParams } from '../../errors.ts';
import { minuteMs } from '../../reading/spans.ts';
import { requireZone } from '../../reading/words/clocks.ts';
import type { CronTerms } from '../../store/monitors/cron.ts';
import { usualCron } from './check-ins.ts';
import { scheduleOfText, scheduleText } from './schedule.ts';

/** What is told of jobs alone. */
export const ofJobs = [
  'schedule',
  'timezone',
  'checkin_margin',
  'max_runtime',
  'failure_issue_threshold',
  'recovery_threshold',
] as const satisfies ReadonlyArray<keyof MonitorChangeRequest>;

/** The terms with what is asked for. Throws 400 for a schedule that never comes, and without one. */
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

/** In the words of `monitor_config`. */
export interface CronView {
  readonly schedule: string;
  readonly timezone: string;
  readonly checkin_margin: number;
  readonly max_runtime: number;
  readonly failure_issue_threshold: number;
  readonly recovery_threshold: number;
}

/** The terms as they are shown; the margin and the length in minutes. */
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
