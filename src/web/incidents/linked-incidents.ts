import type { LinkedIncidentView } from '../../core/page-models/linked-incidents.ts';
import { formatDurationToMinute } from '../../core/parsing/format/numbers.ts';
import { type Content, html } from '../el.ts';
import { commaSeparated, incidentMark, linkTo, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContext } from '../page-context.ts';

/** Incidents linked to an issue, release or test run; null if nothing is monitored. */
export function linkedIncidents(
  incidents: readonly LinkedIncidentView[] | undefined,
  context: PageContext,
): Content {
  return incidents?.map((each) => line(each, context)) ?? null;
}

export function linkedIncident(incident: LinkedIncidentView, context: PageContext): Content[] {
  const { incident_id: id, title, severity, state, linked_by: by, lasted_ms: ms } = incident;
  return [
    incidentMark(state, severity),
    ' ',
    linkTo(context, { path: `/incidents/${id}`, name: title }),
    `, ${formatDurationToMinute(ms)}${incident.resolved_at === null ? ' so far' : ''}. `,
    by === null ? 'Suggested as a cause' : ['Linked by ', shortUntrustedText(by)],
  ];
}

function line(incident: LinkedIncidentView, context: PageContext): Content {
  const others = commaSeparated(incident.beside.map((each) => linkTo(context, each)));
  return html`<p class="note">
    ${linkedIncident(incident, context)}${others.length === 0 ? null : [', beside ', ...others]}.
  </p>`;
}
