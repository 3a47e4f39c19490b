import type { IncidentOfView } from '../../core/workspace/incidents-of.ts';
import { type Content, el } from '../el.ts';
import type { Frame } from '../frame.ts';
import { pageLink } from '../parts/link.ts';
import { incidentMark, lengthText, linkTo, listed, told } from './words.ts';

/** Incidents linked to an issue, release or test run; null if nothing is monitored. */
export function incidentsOfPart(incidents: readonly IncidentOfView[] | undefined, frame: Frame): Content {
  return incidents?.map((each) => line(each, frame)) ?? null;
}

function line(incident: IncidentOfView, frame: Frame): Content {
  const { incident_id: id, title, severity, state, linked_by: by, lasted_ms: ms, beside } = incident;
  return el(
    'p',
    { class: 'note' },
    incidentMark(state, severity),
    ' ',
    pageLink(frame, { path: `/incidents/${id}`, query: { project: null } }, null, told(title)),
    `, ${lengthText(ms)}`,
    incident.resolved_at === null ? ' so far' : '',
    '. ',
    by === null ? 'Suggested as a cause' : ['Linked by ', told(by)],
    beside.length === 0 ? null : [', beside ', ...listed(beside.map((each) => linkTo(frame, each)))],
    '.',
  );
}
