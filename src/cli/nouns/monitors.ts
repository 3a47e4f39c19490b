// `monitor …` and `maintenance …`. The rules are those of POST /monitors and POST /maintenance-windows.
import { type WindowView, windowChangeRequest, windowRequest } from '../../../schemas/maintenance-windows.ts';
import { type MonitorView, monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import { namespaceUrl } from '../../core/config/addresses.ts';
import type { Deps } from '../../core/deps.ts';
import { heartbeatPath } from '../../core/monitors/calls.ts';
import { createMonitor, deleteMonitor, getMonitor, updateMonitor } from '../../core/monitors/monitors.ts';
import { viewMonitor } from '../../core/monitors/views.ts';
import { viewWindow } from '../../core/monitors/windows/views.ts';
import { createWindow, deleteWindow, getWindow, updateWindow } from '../../core/monitors/windows/windows.ts';
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
    const { monitor, token } = await updateMonitor(deps, null, id, { new_address: true }, byCommandLine);
    const address = addressOf(deps, token ?? '');
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
      const { monitor, token } = await createMonitor(deps, projectId, asked, byCommandLine);
      if (token === null) return { kept: monitor };
      const address = addressOf(deps, token);
      const line = `It is called by ${address}, which is shown this once.`;
      return { kept: monitor, members: { heartbeat_url: address }, line };
    },
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
    act: async (deps, id, asked) => (await updateMonitor(deps, null, id, asked, byCommandLine)).monitor,
    says: (monitor) => `Changed: ${lineOf(monitor)}`,
  },
  others: [pause, resume, renew],
  remove: {
    verb: 'remove',
    summary: 'Deletes a monitor with all that it measured.',
    act: (deps, id) => deleteMonitor(deps, null, id, byCommandLine),
  },
});

export const maintenanceCommands = resourceCommands({
  name: 'maintenance',
  noun: 'window',
  view: viewWindow,
  title: ({ title }) => title,
  ...inWorkspace,
  create: {
    verb: 'plan',
    summary: 'Plans work: while it goes on monitors are at rest, and nobody is told.',
    usage:
      'TITLE (--ends-at MOMENT [--starts-at MOMENT] | --weekdays DAYS --at TIME [--minutes N]) (--all | --monitors IDS | --group NAME | --tag NAME)',
    schema: windowRequest,
    first: 'title',
    flags: ['all'],
    options: { project: 'project id or name whose monitors it is about (default: all projects)' },
    examples: [
      'maintenance plan Backups --weekdays sun --at 02:30 --minutes 90 --timezone Europe/Berlin --all',
    ],
    act: async (deps, asked, projectId) => ({
      kept: await createWindow(deps, projectId, asked, byCommandLine),
    }),
    says: (window) => `Planned: ${windowLineOf(window)}`,
  },
  list: {
    summary: 'Lists planned work: when it is, and what it is about.',
    read: async ({ deps }) => (await deps()).store.listWindows(null),
    none: 'Nothing is planned.',
    columns: {
      ID: ({ maintenance_window_id: id }) => String(id),
      TITLE: 'title',
      STATE: ({ state }) => state.replace('_', ' '),
      ...{ FROM: 'starts_at', TO: 'ends_at' },
      AGAIN: ({ weekdays, at, timezone }) =>
        weekdays.length === 0 ? 'once' : `${weekdays.join(', ')} at ${at} ${timezone}`,
    },
  },
  show: {
    summary: 'Shows one window of planned work: when it is, and what it is about.',
    read: (deps, id) => getWindow(deps, null, id),
  },
  update: {
    verb: 'change',
    summary: 'Changes what is given of planned work, also while it goes on.',
    usage: 'ID [--title TITLE] [--starts-at MOMENT] [--ends-at MOMENT] [--all on|off] [--monitors IDS] …',
    schema: windowChangeRequest,
    such: '--ends-at 2026-12-01T08:00:00Z',
    examples: ['maintenance change 1 --minutes 120', 'maintenance change 2 --all off --monitors 1,4'],
    act: (deps, id, asked) => updateWindow(deps, null, id, asked, byCommandLine),
    says: (window) => `Changed: ${windowLineOf(window)}`,
  },
  remove: {
    verb: 'remove',
    summary: 'Calls planned work off: what is under way ends now.',
    act: (deps, id) => deleteWindow(deps, null, id, byCommandLine),
    says: ({ maintenance_window_id: id, title }) => `Called off: window ${id}, ${printable(title)}`,
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
  const { monitor } = await updateMonitor(await context.deps(), null, id, asked, byCommandLine);
  return { json: viewMonitor(monitor), text: `${said}: monitor ${id}, ${printable(monitor.name)}` };
}

function addressOf({ config }: Pick<Deps, 'config'>, token: string): string {
  return `${namespaceUrl(config)}${heartbeatPath(token)}`;
}

function lineOf({ monitor_id: id, name, target }: MonitorView): string {
  return `monitor ${id}, ${printable(name)}, ${target}`;
}

function windowLineOf({
  maintenance_window_id: id,
  title,
  starts_at: from,
  ends_at: to,
}: WindowView): string {
  return `window ${id}, ${printable(title)}, from ${from} to ${to}`;
}
