import { feedbackStates } from '../../../../schemas/feedback.ts';
import { viewFeedback } from '../../feedback/views.ts';
import { describeBrowser } from '../../members/sessions.ts';
import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { StoredFeedback, WorkspaceFeedbackFilter } from '../../store/feedback.ts';
import { pageCursors, sliceParam } from '../list-params.ts';
import { invalidPageInput, type RequestContext, viewedProjects } from '../request-context.ts';

const reportsAPage = 25;
const daysShown = 30;
/** Limit of the chart; beyond it the counts are too low. */
const momentsMax = 20_000;

export type FeedbackListModel = Awaited<ReturnType<typeof feedbackListModel>>;

export async function feedbackListModel(context: RequestContext) {
  const { store } = context.deps;
  const filter = readFilter(context);
  const ids = filter.projectIds;
  const toMs = context.nowMs - (context.nowMs % dayMs) + dayMs;
  const fromMs = toMs - daysShown * dayMs;
  const [counts, page, moments, domains] = await Promise.all([
    store.countReports(ids),
    store.listReports(filter, sliceParam(context, reportsAPage)),
    store.reportMoments(ids, fromMs, momentsMax),
    Promise.all(ids.map((id) => store.listDomains(id))).then((all) => all.flat()),
  ]);
  return {
    filters: { state: filter.state, domain: filter.domain, q: filter.search },
    counts,
    reports: page.rows.map(viewMaskedFeedback),
    ...pageCursors(page, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    days: daysOf(moments, fromMs),
    domains: [...new Set(domains.map(({ host }) => host))].sort(),
    domain_count: domains.length,
    domains_off: domains.filter(({ bugReports }) => !bugReports).length,
  };
}

function readFilter(context: RequestContext): WorkspaceFeedbackFilter {
  const param = (name: string): string | null => context.query.get(name)?.trim().slice(0, 255) || null;
  const word = param('state') ?? 'open';
  const state = feedbackStates.find((each) => each === word);
  if (state === undefined) throw invalidPageInput('state is open, resolved or spam.');
  return {
    projectIds: viewedProjects(context).map(({ id }) => id),
    state,
    domain: param('domain')?.toLowerCase() ?? null,
    search: param('q'),
  };
}

function daysOf(moments: readonly number[], fromMs: number) {
  const counts = Array.from({ length: daysShown }, () => 0);
  for (const atMs of moments) {
    const day = Math.floor((atMs - fromMs) / dayMs);
    counts[day] = (counts[day] ?? 0) + 1;
  }
  return counts.slice(0, daysShown).map((reports, at) => ({
    from: formatTime(fromMs + at * dayMs),
    to: formatTime(fromMs + (at + 1) * dayMs),
    reports,
  }));
}

export type FeedbackView = ReturnType<typeof viewMaskedFeedback>;

export function viewMaskedFeedback(report: StoredFeedback) {
  const { email, name, spam: _spam, ...view } = viewFeedback(report);
  return {
    ...view,
    project_id: report.projectId,
    // People enter e-mail addresses in name fields.
    name: name?.includes('@') ? maskContact(name) : name,
    /** Masked: `a•••@host.example`. */
    email: email === null ? null : maskContact(email),
    /** Last change of the state, and who made it; null if it never changed. */
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
