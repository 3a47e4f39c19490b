// `monitor …`: what is watched. The rules are those of POST /monitors.
import { type MonitorView, monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { toldOfMonitor } from '../../core/audit/told-monitors.ts';
import { namespaceUrl } from '../../core/config/addresses.ts';
import type { Deps } from '../../core/deps.ts';
import { heartbeatPath } from '../../core/monitors/calls.ts';
import {
  changeMonitor,
  createMonitor,
  deleteMonitor,
  getMonitor,
  renewAddress,
} from '../../core/monitors/monitors.ts';
import { viewMonitor } from '../../core/monitors/views.ts';
import type { Answer, Command, CommandContext, ParsedWords } from '../command.ts';
import { printable } from '../print.ts';
import { idOf, requestOf } from '../requests.ts';
import { inWorkspace, resourceCommands } from '../resource.ts';

const pause: Command = {
  name: 'monitor pause',
  summary: 'Pauses a monitor: nothing is asked, and its time is not counted.',
  usage: 'ID [--until MOMENT]',
  options: { until: 'when it goes on by itself, such as 2026-12-01T08:00:00Z' },
  run: (context, words) =>
    changePause(context, words, { paused: 'true', paused_until: words.text('until') }, 'Paused'),
};

const resume: Command = {
  name: 'monitor resume',
  summary: 'Ends the pause of a monitor: the running server asks it within five seconds.',
  usage: 'ID',
  run: (context, words) => changePause(context, words, { paused: 'false' }, 'Resumed'),
};

const renew: Command = {
  name: 'monitor renew',
  summary: 'Gives a heartbeat another address: the one from before is nobody’s.',
  usage: 'ID',
  async run(context, words) {
    const id = idOf(words, 'monitor');
    const deps = await context.deps();
    const { monitor, token } = await actAudited(deps, byCommandLine, async (parts) => {
      const monitor = await getMonitor(parts, null, id);
      const token = await renewAddress(parts, monitor);
      return { result: { monitor, token }, told: toldOfMonitor(monitor, 'monitor.readdressed') };
    });
    const address = addressOf(deps, token);
    return {
      json: { ...viewMonitor(monitor), heartbeat_url: address },
      text: `It is called by ${address} now, which is shown this once.`,
    };
  },
};

export const monitorCommands = resourceCommands({
  name: 'monitor',
  view: viewMonitor,
  title: ({ name }) => name,
  told: toldOfMonitor,
  ...inWorkspace,
  create: {
    verb: 'add',
    summary: 'Adds a monitor; the running server asks it within five seconds.',
    usage:
      'NAME --type TYPE [--url URL | --host HOST [--port PORT | --record KIND]] [--interval SECONDS] [--project NAME]',
    schema: monitorRequest,
    first: 'name',
    options: { project: 'project id or name that it belongs to; needed for cron (default: none)' },
    examples: [
      'monitor add front --type http --url https://shop.example/ --interval 30',
      'monitor add nightly-import --type cron --schedule @daily --project shop',
    ],
    async act(deps, asked, projectId) {
      const { monitor, token } = await createMonitor(deps, projectId, asked, byCommandLine.actor.name);
      if (token === null) return { kept: monitor };
      const address = addressOf(deps, token);
      const line = `It is called by ${address}, which is shown this once.`;
      return { kept: monitor, members: { heartbeat_url: address }, line };
    },
    action: () => 'monitor.created',
    says: (monitor) => `Added: ${lineOf(monitor)}`,
  },
  list: {
    summary: 'Lists the monitors: what each of them asks, and how it stands.',
    read: async ({ deps }) => (await deps()).store.listKeptMonitors(null),
    none: 'No monitors.',
    columns: {
      ID: ({ monitor_id: id }) => String(id),
      ...{ NAME: 'name', TYPE: 'type', TARGET: 'target' },
      EACH: ({ interval }) => `${interval} s`,
      ...{ STATE: 'state', WHY: 'reason' },
    },
  },
  show: {
    summary: 'Shows one monitor: what it asks and expects, and how it stands.',
    read: (deps, id) => getMonitor(deps, null, id),
  },
  update: {
    verb: 'change',
    summary: 'Changes what is given of a monitor; the running server asks it anew within five seconds.',
    usage: 'ID [--name NAME] [--url URL | --host HOST] [--interval SECONDS] …',
    schema: monitorChangeRequest,
    except: ['paused', 'paused_until', 'new_address'],
    such: '--interval 300',
    examples: [
      'monitor change 1 --interval 300 --slow-ms 2000',
      'monitor change 2 --group Shop --tags eu,shop',
    ],
    act: (deps, id, asked) => changeMonitor(deps, null, id, asked),
    action: () => 'monitor.changed',
    says: (monitor) => `Changed: ${lineOf(monitor)}`,
  },
  others: [pause, resume, renew],
  remove: {
    verb: 'remove',
    summary: 'Deletes a monitor with all that it measured.',
    act: (deps, id) => deleteMonitor(deps, null, id),
    action: 'monitor.deleted',
  },
});

async function changePause(
  context: CommandContext,
  words: ParsedWords,
  given: Readonly<Record<string, string | undefined>>,
  said: string,
): Promise<Answer> {
  const asked = requestOf(monitorChangeRequest, given);
  const id = idOf(words, 'monitor');
  const monitor = await actAudited(await context.deps(), byCommandLine, async (parts) => {
    const result = await changeMonitor(parts, null, id, asked);
    return { result, told: toldOfMonitor(result, 'monitor.changed') };
  });
  return { json: viewMonitor(monitor), text: `${said}: monitor ${id}, ${printable(monitor.name)}` };
}

function addressOf({ config }: Pick<Deps, 'config'>, token: string): string {
  return `${namespaceUrl(config)}${heartbeatPath(token)}`;
}

function lineOf({ monitor_id: id, name, target }: MonitorView): string {
  return `monitor ${id}, ${printable(name)}, ${target}`;
}
