// Test cases whose failures are ignored for a time (docs/test-reports.md, "Quarantine").
import type { QuarantineRequest, QuarantineView } from '../../../schemas/quarantine.ts';
import { type AuditSource, audited, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createInvalidParamError, createNotFoundError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import { dayMs } from '../parsing/durations.ts';
import { type EpochMs, formatDate, formatTime, parseTime } from '../parsing/timestamps.ts';
import type { Project } from '../store/projects.ts';
import { type QuarantinedCase, quarantinedCasesMax } from '../store/test-runs.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

const quarantineDaysMax = 90;
const auditedCharactersMax = 200;

export function viewQuarantinedCase(entry: QuarantinedCase): QuarantineView {
  return {
    quarantine_id: entry.id,
    case_id: entry.caseId,
    name: entry.name,
    suite: JSON.parse(entry.suite),
    file: entry.file,
    reason: entry.reason,
    issue_id: entry.issueId,
    until: formatTime(entry.untilMs),
    created_at: formatTime(entry.createdAtMs),
    created_by: entry.createdBy,
  };
}

/** Replaces the entry of a case that has one. Throws 404 for a case that never ran, 400 for a bad time or issue. */
export async function quarantineCase(
  deps: ServiceDeps,
  project: Pick<Project, 'id'>,
  input: QuarantineRequest,
  by: AuditSource,
): Promise<QuarantinedCase> {
  const untilMs = parseEnd(input.until, deps.now());
  const issueId = input.issue_id ?? null;
  return runAudited(deps, by, async ({ store, now }) => {
    const nowMs = now();
    const latest = await store.listCaseRuns(project.id, input.case_id, {
      descending: true,
      limit: 1,
      offset: 0,
    });
    const result = latest.rows[0]?.result;
    if (result === undefined) throw createNotFoundError('test_case');
    if (issueId !== null && (await store.findIssue(project.id, issueId)) === null) {
      throw createInvalidParamError({ issue_id: 'issue_id contains an issue that does not exist.' });
    }
    await store.removeEndedQuarantine(project.id, nowMs);
    const others = await store.listQuarantinedCases(project.id, nowMs);
    if (others.length >= quarantinedCasesMax && !others.some(({ caseId }) => caseId === result.caseId)) {
      throw createBadRequestError(
        'notifier_quarantine_full',
        `A project can have at most ${quarantinedCasesMax} quarantined test cases.`,
      );
    }
    const { caseId, name, suite, file } = result;
    const entry = await store.putQuarantinedCase({
      ...{ projectId: project.id, caseId, name, suite, file, issueId, untilMs },
      reason: input.reason.trim(),
      createdAtMs: nowMs,
      createdBy: by.actor.name,
    });
    const summary = cutText(`until ${formatDate(untilMs)}: ${entry.reason}`, auditedCharactersMax);
    return { result: entry, auditEvent: { ...auditEventOf(entry, 'test_case.quarantined'), summary } };
  });
}

/** Throws 404. */
export const endQuarantine = audited(async ({ store }, project: Pick<Project, 'id'>, id: number) => {
  const entry = await store.removeQuarantinedCase(project.id, id);
  if (entry === null) throw createNotFoundError('quarantine');
  return { result: entry, auditEvent: auditEventOf(entry, 'test_case.quarantine_ended') };
});

function auditEventOf(
  entry: QuarantinedCase,
  action: 'test_case.quarantined' | 'test_case.quarantine_ended',
) {
  const name = cutText(entry.name, auditedCharactersMax);
  return { action, object: { kind: 'test_case', id: entry.caseId, name }, projectId: entry.projectId };
}

function parseEnd(until: unknown, nowMs: EpochMs): EpochMs {
  const untilMs = parseTime(until);
  if (untilMs === null) throw createInvalidParamError({ until: 'until is not RFC 3339.' });
  if (untilMs <= nowMs) throw createInvalidParamError({ until: 'until must not be in the past.' });
  if (untilMs > nowMs + quarantineDaysMax * dayMs) {
    const sentence = `until must not be later than ${quarantineDaysMax} days from now.`;
    throw createInvalidParamError({ until: sentence });
  }
  return untilMs;
}
