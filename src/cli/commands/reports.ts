import { reportRequest, reportScheduleRequest } from '../../../schemas/reports.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { viewReportSchedule } from '../../core/page-models/reports/report.ts';
import { loadReportBody } from '../../core/page-models/reports/stored-report.ts';
import {
  createReport,
  deleteReport,
  periodOfReport,
  viewReport,
  viewReportHead,
} from '../../core/reports/reports.ts';
import { createReportSchedule, deleteReportSchedule } from '../../core/reports/schedules.ts';
import { buildReportSummary, reportSummaryText } from '../../core/reports/summary.ts';
import type { SavedReport } from '../../core/store/reports.ts';
import { type Command, CommandError, type ParsedArgs } from '../command.ts';
import { listResult, sanitizeForTerminal } from '../print.ts';
import { getOwnerProjectId } from '../project-option.ts';
import { deleteResult, resourceCommands } from '../resource.ts';
import { parseIdArgument, parseRequest } from '../schema-options.ts';

const options = { project: 'project ID or name (default: all projects together)' };

const make: Command = {
  name: 'report create',
  aliases: ['report make'],
  summary: 'Create the report of a completed week or month, and save it.',
  usage: 'PERIOD [--project NAME]',
  options,
  examples: ['report create 2026-W46', 'report create 2026-10 --project shop'],
  async run(context, args) {
    const input = parseRequest(reportRequest, { period: args.positionals[0] });
    const deps = await context.deps();
    const projectId = await getOwnerProjectId(deps, args);
    const { report, isNew } = await createReport(deps, projectId, input.period, commandLineSource);
    return {
      json: await viewReport(deps, report),
      text: async () =>
        `${isNew ? 'Created' : 'Already exists'}: report ${report.id}\n\n${await textOf(deps, report)}`,
    };
  },
};

const show: Command = {
  name: 'report show',
  onlyReads: true,
  summary: 'Show a saved report.',
  usage: 'PERIOD [--project NAME]',
  options,
  examples: ['report show 2026-W46'],
  async run(context, args) {
    const deps = await context.deps();
    const report = await reportNamed(deps, args);
    return { json: await viewReport(deps, report), text: () => textOf(deps, report) };
  },
};

const createSchedule: Command = {
  name: 'report-schedule create',
  aliases: ['report send'],
  summary: 'Send the weekly or monthly report to an e-mail alert channel.',
  usage: 'CHANNEL --each week|month [--at 08:00] [--timezone Europe/Berlin]',
  options: {
    each: 'week or month',
    at: 'time on the first day after the period (default: 08:00)',
    timezone: 'time zone (default: UTC)',
  },
  examples: ['report-schedule create 1 --each week --timezone Europe/Berlin'],
  async run(context, args) {
    const input = parseRequest(reportScheduleRequest, {
      alert_channel_id: String(parseIdArgument(args, 'alert channel')),
      kind: args.text('each'),
      at: args.text('at'),
      timezone: args.text('timezone'),
    });
    const deps = await context.deps();
    const { schedule, isNew } = await createReportSchedule(deps, null, input, commandLineSource);
    const view = viewReportSchedule(schedule);
    const sent = `report of each ${view.kind} to alert channel ${view.alert_channel_id}, next on ${view.next_at}`;
    return { json: view, text: `${isNew ? 'Created' : 'Updated'}: ${sent}` };
  },
};

const sent: Command = {
  name: 'report-schedule list',
  aliases: ['report sent'],
  onlyReads: true,
  summary: 'List the report schedules.',
  async run(context) {
    const { store } = await context.deps();
    const views = (await store.listReportSchedules(null)).map(viewReportSchedule);
    const names = new Map((await store.listChannels()).map(({ id, name }) => [id, name]));
    return listResult(views, 'No report schedules.', {
      ID: ({ report_schedule_id: id }) => String(id),
      Channel: ({ alert_channel_id: id }) => names.get(id) ?? '',
      Period: 'kind',
      Time: ({ at, timezone }) => `${at} ${timezone}`,
      Next: 'next_at',
    });
  },
};

const deleteSchedule: Command = {
  name: 'report-schedule delete',
  aliases: ['report unsend'],
  summary: 'Delete a report schedule.',
  usage: 'ID',
  async run(context, args) {
    const id = parseIdArgument(args, 'report schedule');
    const deps = await context.deps();
    const previous = viewReportSchedule(await deleteReportSchedule(deps, null, id, commandLineSource));
    const channel = await deps.store.findChannelRecord(previous.alert_channel_id);
    return deleteResult(
      previous,
      `Deleted: report of each ${previous.kind} to ${sanitizeForTerminal(channel?.name ?? '')}`,
    );
  },
};

export const reportCommands = resourceCommands({
  name: 'report',
  view: viewReportHead,
  title: ({ period }) => period,
  target: reportNamed,
  list: {
    summary: 'List the saved reports.',
    usage: '[--project NAME]',
    options,
    async read(context, args) {
      const deps = await context.deps();
      const found = await deps.store.listSavedReports(await getOwnerProjectId(deps, args));
      return found.toSorted((one, other) => periodOfReport(other).toMs - periodOfReport(one).toMs);
    },
    emptyText: 'No reports.',
    columns: {
      ID: ({ report_id: id }) => String(id),
      Period: 'period',
      Events: ({ sums }) => String(sums.events),
      'New issues': ({ sums }) => String(sums.new_issues),
      Incidents: ({ sums }) => String(sums.incidents),
      ...{ Created: 'made_at', By: 'made_by' },
    },
  },
  others: [make, show, createSchedule, sent, deleteSchedule],
  remove: {
    aliases: ['remove'],
    summary: 'Delete a saved report.',
    usage: 'PERIOD [--project NAME]',
    options,
    run: (deps, { id }) => deleteReport(deps, null, id, commandLineSource),
    message: ({ report_id: id, period }) => `Deleted: report ${id}, ${period}`,
  },
});

async function reportNamed(deps: Deps, args: ParsedArgs): Promise<SavedReport> {
  const name = args.positionals[0] ?? '';
  const report = await deps.store.findReportOf(await getOwnerProjectId(deps, args), name);
  if (report === null) throw new CommandError(`There is no saved report of "${sanitizeForTerminal(name)}".`);
  return report;
}

async function textOf(deps: Deps, report: SavedReport): Promise<string> {
  const summary = buildReportSummary(periodOfReport(report), await loadReportBody(deps.store, report));
  const lines = reportSummaryText(summary, null).split('\n');
  return lines.map((line) => sanitizeForTerminal(line)).join('\n');
}
