// What visitors of the demo wrote, as the store answers it.
import type {
  FeedbackFilter,
  FeedbackPlace,
  FeedbackStore,
  StoredFeedback,
} from '../../../core/store/feedback.ts';
import type { WorldReport } from '../../world/errors/reports.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';
import { holding } from '../finding.ts';
import { pagePicture } from './picture.ts';

/** What this file answers. */
export type FeedbackReads = Pick<
  FeedbackStore,
  'listFeedback' | 'findFeedback' | 'findScreenshot' | 'listReports' | 'countReports' | 'reportMoments'
>;

/** The reads of reports. */
export function feedbackReads(world: ErrorsWorld): FeedbackReads {
  const all = world.reports.map(({ feedback }) => feedback);
  const find = (projectId: number, id: number): WorldReport | null =>
    world.reports.find(({ feedback }) => feedback.projectId === projectId && feedback.id === id) ?? null;
  return {
    async listFeedback(projectId, filter) {
      const found = all.filter((report) => report.projectId === projectId && fits(report, filter));
      const ordered = filter.descending ? found : found.toReversed();
      return { rows: ordered.slice(filter.offset, filter.offset + filter.limit), total: found.length };
    },
    async findFeedback(projectId, id) {
      const found = find(projectId, id);
      if (found === null) return null;
      const { feedback, details } = found;
      const shot = screenshotOf(found);
      if (shot === null) return { feedback, details, screenshots: [] };
      const { bytes, ...facts } = shot;
      return { feedback, details, screenshots: [{ ...facts, sizeBytes: bytes.length }] };
    },
    async findScreenshot(projectId, id, place) {
      const found = find(projectId, id);
      return found === null || place !== 1 ? null : screenshotOf(found);
    },
    async listReports({ projectIds, state, domain, search }, { limit, from, isBackwards }) {
      const found = all.filter(
        (report) =>
          projectIds.includes(report.projectId) &&
          report.state === state &&
          (domain === null || report.domain === domain) &&
          // Who wrote it is not looked at.
          holding([report.message, report.url], search ?? undefined),
      );
      if (from === null) return found.slice(0, limit);
      const orderOf = (report: StoredFeedback): number => placeOrder(report, from);
      return isBackwards
        ? found.filter((report) => orderOf(report) > 0).slice(-limit)
        : found.filter((report) => orderOf(report) < 0).slice(0, limit);
    },
    async countReports(projectIds) {
      const counts = { open: 0, resolved: 0, spam: 0 };
      for (const { projectId, state } of all) if (projectIds.includes(projectId)) counts[state] += 1;
      return counts;
    },
    async reportMoments(projectIds, fromMs, limit) {
      return all
        .filter(
          ({ spam, createdAtMs, projectId }) =>
            !spam && createdAtMs >= fromMs && projectIds.includes(projectId),
        )
        .slice(0, limit)
        .map(({ createdAtMs }) => createdAtMs);
    },
  };
}

function fits(report: StoredFeedback, filter: FeedbackFilter): boolean {
  return (
    report.spam === filter.spam &&
    (filter.eventId === undefined || report.eventId === filter.eventId) &&
    (filter.issueId === undefined || report.issueId === filter.issueId) &&
    (filter.domain === undefined || report.domain === filter.domain) &&
    (filter.category === undefined || report.category === filter.category) &&
    holding([report.message, report.name, report.email, report.url], filter.search)
  );
}

/** Later places are greater. */
function placeOrder(one: FeedbackPlace, other: FeedbackPlace): number {
  return one.createdAtMs - other.createdAtMs || one.id - other.id;
}

function screenshotOf({ picture, details, feedback }: WorldReport) {
  if (picture === null) return null;
  const { width, height } = details.viewport as { readonly width: number; readonly height: number };
  const bytes = pagePicture(width, height, picture);
  const contentType = 'image/png' as const;
  return { contentType, width, height, name: `screen-${feedback.id}.png`, bytes };
}
