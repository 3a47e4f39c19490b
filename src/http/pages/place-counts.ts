// Counts in the navigation; only problems are red.
import type { BesidePlaces } from '../../core/workspace/counts.ts';
import type { Frame } from '../../pages/frame.ts';
import { shortCount } from '../../pages/words/numbers.ts';

export function besidePlaces(counts: BesidePlaces): Frame['counts'] {
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

function plain(place: '/issues' | '/feedback' | '/members', count: number): Frame['counts'] {
  return count === 0 ? {} : { [place]: { text: shortCount(count), isBad: false } };
}

function bad(place: '/test-runs' | '/domains', count: number): Frame['counts'] {
  return count === 0 ? {} : { [place]: { text: `${shortCount(count)} failed`, isBad: true } };
}

function figure(count: number, word: string, isBad: boolean) {
  return { text: word === '' ? shortCount(count) : `${shortCount(count)} ${word}`, isBad };
}
