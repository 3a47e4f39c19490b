import { z } from 'zod';
import { audited, byVisit } from '../../src/core/audit/audit.ts';
import { toldOfReport } from '../../src/core/audit/told.ts';
import { deleteFeedback, getScreenshot, updateFeedbackState } from '../../src/core/feedback/feedback.ts';
import { imageFacts } from '../../src/core/feedback/images.ts';
import { type FeedbackState, feedbackStates, type StoredFeedback } from '../../src/core/store/feedback.ts';
import { reportsModel } from '../../src/core/workspace/feedback/list.ts';
import { reportModel, reportOfPath } from '../../src/core/workspace/feedback/report.ts';
import { notHere, pathNumber, type Visit } from '../../src/core/workspace/visit.ts';
import {
  type ActAnswer,
  act,
  type Declaration,
  type FileAnswer,
  file,
  page,
  sure,
} from '../../src/http/pages/declare.ts';
import { reportsPage } from '../../src/pages/feedback/list.ts';
import { reportPage } from '../../src/pages/feedback/report.ts';

const state = z.enum(feedbackStates, 'Choose open, resolved or spam.');

export function feedbackPages(): Declaration[] {
  return [
    page({ path: '/feedback', model: reportsModel, view: reportsPage }),
    page({
      path: '/feedback/{feedback_id}',
      model: reportModel,
      view: (model, frame) => reportPage(model, frame),
    }),
    file({ path: '/feedback/{feedback_id}/screenshots/{place}', answer: screenshot }),
    act({
      path: '/feedback',
      form: z.object({ feedback: z.array(z.string()).default([]), state }),
      act: changeMany,
    }),
    act({
      path: '/feedback/{feedback_id}/state',
      form: z.object({ state }),
      act: async (visit, form) => {
        const { feedback } = await reportOfPath(visit);
        await updateFeedbackState(visit.deps, [feedback], form.state, byVisit(visit));
        return { back: true };
      },
    }),
    act({ path: '/feedback/{feedback_id}/contact', act: showContact }),
    act({
      path: '/feedback/{feedback_id}/delete',
      needs: 'admin',
      form: sure,
      act: remove,
    }),
  ];
}

async function changeMany(
  visit: Visit,
  form: { feedback: string[]; state: FeedbackState },
): Promise<ActAnswer> {
  if (form.feedback.length === 0) return { back: true, notice: 'nothing-chosen' };
  const chosen: StoredFeedback[] = [];
  for (const id of new Set(form.feedback)) {
    const { feedback } = await reportOfPath({ ...visit, path: { feedback_id: id } });
    chosen.push(feedback);
  }
  await updateFeedbackState(visit.deps, chosen, form.state, byVisit(visit));
  return { back: true };
}

/** Audited before the contact is shown. */
async function showContact(visit: Visit): Promise<ActAnswer> {
  const { feedback } = await reportOfPath(visit);
  const { name, email } = feedback;
  const model = await reportModel(visit);
  await audited(
    visit.deps,
    byVisit(visit),
    toldOfReport(feedback.id, feedback.projectId, 'feedback.contact_seen'),
  );
  return { status: 200, view: (frame) => reportPage(model, frame, { name, email }) };
}

async function remove(visit: Visit): Promise<ActAnswer> {
  const { feedback } = await reportOfPath(visit);
  const project = visit.projects.find(({ id }) => id === feedback.projectId);
  if (project === undefined) throw notHere('Feedback with this number');
  await deleteFeedback(visit.deps, project, feedback.id, byVisit(visit));
  return { to: '/feedback' };
}

/** Sandboxed. Bytes that are no image are only offered as a download. */
async function screenshot(visit: Visit): Promise<FileAnswer> {
  const { feedback } = await reportOfPath(visit);
  const place = pathNumber(visit, 'place', 'A screenshot of this feedback');
  const project = visit.projects.find(({ id }) => id === feedback.projectId);
  if (project === undefined) throw notHere('Feedback with this number');
  const { bytes } = await getScreenshot(visit.deps, project, feedback.id, place);
  const facts = imageFacts(bytes);
  const contentSecurityPolicy = "sandbox; default-src 'none'; img-src 'self'";
  const name = `feedback-${feedback.id}-${place}`;
  if (facts === null) {
    const filename = `${name}.bin`;
    return { contentType: 'application/octet-stream', bytes, filename, contentSecurityPolicy };
  }
  return { contentType: facts.contentType, bytes, contentSecurityPolicy };
}
