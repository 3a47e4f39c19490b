// Counts in the navigation; only problems are red.
import type { NavigationCounts } from '../../core/page-models/navigation-counts.ts';
import { formatShortCount } from '../../web/formatters.ts';
import type { PageContext } from '../../web/page-context.ts';

export function toNavigationCounts(counts: NavigationCounts): PageContext['counts'] {
  const { openIssues, newReports, failedSuites, failedProofs, members } = counts;
  const { downMonitors, openIncidents, failingChannels } = counts;
  return {
    ...plainBadge('/issues', openIssues),
    ...plainBadge('/feedback', newReports),
    ...plainBadge('/members', members),
    ...failureBadge('/test-runs', failedSuites),
    ...failureBadge('/domains', failedProofs),
    ...(downMonitors === 0 ? {} : { '/monitors': badge(downMonitors, 'down', true) }),
    ...(openIncidents === 0 ? {} : { '/incidents': badge(openIncidents, 'open', false) }),
    ...(failingChannels === 0 ? {} : { '/alert-channels': badge(failingChannels, 'failing', true) }),
  };
}

function plainBadge(path: '/issues' | '/feedback' | '/members', count: number): PageContext['counts'] {
  return count === 0 ? {} : { [path]: { text: formatShortCount(count), isBad: false } };
}

function failureBadge(path: '/test-runs' | '/domains', count: number): PageContext['counts'] {
  return count === 0 ? {} : { [path]: { text: `${formatShortCount(count)} failed`, isBad: true } };
}

function badge(count: number, word: string, isBad: boolean) {
  return { text: word === '' ? formatShortCount(count) : `${formatShortCount(count)} ${word}`, isBad };
}
