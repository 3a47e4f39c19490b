import type { Deps } from '../deps.ts';
import { randomBase62 } from '../ids.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Incident } from '../store/incidents.ts';
import type { StatusAnnouncement, StatusPage } from '../store/status-pages.ts';
import { affectedComponentNames, incidentAffectsPage, isCanceled, publicIncidentTitle } from './affected.ts';
import { textsOf } from './languages/texts.ts';

export type StatusUpdateType =
  | `incident.${'opened' | 'updated' | 'resolved'}`
  | `maintenance.${'scheduled' | 'rescheduled' | 'started' | 'updated' | 'completed' | 'canceled'}`;

/** As it is stored with the message, and as webhooks get it. */
export type StatusUpdateMessage = ReturnType<typeof messageOf>;

const announcementsAtOnce = 20;
const idCharacters = 22;

/** Makes messages to the subscribers from what was announced. True where there may be more. */
export async function announceDue(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  pagesUrl: string,
): Promise<boolean> {
  return deps.store.transaction(async (store) => {
    const due = await store.takeAnnouncements(deps.now(), announcementsAtOnce);
    if (due.length === 0) return false;
    const pages = (await store.listStatusPages(null)).filter(
      ({ isPublic, shows }) => isPublic && shows.includes('incidents'),
    );
    for (const announcement of due) {
      const incident = await store.findIncident(announcement.incidentId);
      const type = incident === null ? null : typeOf(incident, announcement);
      if (incident === null || type === null) continue;
      for (const page of pages.filter((each) => incidentAffectsPage(incident, each))) {
        await store.addStatusMessage({
          pageId: page.id,
          publicId: `msg_${randomBase62(idCharacters, deps.randomBytes)}`,
          atMs: deps.now(),
          body: JSON.stringify(messageOf(page, incident, { announcement, type, pagesUrl })),
        });
      }
    }
    return due.length === announcementsAtOnce;
  });
}

/** Null for what subscribers need not know: no part of the incident was public. */
function typeOf(incident: Incident, { kind, state, isFirst }: StatusAnnouncement): StatusUpdateType | null {
  if (!incident.updates.some(({ isPublic }) => isPublic)) return null;
  if (incident.severity === 'planned') {
    if (kind === 'begin') return 'maintenance.started';
    if (kind === 'move') return 'maintenance.rescheduled';
    if (state === 'resolved') return isCanceled(incident) ? 'maintenance.canceled' : 'maintenance.completed';
    return state === 'planned' && isFirst ? 'maintenance.scheduled' : 'maintenance.updated';
  }
  if (state === 'resolved') return 'incident.resolved';
  return isFirst ? 'incident.opened' : 'incident.updated';
}

function messageOf(
  page: StatusPage,
  incident: Incident,
  {
    announcement,
    type,
    pagesUrl,
  }: {
    readonly announcement: StatusAnnouncement;
    readonly type: StatusUpdateType;
    readonly pagesUrl: string;
  },
) {
  const { isPublic, body, state, atMs } = announcement;
  return {
    type,
    timestamp: formatTime(atMs),
    data: {
      page: { slug: page.slug, name: page.name, url: `${pagesUrl}/status/${encodeURIComponent(page.slug)}` },
      incident: {
        incident_id: incident.id,
        title: publicIncidentTitle(page, incident, textsOf('en')),
        /** Whether the title is made from the names of the components. */
        is_title_made: incident.isNamedByProgram === true,
        severity: incident.severity,
        state: state ?? stateAt(incident, atMs),
        started_at: formatTime(incident.startedAtMs),
        planned_end_at: formatTime(incident.plannedEndAtMs),
        resolved_at: formatTime(incident.resolvedAtMs),
        components: affectedComponentNames(page, incident),
      },
      // The reason of an internal update stays internal.
      message: isPublic ? body : '',
    },
  };
}

/** An update without a change of state is in the one before it. */
function stateAt({ updates, severity }: Incident, atMs: number): Incident['state'] {
  const usual = severity === 'planned' ? 'planned' : 'investigating';
  return updates.find((each) => each.to !== null && each.atMs <= atMs)?.to ?? usual;
}
