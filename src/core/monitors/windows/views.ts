// Planned work as the API says it.
import type { WindowView } from '../../../../schemas/maintenance-windows.ts';
import { momentText } from '../../reading/moments.ts';
import { minuteMs } from '../../reading/spans.ts';
import type { MaintenanceWindow, WeeklyWork } from '../../store/monitors/windows.ts';

/** A window with the work that is under way, or comes next. */
export function viewWindow(window: MaintenanceWindow): WindowView {
  const { weekly, covers, isUnderWay, dueAtMs } = window;
  return {
    maintenance_window_id: window.id,
    title: window.title,
    message: window.message,
    state: isUnderWay ? 'under_way' : dueAtMs === null ? 'over' : 'planned',
    starts_at: momentText(window.fromMs),
    ends_at: momentText(window.toMs),
    weekdays: [...(weekly?.weekdays ?? [])],
    at: weekly === null ? null : clockText(weekly),
    minutes: weekly === null ? null : weekly.lengthMs / minuteMs,
    timezone: weekly?.timezone ?? null,
    all: covers.all,
    monitors: [...covers.monitorIds],
    group: covers.group,
    tag: covers.tag,
    incident_id: window.incidentId,
    created_at: momentText(window.createdAtMs),
    created_by: window.createdBy,
  };
}

/** `02:30` */
function clockText({ hour, minute }: Pick<WeeklyWork, 'hour' | 'minute'>): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
