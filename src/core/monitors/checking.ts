// One check: the question, what it says, and what that changes of the monitor.
import type { Asked, Checker } from '../ports/checker.ts';
import type { CheckOutcome, KeptMonitor } from '../store/monitors/monitoring.ts';
import type { MaintenanceWindow } from '../store/monitors/windows.ts';
import { afterTime } from './cron/standing.ts';
import { afterSilence, heardOutcome } from './heartbeat.ts';
import { isJob, jobOutcome } from './jobs.ts';
import { type Judged, judgeCertificate, judgePage, judgePort, judgeRecords } from './judging.ts';
import { nextPlaceMs, secondTryMs } from './schedule.ts';
import { after } from './standing.ts';
import { turnsOf } from './turns.ts';
import { restingOutcome } from './windows/resting.ts';

/**
 * Asks, and answers what is to be written down. What is called is late, where its time has come; where
 * planned work goes on, nothing is asked.
 */
export async function checkMonitor(
  { checker, now }: { readonly checker: Checker; now(): number },
  monitor: KeptMonitor,
  windows: readonly MaintenanceWindow[] = [],
): Promise<CheckOutcome> {
  const atMs = now();
  const resting = restingOutcome(monitor, windows, atMs);
  if (resting !== null) return resting;
  if (monitor.type === 'heartbeat') return heardOutcome(monitor, afterSilence(monitor, atMs));
  if (isJob(monitor)) return jobOutcome(monitor, afterTime(monitor, monitor.terms.cron, atMs));
  const judged = await ask(checker, monitor, atMs);
  return judged === null ? unaskedOutcome(monitor, atMs) : outcomeOf(monitor, judged, atMs);
}

/** Why it is not checked: the server may not ask there, which says nothing about what is watched. */
const unaskedReason = 'not checked: a private address, which NOTIFIER_FETCH_ALLOW does not name';

/** It is neither up nor down, nobody is notified, and its time is not counted. */
function unaskedOutcome(monitor: KeptMonitor, atMs: number): CheckOutcome {
  const { state, stateSinceMs, reason, countedToMs, certificateEndsAtMs } = monitor;
  const isSame = state === 'pending' && reason === unaskedReason;
  return {
    monitor,
    check: null,
    standing: {
      state: 'pending',
      stateSinceMs: isSame ? stateSinceMs : atMs,
      reason: unaskedReason,
      suspicion: null,
      countedToMs: Math.max(countedToMs, atMs),
    },
    times: [],
    turns: [],
    certificateEndsAtMs,
    nextCheckAtMs: nextPlaceMs(monitor, atMs),
    runs: null,
  };
}

/** Null where the server may not ask there. */
async function ask(checker: Checker, monitor: KeptMonitor, atMs: number): Promise<Judged | null> {
  const { type, terms, timeoutMs } = monitor;
  const { url, method, headers, body, host, port, record, contains, lacks, jsonPath, redirect } = terms;
  if (type === 'tcp') {
    const asked = await checker.port({ host, port, timeoutMs });
    return isOurRefusal(asked) ? null : judgePort(terms, asked);
  }
  if (type === 'tls') {
    const asked = await checker.certificate({ host, port, timeoutMs });
    return isOurRefusal(asked) ? null : judgeCertificate(terms, asked, atMs);
  }
  if (record !== '') {
    const asked = await checker.records({ name: host, kind: record, timeoutMs });
    return isOurRefusal(asked) ? null : judgeRecords(terms, record, asked);
  }
  const reads = contains !== '' || lacks !== '' || jsonPath !== '';
  const request = { method, headers, body };
  const asked = await checker.page({ url, request, timeoutMs, follows: redirect === '', reads });
  return isOurRefusal(asked) ? null : judgePage(terms, asked, atMs);
}

function isOurRefusal(asked: Asked<unknown>): boolean {
  return !asked.ok && asked.isOurRefusal === true;
}

function outcomeOf(monitor: KeptMonitor, judged: Judged, atMs: number): CheckOutcome {
  const { intervalMs, timeoutMs, lastCheck } = monitor;
  const { result, code, reason, durationMs } = judged;
  const { standing, times, isInDoubt, isEnding } = after(monitor, judged, atMs, {
    confirmations: monitor.terms.confirmations,
    watchedMsMax: 2 * intervalMs + timeoutMs,
    intervalMs,
    lastCheckAtMs: lastCheck?.atMs ?? null,
  });
  return {
    monitor,
    check: { atMs, result, code, durationMs, from: '', message: reason },
    standing,
    times,
    turns: turnsOf(monitor, standing, { isEnding }),
    // Who cannot be reached has its certificate all the same.
    certificateEndsAtMs:
      judged.certificateEndsAtMs ?? (result === 'down' ? monitor.certificateEndsAtMs : null),
    nextCheckAtMs: isInDoubt ? secondTryMs(monitor, atMs) : nextPlaceMs(monitor, atMs),
    runs: null,
  };
}
