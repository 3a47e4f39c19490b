import { viewFeedback } from '../../feedback/views.ts';
import { describeBrowser } from '../../members/sessions.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { FeedbackState, StoredFeedback } from '../../store/feedback.ts';

type ApiView = ReturnType<typeof viewFeedback>;

export interface FeedbackView extends Omit<ApiView, 'email' | 'spam'> {
  readonly project_id: number;
  readonly state: FeedbackState;
  /** Last change of the state, and who made it; null if it never changed. */
  readonly state_at: string | null;
  readonly state_by: string | null;
  /** Masked: `a•••@host.example`. */
  readonly email: string | null;
  readonly browser: string | null;
}

export function viewMaskedFeedback(report: StoredFeedback): FeedbackView {
  const { email, name, spam: _spam, ...view } = viewFeedback(report);
  return {
    ...view,
    project_id: report.projectId,
    // People enter e-mail addresses in name fields.
    name: name?.includes('@') ? maskContact(name) : name,
    email: email === null ? null : maskContact(email),
    state_at: formatTime(report.stateAtMs),
    state_by: report.stateBy,
    browser: report.userAgent === null ? null : describeBrowser(report.userAgent),
  };
}

function maskContact(contact: string): string {
  const [first = ''] = contact.trim();
  const at = contact.lastIndexOf('@');
  return at > 0 ? `${first}•••${contact.slice(at)}` : `${first}•••`;
}
