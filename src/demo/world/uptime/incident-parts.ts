// What incidents are made of, those of today and those of the past: what they affect, the release before
// them, and what was said by a time.
import { minuteMs } from '../../../core/reading/spans.ts';
import type { IncidentLink, IncidentState, IncidentUpdate } from '../../../core/store/incidents/incidents.ts';
import { demoProjects } from '../company.ts';
import { plannedWeekOf, releaseIdOf, versionOf } from '../story.ts';
import { componentsFedBy } from './components.ts';
import { watchedAs } from './monitors.ts';
import type { Said } from './past/trouble.ts';

/** When the planned release of a week was made. */
export type ReleasedAt = (projectId: number, plannedWeek: number) => number;

/** The last planned release of a project before a moment of a week; nobody linked it. */
export function releaseLink(
  projectId: number,
  week: number,
  atMs: number,
  releasedAt: ReleasedAt,
): IncidentLink {
  const planned = plannedWeekOf(projectId, week);
  return {
    kind: 'release',
    id: releaseIdOf(projectId, planned),
    projectId,
    name: `${slugOf(projectId)} ${versionOf(projectId, planned)}`,
    why: 'the newest release before it',
    beforeMs: atMs - releasedAt(projectId, planned),
    linkedBy: null,
    isDismissed: false,
  };
}

function slugOf(projectId: number): string {
  return demoProjects.find(({ id }) => id === projectId)?.slug ?? '';
}

/** A monitor, and the components that it feeds. */
export function affectedBy(monitorSlug: string): IncidentLink[] {
  const { id, name, projectId } = watchedAs(monitorSlug);
  const link = { projectId, why: '', beforeMs: null, linkedBy: name, isDismissed: false };
  return [
    { ...link, kind: 'monitor', id, name },
    ...componentsFedBy(id).map((component) => ({
      ...link,
      kind: 'component' as const,
      id: component.id,
      name: component.name,
    })),
  ];
}

/** What the monitor said when it opened one. */
export function openedWords(code: string): string {
  const what = code === '' ? 'No answer' : `Answered ${code}`;
  return `${what} from Falkenstein and from Helsinki, twice in a row.`;
}

/** What was said by `nowMs`, newest first, with the changes of state that it brought. */
export function updatesOf(
  said: readonly Said[],
  startedAtMs: number,
  nowMs: number,
  opened: string,
): IncidentUpdate[] {
  let state: IncidentState = 'investigating';
  const updates: IncidentUpdate[] = [
    { atMs: startedAtMs, author: 'Notifier', isPublic: false, body: opened, from: null, to: 'investigating' },
  ];
  for (const { minute, by, isPublic, body, to } of said) {
    const atMs = startedAtMs + minute * minuteMs;
    if (atMs > nowMs) break;
    updates.push({ atMs, author: by, isPublic, body, from: to === undefined ? null : state, to: to ?? null });
    state = to ?? state;
  }
  return updates.reverse();
}
