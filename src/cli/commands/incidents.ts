import { type IncidentView, incidentChangeRequest, incidentRequest } from '../../../schemas/incidents.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import {
  createIncident,
  deleteIncident,
  getIncident,
  updateIncident,
} from '../../core/incidents/incidents.ts';
import { viewIncident } from '../../core/incidents/views.ts';
import { sanitizeForTerminal } from '../print.ts';
import { inWorkspace, resourceCommands } from '../resource.ts';

export const incidentCommands = resourceCommands({
  name: 'incident',
  view: viewIncident,
  title: ({ title }) => title,
  ...inWorkspace,
  create: {
    aliases: ['open'],
    summary: 'Create an incident.',
    usage: 'TITLE [--severity critical|minor] [--message TEXT] [--project NAME]',
    schema: incidentRequest,
    first: 'title',
    flags: ['public'],
    options: { project: 'project ID or name (default: none)' },
    examples: ['incident create Checkout --severity minor'],
    run: async (deps, input, projectId) => ({
      result: await createIncident(deps, projectId, input, commandLineSource),
    }),
    message: (incident) => `Created: ${lineOf(incident)}`,
  },
  list: {
    summary: 'List the open incidents, or all of them.',
    usage: '[--all]',
    options: { all: { flag: 'include resolved incidents' } },
    async read({ deps }, args) {
      const found = await (await deps()).store.listIncidentRecords(null);
      return found.filter(({ state }) => args.flag('all') || state !== 'resolved');
    },
    emptyText: 'No incidents.',
    columns: {
      ID: ({ incident_id: id }) => String(id),
      ...{ Title: 'title', Severity: 'severity', State: 'state', Started: 'started_at' },
      Resolved: ({ resolved_at: at }) => at ?? '',
    },
  },
  show: {
    summary: 'Show one incident with its state, causes and updates.',
    read: (deps, id) => getIncident(deps, null, id),
  },
  update: {
    summary: 'Edit an incident, or post an update.',
    usage: 'ID [--state investigating|identified|monitoring|resolved] [--message TEXT [--public]]',
    schema: incidentChangeRequest,
    except: ['started_at', 'post_mortem', 'post_mortem_public', 'link', 'dismiss'],
    flags: ['public', 'acknowledged'],
    example: '--state resolved',
    // `public` belongs to the message; alone it changes nothing.
    dependentFields: ['public'],
    examples: ['incident update 3 --state resolved'],
    run: (deps, id, changes) => updateIncident(deps, null, id, changes, commandLineSource),
    message: (incident) => `Updated: ${lineOf(incident)}, ${incident.state}`,
  },
  remove: {
    aliases: ['remove'],
    summary: 'Delete an incident and its updates.',
    run: (deps, id) => deleteIncident(deps, null, id, commandLineSource),
  },
});

function lineOf({ incident_id: id, title }: IncidentView): string {
  return `incident ${id}, ${sanitizeForTerminal(title)}`;
}
