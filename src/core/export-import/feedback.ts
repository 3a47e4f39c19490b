// Export and import of user feedback. It has no own id, so import recognizes it by time and content.
import { hash } from 'node:crypto';
import { type ExportedFeedback, exportedFeedback } from '../../../schemas/exports.ts';
import { feedbackRequest } from '../../../schemas/feedback.ts';
import { createFeedbackReadContext, prepareFeedback } from '../feedback/parse-feedback.ts';
import { viewFeedbackDetails } from '../feedback/views.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { removeNul } from '../parsing/unknown-values.ts';
import { parseUrlHost } from '../parsing/web-url.ts';
import type { FeedbackWithDetails, ImportedFeedback } from '../store/feedback.ts';
import { InvalidLineError, type LineImporter, parseLineData, parseLineTime, removeNuls } from './lines.ts';

export function exportFeedback(found: FeedbackWithDetails, restUrl: (path: string) => string): object {
  const { state, stateAtMs, stateBy } = found.feedback;
  return {
    ...viewFeedbackDetails(found, restUrl),
    state,
    state_at: formatTime(stateAtMs),
    state_by: stateBy,
  };
}

/** Without screenshots. Existing feedback gets the state, unless it has one. */
export const importFeedback: LineImporter = async ({ store }, project, data) => {
  const { screenshots: _notTaken, ...rest } = removeNuls(data);
  const line = parseLineData(exportedFeedback, rest);
  const request = parseLineData(feedbackRequest, rest);
  const { fields } = prepareFeedback(request, [], createFeedbackReadContext(project, undefined));
  const { source, created_at: createdAt, domain } = line;
  if (domain !== null && parseUrlHost(`https://${domain}`) !== domain) {
    throw new InvalidLineError('has an invalid domain');
  }
  const report = {
    ...fields,
    projectId: project.id,
    createdAtMs: parseLineTime(createdAt),
    truncated: line.truncated || fields.truncated,
    spam: line.spam,
    domain,
    source,
    screenshots: [],
    act: actOf(line),
  };
  const { createdAtMs, message, email, eventId } = report;
  // Unique, so that concurrent imports create it once.
  const reportId = `import:${hash('sha256', JSON.stringify([createdAtMs, message, email, eventId]))}`;
  return (await store.importFeedbackRecord({ ...report, reportId })) ? 'new' : 'there';
};

/** The state change; null without one, as in older exports. */
function actOf(line: ExportedFeedback): ImportedFeedback['act'] {
  const { state, state_at: at, state_by: by } = line;
  if (state === undefined || at === null || at === undefined) return null;
  return { state, atMs: parseLineTime(at), by: removeNul(by ?? 'import') };
}
