import { incidentSeverities } from '../../../../schemas/incidents.ts';
import { viewWindow } from '../../monitors/maintenance-windows/windows.ts';
import type { MaintenanceWindow, MonitorRecord, MonitorSelection } from '../../store/monitors.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';

export type NewIncidentModel = Awaited<ReturnType<typeof newIncidentModel>>;

export async function newIncidentModel({ deps }: RequestContext) {
  const [monitors, pages] = await Promise.all([
    deps.store.listMonitors(null),
    deps.store.listStatusPages(null),
  ]);
  return {
    severities: incidentSeverities,
    monitors: monitors.map(({ id, name }) => ({ monitor_id: id, name })),
    components: pages.flatMap((page) =>
      page.components.map(({ id, name }) => ({ component_id: id, name, page: page.name })),
    ),
  };
}

export type NewMaintenanceModel = Awaited<ReturnType<typeof newMaintenanceModel>>;

export type MaintenanceModel = Awaited<ReturnType<typeof maintenanceModel>>;

const subject = 'Maintenance with this number';

export async function newMaintenanceModel({ deps }: RequestContext) {
  return { choices: choicesOf(await deps.store.listMonitors(null)) };
}

export async function maintenanceModel(context: RequestContext) {
  const window = await getMaintenanceOfPath(context);
  const monitors = await context.deps.store.listMonitors(window.projectId);
  return {
    incident_id: pathId(context, 'incident_id', subject),
    title: window.title,
    message: window.message,
    about: aboutOf(window.covers, monitors),
    ...timesOf(window),
    choices: choicesOf(monitors),
  };
}

/** The window of the incident in the URL. Throws 404 if it is over. */
export async function getMaintenanceOfPath(context: RequestContext): Promise<MaintenanceWindow> {
  const window = await context.deps.store.findWindowOf(pathId(context, 'incident_id', subject));
  if (window === null || window.dueAtMs === null) throw pageNotFound(subject);
  return window;
}

function timesOf(window: MaintenanceWindow) {
  const { starts_at: from, ends_at: until, weekdays, at, minutes, timezone } = viewWindow(window);
  const isWeekly = window.weekly !== null;
  return {
    from: isWeekly ? '' : minuteText(from),
    until: isWeekly ? '' : minuteText(until),
    weekdays: weekdays.join(', '),
    at: at ?? '',
    minutes: String(minutes ?? ''),
    timezone: timezone ?? '',
  };
}

/** `2026-12-01 02:00` */
function minuteText(moment: string): string {
  return moment.slice(0, 16).replace('T', ' ');
}

function aboutOf(
  { all, group, tag, monitorIds }: MonitorSelection,
  monitors: ReadonlyArray<Pick<MonitorRecord, 'id' | 'name'>>,
): readonly string[] {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return [
    ...(all ? [allName] : []),
    ...(group === '' ? [] : [groupName(group)]),
    ...(tag === '' ? [] : [tagName(tag)]),
    ...monitorIds.flatMap((id) => names.get(id) ?? []),
  ];
}

const allName = 'all monitors';
const groupName = (group: string): string => `the group ${group}`;
const tagName = (tag: string): string => `the tag ${tag}`;

function choicesOf(monitors: ReadonlyArray<Pick<MonitorRecord, 'id' | 'name' | 'group' | 'tags'>>) {
  const groups = new Set(monitors.map(({ group }) => group).filter((group) => group !== ''));
  const tags = new Set(monitors.flatMap((each) => each.tags));
  return [
    { value: 'all', name: allName },
    ...[...groups].map((group) => ({ value: `group:${group}`, name: groupName(group) })),
    ...[...tags].map((tag) => ({ value: `tag:${tag}`, name: tagName(tag) })),
    ...monitors.map(({ id, name }) => ({ value: `monitor:${id}`, name })),
  ];
}
