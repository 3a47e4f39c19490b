import { type AuditBy, type AuditedAct, actAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { badRequest, invalidId, invalidParam, type Owner, ofOwner } from '../errors.ts';
import { momentText } from '../reading/moments.ts';
import type { KeptReport } from '../store/reports/kept.ts';
import { computeReport, type ReportBody } from '../workspace/reports/body.ts';
import { textsOfReport } from '../workspace/reports/kept.ts';
import { isCountable, type Period, periodOf, settleMs } from '../workspace/reports/period.ts';

/**
 * Creates and stores the report of a finished period, or returns the existing one. Throws 400 for an invalid,
 * unfinished or too old period, 404 for an unknown project. Throws an error if `isOver` becomes true.
 */
export async function makeReport(
  deps: Deps,
  projectId: Owner,
  name: string,
  by: AuditBy,
  isOver: () => boolean = () => false,
): Promise<{ readonly report: KeptReport; readonly isNew: boolean }> {
  const period = periodOf(name);
  if (period === null) {
    throw invalidParam({ period: 'period must be a week or month, for example 2026-W47 or 2026-11.' });
  }
  const there = await deps.store.findReportOf(projectId, period.id);
  if (there !== null) return { report: there, isNew: false };
  requireOver(period, deps.now());
  const goOn = (): void => {
    if (isOver()) throw new Error('The report was left: all is ending.');
  };
  const report = await keepNew(deps, projectId, period, { by, goOn });
  if (report !== null) return { report, isNew: true };
  const other = await deps.store.findReportOf(projectId, period.id);
  if (other === null) throw new Error('A report is there and cannot be found.');
  return { report: other, isNew: false };
}

function requireOver(period: Period, nowMs: number): void {
  const fromMs = period.toMs + settleMs;
  if (nowMs < fromMs) {
    const from = momentText(fromMs);
    throw badRequest(
      'notifier_report_not_over',
      `${period.id} is not over. Its report can be created from ${from}.`,
    );
  }
  if (!isCountable(period, nowMs)) {
    const why = `${period.id} is too long ago: hourly counts are kept for 100 days.`;
    throw badRequest('notifier_report_too_old', why);
  }
}

interface Making {
  readonly by: AuditBy;
  goOn(): void;
}

async function keepNew(
  deps: Deps,
  projectId: Owner,
  period: Period,
  { by, goOn }: Making,
): Promise<KeptReport | null> {
  const projects = await deps.store.listProjects();
  const project = projects.find(({ id }) => id === projectId) ?? null;
  // Without this check it would become a report over all projects.
  if (projectId !== null && project === null) throw invalidId('project');
  const nowMs = deps.now();
  const computed = await computeReport({ deps, projects, project, nowMs }, period);
  const body = { ...computed, projects: await withUsers(deps, computed.projects, period, goOn) };
  return actAudited(deps, by, async ({ store }) => {
    const made = { projectId, period: period.id, madeAtMs: nowMs, madeBy: by.actor.name };
    const told = body.projects.map(({ project_id: id }) => id);
    const result = await store.keepReport({ ...made, ...textsOfReport(body) }, told);
    return { result, told: result === null ? null : auditEntry(result, 'report.made') };
  });
}

function auditEntry({ projectId, period }: KeptReport, action: 'report.made' | 'report.deleted'): AuditedAct {
  return { action, object: { kind: 'report', id: period, name: period }, projectId };
}

const usersMax = 100_000;

/** Counted per project, because user hashes differ between projects. A lower bound if events were deleted. */
async function withUsers(
  { store }: Pick<Deps, 'store'>,
  projects: ReportBody['projects'],
  period: Period,
  goOn: () => void,
): Promise<ReportBody['projects']> {
  const told: Array<ReportBody['projects'][number]> = [];
  for (const each of projects) {
    goOn();
    const { users, events, isCut } = await store.affectedUsers(each.project_id, period, usersMax, goOn);
    told.push({ ...each, users, users_or_more: isCut || events < each.events });
  }
  return told;
}

export async function getReport(
  { store }: Pick<Deps, 'store'>,
  projectId: Owner,
  id: number,
): Promise<KeptReport> {
  return ofOwner(await store.findKeptReport(id), projectId, 'report');
}

/** The period is computed again from then on, where its data still exists. */
export async function deleteReport(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: Owner,
  id: number,
  by: AuditBy,
): Promise<KeptReport> {
  return actAudited(deps, by, async ({ store }) => {
    const result = await getReport({ store }, projectId, id);
    await store.deleteKeptReport(id);
    return { result, told: auditEntry(result, 'report.deleted') };
  });
}
