import type { MaintenanceWindowView } from '../../../../schemas/maintenance-windows.ts';
import { minuteMs } from '../../parsing/durations.ts';
import { formatTimeOfDay } from '../../parsing/format/time-zones.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { MaintenanceWindow } from '../../store/monitors/maintenance-windows.ts';

export function viewWindow(window: MaintenanceWindow): MaintenanceWindowView {
  const { weekly, covers, isInProgress, dueAtMs } = window;
  return {
    maintenance_window_id: window.id,
    title: window.title,
    message: window.message,
    state: isInProgress ? 'in_progress' : dueAtMs === null ? 'completed' : 'scheduled',
    starts_at: formatTime(window.fromMs),
    ends_at: formatTime(window.toMs),
    weekdays: [...(weekly?.weekdays ?? [])],
    at: weekly === null ? null : formatTimeOfDay(weekly.hour * 60 + weekly.minute),
    minutes: weekly === null ? null : weekly.lengthMs / minuteMs,
    timezone: weekly?.timezone ?? null,
    all: covers.all,
    monitors: [...covers.monitorIds],
    group: covers.group,
    tag: covers.tag,
    incident_id: window.incidentId,
    created_at: formatTime(window.createdAtMs),
    created_by: window.createdBy,
  };
}
