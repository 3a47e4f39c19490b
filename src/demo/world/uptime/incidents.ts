// Incidents: the one under way, the two beside it, and one of each past week. What is not yet said or done at
// `nowMs` is not there.
import { minuteMs } from '../../../core/reading/spans.ts';
import type { Incident, IncidentLink, IncidentState } from '../../../core/store/incidents/incidents.ts';
import { weekOf } from '../calendar.ts';
import { incidentIdOf, pastWeeks, shopWeb, type Trouble } from '../story.ts';
import { affectedBy, openedWords, type ReleasedAt, updatesOf } from './incident-parts.ts';
import { watchedAs } from './monitors.ts';
import type { Said } from './past/trouble.ts';
import { pastIncident } from './past-incidents.ts';
import { plannedWindow, slowSince } from './troubles.ts';

/** All incidents of 90 days at `nowMs`, the newest first. */
export function incidentsAt(trouble: Trouble, nowMs: number, releasedAt: ReleasedAt): Incident[] {
  const all = [
    cardPayments(trouble, nowMs),
    slowSearch(nowMs),
    plannedWork(nowMs),
    ...pastWeeks(nowMs).map((week) => pastIncident(week, releasedAt)),
  ];
  return all.sort((one, other) => other.startedAtMs - one.startedAtMs);
}

const cardWords: readonly Said[] = [
  {
    minute: 3,
    by: 'Mara Feld',
    isPublic: false,
    body: 'On it. Tomas, please hold further deploys of checkout-api.',
  },
  {
    minute: 6,
    by: 'Mara Feld',
    isPublic: true,
    body: 'Card payments fail with an error. No card is charged twice.',
  },
  {
    minute: 13,
    by: 'Notifier',
    isPublic: false,
    body: '#1061 passed 100 users. #ops was told again.',
  },
  {
    minute: 21,
    by: 'Jun Park',
    isPublic: false,
    body: 'Provider support, case 8841-C: their EU cluster refuses requests with three retries inside 2 s. So it may be both: their limit, and our new retry.',
  },
  {
    minute: 28,
    by: 'Mara Feld',
    isPublic: true,
    body: 'Our payment provider confirms trouble on its side. You can still order and pay by bank transfer; your basket is kept.',
  },
  {
    minute: 95,
    by: 'Jun Park',
    isPublic: false,
    body: 'Taking the release back is being tried on staging.',
  },
];

function cardPayments(trouble: Trouble, nowMs: number): Incident {
  const { startedAtMs } = trouble;
  const after = (minutes: number): number | null => {
    const atMs = startedAtMs + minutes * minuteMs;
    return atMs <= nowMs ? atMs : null;
  };
  return {
    id: trouble.incidentId,
    title: 'Card payments are failing',
    severity: 'critical',
    state: 'investigating',
    projectId: watchedAs(trouble.monitorSlug).projectId,
    openedBy: watchedAs(trouble.monitorSlug).name,
    lead: after(3) === null ? null : 'Mara Feld',
    startedAtMs,
    acknowledgedAtMs: after(3),
    identifiedAtMs: null,
    mendedAtMs: null,
    resolvedAtMs: null,
    plannedEndAtMs: null,
    cause: '',
    affects: affectedBy(trouble.monitorSlug),
    links: causesOf(trouble, nowMs),
    updates: updatesOf(cardWords, startedAtMs, nowMs, openedWords('502')),
    helpers: after(21) === null ? [] : ['Jun Park'],
    told: ['#ops', 'On call', 'Operations'],
    usersAffected: null,
    postMortem: null,
  };
}

/** What is likely to have brought it, the likeliest first; the issue was linked by hand later. */
function causesOf(trouble: Trouble, nowMs: number): IncidentLink[] {
  const { startedAtMs } = trouble;
  const projectId = watchedAs(trouble.monitorSlug).projectId;
  const proposed = { projectId, linkedBy: null, isDismissed: false };
  const isLinked = nowMs >= startedAtMs + 9 * minuteMs;
  return [
    {
      ...proposed,
      kind: 'issue',
      id: trouble.issueId,
      name: `#${trouble.issueId}`,
      why: 'new today; every failing check is one of its events',
      beforeMs: startedAtMs - trouble.firstEventAtMs,
      linkedBy: isLinked ? 'Mara Feld' : null,
    },
    {
      ...proposed,
      kind: 'release',
      id: trouble.releaseId,
      name: `checkout-api ${trouble.version}`,
      why: `“capture: three attempts” changes capture.ts, where #${trouble.issueId} breaks`,
      beforeMs: startedAtMs - trouble.releasedAtMs,
    },
    {
      ...proposed,
      kind: 'test_run',
      id: trouble.testRunId,
      name: `${trouble.testRunId}`,
      why: '“capture is tried again once after a time-out” failed in it; flaky before, so nobody was told',
      beforeMs: startedAtMs - trouble.testRunAtMs,
    },
    {
      ...proposed,
      kind: 'deploy',
      id: trouble.deployId,
      name: `${trouble.deployId} to production`,
      why: 'the newest deploy before it',
      beforeMs: startedAtMs - trouble.deployedAtMs,
    },
  ];
}

function slowSearch(nowMs: number): Incident {
  const startedAtMs = slowSince(nowMs);
  const said: Said[] = [
    {
      minute: 11,
      by: 'Jun Park',
      isPublic: false,
      body: 'The index is being rebuilt after the night’s import.',
      to: 'identified',
    },
    {
      minute: 19,
      by: 'Jun Park',
      isPublic: true,
      body: 'Product search is slow while an index is rebuilt. Results are complete and take 2 to 3 seconds.',
      to: 'monitoring',
    },
  ];
  const saidAt = (minute: number): number | null =>
    startedAtMs + minute * minuteMs <= nowMs ? startedAtMs + minute * minuteMs : null;
  const state: IncidentState =
    saidAt(19) !== null ? 'monitoring' : saidAt(11) !== null ? 'identified' : 'investigating';
  return {
    id: incidentIdOf(weekOf(startedAtMs)) + 1,
    title: 'Product search is slow',
    severity: 'minor',
    state,
    projectId: shopWeb,
    openedBy: watchedAs('product-search').name,
    lead: saidAt(8) === null ? null : 'Jun Park',
    startedAtMs,
    acknowledgedAtMs: saidAt(8),
    identifiedAtMs: saidAt(11),
    mendedAtMs: null,
    resolvedAtMs: null,
    plannedEndAtMs: null,
    cause: saidAt(11) === null ? '' : 'an index is being rebuilt',
    affects: affectedBy('product-search'),
    links: [],
    updates: updatesOf(said, startedAtMs, nowMs, 'Median over 1 s from both places, twice in a row.'),
    helpers: [],
    told: ['#ops'],
    usersAffected: null,
    postMortem: null,
  };
}

function plannedWork(nowMs: number): Incident {
  const { fromMs, toMs } = plannedWindow(nowMs);
  return {
    id: incidentIdOf(weekOf(fromMs)) + 2,
    title: 'Image servers move to new disks',
    severity: 'planned',
    state: 'planned',
    projectId: null,
    openedBy: 'Tomas Lindqvist',
    lead: 'Tomas Lindqvist',
    startedAtMs: fromMs,
    acknowledgedAtMs: null,
    identifiedAtMs: null,
    mendedAtMs: null,
    resolvedAtMs: null,
    plannedEndAtMs: toMs,
    cause: 'planned work',
    affects: affectedBy('image-servers'),
    links: [],
    updates: [
      {
        atMs: fromMs,
        author: 'Tomas Lindqvist',
        isPublic: true,
        body: 'The image servers move to new disks. Pictures may load slowly; nothing else is affected.',
        from: null,
        to: 'planned',
      },
    ],
    helpers: [],
    told: [],
    usersAffected: null,
    postMortem: null,
  };
}
