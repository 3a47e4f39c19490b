// What the history is told of acts on monitors, and on work that is planned at them: what they ask only as it
// may be shown.
import { momentText } from '../reading/moments.ts';
import type { KeptMonitor } from '../store/monitors/monitoring.ts';
import type { MaintenanceWindow } from '../store/monitors/windows.ts';
import type { AuditedAct } from './audit.ts';

/** Something that was done with a monitor. */
export function toldOfMonitor(
  { slug, projectId, name, type, target, intervalMs, state }: KeptMonitor,
  action: `monitor.${'created' | 'changed' | 'asked' | 'readdressed' | 'deleted'}`,
): AuditedAct {
  const every = `each ${intervalMs / 1000} s${state === 'paused' ? ', paused' : ''}`;
  const isState = action === 'monitor.created' || action === 'monitor.changed';
  return {
    action,
    object: { kind: 'monitor', id: slug, name },
    projectId,
    summary: isState ? `${type} ${target}, ${every}` : '',
  };
}

/** Something that was done with planned work. */
export function toldOfWindow(
  { id, projectId, title, fromMs, toMs, weekly }: MaintenanceWindow,
  action: `work.${'planned' | 'changed' | 'called_off'}`,
): AuditedAct {
  const when = `${momentText(fromMs)} to ${momentText(toMs)}`;
  return {
    action,
    object: { kind: 'maintenance_window', id, name: title },
    projectId,
    summary: weekly === null ? when : `${when}, each ${weekly.weekdays.join(', ')}`,
  };
}
