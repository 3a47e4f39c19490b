// `incident …`. The rules are those of POST /incidents.
import { type IncidentView, incidentChangeRequest, incidentRequest } from '../../../schemas/incidents.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import {
  createIncident,
  deleteIncident,
  getIncident,
  updateIncident,
} from '../../core/incidents/incidents.ts';
import { viewIncident } from '../../core/incidents/views.ts';
import { printable } from '../print.ts';
import { inWorkspace, resourceCommands } from '../resource.ts';

export const incidentCommands = resourceCommands({
  name: 'incident',
  view: viewIncident,
  title: ({ title }) => title,
  ...inWorkspace,
  create: {
    verb: 'open',
    summary: 'Opens an incident.',
    usage: 'TITLE [--severity critical|minor] [--message TEXT] [--project NAME]',
    schema: incidentRequest,
    first: 'title',
    flags: ['public'],
    options: { project: 'project id or name that it belongs to (default: none)' },
    examples: ['incident open Checkout --severity minor'],
    act: async (deps, asked, projectId) => ({
      kept: await createIncident(deps, projectId, asked, byCommandLine),
    }),
    says: (incident) => `Opened: ${lineOf(incident)}`,
  },
  list: {
    summary: 'Lists the incidents that go on, or all of them: how far each is.',
    usage: '[--all]',
    options: { all: { flag: 'those that are over too' } },
    async read({ deps }, words) {
      const found = await (await deps()).store.listKeptIncidents(null);
      return found.filter(({ state }) => words.flag('all') || state !== 'resolved');
    },
    none: 'No incidents.',
    columns: {
      ID: ({ incident_id: id }) => String(id),
      ...{ TITLE: 'title', SEVERITY: 'severity', STATE: 'state', BEGAN: 'started_at' },
      OVER: ({ resolved_at: at }) => at ?? '',
    },
  },
  show: {
    summary: 'Shows one incident: how far it is, what led to it, and what was said of it.',
    read: (deps, id) => getIncident(deps, null, id),
  },
  update: {
    summary: 'Changes an incident, or says something of it.',
    usage: 'ID [--state investigating|identified|monitoring|resolved] [--message TEXT [--public]]',
    schema: incidentChangeRequest,
    except: ['started_at', 'post_mortem', 'post_mortem_public', 'link', 'dismiss'],
    flags: ['public', 'acknowledged'],
    such: '--state resolved',
    // `public` belongs to the message; alone it changes nothing.
    besides: ['public'],
    examples: ['incident update 3 --state resolved'],
    act: (deps, id, asked) => updateIncident(deps, null, id, asked, byCommandLine),
    says: (incident) => `Changed: ${lineOf(incident)}, ${incident.state}`,
  },
  remove: {
    verb: 'remove',
    summary: 'Deletes an incident with all that was said of it.',
    act: (deps, id) => deleteIncident(deps, null, id, byCommandLine),
  },
});

function lineOf({ incident_id: id, title }: IncidentView): string {
  return `incident ${id}, ${printable(title)}`;
}
