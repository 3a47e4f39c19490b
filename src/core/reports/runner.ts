// Background loop: stores weekly and monthly reports over all projects, and sends scheduled ones.

import { newMessageId } from '../alerts/messages/message.ts';
import { isInQuietHours } from '../alerts/quiet-hours.ts';
import type { AuditSource } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import {
  countDelayMs,
  isCountable,
  listLastPeriods,
  type Period,
  previousPeriod,
} from '../page-models/reports/period.ts';
import { loadReportBody } from '../page-models/reports/stored-report.ts';
import { preventLinks, toOneLine } from '../parsing/display-text.ts';
import { minuteMs } from '../parsing/durations.ts';
import { type PeriodicJob, startPeriodicJob } from '../periodic-job.ts';
import type { ChannelRecord, NewDelivery } from '../store/alert-records.ts';
import type { Project } from '../store/projects.ts';
import type { ReportSchedule } from '../store/reports.ts';
import { createReport, periodOfReport } from './reports.ts';
import { latestDuePeriod, nextReportSendMs } from './schedules.ts';
import { buildReportSummary, type ReportSummary, reportSummaryText } from './summary.ts';

const unsubscribePath = '/reports/schedules';

const missedPeriodsMax = { week: 14, month: 4 } as const;

export const systemSource: AuditSource = {
  actor: { kind: 'system', id: null, name: 'notifier' },
  network: '',
  requestId: null,
};

export function startReportLoop(
  deps: Deps,
  { pagesUrl, everyMs = minuteMs }: { readonly pagesUrl: string | null; readonly everyMs?: number },
): PeriodicJob {
  let dueAtMs = Number.NEGATIVE_INFINITY;
  return startPeriodicJob({
    everyMs,
    warn: (error) => deps.log.warn({ error: String(error) }, 'processing of reports failed'),
    async run(state) {
      await make(state).catch(state.logError);
      await sendDueReports(deps, {
        pagesUrl,
        by: systemSource,
        isOver: () => state.stopped,
        logError: state.logError,
      });
    },
  });
  async function make(state: { readonly stopped: boolean; logError(error: unknown): void }): Promise<void> {
    const nowMs = deps.now();
    // Also runs after the clock was set back.
    if (nowMs < dueAtMs && nowMs >= dueAtMs - periodEndIntervalMsMax) return;
    let isWhole = true;
    for (const period of await missingPeriods(deps)) {
      if (state.stopped) return;
      // A failed report does not block others; the next run tries again.
      await createReport(deps, null, period.id, systemSource, () => state.stopped).catch((error: unknown) => {
        isWhole = false;
        state.logError(error);
      });
    }
    if (isWhole) dueAtMs = nextPeriodEndMs(nowMs);
  }
}

/** No two ends of periods are further apart. */
const periodEndIntervalMsMax = 8 * 24 * 60 * minuteMs;

function nextPeriodEndMs(nowMs: number): number {
  const ends = (['week', 'month'] as const).flatMap((kind) =>
    listLastPeriods(kind, nowMs, 2).map(({ toMs }) => toMs + countDelayMs),
  );
  return Math.min(...ends.filter((atMs) => atMs > nowMs));
}

/** Finished periods without a report, since the first project, oldest first. */
async function missingPeriods({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<Period[]> {
  const nowMs = now();
  const projects = await store.listProjects();
  if (projects.length === 0) return [];
  const sinceMs = Math.min(...projects.map(({ createdAtMs }) => createdAtMs));
  const stored = new Set((await store.listSavedReports(null)).map(({ period }) => period));
  return (['week', 'month'] as const)
    .flatMap((kind) => listLastPeriods(kind, nowMs, missedPeriodsMax[kind]))
    .filter(({ toMs }) => toMs > sinceMs && toMs + countDelayMs <= nowMs)
    .filter((period) => !stored.has(period.id) && isCountable(previousPeriod(period), nowMs))
    .sort((one, other) => one.toMs - other.toMs);
}

interface Sending {
  readonly pagesUrl: string | null;
  readonly by: AuditSource;
  isOver(): boolean;
  logError(error: unknown): void;
}

/** After a downtime only the newest report is sent. */
async function sendDueReports(deps: Deps, sending: Sending): Promise<void> {
  for (const schedule of await deps.store.listDueSchedules(deps.now())) {
    if (sending.isOver()) return;
    await sendReport(deps, schedule, sending).catch(sending.logError);
  }
}

async function sendReport(deps: Deps, schedule: ReportSchedule, sending: Sending): Promise<void> {
  const { store } = deps;
  const channel = await store.findChannelRecord(schedule.channelId);
  if (channel === null) return void (await store.deleteReportSchedule(schedule.id));
  const { projectId } = schedule;
  const project = projectId === null ? null : await store.findProject(projectId);
  // The schedule will be deleted with its project.
  if (projectId !== null && project === null) return;
  // During quiet hours it waits; a paused channel gets nothing.
  if (isInQuietHours(channel.quietHours, deps.now())) return;
  const isPaused = channel.state === 'paused';
  const delivery = isPaused ? null : await buildReportDelivery(deps, schedule, { channel, project }, sending);
  const nextMs = nextReportSendMs(schedule, deps.now());
  await store.transaction(async (within) => {
    const isOurs = await within.postponeSchedule(schedule, nextMs);
    if (isOurs && delivery !== null) await within.addDelivery(delivery);
  });
}

async function buildReportDelivery(
  deps: Deps,
  schedule: ReportSchedule,
  { channel, project }: { readonly channel: ChannelRecord; readonly project: Project | null },
  { pagesUrl, by, isOver }: Sending,
): Promise<NewDelivery> {
  const { projectId, kind } = schedule;
  const period = latestDuePeriod(schedule, deps.now());
  const { report } = await createReport(deps, projectId, period.id, by, isOver);
  const title = kind === 'week' ? 'Weekly report' : 'Monthly report';
  const summary = buildReportSummary(periodOfReport(report), await loadReportBody(deps.store, report));
  const of = project === null ? 'all projects' : preventLinks(toOneLine(project.name));
  const reason = `“${toOneLine(channel.name)}” receives this report every ${kind}.`;
  const path = `/reports/${report.period}`;
  const projectPath = projectId === null ? path : `${path}?project=${projectId}`;
  const context = { pagesUrl, path: projectPath, reason, stopPath: unsubscribePath };
  const { text, html } = buildReportMail({ ...summary, title: `${summary.title}: ${of}` }, context);
  return {
    projectId,
    channelId: channel.id,
    messageId: newMessageId(deps),
    atMs: deps.now(),
    subject: `${title}: ${summary.title}, ${of}`,
    rule: title,
    why: reason,
    path,
    body: text,
    html,
  };
}

// A report as text and HTML mail. Names come from users, so they are escaped and only our own URLs are links.

interface MailContext {
  /** Without a slash at the end; null without pages. */
  readonly pagesUrl: string | null;
  /** Relative to `pagesUrl`. */
  readonly path: string;
  readonly reason: string;
  /** Where to unsubscribe, relative to `pagesUrl`. */
  readonly stopPath: string;
}

export function buildReportMail(
  summary: ReportSummary,
  context: MailContext,
): { readonly text: string; readonly html: string } {
  return { text: buildText(summary, context), html: buildHtml(summary, context) };
}

function buildText(summary: ReportSummary, { pagesUrl, path, reason, stopPath }: MailContext): string {
  const links = pagesUrl === null ? [] : ['', `Full report: ${pagesUrl}${path}`];
  const stop = pagesUrl === null ? [] : [`Unsubscribe: ${pagesUrl}${stopPath}`];
  return [reportSummaryText(summary, pagesUrl), ...links, '', reason, ...stop, ''].join('\n');
}

const cell = 'padding:6px 12px 6px 0;border-bottom:1px solid #ddd;text-align:left;vertical-align:top';
const figure = `${cell};text-align:right;white-space:nowrap`;
const soft = 'color:#555';

function buildHtml(
  { title, figures, sections }: ReportSummary,
  { pagesUrl, path, reason, stopPath }: MailContext,
): string {
  const link = (to: string, words: string): string =>
    pagesUrl === null
      ? escapeHtml(words)
      : `<a href="${escapeHtml(pagesUrl + encodeURI(to))}">${escapeHtml(words)}</a>`;
  const rows = figures.map(
    (row) =>
      `<tr><th scope="row" style="${cell};font-weight:400">${escapeHtml(row.label)}</th>` +
      `<td style="${figure}"><b>${escapeHtml(row.figure)}</b></td>` +
      `<td style="${figure};${soft}">${escapeHtml(row.before)}</td></tr>`,
  );
  const lists = sections.map(
    (part) =>
      `<h2 style="font-size:16px;margin:24px 0 4px">${escapeHtml(part.title)}</h2>` +
      `<table style="border-collapse:collapse;width:100%">${part.rows
        .map(
          (row) =>
            `<tr><td style="${cell}">${link(row.path, row.name)}</td>` +
            `<td style="${figure}">${escapeHtml(row.figure)}</td></tr>`,
        )
        .join('')}</table>`,
  );
  const fullReportLink = pagesUrl === null ? '' : `<p>${link(path, 'Full report')}</p>`;
  const stop = pagesUrl === null ? '' : ` ${link(stopPath, 'Unsubscribe')}.`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`,
    '<body style="font:15px/1.5 system-ui,sans-serif;color:#111;max-width:640px;margin:24px auto;padding:0 12px">',
    `<h1 style="font-size:20px;margin:0 0 12px">${escapeHtml(title)}</h1>${fullReportLink}`,
    '<table style="border-collapse:collapse;width:100%">',
    `<tr><td></td><th scope="col" style="${figure};${soft}">Now</th>`,
    `<th scope="col" style="${figure};${soft}">Before</th></tr>${rows.join('')}</table>`,
    ...lists,
    `<p style="${soft};font-size:13px;margin-top:24px">${escapeHtml(reason)}${stop}</p></body></html>`,
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
