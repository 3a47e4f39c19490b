import type {
  ReportScheduleChangeRequest,
  ReportScheduleRequest,
  ReportScheduleView,
} from '../../../schemas/reports.ts';
import { type AuditBy, type AuditedAct, actAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { invalidParam, type Owner, ofOwner } from '../errors.ts';
import { momentText } from '../reading/moments.ts';
import { requireZone, timeOfDay } from '../reading/words/clocks.ts';
import type { ReportSchedule } from '../store/reports/schedules.ts';
import { nextSendMs } from './calendar.ts';

type Parts = Pick<Deps, 'store' | 'now'>;

interface SentReports {
  readonly schedule: ReportSchedule;
  readonly isNew: boolean;
}

const usualTime = '08:00';
const usualZone = 'UTC';

/** Creates the schedule, or updates the existing one. Throws 400 unless it is an e-mail channel. */
export async function sendReports(
  deps: Parts,
  projectId: Owner,
  asked: ReportScheduleRequest,
  by: AuditBy,
): Promise<SentReports> {
  const { alert_channel_id: channelId, kind } = asked;
  const atMinute = minuteOf(asked.at ?? usualTime);
  const zone = namedZone(asked.timezone ?? usualZone);
  return actAudited<SentReports, Parts>(deps, by, async ({ store, now }) => {
    const channel = await store.findKeptChannel(channelId);
    if (channel === null || (projectId !== null && channel.projectId !== projectId)) {
      throw invalidParam({ alert_channel_id: `alert_channel_id: there is no alert channel ${channelId}.` });
    }
    if (channel.type !== 'email') {
      throw invalidParam({ alert_channel_id: 'alert_channel_id: reports are only sent by e-mail.' });
    }
    const createdAtMs = now();
    const dueAtMs = nextSendMs({ kind, atMinute, zone }, createdAtMs);
    const made = await store.addReportSchedule({
      projectId: channel.projectId,
      channelId,
      ...{ kind, atMinute, zone, dueAtMs, createdAtMs },
      createdBy: by.actor.name,
    });
    if (made !== null) {
      return { result: { schedule: made, isNew: true }, told: auditEntry(made, channel, 'report.scheduled') };
    }
    const there = (await store.listReportSchedules(null)).find(
      (each) => each.channelId === channelId && each.kind === kind,
    );
    const changed = await store.changeReportSchedule(there?.id ?? 0, { atMinute, zone, dueAtMs });
    if (changed === null) throw new Error('A schedule is there and cannot be found.');
    const told = auditEntry(changed, channel, 'report.schedule_changed');
    return { result: { schedule: changed, isNew: false }, told };
  });
}

export async function getSchedule(
  { store }: Pick<Deps, 'store'>,
  projectId: Owner,
  id: number,
): Promise<ReportSchedule> {
  return ofOwner(await store.findReportSchedule(id), projectId, 'report_schedule');
}

export async function changeSchedule(
  deps: Parts,
  projectId: Owner,
  id: number,
  asked: ReportScheduleChangeRequest,
  by: AuditBy,
): Promise<ReportSchedule> {
  return actAudited(deps, by, async ({ store, now }) => {
    const before = await getSchedule({ store }, projectId, id);
    const atMinute = asked.at == null ? before.atMinute : minuteOf(asked.at);
    const zone = asked.timezone == null ? before.zone : namedZone(asked.timezone);
    const dueAtMs = nextSendMs({ kind: before.kind, atMinute, zone }, now());
    const result = (await store.changeReportSchedule(id, { atMinute, zone, dueAtMs })) ?? before;
    return { result, told: await toldWithChannel(store, result, 'report.schedule_changed') };
  });
}

export async function endSchedule(
  deps: Parts,
  projectId: Owner,
  id: number,
  by: AuditBy,
): Promise<ReportSchedule> {
  return actAudited(deps, by, async ({ store }) => {
    const result = await getSchedule({ store }, projectId, id);
    await store.deleteReportSchedule(id);
    return { result, told: await toldWithChannel(store, result, 'report.unscheduled') };
  });
}

async function toldWithChannel(
  store: Pick<Deps['store'], 'findKeptChannel'>,
  schedule: ReportSchedule,
  action: ScheduleAction,
): Promise<AuditedAct> {
  return auditEntry(schedule, await store.findKeptChannel(schedule.channelId), action);
}

type ScheduleAction = 'report.scheduled' | 'report.schedule_changed' | 'report.unscheduled';

function auditEntry(
  { channelId, projectId, kind, zone, atMinute }: ReportSchedule,
  channel: { readonly name: string } | null,
  action: ScheduleAction,
): AuditedAct {
  const object = { kind: 'alert_channel', id: channelId, name: channel?.name ?? '' };
  const when = action === 'report.unscheduled' ? '' : `, ${timeOfDay(atMinute)} ${zone}`;
  return { action, object, projectId, summary: `of each ${kind}${when}` };
}

export function viewSchedule(schedule: ReportSchedule): ReportScheduleView {
  return {
    report_schedule_id: schedule.id,
    alert_channel_id: schedule.channelId,
    kind: schedule.kind,
    at: timeOfDay(schedule.atMinute),
    timezone: schedule.zone,
    next_at: momentText(schedule.dueAtMs),
    created_at: momentText(schedule.createdAtMs),
    created_by: schedule.createdBy,
  };
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

function namedZone(zone: string): string {
  // Offsets such as `+01:00` ignore daylight saving time, so a named zone is required.
  return requireZone(/^[A-Za-z]/.test(zone) ? zone : '');
}
