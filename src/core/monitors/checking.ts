// One check: the question, what it says, and what that changes of the monitor.
import type { Checker } from '../ports/checker.ts';
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
  return outcomeOf(monitor, await ask(checker, monitor, atMs), atMs);
}

async function ask(checker: Checker, monitor: KeptMonitor, atMs: number): Promise<Judged> {
  const { type, terms, timeoutMs } = monitor;
  const { url, host, port, record, contains, lacks, jsonPath, redirect } = terms;
  if (type === 'tcp') return judgePort(terms, await checker.port({ host, port, timeoutMs }));
  if (type === 'tls') {
    return judgeCertificate(terms, await checker.certificate({ host, port, timeoutMs }), atMs);
  }
  if (record !== '') {
    return judgeRecords(terms, record, await checker.records({ name: host, kind: record, timeoutMs }));
  }
  const reads = contains !== '' || lacks !== '' || jsonPath !== '';
  return judgePage(terms, await checker.page({ url, timeoutMs, follows: redirect === '', reads }), atMs);
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
