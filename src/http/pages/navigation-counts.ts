// Counts in the navigation; only problems are red.
import type { NavigationCounts } from '../../core/page-models/navigation-counts.ts';
import { formatShortCount } from '../../web/formatters.ts';
import type { PageContext } from '../../web/page-context.ts';

const badges = [
  { path: '/issues', of: 'openIssues', word: '', isBad: false },
  { path: '/feedback', of: 'newReports', word: '', isBad: false },
  { path: '/members', of: 'members', word: '', isBad: false },
  { path: '/test-runs', of: 'failedSuites', word: ' failed', isBad: true },
  { path: '/domains', of: 'failedProofs', word: ' failed', isBad: true },
  { path: '/monitors', of: 'downMonitors', word: ' down', isBad: true },
  { path: '/incidents', of: 'openIncidents', word: ' open', isBad: false },
  { path: '/alert-channels', of: 'failingChannels', word: ' failing', isBad: true },
] as const;

export function toNavigationCounts(counts: NavigationCounts): PageContext['counts'] {
  const shown = badges.filter(({ of }) => counts[of] !== 0);
  return Object.fromEntries(
    shown.map(({ path, of, word, isBad }) => [
      path,
      { text: `${formatShortCount(counts[of])}${word}`, isBad },
    ]),
  );
}
