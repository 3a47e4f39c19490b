// The rules of bug reports: who may file one, what is kept of it, how it is listed. The route and the
// envelope file alike.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedbackWarning } from '../../../schemas/feedback.ts';
import { type AuditBy, actAudited } from '../audit/audit.ts';
import { toldOfReport } from '../audit/told.ts';
import type { Deps } from '../deps.ts';
import { domainOfSender, matchingDomain, type Sender } from '../domains/domains.ts';
import { forbidden, invalidId } from '../errors.ts';
import type { PreparedReport } from '../ports/readings.ts';
import type { EpochMs } from '../reading/moments.ts';
import { hostOfUrl } from '../reading/web-address.ts';
import { type FieldKinds, scrubRecord } from '../scrub/record.ts';
import type { Domain } from '../store/domains.ts';
import type {
  FeedbackSource,
  FeedbackState,
  NewFeedback,
  Screenshot,
  StoredFeedback,
  WholeFeedback,
} from '../store/feedback.ts';
import type { Project } from '../store/projects.ts';
import { readScreenshots } from './screenshots.ts';

/**
 * The listed host that a bug report is counted for, or null where no page is behind it. A report that names a
 * page belongs to that page's domain. One that names none belongs to its event (`eventId`, 32 hex or null),
 * and to the event's domain where that has one. `requestUrl`, the address of the request in which a server
 * reported, is no page; it decides only where no event does. What has none of these, as apps send it, is
 * taken where the project says so; beside an event also where any of its domains takes reports. Throws 403
 * with the reason: `unknown_domain`, `bug_reports_disabled` (D-23).
 */
async function admitBugReport(
  deps: Pick<Deps, 'store'>,
  project: Project,
  sender: Sender,
  eventId: string | null,
  requestUrl: string | null = null,
): Promise<string | null> {
  if (namesPage(sender)) return admitting((await domainOfSender(deps, project, sender)).domain);
  const host = eventId === null ? undefined : await domainOfEvent(deps, project, eventId);
  if (host === undefined && requestUrl !== null) {
    return admitting((await domainOfSender(deps, project, { url: requestUrl })).domain);
  }
  if (host === undefined || host === null) {
    if (project.bugReports) return null;
    const isOfEvent = host === null;
    if (isOfEvent && (await deps.store.listDomains(project.id)).some((each) => each.bugReports)) return null;
    throw forbidden('bug_reports_disabled');
  }
  return admitting(domainOfHost(await deps.store.listDomains(project.id), host));
}

/**
 * Kits send a report right behind its event, which may just be waiting for its commit; milliseconds between
 * looks.
 */
const looksAfterMs = [100, 300, 900];

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
  deps.log.info({ projectId: project.id, feedbackId: recorded.id, spam: report.spam }, 'bug report stored');
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

async function domainOfEvent(
  deps: Pick<Deps, 'store'>,
  project: Project,
  eventId: string,
): Promise<string | null | undefined> {
  let host = await deps.store.findEventDomain(project.id, eventId);
  for (const waitMs of looksAfterMs) {
    if (host !== undefined) break;
    await sleep(waitMs);
    host = await deps.store.findEventDomain(project.id, eventId);
  }
  return host;
}

function namesPage(sender: Sender): boolean {
  return [sender.origin, sender.referer, sender.url, sender.domain].some(
    (text) => (text ?? '').trim() !== '',
  );
}

function admitting(domain: Domain | null): string {
  if (domain === null) throw forbidden('unknown_domain');
  if (!domain.bugReports) throw forbidden('bug_reports_disabled');
  return domain.host;
}

/**
 * Of an event's origin only the host was stored: a domain whose `allowedOrigins` name that host covers it.
 */
function domainOfHost(domains: readonly Domain[], host: string): Domain | null {
  const origins = domains.flatMap((domain) => domain.allowedOrigins);
  return matchingDomain(domains, host, origins.find((origin) => hostOfUrl(origin) === host) ?? null);
}
