// POST /envelope: whatever an SDK sends in one body. What the items mean is decided in the rules.
import type { StoreResponse } from '../schemas/store.ts';
import type { Deps } from '../src/core/deps.ts';
import {
  categoryOf,
  countReportedLosses,
  ingestUpload,
  type KeptEnvelope,
  onlyReportsLosses,
  readUpload,
  type Upload,
} from '../src/core/ingest-envelope.ts';
import { eventContext } from '../src/http/event-context.ts';
import { readSentryBody } from '../src/http/namespace.ts';
import { type ApiRequest, type ApiResponse, created, type Handler, ok } from '../src/http/route.ts';

export const envelopeBytesMax = 5 * 1024 * 1024;
export const envelopeInflatedBytesMax = 20 * 1024 * 1024;
/** Past the limit a body is read only to see whether it reports losses, which are small. */
const limitedBytesMax = 256 * 1024;

/** Keeps an envelope or a JSON document of events: 201 when an event or a bug report is new, else 200 (D-11). */
export function postEnvelope(deps: Deps): Handler {
  return async (request): Promise<ApiResponse> => {
    const bytes = await readSentryBody(request.incoming, {
      bodyBytesMax: request.limited === null ? envelopeBytesMax : limitedBytesMax,
      inflatedBytesMax: request.limited === null ? envelopeInflatedBytesMax : limitedBytesMax,
    });
    const upload = readUpload(bytes);
    if (request.limited !== null && !onlyReportsLosses(upload)) {
      countRefused(deps, request, upload);
      throw request.limited;
    }
    const kept = await ingestUpload(deps, request.project, upload, {
      event: eventContext(request),
      feedback: {
        sender: { origin: request.header('origin'), referer: request.header('referer') },
        receivedAtMs: request.receivedAtMs,
        userAgent: request.header('user-agent'),
      },
    });
    const body = answerOf(kept, request.header('x-notifier-explain') === '1');
    return isNewIn(kept) ? created(body) : ok(body);
  };
}

/** What a refused upload held, so that for each hour accepted and losses add up to what was sent. */
function countRefused(deps: Deps, request: ApiRequest, upload: Upload): void {
  countReportedLosses(deps, request.project, upload, request.receivedAtMs);
  const categories =
    upload.kind === 'events'
      ? upload.events.map(() => 'error')
      : upload.envelope.items
          .filter((item) => item.type !== 'client_report')
          .map((item) => categoryOf(item.type));
  for (const category of categories) {
    deps.outcomes.count({
      projectId: request.project.id,
      atMs: request.receivedAtMs,
      outcome: 'rate_limited',
      reason: 'key_quota',
      category,
      quantity: 1,
    });
  }
}

function isNewIn(kept: KeptEnvelope): boolean {
  const events = kept.batch.flatMap((entry) => ('filed' in entry ? [entry.filed] : []));
  const isNewEvent = [...events, ...(kept.event === null ? [] : [kept.event])].some(
    (each) => !each.recorded.duplicate,
  );
  return isNewEvent || (kept.feedback !== null && !kept.feedback.duplicate);
}

type EnvelopeResponse = Partial<StoreResponse> & Record<string, unknown>;

function answerOf(kept: KeptEnvelope, explain: boolean): EnvelopeResponse {
  const body: EnvelopeResponse = { accepted: true };
  const { event, feedback } = kept;
  if (event !== null) {
    const { recorded } = event;
    body.event_id = recorded.eventId;
    body.issue_id = recorded.issueId;
    body.id = recorded.eventId;
    body.is_new = recorded.isNew;
    body.is_regression = recorded.isRegression;
    if (recorded.duplicate) body.duplicate = true;
  }
  if (feedback !== null) {
    body['feedback_id'] = feedback.feedbackId;
    if (event === null && feedback.eventId !== null) body.event_id = feedback.eventId;
    if (event === null && feedback.issueId !== null) body.issue_id = feedback.issueId;
  }
  if (kept.batch.length > 0) body['events'] = kept.batch.map(batchAnswer);
  if (Object.keys(kept.items).length > 0) body['items'] = kept.items;
  if (Object.keys(kept.skipped).length > 0) body['skipped'] = kept.skipped;
  if (event !== null && event.errors.length > 0) body.errors = [...event.errors];
  if (event !== null && explain) {
    const { algorithm, source, parts, notes } = event.grouping;
    body.grouping = { algorithm, source, parts: [...parts], notes: [...notes] };
  }
  return body;
}

function batchAnswer(entry: KeptEnvelope['batch'][number]): Record<string, unknown> {
  if ('refused' in entry) return { event_id: null, issue_id: null, error: entry.refused };
  const { recorded } = entry.filed;
  return {
    event_id: recorded.eventId,
    issue_id: recorded.issueId,
    ...(recorded.duplicate ? { duplicate: true } : {}),
  };
}
