import { formatTimeOfDay } from '../../parsing/format/time-zones.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { ReportSchedule } from '../../store/reports/schedules.ts';
import type { RequestContext } from '../request-context.ts';

export interface ScheduleView {
  readonly schedule_id: number;
  readonly channel_id: number;
  readonly channel: string;
  readonly project: string | null;
  readonly kind: ReportSchedule['kind'];
  readonly at: string;
  readonly timezone: string;
  readonly next_at: string;
}

export interface SchedulesModel {
  readonly has_mail: boolean;
  readonly schedules: readonly ScheduleView[];
  readonly channels: ReadonlyArray<{ readonly channel_id: number; readonly name: string }>;
}

export async function schedulesModel(context: RequestContext): Promise<SchedulesModel> {
  const { deps, projects } = context;
  const [all, schedules] = await Promise.all([
    deps.store.listChannels(),
    deps.store.listReportSchedules(context.project?.id ?? null),
  ]);
  const channels = all
    .filter(({ type }) => type === 'email')
    .map(({ id, name }) => ({ channel_id: id, name }));
  return {
    has_mail: deps.config.smtpUrl !== null,
    schedules: schedules.map((each) => ({
      schedule_id: each.id,
      channel_id: each.channelId,
      channel: channels.find(({ channel_id: id }) => id === each.channelId)?.name ?? '',
      project: projects.find(({ id }) => id === each.projectId)?.name ?? null,
      kind: each.kind,
      at: formatTimeOfDay(each.atMinute),
      timezone: each.zone,
      next_at: formatTime(each.dueAtMs),
    })),
    channels,
  };
}
