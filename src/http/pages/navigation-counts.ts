// Counts in the navigation; only problems are red.
import type { NavigationCounts } from '../../core/page-models/navigation-counts.ts';
import { formatShortCount } from '../../web/formatters/numbers.ts';
import type { PageContext } from '../../web/page-context.ts';

export function toNavigationCounts(counts: NavigationCounts): PageContext['counts'] {
  const { openIssues, newReports, failedSuites, failedProofs, members } = counts;
  const { downMonitors, openIncidents, failingChannels } = counts;
  return {
    ...plain('/issues', openIssues),
    ...plain('/feedback', newReports),
    ...plain('/members', members),
    ...bad('/test-runs', failedSuites),
    ...bad('/domains', failedProofs),
    ...(downMonitors === 0 ? {} : { '/monitors': figure(downMonitors, 'down', true) }),
    ...(openIncidents === 0 ? {} : { '/incidents': figure(openIncidents, 'open', false) }),
    ...(failingChannels === 0 ? {} : { '/alert-channels': figure(failingChannels, 'failing', true) }),
  };
}

function plain(place: '/issues' | '/feedback' | '/members', count: number): PageContext['counts'] {
  return count === 0 ? {} : { [place]: { text: formatShortCount(count), isBad: false } };
}

function bad(place: '/test-runs' | '/domains', count: number): PageContext['counts'] {
  return count === 0 ? {} : { [place]: { text: `${formatShortCount(count)} failed`, isBad: true } };
}

function figure(count: number, word: string, isBad: boolean) {
  return { text: word === '' ? formatShortCount(count) : `${formatShortCount(count)} ${word}`, isBad };
}
