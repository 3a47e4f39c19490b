// Feedback as pages show it: as in the API, with the contact masked.
import { viewFeedback } from '../../feedback/views.ts';
import { browserOf } from '../../members/browser.ts';
import { momentText } from '../../reading/moments.ts';
import type { FeedbackState, StoredFeedback } from '../../store/feedback.ts';

type ApiView = ReturnType<typeof viewFeedback>;

export interface ReportView extends Omit<ApiView, 'email' | 'spam'> {
  readonly project_id: number;
  readonly state: FeedbackState;
  /** Last change of the state, and who made it; null if it never changed. */
  readonly state_at: string | null;
  readonly state_by: string | null;
  /** Masked: `a•••@host.example`. */
  readonly email: string | null;
  readonly browser: string | null;
}

export function viewReport(report: StoredFeedback): ReportView {
  const { email, name, spam: _state, ...view } = viewFeedback(report);
  return {
    ...view,
    project_id: report.projectId,
    // People enter e-mail addresses in name fields.
    name: name?.includes('@') ? maskedContact(name) : name,
    email: email === null ? null : maskedContact(email),
    state: report.state,
    state_at: momentText(report.stateAtMs),
    state_by: report.stateBy,
    browser: report.userAgent === null ? null : browserOf(report.userAgent),
  };
}

function maskedContact(contact: string): string {
  const [first = ''] = contact.trim();
  const at = contact.lastIndexOf('@');
  return at > 0 ? `${first}•••${contact.slice(at)}` : `${first}•••`;
}
