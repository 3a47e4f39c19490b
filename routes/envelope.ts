import type { Deps } from '../src/core/deps.ts';
import { findLeadingEvent } from '../src/core/envelopes/parse-envelope.ts';
import {
  countRateLimitCost,
  type ParsedEnvelopeBody,
  parseUploadAsync,
} from '../src/core/envelopes/parse-upload.ts';
import { countRateLimitedUpload, type EnvelopeLimits } from '../src/core/envelopes/rate-limited-items.ts';
import {
  type EnvelopeContext,
  type StoredEnvelope,
  storeUpload,
} from '../src/core/envelopes/store-envelope.ts';
import { viewStoredEnvelope } from '../src/core/envelopes/views.ts';
import type { RestError } from '../src/core/errors.ts';
import type { IngestContext } from '../src/core/events/ingest.ts';
import { parseEventId } from '../src/core/ids.ts';
import { type ApiRequest, created, handler, ok } from '../src/http/api/route.ts';
import { toEventContext, toSender, wantsExplanation } from '../src/http/api/store-event.ts';
import { getBodyState } from '../src/http/bodies/body-state.ts';
import { freeBuffer } from '../src/http/bodies/free-buffer.ts';
import { type BodyLimits, readRequestBody, readSupportedItems } from '../src/http/bodies/read-body.ts';

const envelopeBytesMax = 5 * 1024 * 1024;
const envelopeInflatedBytesMax = 20 * 1024 * 1024;
/** Bytes of an envelope that is still read when the event limit is used up. */
const limitedBytesMax = 256 * 1024;

export const postEnvelope = handler(async (deps, request) => {
  const { incoming } = request;
  const { takeTurn } = getBodyState(incoming);
  const bytes =
    takeTurn === null
      ? await readRequestBody(incoming, limitsOf(request), (body, waitingBytes) =>
          deps.largeBodyReader.reserveWorker(body, waitingBytes, findLeadingEvent),
        )
      : await readSupportedItems(incoming, limitsOf(request), takeTurn);
  const upload = await parseUploadAsync(deps, bytes);
  const stored = await keepUpload(deps, request, upload, toEventContext(request));
  freeBuffer(bytes);
  const body = viewStoredEnvelope(stored, wantsExplanation(request));
  const id = request.path['project'] === undefined ? null : namedId(upload);
  if (id !== null) body.id ??= id;
  return hasNewItem(stored) ? created(body) : ok(body);
});

/** The header's event id, which SDKs return to their caller whatever the items are. */
function namedId(upload: ParsedEnvelopeBody): string | null {
  return upload.kind === 'envelope' ? parseEventId(upload.envelope.headers['event_id']) : null;
}

export async function keepUpload(
  deps: Deps,
  request: ApiRequest,
  upload: ParsedEnvelopeBody,
  event: IngestContext,
): Promise<StoredEnvelope> {
  const { refusal, limits } = await chargedFor(request, upload);
  if (refusal !== null) {
    await countRateLimitedUpload(deps, request.project, upload, request.receivedAtMs, limits);
    request.discardsAreCounted();
    throw refusal;
  }
  const stored = await storeUpload(deps, request.project, upload, contextOf(request, limits, event));
  if (stored.refusal !== null) {
    request.discardsAreCounted();
    throw stored.refusal;
  }
  return stored;
}

/** Over the limit only small bodies are read, for items that other limits cover. */
function limitsOf({ quota }: ApiRequest): BodyLimits {
  return quota !== null && quota.spent !== null
    ? { sentBytesMax: limitedBytesMax, inflatedBytesMax: limitedBytesMax }
    : { sentBytesMax: envelopeBytesMax, inflatedBytesMax: envelopeInflatedBytesMax };
}

/** Refused if its supported items are, or if it has none and the limit of unsupported items is used up. */
async function chargedFor(
  request: ApiRequest,
  upload: ParsedEnvelopeBody,
): Promise<{ refusal: RestError | null; limits: EnvelopeLimits }> {
  const cost = countRateLimitCost(upload);
  request.holdsBack(cost.unsupportedCategories);
  const { supported = null, unsupported = null } = (await request.quota?.charge(cost)) ?? {};
  return {
    refusal: cost.supported > 0 ? supported : unsupported,
    limits: {
      unsupportedAdmitted: unsupported === null,
      admitDiscarded: async (quantity) => (await request.quota?.admitDiscarded(quantity)) ?? true,
    },
  };
}

function contextOf(request: ApiRequest, limits: EnvelopeLimits, event: IngestContext): EnvelopeContext {
  return {
    limits,
    by: request.by,
    slot: getBodyState(request.incoming).slot,
    event,
    feedback: {
      sender: toSender(request),
      receivedAtMs: request.receivedAtMs,
      userAgent: request.header('user-agent'),
    },
  };
}

export function hasNewItem(stored: StoredEnvelope): boolean {
  const events = stored.batch.flatMap((entry) => ('filed' in entry ? [entry.filed] : []));
  const isNewEvent = [...events, ...(stored.event === null ? [] : [stored.event])].some(
    (each) => !each.recorded.duplicate,
  );
  return isNewEvent || (stored.feedback !== null && !stored.feedback.duplicate);
}
