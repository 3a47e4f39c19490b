// The counts beside the places, in words: only trouble is said in red.
import type { UptimeStore } from '../../core/store/uptime/uptime.ts';
import type { BesidePlaces } from '../../core/workspace/counts.ts';
import { isPlanned } from '../../core/workspace/uptime/incident-views.ts';
import { isLookedAt } from '../../core/workspace/uptime/monitors.ts';
import type { Visit } from '../../core/workspace/visit.ts';
import type { Frame } from '../../pages/frame.ts';
import { shortCount } from '../../pages/words/numbers.ts';

/** What stands beside each place; nothing where there is nothing. */
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

/** What stands beside the places of what is watched: what is wrong, or how many there are. */
export async function besideUptime(uptime: UptimeStore, visit: Visit): Promise<Frame['counts']> {
  const [allMonitors, incidents, statusPages, channels] = await Promise.all([
    uptime.listMonitors(),
    uptime.listOpenIncidents(),
    uptime.listStatusPages(),
    uptime.listChannels(),
  ]);
  const monitors = allMonitors.filter(({ projectId }) => isLookedAt(visit, projectId));
  const down = monitors.filter(({ state }) => state === 'down').length;
  const failing = channels.filter(({ state }) => state === 'failing').length;
  const open = incidents.filter((each) => isLookedAt(visit, each.projectId) && !isPlanned(each)).length;
  return {
    '/monitors': down > 0 ? figure(down, 'down', true) : figure(monitors.length, '', false),
    ...(open === 0 ? {} : { '/incidents': figure(open, 'open', false) }),
    '/status-pages': figure(statusPages.length, '', false),
    '/alert-channels': failing > 0 ? figure(failing, 'failing', true) : figure(channels.length, '', false),
  };
}
