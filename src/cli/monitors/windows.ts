// `maintenance list|show|plan|change|remove`: planned work. The rules are those of POST /maintenance-windows.
import { type WindowView, windowChangeRequest, windowRequest } from '../../../schemas/maintenance-windows.ts';
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { toldOfWindow } from '../../core/audit/told-monitors.ts';
import { viewWindow } from '../../core/monitors/windows/views.ts';
import { changeWindow, deleteWindow, getWindow, planWindow } from '../../core/monitors/windows/windows.ts';
import { type Command, exitCodes, printable, printJson, table } from '../command.ts';
import { idOf, requestOf, saidBy, sayWhat } from '../text/api-words.ts';
import { showCommand } from '../text/view.ts';
import { ownerOf } from '../which-project.ts';

export const maintenanceList: Command = {
  name: 'maintenance list',
  onlyReads: true,
  summary: 'Lists planned work: when it is, and what it is about.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const { store } = await context.deps();
    const windows = (await store.listWindows(null)).map(viewWindow);
    if (words.flag('json')) printJson(context, windows);
    else context.out(`${windows.length === 0 ? 'Nothing is planned.' : windowTable(windows)}\n`);
    return exitCodes.fine;
  },
};

export const maintenanceShow = showCommand({
  name: 'maintenance show',
  summary: 'Shows one window of planned work: when it is, and what it is about.',
  noun: 'window',
  read: async (deps, id) => viewWindow(await getWindow(deps, null, id)),
  called: ({ title }) => title,
});

const settings = {
  message: { type: 'string', help: 'what everybody may read of it' },
  'starts-at': { type: 'string', help: 'when it begins, such as 2026-12-01T08:00:00Z (default: now)' },
  'ends-at': { type: 'string', help: 'when it ends, for work that comes once' },
  weekdays: { type: 'string', help: 'the days of each week on which it comes again: mon,thu' },
  at: { type: 'string', help: 'at what time of these days it begins, such as 02:30' },
  minutes: { type: 'string', help: 'how long it takes on these days (default: 60)' },
  timezone: { type: 'string', help: 'by which clock these days are (default: UTC)' },
  monitors: { type: 'string', help: 'numbers of monitors that it is about: 1,4' },
  group: { type: 'string', help: 'a group of monitors that it is about' },
  tag: { type: 'string', help: 'a tag of monitors that it is about' },
} as const;

export const maintenancePlan: Command = {
  name: 'maintenance plan',
  summary: 'Plans work: while it goes on monitors are at rest, and nobody is told.',
  usage:
    'TITLE (--ends-at MOMENT [--starts-at MOMENT] | --weekdays DAYS --at TIME [--minutes N]) (--all | --monitors IDS | --group NAME | --tag NAME)',
  options: {
    ...settings,
    all: { type: 'boolean', help: 'it is about all monitors' },
    project: {
      type: 'string',
      help: 'project id or name whose monitors it is about (default: all projects)',
    },
  },
  positionals: { least: 1, most: 1 },
  examples: [
    'maintenance plan Backups --weekdays sun --at 02:30 --minutes 90 --timezone Europe/Berlin --all',
  ],
  async run(context, words) {
    const all = words.flag('all') ? 'true' : undefined;
    const said = saidBy(words, Object.keys(settings));
    const asked = requestOf(windowRequest, { title: words.positionals[0], ...said, all });
    const deps = await context.deps();
    const projectId = await ownerOf(deps, words);
    const window = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await planWindow(parts, projectId, asked, byCommandLine.actor.name);
      return { result, told: toldOfWindow(result, 'work.planned') };
    });
    const view = viewWindow(window);
    if (words.flag('json')) printJson(context, view);
    else context.out(`Planned: ${lineOf(view)}\n`);
    return exitCodes.fine;
  },
};

export const maintenanceChange: Command = {
  name: 'maintenance change',
  summary: 'Changes what is given of planned work, also while it goes on.',
  usage: 'ID [--title TITLE] [--starts-at MOMENT] [--ends-at MOMENT] [--all on|off] [--monitors IDS] …',
  options: {
    title: { type: 'string', help: 'what is done, in a line' },
    ...settings,
    all: { type: 'string', help: 'on or off: whether it is about all monitors' },
  },
  positionals: { least: 1, most: 1 },
  examples: ['maintenance change 1 --minutes 120', 'maintenance change 2 --all off --monitors 1,4'],
  async run(context, words) {
    const id = idOf(words, 'window');
    const said = saidBy(words, ['title', ...Object.keys(settings)], ['all']);
    sayWhat(said, '--ends-at 2026-12-01T08:00:00Z');
    const asked = requestOf(windowChangeRequest, said);
    const changed = await actAudited(await context.deps(), byCommandLine, async (parts) => {
      const result = await changeWindow(parts, null, id, asked);
      return { result, told: toldOfWindow(result, 'work.changed') };
    });
    const view = viewWindow(changed);
    if (words.flag('json')) printJson(context, view);
    else context.out(`Changed: ${lineOf(view)}\n`);
    return exitCodes.fine;
  },
};

export const maintenanceRemove: Command = {
  name: 'maintenance remove',
  summary: 'Calls planned work off: what is under way ends now.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const id = idOf(words, 'window');
    const removed = await actAudited(await context.deps(), byCommandLine, async (parts) => {
      const result = await deleteWindow(parts, null, id);
      return { result, told: toldOfWindow(result, 'work.called_off') };
    });
    const previous = viewWindow(removed);
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`Called off: window ${id}, ${printable(previous.title)}\n`);
    return exitCodes.fine;
  },
};

function lineOf({ maintenance_window_id: id, title, starts_at: from, ends_at: to }: WindowView): string {
  return `window ${id}, ${printable(title)}, from ${from} to ${to}`;
}

function windowTable(windows: readonly WindowView[]): string {
  const rows = windows.map((each) => [
    String(each.maintenance_window_id),
    each.title,
    each.state.replace('_', ' '),
    each.starts_at,
    each.ends_at,
    each.weekdays.length === 0 ? 'once' : `${each.weekdays.join(', ')} at ${each.at} ${each.timezone}`,
  ]);
  return table(['ID', 'TITLE', 'STATE', 'FROM', 'TO', 'AGAIN'], rows);
}
