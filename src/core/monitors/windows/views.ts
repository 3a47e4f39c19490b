import type { WindowView } from '../../../../schemas/maintenance-windows.ts';
import { momentText } from '../../reading/moments.ts';
import { minuteMs } from '../../reading/spans.ts';
import { timeOfDay } from '../../reading/words/clocks.ts';
import type { MaintenanceWindow } from '../../store/monitors/windows.ts';

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
    at: weekly === null ? null : timeOfDay(weekly.hour * 60 + weekly.minute),
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
