// `report …`: weekly and monthly reports and their schedules. Rules of POST /reports and /report-schedules.
import { reportRequest, reportScheduleRequest } from '../../../schemas/reports.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { deleteReport, makeReport } from '../../core/reports/making.ts';
import { endSchedule, sendReports, viewSchedule } from '../../core/reports/schedules.ts';
import { periodOfReport, viewHead, viewReport } from '../../core/reports/views.ts';
import { letterOf, letterText } from '../../core/reports/words.ts';
import type { KeptReport } from '../../core/store/reports/kept.ts';
import { bodyOfKept } from '../../core/workspace/reports/kept.ts';
import { type Command, CommandFailure, type ParsedWords } from '../command.ts';
import { printable, tableOf } from '../print.ts';
import { idOf, requestOf } from '../requests.ts';
import { removed, resourceCommands } from '../resource.ts';
import { ownerOf } from '../which-project.ts';

const options = { project: 'project ID or name (default: all projects together)' };

const make: Command = {
  name: 'report create',
  aliases: ['report make'],
  summary: 'Create the report of a completed week or month, and save it.',
  usage: 'PERIOD [--project NAME]',
  options,
  examples: ['report create 2026-W46', 'report create 2026-10 --project shop'],
  async run(context, words) {
    const asked = requestOf(reportRequest, { period: words.positionals[0] });
    const deps = await context.deps();
    const projectId = await ownerOf(deps, words);
    const { report, isNew } = await makeReport(deps, projectId, asked.period, byCommandLine);
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
  async run(context, words) {
    const deps = await context.deps();
    const report = await reportNamed(deps, words);
    return { json: await viewReport(deps, report), text: () => textOf(deps, report) };
  },
};

const send: Command = {
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
  async run(context, words) {
    const asked = requestOf(reportScheduleRequest, {
      alert_channel_id: String(idOf(words, 'alert channel')),
      kind: words.text('each'),
      at: words.text('at'),
      timezone: words.text('timezone'),
    });
    const { schedule, isNew } = await sendReports(await context.deps(), null, asked, byCommandLine);
    const view = viewSchedule(schedule);
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
    const views = (await store.listReportSchedules(null)).map(viewSchedule);
    const names = new Map((await store.listChannels()).map(({ id, name }) => [id, name]));
    const said = tableOf(
      {
        ID: ({ report_schedule_id: id }) => String(id),
        Channel: ({ alert_channel_id: id }) => names.get(id) ?? '',
        Period: 'kind',
        Time: ({ at, timezone }) => `${at} ${timezone}`,
        Next: 'next_at',
      },
      views,
    );
    return { json: views, text: views.length === 0 ? 'No report schedules.' : said };
  },
};

const unsend: Command = {
  name: 'report-schedule delete',
  aliases: ['report unsend'],
  summary: 'Delete a report schedule.',
  usage: 'ID',
  async run(context, words) {
    const id = idOf(words, 'report schedule');
    const deps = await context.deps();
    const previous = viewSchedule(await endSchedule(deps, null, id, byCommandLine));
    const channel = await deps.store.findKeptChannel(previous.alert_channel_id);
    return removed(previous, `Deleted: report of each ${previous.kind} to ${printable(channel?.name ?? '')}`);
  },
};

export const reportCommands = resourceCommands({
  name: 'report',
  view: viewHead,
  title: ({ period }) => period,
  target: reportNamed,
  list: {
    summary: 'List the saved reports.',
    usage: '[--project NAME]',
    options,
    async read(context, words) {
      const deps = await context.deps();
      const found = await deps.store.listKeptReports(await ownerOf(deps, words));
      return found.toSorted((one, other) => periodOfReport(other).toMs - periodOfReport(one).toMs);
    },
    none: 'No reports.',
    columns: {
      ID: ({ report_id: id }) => String(id),
      Period: 'period',
      Events: ({ sums }) => String(sums.events),
      'New issues': ({ sums }) => String(sums.new_issues),
      Incidents: ({ sums }) => String(sums.incidents),
      ...{ Created: 'made_at', By: 'made_by' },
    },
  },
  others: [make, show, send, sent, unsend],
  remove: {
    aliases: ['remove'],
    summary: 'Delete a saved report.',
    usage: 'PERIOD [--project NAME]',
    options,
    act: (deps, { id }) => deleteReport(deps, null, id, byCommandLine),
    says: ({ report_id: id, period }) => `Deleted: report ${id}, ${period}`,
  },
});

async function reportNamed(deps: Deps, words: ParsedWords): Promise<KeptReport> {
  const name = words.positionals[0] ?? '';
  const report = await deps.store.findReportOf(await ownerOf(deps, words), name);
  if (report === null) throw new CommandFailure(`There is no saved report of "${printable(name)}".`);
  return report;
}

async function textOf(deps: Deps, report: KeptReport): Promise<string> {
  const letter = letterOf(periodOfReport(report), await bodyOfKept(deps.store, report));
  const lines = letterText(letter, null).split('\n');
  return lines.map((line) => printable(line)).join('\n');
}
