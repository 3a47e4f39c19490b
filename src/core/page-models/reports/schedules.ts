import type { ReportScheduleView } from '../../../../schemas/reports.ts';
import { formatTimeOfDay } from '../../parsing/format/time-zones.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { ReportSchedule } from '../../store/reports.ts';
import type { RequestContext } from '../request-context.ts';

export interface ScheduleView extends ReportScheduleView {
  readonly channel: string;
  readonly project: string | null;
}

export type SchedulesModel = Awaited<ReturnType<typeof schedulesModel>>;

export async function schedulesModel(context: RequestContext) {
  const { deps, projects } = context;
  const [all, schedules] = await Promise.all([
    deps.store.listChannels(),
    deps.store.listReportSchedules(context.project?.id ?? null),
  ]);
  const channels = all
    .filter(({ type }) => type === 'email')
    .map(({ id, name }) => ({ alert_channel_id: id, name }));
  return {
    has_mail: deps.config.smtpUrl !== null,
    schedules: schedules.map((each) => ({
      ...viewReportSchedule(each),
      channel: channels.find(({ alert_channel_id: id }) => id === each.channelId)?.name ?? '',
      project: projects.find(({ id }) => id === each.projectId)?.name ?? null,
    })),
    channels,
  };
}

export function viewReportSchedule(schedule: ReportSchedule): ReportScheduleView {
  return {
    report_schedule_id: schedule.id,
    alert_channel_id: schedule.channelId,
    kind: schedule.kind,
    at: formatTimeOfDay(schedule.atMinute),
    timezone: schedule.zone,
    next_at: formatTime(schedule.dueAtMs),
    created_at: formatTime(schedule.createdAtMs),
    created_by: schedule.createdBy,
  };
}
