// The incidents that past weeks ended with, resolved: what happened follows from the week alone.
import { minuteMs } from '../../../core/reading/spans.ts';
import type { Incident, IncidentLink, IncidentState } from '../../../core/store/incidents/incidents.ts';
import { incidentIdOf, lastMarkOf } from '../story.ts';
import { affectedBy, openedWords, type ReleasedAt, releaseLink, updatesOf } from './incident-parts.ts';
import { watchedAs } from './monitors.ts';
import { troublesOfOthers } from './past/of-others.ts';
import { troublesOfShop } from './past/of-shop.ts';
import type { PastTrouble } from './past/trouble.ts';

const pastTroubles: readonly PastTrouble[] = [...troublesOfShop, ...troublesOfOthers];

/** Which of the past troubles a week ended with: each once in as many weeks. */
export function pastTroubleOf(week: number): PastTrouble {
  // Neighbours in the list lie apart in time: five and thirteen have no common part.
  return pastTroubles[(week * 5) % pastTroubles.length] as PastTrouble;
}

/** The incident of a past week. */
export function pastIncident(week: number, releasedAt: ReleasedAt): Incident {
  const past = pastTroubleOf(week);
  const startedAtMs = lastMarkOf(week);
  const at = (minute: number): number => startedAtMs + minute * minuteMs;
  const minuteOf = (state: IncidentState): number | null =>
    past.said.find(({ to }) => to === state)?.minute ?? null;
  const momentOf = (state: IncidentState): number | null => {
    const minute = minuteOf(state);
    return minute === null ? null : at(minute);
  };
  return {
    id: incidentIdOf(week),
    title: past.title,
    severity: past.severity,
    state: 'resolved',
    projectId: past.projectId,
    openedBy: watchedAs(past.monitorSlug).name,
    lead: past.lead,
    startedAtMs,
    acknowledgedAtMs: at(past.acknowledgedMinute),
    identifiedAtMs: momentOf('identified'),
    mendedAtMs: momentOf('monitoring') ?? at(past.minutes),
    resolvedAtMs: at(past.minutes),
    plannedEndAtMs: null,
    cause: past.cause,
    affects: affectedBy(past.monitorSlug),
    links: linksOf(past, week, startedAtMs, releasedAt),
    updates: updatesOf(past.said, startedAtMs, at(past.said.at(-1)?.minute ?? 0), openedWords(past.code)),
    helpers: past.helpers,
    told: past.severity === 'critical' ? ['#ops', 'On call', 'Operations'] : ['#ops'],
    usersAffected: past.users,
    postMortem: postMortemOf(past, startedAtMs),
  };
}

function postMortemOf({ postMortem, minutes }: PastTrouble, startedAtMs: number): Incident['postMortem'] {
  if (postMortem === null) return null;
  const { by, isPublic, text, wentWell, actions } = postMortem;
  return {
    author: by,
    // Written while everybody still remembers, before the next week's trouble can begin.
    writtenAtMs: startedAtMs + (minutes + 9) * minuteMs,
    isPublic,
    parts: [
      { heading: 'What happened', paragraphs: [text] },
      { heading: 'What went well', paragraphs: [wentWell] },
    ],
    actions: actions.map(([what, who, isDone]) => ({ what, who, state: isDone ? 'done' : 'due' })),
  };
}

/** The project's planned release of the week, and the issue that told of it. */
function linksOf(
  past: PastTrouble,
  week: number,
  startedAtMs: number,
  releasedAt: ReleasedAt,
): IncidentLink[] {
  const links: IncidentLink[] = [];
  if (past.isOfRelease && past.projectId !== null) {
    links.push({ ...releaseLink(past.projectId, week, startedAtMs, releasedAt), linkedBy: past.lead });
  }
  if (past.issueId !== null) {
    links.push({
      kind: 'issue',
      id: past.issueId,
      projectId: past.projectId,
      name: `#${past.issueId}`,
      why: 'its events rose in the same minutes',
      beforeMs: null,
      linkedBy: past.lead,
      isDismissed: false,
    });
  }
  return links;
}
