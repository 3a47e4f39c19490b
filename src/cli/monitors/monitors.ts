// `monitor list|show|add|change|pause|resume|renew|remove`: what is watched. The rules are those of POST
// /monitors.
import {
  type MonitorChangeRequest,
  type MonitorView,
  monitorChangeRequest,
  monitorRequest,
} from '../../../schemas/monitors.ts';
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { toldOfMonitor } from '../../core/audit/told-monitors.ts';
import { namespaceUrl } from '../../core/config/addresses.ts';
import { heartbeatPath } from '../../core/monitors/calls.ts';
import {
  changeMonitor,
  createMonitor,
  deleteMonitor,
  getMonitor,
  renewAddress,
} from '../../core/monitors/monitors.ts';
import { viewMonitor } from '../../core/monitors/views.ts';
import type { KeptMonitor } from '../../core/store/monitors/monitoring.ts';
import {
  type Command,
  type CommandContext,
  exitCodes,
  type ParsedWords,
  printable,
  printJson,
  table,
} from '../command.ts';
import { idOf, requestOf, saidBy, sayWhat } from '../text/api-words.ts';
import { showCommand } from '../text/view.ts';
import { ownerOf } from '../which-project.ts';
import { jobOptions, termOptions, termSwitches } from './options.ts';

export const monitorList: Command = {
  name: 'monitor list',
  onlyReads: true,
  summary: 'Lists the monitors: what each of them asks, and how it stands.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const { store } = await context.deps();
    const monitors = (await store.listKeptMonitors(null)).map(viewMonitor);
    if (words.flag('json')) printJson(context, monitors);
    else context.out(`${monitors.length === 0 ? 'No monitors.' : monitorTable(monitors)}\n`);
    return exitCodes.fine;
  },
};

export const monitorShow = showCommand({
  name: 'monitor show',
  summary: 'Shows one monitor: what it asks and expects, and how it stands.',
  noun: 'monitor',
  read: async (deps, id) => viewMonitor(await getMonitor(deps, null, id)),
  called: ({ name }) => name,
});

export const monitorAdd: Command = {
  name: 'monitor add',
  summary: 'Adds a monitor; the running server asks it within five seconds.',
  usage:
    'NAME --type TYPE [--url URL | --host HOST [--port PORT | --record KIND]] [--interval SECONDS] [--project NAME]',
  options: {
    type: { type: 'string', help: 'http, keyword, tcp, dns, tls, heartbeat or cron' },
    ...termOptions,
    ...termSwitches,
    ...jobOptions,
    project: {
      type: 'string',
      help: 'project id or name that it belongs to; needed for cron (default: none)',
    },
  },
  positionals: { least: 1, most: 1 },
  examples: [
    'monitor add front --type http --url https://shop.example/ --interval 30',
    'monitor add nightly-import --type cron --schedule @daily --project shop',
  ],
  async run(context, words) {
    const asked = requestOf(monitorRequest, {
      name: words.positionals[0],
      type: words.text('type'),
      ...saidBy(words, Object.keys({ ...termOptions, ...jobOptions }), Object.keys(termSwitches)),
    });
    const deps = await context.deps();
    const projectId = await ownerOf(deps, words);
    const { monitor, token } = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await createMonitor(parts, projectId, asked, byCommandLine.actor.name);
      return { result, told: toldOfMonitor(result.monitor, 'monitor.created') };
    });
    const address = token === null ? null : `${namespaceUrl(deps.config)}${heartbeatPath(token)}`;
    const added = `Added: monitor ${monitor.id}, ${printable(monitor.name)}, ${monitor.target}\n`;
    const called = `It is called by ${address}, which is shown this once.\n`;
    if (words.flag('json')) {
      printJson(context, {
        ...viewMonitor(monitor),
        ...(address === null ? {} : { heartbeat_url: address }),
      });
    } else {
      context.out(address === null ? added : added + called);
    }
    return exitCodes.fine;
  },
};

export const monitorChange: Command = {
  name: 'monitor change',
  summary: 'Changes what is given of a monitor; the running server asks it anew within five seconds.',
  usage: 'ID [--name NAME] [--url URL | --host HOST] [--interval SECONDS] …',
  options: { name: { type: 'string', help: 'what it is called' }, ...termOptions, ...termSwitches },
  positionals: { least: 1, most: 1 },
  examples: [
    'monitor change 1 --interval 300 --slow-ms 2000',
    'monitor change 2 --group Shop --tags eu,shop',
  ],
  async run(context, words) {
    const id = idOf(words, 'monitor');
    const said = saidBy(words, ['name', ...Object.keys(termOptions)], Object.keys(termSwitches));
    sayWhat(said, '--interval 300');
    const monitor = await change(context, id, requestOf(monitorChangeRequest, said));
    tell(context, words, monitor, `Changed: monitor ${id}, ${printable(monitor.name)}, ${monitor.target}`);
    return exitCodes.fine;
  },
};

export const monitorPause: Command = {
  name: 'monitor pause',
  summary: 'Pauses a monitor: nothing is asked, and its time is not counted.',
  usage: 'ID [--until MOMENT]',
  options: { until: { type: 'string', help: 'when it goes on by itself, such as 2026-12-01T08:00:00Z' } },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const asked = requestOf(monitorChangeRequest, { paused: 'true', paused_until: words.text('until') });
    const monitor = await change(context, idOf(words, 'monitor'), asked);
    tell(context, words, monitor, `Paused: monitor ${monitor.id}, ${printable(monitor.name)}`);
    return exitCodes.fine;
  },
};

export const monitorResume: Command = {
  name: 'monitor resume',
  summary: 'Ends the pause of a monitor: the running server asks it within five seconds.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const asked = requestOf(monitorChangeRequest, { paused: 'false' });
    const monitor = await change(context, idOf(words, 'monitor'), asked);
    tell(context, words, monitor, `Resumed: monitor ${monitor.id}, ${printable(monitor.name)}`);
    return exitCodes.fine;
  },
};

export const monitorRenew: Command = {
  name: 'monitor renew',
  summary: 'Gives a heartbeat another address: the one from before is nobody’s.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const id = idOf(words, 'monitor');
    const deps = await context.deps();
    const { monitor, token } = await actAudited(deps, byCommandLine, async (parts) => {
      const monitor = await getMonitor(parts, null, id);
      const token = await renewAddress(parts, monitor);
      return { result: { monitor, token }, told: toldOfMonitor(monitor, 'monitor.readdressed') };
    });
    const address = `${namespaceUrl(deps.config)}${heartbeatPath(token)}`;
    if (words.flag('json')) printJson(context, { ...viewMonitor(monitor), heartbeat_url: address });
    else context.out(`It is called by ${address} now, which is shown this once.\n`);
    return exitCodes.fine;
  },
};

export const monitorRemove: Command = {
  name: 'monitor remove',
  summary: 'Deletes a monitor with all that it measured.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const id = idOf(words, 'monitor');
    const deps = await context.deps();
    const previous = viewMonitor(
      await actAudited(deps, byCommandLine, async (parts) => {
        const result = await deleteMonitor(parts, null, id);
        return { result, told: toldOfMonitor(result, 'monitor.deleted') };
      }),
    );
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`Removed: monitor ${id}, ${printable(previous.name)}\n`);
    return exitCodes.fine;
  },
};

async function change(
  context: CommandContext,
  id: number,
  asked: MonitorChangeRequest,
): Promise<KeptMonitor> {
  return actAudited(await context.deps(), byCommandLine, async (parts) => {
    const result = await changeMonitor(parts, null, id, asked);
    return { result, told: toldOfMonitor(result, 'monitor.changed') };
  });
}

function tell(context: CommandContext, words: ParsedWords, monitor: KeptMonitor, sentence: string): void {
  if (words.flag('json')) printJson(context, viewMonitor(monitor));
  else context.out(`${sentence}\n`);
}

function monitorTable(monitors: readonly MonitorView[]): string {
  const rows = monitors.map((each) => [
    String(each.monitor_id),
    each.name,
    each.type,
    each.target,
    `${each.interval} s`,
    each.state,
    each.reason,
  ]);
  return table(['ID', 'NAME', 'TYPE', 'TARGET', 'EACH', 'STATE', 'WHY'], rows);
}
