// A visitor's report as pages show it: as the API does, but for what says who wrote it.
import { viewFeedback } from '../../feedback/views.ts';
import { browserOf } from '../../members/browser.ts';
import { momentText } from '../../reading/moments.ts';
import type { FeedbackState, StoredFeedback } from '../../store/feedback.ts';

type ApiView = ReturnType<typeof viewFeedback>;

export interface ReportView extends Omit<ApiView, 'email' | 'spam'> {
  readonly project_id: number;
  readonly state: FeedbackState;
  /** When somebody said so last, and who; null where nobody did. */
  readonly state_at: string | null;
  readonly state_by: string | null;
  /** The address with all but its first character and its host hidden; null where none was left. */
  readonly email: string | null;
  /** What it calls itself: `Firefox on Linux`. */
  readonly browser: string | null;
}

/** A report without what it was written by. */
export function viewReport(report: StoredFeedback): ReportView {
  const { email, name, spam: _state, ...view } = viewFeedback(report);
  return {
    ...view,
    project_id: report.projectId,
    // Forms are filled in as people like: an address may stand where a name should.
    name: name?.includes('@') ? maskedContact(name) : name,
    email: email === null ? null : maskedContact(email),
    state: report.state,
    state_at: momentText(report.stateAtMs),
    state_by: report.stateBy,
    browser: report.userAgent === null ? null : browserOf(report.userAgent),
  };
}

/** `a•••@host.example`; of what is no address the first character alone. */
function maskedContact(contact: string): string {
  const [first = ''] = contact.trim();
  const at = contact.lastIndexOf('@');
  return at > 0 ? `${first}•••${contact.slice(at)}` : `${first}•••`;
}
