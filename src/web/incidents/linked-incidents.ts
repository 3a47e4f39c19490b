import type { LinkedIncidentView } from '../../core/page-models/linked-incidents.ts';
import { formatDurationToMinute } from '../../core/parsing/format/numbers.ts';
import { type Content, el, pageLink } from '../el.ts';
import { commaSeparated, incidentMark, linkTo, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContext } from '../page-context.ts';

/** Incidents linked to an issue, release or test run; null if nothing is monitored. */
export function linkedIncidents(
  incidents: readonly LinkedIncidentView[] | undefined,
  context: PageContext,
): Content {
  return incidents?.map((each) => line(each, context)) ?? null;
}

export function linkedIncident(incident: LinkedIncidentView, context: PageContext): Content {
  const { incident_id: id, title, severity, state, linked_by: by, lasted_ms: ms } = incident;
  return [
    incidentMark(state, severity),
    ' ',
    pageLink(
      context,
      { path: `/incidents/${id}`, query: { project: null } },
      null,
      shortUntrustedText(title),
    ),
    `, ${formatDurationToMinute(ms)}${incident.resolved_at === null ? ' so far' : ''}. `,
    linkText(by),
  ];
}

function line(incident: LinkedIncidentView, context: PageContext): Content {
  const {
    incident_id: id,
    title,
    severity,
    state,
    linked_by: by,
    lasted_ms: ms,
    beside: otherLinks,
  } = incident;
  return el(
    'p',
    { class: 'note' },
    incidentMark(state, severity),
    ' ',
    pageLink(
      context,
      { path: `/incidents/${id}`, query: { project: null } },
      null,
      shortUntrustedText(title),
    ),
    `, ${formatDurationToMinute(ms)}`,
    incident.resolved_at === null ? ' so far' : '',
    '. ',
    linkText(by),
    otherLinks.length === 0
      ? null
      : [', beside ', ...commaSeparated(otherLinks.map((each) => linkTo(context, each)))],
    '.',
  );
}

function linkText(by: string | null): Content {
  return by === null ? 'Suggested as a cause' : ['Linked by ', shortUntrustedText(by)];
}
