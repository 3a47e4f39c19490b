import type { MonitorRequest } from '../../../schemas/monitors.ts';
import { createConcurrencyLimit } from '../concurrency-limit.ts';
import type { Deps } from '../deps.ts';
import { createInvalidParamError, createOverloadError, createUnavailableError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import { minuteMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { MonitorCheckClient } from '../ports/monitor-check-client.ts';
import { type CronSettings, passiveMonitorTypes } from '../store/monitors.ts';
import { refusedReason, runCheck } from './check-monitor.ts';
import { clockOffsets, describeSchedule, nextRunMs } from './cron/schedule.ts';
import { defaultIntervals, readIntervals } from './monitors.ts';
import { defaultSettings, readMonitorSettings, refusePrivateTarget } from './settings.ts';

const runsShown = 5;
const answerCharactersMax = 600;

interface CheckTrial {
  readonly result: 'up' | 'degraded' | 'down';
  readonly status: string;
  readonly reason: string;
  readonly duration_ms: number | null;
  readonly certificate_ends_at: string | null;
  /** The start of the response, or the records found. */
  readonly answer: string;
}

type ScheduleTrial = ReturnType<typeof trySchedule>;

export type MonitorTrial = { readonly check: CheckTrial } | { readonly schedule: ScheduleTrial } | null;

/** Each may take as long as its timeout. */
const trials = createConcurrencyLimit({ atOnceMax: 4, waitingMax: 8, refusal: createOverloadError });

/** One check or the next runs, of input as `createMonitor` takes it. Saves nothing. Null for a heartbeat. */
export async function tryMonitor(
  { checker, reach, now }: Pick<Deps, 'checker' | 'reach' | 'now'>,
  input: MonitorRequest,
): Promise<MonitorTrial> {
  const { type } = input;
  const settings = readMonitorSettings(type, input, defaultSettings);
  refusePrivateTarget(reach, type, settings);
  const { timeoutMs } = readIntervals(input, settings, defaultIntervals, now());
  if (settings.cron !== null) return { schedule: trySchedule(settings.cron, now()) };
  if (passiveMonitorTypes.includes(type)) return null;
  if (checker === undefined) throw createUnavailableError();
  const seen = { text: '' };
  const judged = await trials.run(() =>
    runCheck(watching(checker, seen), { type, settings, timeoutMs }, now()),
  );
  if (judged === null) {
    throw createInvalidParamError({ [type === 'http' ? 'url' : 'host']: `It was ${refusedReason}.` });
  }
  return {
    check: {
      result: judged.result,
      status: judged.code,
      reason: judged.reason,
      duration_ms: judged.durationMs,
      certificate_ends_at: formatTime(judged.certificateEndsAtMs),
      answer: cutText(seen.text, answerCharactersMax),
    },
  };
}

/** Notes what was answered, which a saved monitor only reads if it has to. */
function watching(checker: MonitorCheckClient, seen: { text: string }): MonitorCheckClient {
  return {
    port: (question) => checker.port(question),
    certificate: (question) => checker.certificate(question),
    async page(question) {
      const response = await checker.page({ ...question, reads: true });
      if (response.ok) seen.text = response.found.text;
      return response;
    },
    async records(question) {
      const response = await checker.records(question);
      if (response.ok) seen.text = response.found.join('\n');
      return response;
    },
  };
}

function trySchedule({ schedule, timezone, marginMs, runtimeMs }: CronSettings, nowMs: number) {
  const runs: number[] = [];
  for (let atMs = nextRunMs(schedule, timezone, nowMs); atMs !== null && runs.length < runsShown; ) {
    runs.push(atMs);
    atMs = nextRunMs(schedule, timezone, atMs);
  }
  const { offsetMs, change } = clockOffsets(timezone, nowMs);
  return {
    /** In plain words; null for a schedule that has none. */
    words: describeSchedule(schedule),
    /** When the first of `runs` counts as missed. */
    missed_at: formatTime((runs[0] ?? nowMs) + marginMs),
    max_runtime: runtimeMs / minuteMs,
    timezone,
    runs: runs.map((atMs) => formatTime(atMs)),
    offset_minutes: offsetMs / minuteMs,
    change:
      change === null ? null : { at: formatTime(change.atMs), offset_minutes: change.offsetMs / minuteMs },
  };
}
