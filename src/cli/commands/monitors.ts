// `monitor …` and `maintenance …`. The rules are those of POST /monitors and POST /maintenance-windows.
import {
  type MaintenanceWindowView,
  maintenanceWindowChangeRequest,
  maintenanceWindowRequest,
} from '../../../schemas/maintenance-windows.ts';
import { type MonitorView, monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import { getNamespaceUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { heartbeatPath } from '../../core/monitors/heartbeat.ts';
import {
  createWindow,
  deleteWindow,
  getWindow,
  updateWindow,
  viewWindow,
} from '../../core/monitors/maintenance-windows/windows.ts';
import { createMonitor, deleteMonitor, getMonitor, updateMonitor } from '../../core/monitors/monitors.ts';
import { viewMonitor } from '../../core/monitors/views.ts';
import type { Command } from '../command.ts';
import { sanitizeForTerminal } from '../print.ts';
import { inWorkspace, resourceCommands } from '../resource.ts';
import { parseIdArgument } from '../schema-options.ts';
import { importMonitors } from './import-monitors.ts';

const renew: Command = {
  name: 'monitor rotate',
  aliases: ['monitor renew'],
  summary: 'Create a new heartbeat URL; the old one stops working.',
  usage: 'ID',
  async run(context, args) {
    const id = parseIdArgument(args, 'monitor');
    const deps = await context.deps();
    const { monitor, token } = await updateMonitor(deps, null, id, { new_address: true }, commandLineSource);
    const address = addressOf(deps, token ?? '');
    return {
      json: { ...viewMonitor(monitor), heartbeat_url: address },
      text: `New heartbeat URL: ${address} (shown only once)`,
    };
  },
};

export const monitorCommands = resourceCommands({
  name: 'monitor',
  view: viewMonitor,
  title: ({ name }) => name,
  ...inWorkspace,
  create: {
    aliases: ['add'],
    summary: 'Create a monitor; the running server checks it within five seconds.',
    usage:
      'NAME --type TYPE [--url URL | --host HOST [--port PORT | --record KIND]] [--interval SECONDS] [--project NAME]',
    schema: monitorRequest,
    first: 'name',
    options: { project: 'project ID or name; required for cron (default: none)' },
    examples: [
      'monitor create front --type http --url https://shop.example/ --interval 30',
      'monitor create nightly-import --type cron --schedule @daily --project shop',
    ],
    async run(deps, input, projectId) {
      const { monitor, token } = await createMonitor(deps, projectId, input, commandLineSource);
      if (token === null) return { result: monitor };
      const address = addressOf(deps, token);
      const line = `Heartbeat URL: ${address} (shown only once)`;
      return { result: monitor, members: { heartbeat_url: address }, line };
    },
    message: (monitor) => `Created: ${lineOf(monitor)}`,
  },
  list: {
    summary: 'List the monitors with their state.',
    read: async ({ deps }) => (await deps()).store.listMonitors(null),
    emptyText: 'No monitors.',
    columns: {
      ID: ({ monitor_id: id }) => String(id),
      ...{ Name: 'name', Type: 'type', Target: 'target' },
      Interval: ({ interval }) => `${interval} s`,
      ...{ State: 'state', Reason: 'reason' },
    },
  },
  show: {
    summary: 'Show one monitor with its settings and state.',
    read: (deps, id) => getMonitor(deps, null, id),
  },
  update: {
    aliases: ['change'],
    summary: 'Edit a monitor; the running server checks it again within five seconds.',
    usage: 'ID [--name NAME] [--url URL | --host HOST] [--interval SECONDS] …',
    schema: monitorChangeRequest,
    except: ['paused', 'paused_until', 'new_address'],
    example: '--interval 300',
    examples: [
      'monitor update 1 --interval 300 --slow-ms 2000',
      'monitor update 2 --group Shop --tags eu,shop',
    ],
    run: async (deps, id, changes) =>
      (await updateMonitor(deps, null, id, changes, commandLineSource)).monitor,
    message: (monitor) => `Updated: ${lineOf(monitor)}`,
  },
  pause: {
    enable: {
      aliases: ['resume'],
      summary: 'Resume a paused monitor; the running server checks it within five seconds.',
    },
    disable: {
      aliases: ['pause'],
      summary: 'Pause a monitor. No checks run, and the time does not count.',
      options: { until: 'when it resumes automatically, for example 2026-12-01T08:00:00Z' },
    },
    line: ({ monitor_id: id, name }) => `monitor ${id}, ${sanitizeForTerminal(name)}`,
  },
  others: [renew, importMonitors],
  remove: {
    aliases: ['remove'],
    summary: 'Delete a monitor with its checks and statistics.',
    run: (deps, id) => deleteMonitor(deps, null, id, commandLineSource),
  },
});

export const maintenanceCommands = resourceCommands({
  name: 'maintenance',
  noun: 'maintenance window',
  view: viewWindow,
  title: ({ title }) => title,
  ...inWorkspace,
  create: {
    aliases: ['plan'],
    summary: 'Schedule maintenance. Meanwhile its monitors are not checked and no notifications are sent.',
    usage:
      'TITLE (--ends-at DATE [--starts-at DATE] | --weekdays DAYS --at TIME [--minutes N]) (--all | --monitors IDS | --group NAME | --tag NAME)',
    schema: maintenanceWindowRequest,
    first: 'title',
    flags: ['all'],
    options: { project: 'project ID or name whose monitors are affected (default: all projects)' },
    examples: [
      'maintenance create Backups --weekdays sun --at 02:30 --minutes 90 --timezone Europe/Berlin --all',
    ],
    run: async (deps, input, projectId) => ({
      result: await createWindow(deps, projectId, input, commandLineSource),
    }),
    message: (window) => `Created: ${windowLineOf(window)}`,
  },
  list: {
    summary: 'List the scheduled maintenance.',
    read: async ({ deps }) => (await deps()).store.listWindows(null),
    emptyText: 'No maintenance is scheduled.',
    columns: {
      ID: ({ maintenance_window_id: id }) => String(id),
      Title: 'title',
      State: ({ state }) => state.replace('_', ' '),
      ...{ From: 'starts_at', To: 'ends_at' },
      Repeats: ({ weekdays, at, timezone }) =>
        weekdays.length === 0 ? 'never' : `${weekdays.join(', ')} at ${at} ${timezone}`,
    },
  },
  show: {
    summary: 'Show one maintenance window with its times and monitors.',
    read: (deps, id) => getWindow(deps, null, id),
  },
  update: {
    aliases: ['change'],
    summary: 'Edit a maintenance window, also while it is in progress.',
    usage: 'ID [--title TITLE] [--starts-at DATE] [--ends-at DATE] [--all on|off] [--monitors IDS] …',
    schema: maintenanceWindowChangeRequest,
    example: '--ends-at 2026-12-01T08:00:00Z',
    examples: ['maintenance update 1 --minutes 120', 'maintenance update 2 --all off --monitors 1,4'],
    run: (deps, id, changes) => updateWindow(deps, null, id, changes, commandLineSource),
    message: (window) => `Updated: ${windowLineOf(window)}`,
  },
  remove: {
    aliases: ['remove', 'call-off'],
    summary: 'Cancel maintenance. If it is in progress, it ends now.',
    run: (deps, id) => deleteWindow(deps, null, id, commandLineSource),
    message: ({ maintenance_window_id: id, title }) =>
      `Deleted: maintenance window ${id}, ${sanitizeForTerminal(title)}`,
  },
});

function addressOf({ config }: Pick<Deps, 'config'>, token: string): string {
  return `${getNamespaceUrl(config)}${heartbeatPath(token)}`;
}

function lineOf({ monitor_id: id, name, target }: MonitorView): string {
  return `monitor ${id}, ${sanitizeForTerminal(name)}, ${target}`;
}

function windowLineOf({
  maintenance_window_id: id,
  title,
  starts_at: from,
  ends_at: to,
}: MaintenanceWindowView): string {
  return `maintenance window ${id}, ${sanitizeForTerminal(title)}, from ${from} to ${to}`;
}
