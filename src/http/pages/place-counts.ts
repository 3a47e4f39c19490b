// The counts beside the places, in words: only trouble is said in red.
import type { PlaceCounts } from '../../core/store/workspace.ts';
import type { Frame } from '../../pages/frame.ts';
import { shortCount } from '../../pages/words/numbers.ts';

/** What stands beside each place; nothing where there is nothing. */
export function besidePlaces(counts: PlaceCounts): Frame['counts'] {
  const { openIssues, newReports, failedRuns, failedProofs, members } = counts;
  return {
    ...plain('/issues', openIssues),
    ...plain('/feedback', newReports),
    ...plain('/members', members),
    ...bad('/test-runs', failedRuns),
    ...bad('/domains', failedProofs),
  };
}

function plain(place: '/issues' | '/feedback' | '/members', count: number): Frame['counts'] {
  return count === 0 ? {} : { [place]: { text: shortCount(count), isBad: false } };
}

function bad(place: '/test-runs' | '/domains', count: number): Frame['counts'] {
  return count === 0 ? {} : { [place]: { text: `${shortCount(count)} failed`, isBad: true } };
}
