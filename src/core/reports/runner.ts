// Background loop: stores the weekly and monthly report over all projects, so that it outlives its data, and
// sends scheduled reports.

import { newMessageId } from '../alerts/messages/message.ts';
import { isQuiet } from '../alerts/quiet-hours.ts';
import type { AuditBy } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { defuseLinks, oneLine } from '../reading/one-line.ts';
import { minuteMs } from '../reading/spans.ts';
import { type Rounds, startRounds } from '../rounds.ts';
import type { KeptChannel, NewDelivery } from '../store/alerting.ts';
import type { Project } from '../store/projects.ts';
import type { ReportSchedule } from '../store/reports/schedules.ts';
import { bodyOfKept } from '../workspace/reports/kept.ts';
import { before, isCountable, lastPeriods, type Period, settleMs } from '../workspace/reports/period.ts';
import { latestSent, nextSendMs } from './calendar.ts';
import { mailOf } from './mail.ts';
import { makeReport } from './making.ts';
import { periodOfReport } from './views.ts';
import { letterOf } from './words.ts';

const stopPath = '/reports/schedules';

/** How many missed periods are made up for. */
const madeUpFor = { week: 14, month: 4 } as const;

export const byItself: AuditBy = {
  actor: { kind: 'system', id: null, name: 'notifier' },
  net: '',
  requestId: null,
};

export function startReporting(
  deps: Deps,
  { pagesUrl, everyMs = minuteMs }: { readonly pagesUrl: string | null; readonly everyMs?: number },
): Rounds {
  let dueAtMs = Number.NEGATIVE_INFINITY;
  return startRounds({
    everyMs,
    warn: (error) => deps.log.warn({ error: String(error) }, 'processing of reports failed'),
    async round(state) {
      await make(state).catch(state.tell);
      await sendDue(deps, { pagesUrl, by: byItself, isOver: () => state.stopped, tell: state.tell });
    },
  });
  async function make(state: { readonly stopped: boolean; tell(error: unknown): void }): Promise<void> {
    const nowMs = deps.now();
    // Also runs after the clock was set back.
    if (nowMs < dueAtMs && nowMs >= dueAtMs - longestMs) return;
    let isWhole = true;
    for (const period of await missingPeriods(deps)) {
      if (state.stopped) return;
      // A failed report does not block others; the next run tries again.
      await makeReport(deps, null, period.id, byItself, () => state.stopped).catch((error: unknown) => {
        isWhole = false;
        state.tell(error);
      });
    }
    if (isWhole) dueAtMs = nextEndMs(nowMs);
  }
}

/** No two ends of periods are further apart. */
const longestMs = 8 * 24 * 60 * minuteMs;

function nextEndMs(nowMs: number): number {
  const ends = (['week', 'month'] as const).flatMap((kind) =>
    lastPeriods(kind, nowMs, 2).map(({ toMs }) => toMs + settleMs),
  );
  return Math.min(...ends.filter((atMs) => atMs > nowMs));
}

/** Finished periods without a report, since the first project, oldest first. */
async function missingPeriods({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<Period[]> {
  const nowMs = now();
  const projects = await store.listProjects();
  if (projects.length === 0) return [];
  const sinceMs = Math.min(...projects.map(({ createdAtMs }) => createdAtMs));
  const kept = new Set((await store.listKeptReports(null)).map(({ period }) => period));
  return (['week', 'month'] as const)
    .flatMap((kind) => lastPeriods(kind, nowMs, madeUpFor[kind]))
    .filter(({ toMs }) => toMs > sinceMs && toMs + settleMs <= nowMs)
    .filter((period) => !kept.has(period.id) && isCountable(before(period), nowMs))
    .sort((one, other) => one.toMs - other.toMs);
}

interface Sending {
  readonly pagesUrl: string | null;
  readonly by: AuditBy;
  isOver(): boolean;
  tell(error: unknown): void;
}

/** After a downtime only the newest report is sent. */
async function sendDue(deps: Deps, sending: Sending): Promise<void> {
  for (const schedule of await deps.store.listDueSchedules(deps.now())) {
    if (sending.isOver()) return;
    await sendOne(deps, schedule, sending).catch(sending.tell);
  }
}

async function sendOne(deps: Deps, schedule: ReportSchedule, sending: Sending): Promise<void> {
  const { store } = deps;
  const channel = await store.findKeptChannel(schedule.channelId);
  if (channel === null) return void (await store.deleteReportSchedule(schedule.id));
  const { projectId } = schedule;
  const project = projectId === null ? null : await store.findProject(projectId);
  // The schedule will be deleted with its project.
  if (projectId !== null && project === null) return;
  // During quiet hours it waits; a paused channel gets nothing.
  if (isQuiet(channel.quietHours, deps.now())) return;
  const isPaused = channel.state === 'paused';
  const delivery = isPaused ? null : await deliveryFor(deps, schedule, { channel, project }, sending);
  const nextMs = nextSendMs(schedule, deps.now());
  await store.together(async (within) => {
    const isOurs = await within.putOffSchedule(schedule, nextMs);
    if (isOurs && delivery !== null) await within.addDelivery(delivery);
  });
}

async function deliveryFor(
  deps: Deps,
  schedule: ReportSchedule,
  { channel, project }: { readonly channel: KeptChannel; readonly project: Project | null },
  { pagesUrl, by, isOver }: Sending,
): Promise<NewDelivery> {
  const { projectId, kind } = schedule;
  const period = latestSent(schedule, deps.now());
  const { report } = await makeReport(deps, projectId, period.id, by, isOver);
  const title = kind === 'week' ? 'Weekly report' : 'Monthly report';
  const letter = letterOf(periodOfReport(report), await bodyOfKept(deps.store, report));
  const of = project === null ? 'all projects' : defuseLinks(oneLine(project.name));
  const why = `“${oneLine(channel.name)}” receives this report every ${kind}.`;
  const path = `/reports/${report.period}`;
  const own = projectId === null ? path : `${path}?project=${projectId}`;
  const parts = { pagesUrl, path: own, why, stopPath };
  const { text, html } = mailOf({ ...letter, title: `${letter.title}: ${of}` }, parts);
  return {
    projectId,
    channelId: channel.id,
    messageId: newMessageId(deps),
    atMs: deps.now(),
    subject: `${title}: ${letter.title}, ${of}`,
    rule: title,
    why,
    path,
    body: text,
    html,
  };
}
