import type { ReportScheduleView, ReportTotals } from '../../../../schemas/reports.ts';
import { formatTimeOfDay } from '../../parsing/format/time-zones.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { ReportSchedule, SavedReport } from '../../store/reports.ts';
import { enumParam } from '../list-params.ts';
import { PageError, pageNotFound, type RequestContext } from '../request-context.ts';
import { computeReport, type ReportBody } from './body.ts';
import {
  countDelayMs,
  isCountable,
  listLastPeriods,
  nextPeriod,
  type Period,
  type PeriodView,
  parsePeriod,
  previousPeriod,
  viewPeriod,
} from './period.ts';
import { loadReportBody, parseReportTotals } from './stored-report.ts';
import { computeReportTotals, listProjectActivity, readReportData } from './totals.ts';

export interface ReportModel extends ReportBody {
  readonly period: PeriodView;
  readonly previous: PeriodView | null;
  /** Null for the current period. */
  readonly next: PeriodView | null;
  /** Null if the report is computed from current data. */
  readonly made: { readonly report_id: number; readonly at: string; readonly by: string } | null;
  readonly can_be_made: boolean;
}

export async function reportModel(context: RequestContext): Promise<ReportModel> {
  const { nowMs } = context;
  const period = parsePeriod(context.path['period'] ?? '');
  if (period === null) throw pageNotFound('A report with this name');
  if (period.fromMs > nowMs) throw pageNotFound('A report of a future period');
  const stored = await findStoredReport(context, period);
  if (stored === null && !isCountable(period, nowMs)) {
    const message = 'It was not created in time: hourly counts are kept for 100 days.';
    throw new PageError(404, 'Not found', message);
  }
  const past = previousPeriod(period);
  const isPastThere = isCountable(past, nowMs) || (await findStoredReport(context, past)) !== null;
  return {
    period: viewPeriod(period, nowMs),
    previous: isPastThere ? viewPeriod(past, nowMs) : null,
    next: nowMs < period.toMs ? null : viewPeriod(nextPeriod(period), nowMs),
    made:
      stored === null ? null : { report_id: stored.id, at: formatTime(stored.madeAtMs), by: stored.madeBy },
    can_be_made: stored === null && nowMs >= period.toMs + countDelayMs,
    ...(stored === null
      ? await computeReport(context, period)
      : await loadReportBody(context.deps.store, stored)),
  };
}

/** Throws 404 if the report is not stored. */
export async function storedReportModel(context: RequestContext): Promise<ReportModel> {
  const model = await reportModel(context);
  if (model.made === null) throw pageNotFound('A saved report of this period');
  return model;
}

function findStoredReport(context: RequestContext, { id }: Period): Promise<SavedReport | null> {
  return context.deps.store.findReportOf(context.project?.id ?? null, id);
}

const shown = { week: 13, month: 3 } as const;
/** Older stored reports to list. */
const keptShown = { week: 91, month: 33 } as const;
const availabilityGoal = 0.999;

export type ReportListModel = Awaited<ReturnType<typeof reportListModel>>;

export async function reportListModel(context: RequestContext) {
  const span = enumParam(context, 'span', ['week', 'month']) ?? 'week';
  const stored = await keptSums(context);
  const last = listLastPeriods(span, context.nowMs, shown[span]);
  const counted = last.filter(({ id }) => !stored.has(id));
  const fromMs = counted.at(-1)?.fromMs ?? context.nowMs;
  const read = await readReportData(context, { fromMs, toMs: counted[0]?.toMs ?? context.nowMs });
  const reports = await Promise.all(
    [...last, ...keptBefore(context, span, stored)].map(async (period) => ({
      ...viewPeriod(period, context.nowMs),
      ...(stored.get(period.id) ??
        computeReportTotals(context, period, read, await listProjectActivity(context, period))),
    })),
  );
  const counts = {
    week: shown.week + keptBefore(context, 'week', stored).length,
    month: shown.month + keptBefore(context, 'month', stored).length,
  };
  return { filters: { span }, counts, goal: availabilityGoal, reports };
}

async function keptSums(context: RequestContext): Promise<Map<string, ReportTotals>> {
  const all = await context.deps.store.listSavedReports(context.project?.id ?? null);
  return new Map(all.map((report) => [report.period, parseReportTotals(report)]));
}

function keptBefore(
  { nowMs }: RequestContext,
  span: Period['kind'],
  stored: ReadonlyMap<string, ReportTotals>,
): Period[] {
  const fromMs = listLastPeriods(span, nowMs, shown[span]).at(-1)?.fromMs ?? nowMs;
  return [...stored.keys()]
    .flatMap((id) => parsePeriod(id) ?? [])
    .filter((period) => period.kind === span && period.fromMs < fromMs)
    .sort((one, other) => other.fromMs - one.fromMs)
    .slice(0, keptShown[span]);
}

export type ScheduleView = SchedulesModel['schedules'][number];

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
