import { z } from 'zod';
import { feedbackStates } from '../../schemas/feedback.ts';
import { writeAuditEntry } from '../../src/core/audit/audit.ts';
import { feedbackAuditEvent } from '../../src/core/audit/events.ts';
import { deleteFeedback, getScreenshot, updateFeedbackState } from '../../src/core/feedback/feedback.ts';
import { readImageInfo } from '../../src/core/feedback/image-info.ts';
import { feedbackListModel } from '../../src/core/page-models/feedback/list.ts';
import { feedbackModel, findFeedbackOfPath } from '../../src/core/page-models/feedback/report.ts';
import { pageNotFound, pathId, type RequestContext } from '../../src/core/page-models/request-context.ts';
import type { FeedbackState, StoredFeedback } from '../../src/core/store/feedback.ts';
import {
  action,
  confirmationForm,
  type FileResponse,
  file,
  goBack,
  noForm,
  page,
  showPage,
} from '../../src/http/pages/declarations.ts';
import { feedbackPage } from '../../src/web/feedback/feedback.ts';
import { feedbackListPage } from '../../src/web/feedback/list.ts';

const state = z.enum(feedbackStates, 'Choose open, resolved or spam.');

export function feedbackPages() {
  return [
    page('/feedback', 'viewer', feedbackListModel, feedbackListPage),
    page('/feedback/{feedback_id}', 'viewer', feedbackModel, feedbackPage),
    file('/feedback/{feedback_id}/screenshots/{place}', 'viewer', screenshot),
    action('/feedback', 'member', z.object({ feedback: z.array(z.string()).default([]), state }), changeMany),
    action('/feedback/{feedback_id}/state', 'member', z.object({ state }), async (context, form) => {
      const { feedback } = await findFeedbackOfPath(context);
      await updateFeedbackState(context.deps, [feedback], form.state, context.by);
      return goBack();
    }),
    action('/feedback/{feedback_id}/contact', 'admin', noForm, showContact),
    action('/feedback/{feedback_id}/delete', 'admin', confirmationForm, remove),
  ];
}

async function changeMany(context: RequestContext, form: { feedback: string[]; state: FeedbackState }) {
  if (form.feedback.length === 0) return goBack('nothing-chosen');
  const chosen: StoredFeedback[] = [];
  for (const id of new Set(form.feedback)) {
    const { feedback } = await findFeedbackOfPath({ ...context, path: { feedback_id: id } });
    chosen.push(feedback);
  }
  await updateFeedbackState(context.deps, chosen, form.state, context.by);
  return goBack();
}

/** Audited before the contact is shown. */
async function showContact(context: RequestContext) {
  const { feedback } = await findFeedbackOfPath(context);
  const { name, email } = feedback;
  const model = await feedbackModel(context);
  await writeAuditEntry(
    context.deps,
    context.by,
    feedbackAuditEvent(feedback.id, feedback.projectId, 'feedback.email_revealed'),
  );
  return showPage((pageContext) => feedbackPage(model, pageContext, { name, email }));
}

async function remove(context: RequestContext) {
  const { feedback } = await findFeedbackOfPath(context);
  const project = context.projects.find(({ id }) => id === feedback.projectId);
  if (project === undefined) throw pageNotFound('Feedback with this number');
  await deleteFeedback(context.deps, project, feedback.id, context.by);
  return { to: '/feedback' };
}

/** Sandboxed. Bytes that are no image are only offered as a download. */
async function screenshot(context: RequestContext): Promise<FileResponse> {
  const { feedback } = await findFeedbackOfPath(context);
  const index = pathId(context, 'place', 'A screenshot of this feedback');
  const project = context.projects.find(({ id }) => id === feedback.projectId);
  if (project === undefined) throw pageNotFound('Feedback with this number');
  const { bytes } = await getScreenshot(context.deps, project, feedback.id, index);
  const facts = readImageInfo(bytes);
  const contentSecurityPolicy = "sandbox; default-src 'none'; img-src 'self'";
  const name = `feedback-${feedback.id}-${index}`;
  if (facts === null) {
    const filename = `${name}.bin`;
    return { contentType: 'application/octet-stream', bytes, filename, contentSecurityPolicy };
  }
  return { contentType: facts.contentType, bytes, contentSecurityPolicy };
}
