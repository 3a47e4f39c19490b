import {
  type FeedbackResponse,
  feedbackBulkRequest,
  feedbackChangeRequest,
  feedbackQuery,
} from '../schemas/feedback.ts';
import type { Deps } from '../src/core/deps.ts';
import {
  deleteFeedback,
  type FeedbackContext,
  getFeedback,
  getScreenshot,
  storeFeedback,
  updateFeedbackOfProject,
} from '../src/core/feedback/feedback.ts';
import { createFeedbackReadContext, prepareFeedback } from '../src/core/feedback/parse-feedback.ts';
import { toFeedbackFilter, viewFeedback, viewFeedbackDetails } from '../src/core/feedback/views.ts';
import type { FeedbackReadContext } from '../src/core/ports/prepared-data.ts';
import { parseFeedback, screenshotsOf } from '../src/http/api/feedback-form.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import { type ApiRequest, created, handler, inputHandler, ok } from '../src/http/api/route.ts';
import { toSender } from '../src/http/api/store-event.ts';

export const postFeedback = handler(async (deps, request) => {
  const context: FeedbackContext = {
    source: 'api',
    sender: toSender(request),
    receivedAtMs: request.receivedAtMs,
    userAgent: request.header('user-agent'),
  };
  const report = await readReport(
    deps,
    request,
    createFeedbackReadContext(request.project, context.userAgent),
  );
  const filed = await storeFeedback(deps, request.project, report, context);
  const body: FeedbackResponse = { accepted: true, feedback_id: filed.feedbackId };
  if (filed.eventId !== null) body.event_id = filed.eventId;
  if (filed.issueId !== null) body.issue_id = filed.issueId;
  if (filed.truncated) body.truncated = true;
  if (filed.warnings.length > 0) body.warnings = [...filed.warnings];
  return created(body);
});

async function readReport(deps: Deps, request: ApiRequest, facts: FeedbackReadContext) {
  if (request.bodyInWorker !== null) {
    return deps.largeBodyReader.readFeedback(request.bodyInWorker, facts);
  }
  const { report, replacedAt } = parseFeedback(request);
  return prepareFeedback(report, screenshotsOf(request.files), facts, replacedAt);
}

/** Newest first; spam only on request. */
export const getFeedbackList = inputHandler(feedbackQuery, async (deps, request, query) => {
  const filter = { ...toFeedbackFilter(query), ...toListWindow(query) };
  const page = await deps.store.listFeedback(request.project.id, filter);
  return listResponse(request, '/feedback', query, {
    rows: page.rows.map(viewFeedback),
    total: page.total,
  });
});

export const getOneFeedback = handler(async (deps, request) => {
  const id = pathId(request, 'feedback');
  return ok(viewFeedbackDetails(await getFeedback(deps, request.project, id), request.restUrl));
});

export const postOneFeedback = inputHandler(feedbackChangeRequest, async (deps, request, { state }) => {
  const id = pathId(request, 'feedback');
  await updateFeedbackOfProject(deps, request.project, [id], state, request.by);
  const found = await getFeedback(deps, request.project, id);
  return ok({ accepted: true, ...viewFeedbackDetails(found, request.restUrl) });
});

export const postFeedbackBulk = inputHandler(feedbackBulkRequest, async (deps, request, { ids, state }) => {
  const done = await updateFeedbackOfProject(deps, request.project, ids, state, request.by);
  return ok({ accepted: true, ...done });
});

/** As an attachment, with the type detected from the bytes. */
export const getOneScreenshot = handler(async (deps, request) => {
  const id = pathId(request, 'feedback');
  const index = pathId(request, 'feedback', 'place');
  const { contentType, bytes } = await getScreenshot(deps, request.project, id, index);
  const filename = `feedback-${id}-${index}.${contentType.slice('image/'.length)}`;
  return { status: 200, body: null, raw: { contentType, bytes, filename } };
});

export const deleteOneFeedback = handler(async (deps, request) => {
  const id = pathId(request, 'feedback');
  const previous = await deleteFeedback(deps, request.project, id, request.by);
  return ok({ deleted: true, previous: viewFeedback(previous) });
});
