// Export and import of user feedback. It has no own id, so import recognizes it by time and content.
import { hash } from 'node:crypto';
import { feedbackRequest } from '../../../schemas/feedback.ts';
import { type ExportedFeedback, exportedFeedback } from '../../../schemas/portable.ts';
import type { Deps } from '../deps.ts';
import { prepareReport, reportFactsOf } from '../feedback/prepare.ts';
import { viewFeedbackWhole } from '../feedback/views.ts';
import { withoutNul } from '../reading/lenient.ts';
import { momentText } from '../reading/moments.ts';
import { hostOfUrl } from '../reading/web-address.ts';
import type { ForeignFeedback, WholeFeedback } from '../store/feedback.ts';
import type { Project } from '../store/projects.ts';
import { BadLine, type Line, momentOf, requestOf, withoutNuls } from './lines.ts';

export function exportedReport(found: WholeFeedback, restUrl: (path: string) => string): object {
  const { state, stateAtMs, stateBy } = found.feedback;
  return {
    ...viewFeedbackWhole(found, restUrl),
    state,
    state_at: momentText(stateAtMs),
    state_by: stateBy,
  };
}

/** Without screenshots. Existing feedback gets the state, unless it has one. */
export async function takeFeedback(
  { store }: Deps,
  project: Project,
  data: Line['data'],
): Promise<'new' | 'there'> {
  const { screenshots: _notTaken, ...said } = withoutNuls(data);
  const line = requestOf(exportedFeedback, said);
  const request = requestOf(feedbackRequest, said);
  const { fields } = prepareReport(request, [], reportFactsOf(project, undefined));
  const { source, created_at: createdAt, domain } = line;
  if (domain !== null && hostOfUrl(`https://${domain}`) !== domain) {
    throw new BadLine('has an invalid domain');
  }
  const report = {
    ...fields,
    projectId: project.id,
    createdAtMs: momentOf(createdAt),
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
  return (await store.takeOverFeedback({ ...report, reportId })) ? 'new' : 'there';
}

/** The state change; null without one, as in older exports. */
function actOf(line: ExportedFeedback): ForeignFeedback['act'] {
  const { state, state_at: at, state_by: by } = line;
  if (state === undefined || at === null || at === undefined) return null;
  return { state, atMs: momentOf(at), by: withoutNul(by ?? 'import') };
}
