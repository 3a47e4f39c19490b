// `incident list|show|open|update|remove`: what went wrong, how far it is, and what is said of it. The rules
// are those of POST /incidents.
import { type IncidentView, incidentChangeRequest, incidentRequest } from '../../../schemas/incidents.ts';
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { actionOf, toldOfIncident } from '../../core/audit/told-incidents.ts';
import { changeIncident, deleteIncident, getIncident, openIncident } from '../../core/incidents/incidents.ts';
import { viewIncident } from '../../core/incidents/views.ts';
import { type Command, exitCodes, type ParsedWords, printable, printJson, table } from '../command.ts';
import { idOf, requestOf, saidBy, sayWhat } from '../text/api-words.ts';
import { showCommand } from '../text/view.ts';
import { ownerOf } from '../which-project.ts';

export const incidentList: Command = {
  name: 'incident list',
  onlyReads: true,
  summary: 'Lists the incidents that go on, or all of them: how far each is.',
  usage: '[--all]',
  options: { all: { type: 'boolean', help: 'those that are over too' } },
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const { store } = await context.deps();
    const found = await store.listKeptIncidents(null);
    const incidents = found
      .filter(({ state }) => words.flag('all') || state !== 'resolved')
      .map(viewIncident);
    if (words.flag('json')) printJson(context, incidents);
    else context.out(`${incidents.length === 0 ? 'No incidents.' : incidentTable(incidents)}\n`);
    return exitCodes.fine;
  },
};

export const incidentShow = showCommand({
  name: 'incident show',
  summary: 'Shows one incident: how far it is, what led to it, and what was said of it.',
  noun: 'incident',
  read: async (deps, id) => viewIncident(await getIncident(deps, null, id)),
  called: ({ title }) => title,
});

const said = {
  severity: { type: 'string', help: 'critical or minor' },
  message: { type: 'string', help: 'what is said of it now' },
  public: { type: 'boolean', help: 'everybody may read the message' },
  cause: { type: 'string', help: 'the cause in a few words' },
  lead: { type: 'string', help: 'who leads it' },
} as const;

export const incidentOpen: Command = {
  name: 'incident open',
  summary: 'Opens an incident.',
  usage: 'TITLE [--severity critical|minor] [--message TEXT] [--project NAME]',
  options: {
    ...said,
    'started-at': { type: 'string', help: 'when it began, such as 2026-12-01T08:00:00Z (default: now)' },
    monitors: { type: 'string', help: 'numbers of monitors that it hits: 1,4' },
    components: { type: 'string', help: 'numbers of parts of status pages that it hits: 2,3' },
    project: { type: 'string', help: 'project id or name that it belongs to (default: none)' },
  },
  positionals: { least: 1, most: 1 },
  examples: ['incident open Checkout --severity minor'],
  async run(context, words) {
    const asked = requestOf(incidentRequest, {
      title: words.positionals[0],
      ...saidIn(words, ['started-at', 'monitors', 'components']),
    });
    const deps = await context.deps();
    const projectId = await ownerOf(deps, words);
    const incident = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await openIncident(parts, projectId, asked, byCommandLine.actor.name);
      return { result, told: toldOfIncident(result, 'incident.opened') };
    });
    if (words.flag('json')) printJson(context, viewIncident(incident));
    else context.out(`Opened: incident ${incident.id}, ${printable(incident.title)}\n`);
    return exitCodes.fine;
  },
};

export const incidentUpdate: Command = {
  name: 'incident update',
  summary: 'Changes an incident, or says something of it.',
  usage: 'ID [--state investigating|identified|monitoring|resolved] [--message TEXT [--public]]',
  options: {
    ...said,
    title: { type: 'string', help: 'what went wrong, in a line' },
    state: { type: 'string', help: 'how far it is' },
    acknowledged: { type: 'boolean', help: 'somebody sees to it' },
  },
  positionals: { least: 1, most: 1 },
  examples: ['incident update 3 --state resolved'],
  async run(context, words) {
    const id = idOf(words, 'incident');
    const given = {
      ...saidIn(words, ['title', 'state']),
      ...(words.flag('acknowledged') ? { acknowledged: 'true' } : {}),
    };
    // Who may read it is said of a message, and nothing by itself.
    sayWhat({ ...given, public: undefined }, '--state resolved');
    const asked = requestOf(incidentChangeRequest, given);
    const incident = await actAudited(await context.deps(), byCommandLine, async (parts) => {
      const result = await changeIncident(parts, null, id, asked, byCommandLine.actor.name);
      return { result, told: toldOfIncident(result, actionOf(asked)) };
    });
    if (words.flag('json')) printJson(context, viewIncident(incident));
    else context.out(`Changed: incident ${id}, ${printable(incident.title)}, ${incident.state}\n`);
    return exitCodes.fine;
  },
};

export const incidentRemove: Command = {
  name: 'incident remove',
  summary: 'Deletes an incident with all that was said of it.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const id = idOf(words, 'incident');
    const previous = viewIncident(
      await actAudited(await context.deps(), byCommandLine, async (parts) => {
        const result = await deleteIncident(parts, null, id);
        return { result, told: toldOfIncident(result, 'incident.deleted') };
      }),
    );
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`Removed: incident ${id}, ${printable(previous.title)}\n`);
    return exitCodes.fine;
  },
};

function saidIn(words: ParsedWords, others: readonly string[]): Record<string, string | undefined> {
  const said = saidBy(words, ['severity', 'message', 'cause', 'lead', ...others]);
  return words.flag('public') ? { ...said, public: 'true' } : said;
}

function incidentTable(incidents: readonly IncidentView[]): string {
  const rows = incidents.map((each) => [
    String(each.incident_id),
    each.title,
    each.severity,
    each.state,
    each.started_at,
    each.resolved_at ?? '',
  ]);
  return table(['ID', 'TITLE', 'SEVERITY', 'STATE', 'BEGAN', 'OVER'], rows);
}
