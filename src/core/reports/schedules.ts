import type { ReportScheduleChangeRequest, ReportScheduleRequest } from '../../../schemas/reports.ts';
import { type AuditEvent, audited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createGetter, createInvalidParamError, type OwnerProjectId } from '../errors.ts';
import {
  countDelayMs,
  listLastPeriods,
  nextPeriod,
  type Period,
  previousPeriod,
} from '../page-models/reports/period.ts';
import { minuteMs } from '../parsing/durations.ts';
import { formatTimeOfDay, momentInZone, requireTimeZone } from '../parsing/format/time-zones.ts';
import type { ReportSchedule } from '../store/reports.ts';

const defaultTime = '08:00';
const defaultZone = 'UTC';

/** Creates the schedule, or updates the existing one. Throws 400 unless it is an e-mail channel. */
export const createReportSchedule = audited(
  async ({ store, now, by }, projectId: OwnerProjectId, input: ReportScheduleRequest) => {
    const { alert_channel_id: channelId, kind } = input;
    const atMinute = parseMinuteOfDay(input.at ?? defaultTime);
    const zone = requireNamedZone(input.timezone ?? defaultZone);
    const channel = await store.findChannelRecord(channelId);
    if (channel === null || (projectId !== null && channel.projectId !== projectId)) {
      throw createInvalidParamError({
        alert_channel_id: `alert_channel_id: there is no alert channel ${channelId}.`,
      });
    }
    if (channel.type !== 'email') {
      throw createInvalidParamError({
        alert_channel_id: 'alert_channel_id: reports are only sent by e-mail.',
      });
    }
    const createdAtMs = now();
    const dueAtMs = nextReportSendMs({ kind, atMinute, zone }, createdAtMs);
    const created = await store.addReportSchedule({
      projectId: channel.projectId,
      channelId,
      ...{ kind, atMinute, zone, dueAtMs, createdAtMs },
      createdBy: by.actor.name,
    });
    if (created !== null) {
      return {
        result: { schedule: created, isNew: true },
        auditEvent: auditEntry(created, channel, 'report.scheduled'),
      };
    }
    const existing = (await store.listReportSchedules(null)).find(
      (each) => each.channelId === channelId && each.kind === kind,
    );
    const changed = await store.changeReportSchedule(existing?.id ?? 0, { atMinute, zone, dueAtMs });
    if (changed === null) throw new Error('The schedule was not found after the insert conflicted.');
    const auditEvent = auditEntry(changed, channel, 'report.schedule_changed');
    return { result: { schedule: changed, isNew: false }, auditEvent };
  },
);

export const getReportSchedule = createGetter('report_schedule', (store: Deps['store'], id) =>
  store.findReportSchedule(id),
);

export const updateReportSchedule = audited(
  async ({ store, now }, projectId: OwnerProjectId, id: number, changes: ReportScheduleChangeRequest) => {
    const before = await getReportSchedule({ store }, projectId, id);
    const atMinute = changes.at == null ? before.atMinute : parseMinuteOfDay(changes.at);
    const zone = changes.timezone == null ? before.zone : requireNamedZone(changes.timezone);
    const dueAtMs = nextReportSendMs({ kind: before.kind, atMinute, zone }, now());
    const result = (await store.changeReportSchedule(id, { atMinute, zone, dueAtMs })) ?? before;
    return { result, auditEvent: await auditEventWithChannel(store, result, 'report.schedule_changed') };
  },
);

export const deleteReportSchedule = audited(async ({ store }, projectId: OwnerProjectId, id: number) => {
  const result = await getReportSchedule({ store }, projectId, id);
  await store.deleteReportSchedule(id);
  return { result, auditEvent: await auditEventWithChannel(store, result, 'report.unscheduled') };
});

async function auditEventWithChannel(
  store: Pick<Deps['store'], 'findChannelRecord'>,
  schedule: ReportSchedule,
  action: ScheduleAction,
): Promise<AuditEvent> {
  return auditEntry(schedule, await store.findChannelRecord(schedule.channelId), action);
}

type ScheduleAction = 'report.scheduled' | 'report.schedule_changed' | 'report.unscheduled';

function auditEntry(
  { channelId, projectId, kind, zone, atMinute }: ReportSchedule,
  channel: { readonly name: string } | null,
  action: ScheduleAction,
): AuditEvent {
  const object = { kind: 'alert_channel', id: channelId, name: channel?.name ?? '' };
  const when = action === 'report.unscheduled' ? '' : `, ${formatTimeOfDay(atMinute)} ${zone}`;
  return { action, object, projectId, summary: `of each ${kind}${when}` };
}

function parseMinuteOfDay(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

function requireNamedZone(zone: string): string {
  // Offsets such as `+01:00` ignore daylight saving time, so a named zone is required.
  return requireTimeZone(/^[A-Za-z]/.test(zone) ? zone : '');
}

// Reports are sent on the first day after their period, at a local time.

type ScheduleTimes = Pick<ReportSchedule, 'kind' | 'atMinute' | 'zone'>;

/** Not before the period has ended in UTC and is counted, which is later than the local time east of UTC. */
export function reportSendMs(
  period: Period,
  { atMinute, zone }: Pick<ScheduleTimes, 'atMinute' | 'zone'>,
): number {
  return Math.max(momentInZone(zone, period.toMs + atMinute * minuteMs), period.toMs + countDelayMs);
}

export function nextReportSendMs(terms: ScheduleTimes, afterMs: number): number {
  let period = latestDuePeriod(terms, afterMs);
  while (reportSendMs(period, terms) <= afterMs) period = nextPeriod(period);
  return reportSendMs(period, terms);
}

export function latestDuePeriod(terms: ScheduleTimes, nowMs: number): Period {
  let [period] = listLastPeriods(terms.kind, nowMs, 1) as [Period];
  while (reportSendMs(period, terms) > nowMs) period = previousPeriod(period);
  return period;
}
