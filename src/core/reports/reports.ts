import type { ReportHeadView } from '../../../schemas/reports.ts';
import { type AuditEvent, type AuditSource, audited, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import {
  createBadRequestError,
  createGetter,
  createInvalidParamError,
  createNotFoundError,
  type OwnerProjectId,
} from '../errors.ts';
import { computeReport, type ReportBody } from '../page-models/reports/body.ts';
import { countDelayMs, isCountable, type Period, parsePeriod } from '../page-models/reports/period.ts';
import { loadReportBody, parseReportTotals, serializeReport } from '../page-models/reports/stored-report.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { SavedReport, SavedReportSummary } from '../store/reports.ts';

/** Creates and stores the report of a finished period, or returns the existing one. Throws 400 for an invalid,
 * unfinished or too old period, 404 for an unknown project. Throws an error if `isStopping` becomes true. */
export async function createReport(
  deps: Deps,
  projectId: OwnerProjectId,
  name: string,
  by: AuditSource,
  isStopping: () => boolean = () => false,
): Promise<{ readonly report: SavedReport; readonly isNew: boolean }> {
  const period = parsePeriod(name);
  if (period === null) {
    throw createInvalidParamError({
      period: 'period must be a week or month, for example 2026-W47 or 2026-11.',
    });
  }
  const existing = await deps.store.findReportOf(projectId, period.id);
  if (existing !== null) return { report: existing, isNew: false };
  requireFinished(period, deps.now());
  const throwIfCancelled = (): void => {
    if (isStopping()) throw new Error('The report was canceled because the server is stopping.');
  };
  const report = await storeNewReport(deps, projectId, period, { by, throwIfCancelled });
  if (report !== null) return { report, isNew: true };
  const other = await deps.store.findReportOf(projectId, period.id);
  if (other === null) throw new Error('The report was not found after the insert conflicted.');
  return { report: other, isNew: false };
}

function requireFinished(period: Period, nowMs: number): void {
  const fromMs = period.toMs + countDelayMs;
  if (nowMs < fromMs) {
    const from = formatTime(fromMs);
    throw createBadRequestError(
      'notifier_report_not_over',
      `${period.id} is not over. Its report can be created from ${from}.`,
    );
  }
  if (!isCountable(period, nowMs)) {
    const message = `${period.id} is too long ago: hourly counts are kept for 100 days.`;
    throw createBadRequestError('notifier_report_too_old', message);
  }
}

interface ReportCreation {
  readonly by: AuditSource;
  throwIfCancelled(): void;
}

async function storeNewReport(
  deps: Deps,
  projectId: OwnerProjectId,
  period: Period,
  { by, throwIfCancelled }: ReportCreation,
): Promise<SavedReport | null> {
  const projects = await deps.store.listProjects();
  const project = projects.find(({ id }) => id === projectId) ?? null;
  // Without this check it would become a report over all projects.
  if (projectId !== null && project === null) throw createNotFoundError('project');
  const nowMs = deps.now();
  const computed = await computeReport({ deps, projects, project, nowMs }, period);
  const body = {
    ...computed,
    projects: await countAffectedUsers(deps, computed.projects, period, throwIfCancelled),
  };
  return runAudited(deps, by, async ({ store }) => {
    const metadata = { projectId, period: period.id, madeAtMs: nowMs, madeBy: by.actor.name };
    const projectIds = body.projects.map(({ project_id: id }) => id);
    const result = await store.saveReport({ ...metadata, ...serializeReport(body) }, projectIds);
    return { result, auditEvent: result === null ? null : auditEntry(result, 'report.created') };
  });
}

function auditEntry(
  { projectId, period }: SavedReport,
  action: 'report.created' | 'report.deleted',
): AuditEvent {
  return { action, object: { kind: 'report', id: period, name: period }, projectId };
}

const usersMax = 100_000;

/** Counted per project, because user hashes differ between projects. A lower bound if events were deleted. */
async function countAffectedUsers(
  { store }: Pick<Deps, 'store'>,
  projects: ReportBody['projects'],
  period: Period,
  throwIfCancelled: () => void,
): Promise<ReportBody['projects']> {
  const counted: Array<ReportBody['projects'][number]> = [];
  for (const each of projects) {
    throwIfCancelled();
    const { users, events, isCut } = await store.affectedUsers(
      each.project_id,
      period,
      usersMax,
      throwIfCancelled,
    );
    counted.push({ ...each, users, users_or_more: isCut || events < each.events });
  }
  return counted;
}

export const getReport = createGetter('report', (store: Deps['store'], id) => store.findSavedReport(id));

/** The period is computed again from then on, where its data still exists. */
export const deleteReport = audited(async ({ store }, projectId: OwnerProjectId, id: number) => {
  const result = await getReport({ store }, projectId, id);
  await store.deleteSavedReport(id);
  return { result, auditEvent: auditEntry(result, 'report.deleted') };
});

export function viewReportHead(report: SavedReportSummary): ReportHeadView {
  const { id, kind, fromMs, toMs } = periodOfReport(report);
  return {
    report_id: report.id,
    period: id,
    kind,
    from: formatTime(fromMs),
    to: formatTime(toMs),
    made_at: formatTime(report.madeAtMs),
    made_by: report.madeBy,
    sums: parseReportTotals(report),
  };
}

export async function viewReport(
  { store }: Pick<Deps, 'store'>,
  report: SavedReport,
): Promise<ReportHeadView & ReportBody> {
  return { ...viewReportHead(report), ...(await loadReportBody(store, report)) };
}

export function periodOfReport({ period: name }: Pick<SavedReport, 'period'>): Period {
  const period = parsePeriod(name);
  if (period === null) throw new Error(`A report of ${name} is kept, which is no period.`);
  return period;
}
