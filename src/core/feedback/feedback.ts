import type { FeedbackBulkView } from '../../../schemas/feedback.ts';
import { type AuditSource, audited, runAudited } from '../audit/audit.ts';
import { feedbackAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { findMatchingDomain, findSenderDomain, type RequestSender } from '../domains/domains.ts';
import { createForbiddenError, createNotFoundError } from '../errors.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { JsonObject } from '../parsing/unknown-values.ts';
import { parseUrlHost } from '../parsing/web-url.ts';
import type { PreparedFeedback } from '../ports/prepared-data.ts';
import { type FieldKinds, scrubRecord } from '../scrub/record.ts';
import type { Domain } from '../store/domains.ts';
import type {
  FeedbackSource,
  FeedbackState,
  FeedbackWithDetails,
  NewFeedback,
  Screenshot,
  StoredFeedback,
} from '../store/feedback.ts';
import type { Project } from '../store/projects.ts';
import { parseFeedbackItem } from './parse-item.ts';
import { collectImages, type FeedbackFile, validateScreenshots } from './screenshots.ts';

// The listed host that feedback counts for, null without a page. By the page, else the event's domain (if it has none,
// any that allows feedback), else `requestUrl` (a server's request), else the project's setting. Else 403.
async function requireFeedbackAllowed(
  deps: Pick<Deps, 'store' | 'sleep'>,
  project: Project,
  sender: RequestSender,
  eventId: string | null,
  requestUrl: string | null = null,
): Promise<string | null> {
  if (hasPage(sender)) return requireFeedbackDomain((await findSenderDomain(deps, project, sender)).domain);
  const host = eventId === null ? undefined : await domainOfEvent(deps, project, eventId);
  if (host === undefined && requestUrl !== null) {
    return requireFeedbackDomain((await findSenderDomain(deps, project, { url: requestUrl })).domain);
  }
  if (host === undefined || host === null) {
    if (project.bugReports) return null;
    const isOfEvent = host === null;
    if (isOfEvent && (await deps.store.listDomains(project.id)).some((each) => each.bugReports)) return null;
    throw createForbiddenError('bug_reports_disabled');
  }
  return requireFeedbackDomain(domainOfHost(await deps.store.listDomains(project.id), host));
}

/** Delays between lookups: SDKs send feedback right after its event, which may not be committed yet. */
const eventLookupDelaysMs = [100, 300, 900];

const screenshotKinds: FieldKinds<Screenshot> = {
  contentType: 'kept',
  width: 'kept',
  height: 'kept',
  name: 'text',
  bytes: 'kept',
};

export interface FeedbackContext {
  readonly source: FeedbackSource;
  readonly sender: Pick<RequestSender, 'origin' | 'referer'>;
  readonly receivedAtMs: EpochMs;
  readonly userAgent?: string | undefined;
  /** The event in the same envelope, used if the feedback names none. */
  readonly besideEventId?: string | null;
}

export type StoredFeedbackResult = Awaited<ReturnType<typeof storeFeedback>>;

/** A filled honeypot marks it as spam. Throws 403 from `requireFeedbackAllowed`, 400 for invalid screenshots. */
export async function storeFeedback(
  deps: Deps,
  project: Project,
  prepared: PreparedFeedback,
  context: FeedbackContext,
) {
  const { fields, page } = prepared;
  const sender = { ...context.sender, url: page.url ?? undefined, domain: page.domain ?? undefined };
  const eventId = fields.eventId ?? context.besideEventId ?? null;
  const domain = await requireFeedbackAllowed(deps, project, sender, eventId, page.requestUrl);
  const images = validateScreenshots(prepared.images, { lenient: prepared.isLenient });
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

export async function getFeedback(deps: Deps, project: Project, id: number): Promise<FeedbackWithDetails> {
  const found = await deps.store.findFeedback(project.id, id);
  if (found === null) throw createNotFoundError('feedback');
  return found;
}

export async function getScreenshot(
  deps: Deps,
  project: Project,
  id: number,
  position: number,
): Promise<Screenshot> {
  const screenshot = await deps.store.findScreenshot(project.id, id, position);
  if (screenshot === null) throw createNotFoundError('feedback');
  return screenshot;
}

/** Deletes the screenshots too, and returns what it was. */
export const deleteFeedback = audited(async (txDeps: Deps, project: Project, id: number) => {
  const { feedback } = await getFeedback(txDeps, project, id);
  if (!(await txDeps.store.deleteFeedback(project.id, id))) throw createNotFoundError('feedback');
  return { result: feedback, auditEvent: feedbackAuditEvent(id, project.id) };
});

/** All or none; those already in the state are skipped. */
export async function updateFeedbackState(
  deps: Pick<Deps, 'store' | 'now'>,
  reports: ReadonlyArray<Pick<StoredFeedback, 'id' | 'projectId' | 'state'>>,
  state: FeedbackState,
  by: AuditSource,
): Promise<void> {
  const changing = reports.filter((each) => each.state !== state);
  await runAudited(deps, by, async ({ store, now }) => {
    for (const { projectId, id } of changing) {
      await store.changeFeedbackState(projectId, id, { state, by: by.actor.name, atMs: now() });
    }
    const auditEvents = changing.map(({ id, projectId, state: before }) =>
      feedbackAuditEvent(id, projectId, 'feedback.changed', `${before} to ${state}`),
    );
    return { result: undefined, auditEvent: auditEvents };
  });
}

/** Those with the given ids; ids of other projects are not found. */
export function updateFeedbackOfProject(
  deps: Pick<Deps, 'store' | 'now'>,
  project: Project,
  ids: readonly number[],
  state: FeedbackState,
  by: AuditSource,
): Promise<FeedbackBulkView> {
  return deps.store.transaction(async (store) => {
    const found: StoredFeedback[] = [];
    for (const id of new Set(ids)) {
      const feedback = (await store.findFeedback(project.id, id))?.feedback;
      if (feedback !== undefined) found.push(feedback);
    }
    await updateFeedbackState({ ...deps, store }, found, state, by);
    const idsOf = (reports: readonly StoredFeedback[]): number[] => reports.map(({ id }) => id);
    return {
      changed: idsOf(found.filter((each) => each.state !== state)),
      unchanged: idsOf(found.filter((each) => each.state === state)),
      not_found: [...new Set(ids)].filter((id) => !found.some((each) => each.id === id)),
    };
  });
}

async function domainOfEvent(deps: Pick<Deps, 'store' | 'sleep'>, project: Project, eventId: string) {
  let host = await deps.store.findEventDomain(project.id, eventId);
  for (const waitMs of eventLookupDelaysMs) {
    if (host !== undefined) break;
    await deps.sleep(waitMs);
    host = await deps.store.findEventDomain(project.id, eventId);
  }
  return host;
}

function hasPage(sender: RequestSender): boolean {
  return [sender.origin, sender.referer, sender.url, sender.domain].some(
    (text) => (text ?? '').trim() !== '',
  );
}

function requireFeedbackDomain(domain: Domain | null): string {
  if (domain === null) throw createForbiddenError('unknown_domain');
  if (!domain.bugReports) throw createForbiddenError('bug_reports_disabled');
  return domain.host;
}

/** Only the host of an event's origin was stored, so `allowedOrigins` are compared by host. */
function domainOfHost(domains: readonly Domain[], host: string): Domain | null {
  const origins = domains.flatMap((domain) => domain.allowedOrigins);
  return findMatchingDomain(domains, host, origins.find((origin) => parseUrlHost(origin) === host) ?? null);
}

interface FeedbackItem {
  readonly type: 'feedback' | 'user_report';
  readonly payload: JsonObject | Uint8Array;
  readonly replacedAt?: readonly string[];
  readonly envelopeEventId: string | null;
  /** The event stored from the same envelope, 32 hex digits. */
  readonly besideEventId?: string | null;
  readonly files: readonly FeedbackFile[];
}

type RequestContext = Pick<FeedbackContext, 'sender' | 'receivedAtMs' | 'userAgent'>;

/** A repeated item is a `duplicate`. Throws as `storeFeedback`, and 400 without a message. */
export async function storeFeedbackItem(
  deps: Deps,
  project: Project,
  item: FeedbackItem,
  around: RequestContext,
): Promise<StoredFeedbackResult> {
  const source = item.type === 'feedback' ? 'feedback_item' : 'user_report';
  const prepared = await prepare(deps, project, item, around);
  return await storeFeedback(deps, project, prepared, {
    ...around,
    source,
    besideEventId: item.besideEventId ?? null,
  });
}

async function prepare(
  deps: Deps,
  project: Project,
  item: FeedbackItem,
  around: RequestContext,
): Promise<PreparedFeedback> {
  const { type, payload, replacedAt, envelopeEventId, files } = item;
  const { scrubFields, storeIpAddresses } = project;
  const facts = {
    type,
    envelopeEventId,
    userAgent: around.userAgent ?? '',
    project: { scrubFields, storeIpAddresses },
  };
  if (!(payload instanceof Uint8Array)) return parseFeedbackItem(payload, files, facts, replacedAt);
  const read = await deps.largeBodyReader.readReport(payload, facts);
  return { ...read, images: [...read.images, ...collectImages([], files)] };
}
