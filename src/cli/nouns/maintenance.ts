// `maintenance …`: planned work. The rules are those of POST /maintenance-windows.
import { type WindowView, windowChangeRequest, windowRequest } from '../../../schemas/maintenance-windows.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import { toldOfWindow } from '../../core/audit/told-monitors.ts';
import { viewWindow } from '../../core/monitors/windows/views.ts';
import { changeWindow, deleteWindow, getWindow, planWindow } from '../../core/monitors/windows/windows.ts';
import { printable } from '../print.ts';
import { inWorkspace, resourceCommands } from '../resource.ts';

export const maintenanceCommands = resourceCommands({
  name: 'maintenance',
  noun: 'window',
  view: viewWindow,
  title: ({ title }) => title,
  told: toldOfWindow,
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
      kept: await planWindow(deps, projectId, asked, byCommandLine.actor.name),
    }),
    action: () => 'work.planned',
    says: (window) => `Planned: ${lineOf(window)}`,
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
    act: (deps, id, asked) => changeWindow(deps, null, id, asked),
    action: () => 'work.changed',
    says: (window) => `Changed: ${lineOf(window)}`,
  },
  remove: {
    verb: 'remove',
    summary: 'Calls planned work off: what is under way ends now.',
    act: (deps, id) => deleteWindow(deps, null, id),
    action: 'work.called_off',
    says: ({ maintenance_window_id: id, title }) => `Called off: window ${id}, ${printable(title)}`,
  },
});

function lineOf({ maintenance_window_id: id, title, starts_at: from, ends_at: to }: WindowView): string {
  return `window ${id}, ${printable(title)}, from ${from} to ${to}`;
}
