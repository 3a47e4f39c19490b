// The rules of bug reports: who may file one, what is kept of it, how it is listed. The route and the
// envelope file alike.

import type { FeedbackWarning } from '../../../schemas/feedback.ts';
import { type AuditBy, actAudited } from '../audit/audit.ts';
import { toldOfReport } from '../audit/told.ts';
import type { Deps } from '../deps.ts';
import type { Sender } from '../domains/domains.ts';
import { invalidId } from '../errors.ts';
import type { PreparedReport } from '../ports/readings.ts';
import type { EpochMs } from '../reading/moments.ts';
import { type FieldKinds, scrubRecord } from '../scrub/record.ts';
import type {
  FeedbackSource,
  FeedbackState,
  NewFeedback,
  Screenshot,
  StoredFeedback,
  WholeFeedback,
} from '../store/feedback.ts';
import type { Project } from '../store/projects.ts';
import { admitBugReport } from './admission.ts';
import { readScreenshots } from './screenshots.ts';

const screenshotKinds: FieldKinds<Screenshot> = {
  contentType: 'kept',
  width: 'kept',
  height: 'kept',
  name: 'text',
  bytes: 'kept',
};

/** What the request around a report says of it. */
export interface FeedbackContext {
  readonly source: FeedbackSource;
  readonly sender: Pick<Sender, 'origin' | 'referer'>;
  readonly receivedAtMs: EpochMs;
  readonly userAgent?: string | undefined;
  /** The event beside the report in one envelope, 32 hex: what it is about where it names none itself. */
  readonly besideEventId?: string | null;
}

export interface FiledFeedback {
  readonly feedbackId: number;
  readonly eventId: string | null;
  readonly issueId: number | null;
  readonly truncated: boolean;
  /** True when the report was there before: nothing was stored. */
  readonly duplicate: boolean;
  readonly warnings: readonly FeedbackWarning[];
}

/**
 * Files a bug report that was read: linked to its error, marked as spam when the honeypot is filled. Throws
 * 403 with the reason where `admitBugReport` does not let it in (D-23), 400 for screenshots that are none.
 */
export async function fileReport(
  deps: Deps,
  project: Project,
  prepared: PreparedReport,
  context: FeedbackContext,
): Promise<FiledFeedback> {
  const { fields, page } = prepared;
  const sender = { ...context.sender, url: page.url ?? undefined, domain: page.domain ?? undefined };
  const eventId = fields.eventId ?? context.besideEventId ?? null;
  const domain = await admitBugReport(deps, project, sender, eventId, page.requestUrl);
  const images = readScreenshots(prepared.images, { lenient: prepared.isLenient });
  const report: NewFeedback = {
    ...fields,
    projectId: project.id,
    createdAtMs: context.receivedAtMs,
    domain,
    eventId,
    source: context.source,
    screenshots: images.screenshots.map((image) => scrubRecord(image, screenshotKinds, project)),
  };
  const recorded = await deps.store.recordFeedback(report);
  deps.outcomes.count({
    projectId: project.id,
    atMs: context.receivedAtMs,
    outcome: recorded.duplicate ? 'duplicate' : 'accepted',
    reason: '',
    category: 'feedback',
    quantity: 1,
  });
  deps.log.info({ projectId: project.id, feedbackId: recorded.id, spam: report.spam }, 'bug report filed');
  return {
    feedbackId: recorded.id,
    eventId,
    issueId: recorded.issueId,
    truncated: fields.truncated,
    duplicate: recorded.duplicate,
    warnings: [...prepared.warnings, ...images.warnings],
  };
}

/** A report of this project with all that belongs to it; 404 for an id that names none here. */
export async function getFeedback(deps: Deps, project: Project, id: number): Promise<WholeFeedback> {
  const found = await deps.store.findFeedback(project.id, id);
  if (found === null) throw invalidId('feedback');
  return found;
}

/** One screenshot of a report; 404 for an id or a place that names none here. */
export async function getScreenshot(
  deps: Deps,
  project: Project,
  id: number,
  place: number,
): Promise<Screenshot> {
  const screenshot = await deps.store.findScreenshot(project.id, id, place);
  if (screenshot === null) throw invalidId('feedback');
  return screenshot;
}

/** Removes a report and its screenshots, and answers what it was. */
export function deleteFeedback(
  deps: Deps,
  project: Project,
  id: number,
  by: AuditBy,
): Promise<StoredFeedback> {
  return actAudited(deps, by, async (parts) => {
    const { feedback } = await getFeedback(parts, project, id);
    if (!(await parts.store.deleteFeedback(project.id, id))) throw invalidId('feedback');
    return { result: feedback, told: toldOfReport(id, project.id) };
  });
}

/** Changes the state of all of these reports, or of none; what is so already is left as it is. */
export async function updateFeedbackState(
  deps: Pick<Deps, 'store' | 'now'>,
  reports: ReadonlyArray<Pick<StoredFeedback, 'id' | 'projectId' | 'state'>>,
  state: FeedbackState,
  by: AuditBy,
): Promise<void> {
  const changing = reports.filter((each) => each.state !== state);
  await actAudited(deps, by, async ({ store, now }) => {
    for (const { projectId, id } of changing) {
      await store.changeFeedbackState(projectId, id, { state, by: by.actor.name, atMs: now() });
    }
    const told = changing.map(({ id, projectId, state: before }) =>
      toldOfReport(id, projectId, 'feedback.changed', `${before} to ${state}`),
    );
    return { result: undefined, told };
  });
}
