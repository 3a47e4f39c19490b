import type { FeedbackQuery, FeedbackView } from '../../../schemas/feedback.ts';
import { createInvalidParamError } from '../errors.ts';
import { parseEventId } from '../ids.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { FeedbackFilter, StoredFeedback } from '../store/feedback.ts';
import type { getFeedback } from './feedback.ts';

export type FeedbackDetailsView = ReturnType<typeof viewFeedbackDetails>;

/** Without the page window. Throws 400 for an invalid event id. */
export function toFeedbackFilter(filters: FeedbackQuery): Omit<FeedbackFilter, 'limit' | 'offset'> {
  const eventId = filters.event_id === undefined ? undefined : parseEventId(filters.event_id);
  if (eventId === null)
    throw createInvalidParamError({ event_id: 'event_id must be 32 hexadecimal digits.' });
  return {
    search: filters.search,
    eventId,
    issueId: filters.issue_id,
    domain: filters.domain?.toLowerCase(),
    category: filters.category,
    spam: filters.spam,
    state: filters.state,
    descending: filters.order === 'desc',
  };
}

/** `restUrl` makes a path of the namespace absolute. */
export function viewFeedbackDetails(
  found: Awaited<ReturnType<typeof getFeedback>>,
  restUrl: (path: string) => string,
) {
  const { feedback, details, screenshots } = found;
  return {
    ...viewFeedback(feedback),
    viewport: details.viewport,
    console: details.console,
    metadata: details.metadata,
    screenshots: screenshots.map((each, index) => ({
      url: restUrl(`/feedback/${feedback.id}/screenshots/${index + 1}`),
      content_type: each.contentType,
      width: each.width,
      height: each.height,
      size: each.sizeBytes,
      name: each.name,
    })),
  };
}

export function viewFeedback(feedback: StoredFeedback): FeedbackView {
  return {
    feedback_id: feedback.id,
    message: feedback.message,
    name: feedback.name,
    email: feedback.email,
    url: feedback.url,
    domain: feedback.domain,
    event_id: feedback.eventId,
    issue_id: feedback.issueId,
    category: feedback.category,
    severity: feedback.severity,
    release: feedback.release,
    environment: feedback.environment,
    user_agent: feedback.userAgent,
    locale: feedback.locale,
    tags: feedback.tags,
    source: feedback.source,
    state: feedback.state,
    spam: feedback.spam,
    truncated: feedback.truncated,
    screenshot_count: feedback.screenshotCount,
    created_at: formatTime(feedback.createdAtMs),
  };
}
