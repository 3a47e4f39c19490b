// What the history is told of acts on reports.
import { timeOfDay } from '../reading/words/clocks.ts';
import type { KeptReport } from '../store/reports/kept.ts';
import type { ReportSchedule } from '../store/reports/schedules.ts';
import type { AuditedAct } from './audit.ts';

/** Something that was done with a report. */
export function toldOfReport(
  { projectId, period }: Pick<KeptReport, 'projectId' | 'period'>,
  action: 'report.made' | 'report.deleted',
): AuditedAct {
  return { action, object: { kind: 'report', id: period, name: period }, projectId };
}

type ScheduleAction = 'report.scheduled' | 'report.schedule_changed' | 'report.unscheduled';

/** Something that was said of when reports are sent to a channel. */
export function toldOfSchedule(
  { channelId, projectId, kind, zone, atMinute }: ReportSchedule,
  channel: { readonly name: string },
  action: ScheduleAction,
): AuditedAct {
  return {
    action,
    object: { kind: 'alert_channel', id: channelId, name: channel.name },
    projectId,
    summary:
      action === 'report.unscheduled' ? `of each ${kind}` : `of each ${kind}, ${timeOfDay(atMinute)} ${zone}`,
  };
}
