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

const options = { project: 'project id or name that it is of (default: all projects together)' };

const make: Command = {
  name: 'report make',
  summary: 'Makes the report of a week or a month that is over, and keeps it.',
  usage: 'PERIOD [--project NAME]',
  options,
  examples: ['report make 2026-W46', 'report make 2026-10 --project shop'],
  async run(context, words) {
    const asked = requestOf(reportRequest, { period: words.positionals[0] });
    const deps = await context.deps();
    const projectId = await ownerOf(deps, words);
    const { report, isNew } = await makeReport(deps, projectId, asked.period, byCommandLine);
    return {
      json: await viewReport(deps, report),
      text: async () =>
        `${isNew ? 'Made' : 'Made before'}: report ${report.id}\n\n${await textOf(deps, report)}`,
    };
  },
};

const show: Command = {
  name: 'report show',
  onlyReads: true,
  summary: 'Shows a report that was made.',
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
  name: 'report send',
  summary: 'Has the report of each week, or of each month, sent to an alert channel of e-mail.',
  usage: 'CHANNEL --each week|month [--at 08:00] [--timezone Europe/Berlin]',
  options: {
    each: 'week or month',
    at: 'when on the first day after each (default: 08:00)',
    timezone: 'by whose clocks (default: UTC)',
  },
  examples: ['report send 1 --each week --timezone Europe/Berlin'],
  async run(context, words) {
    const asked = requestOf(reportScheduleRequest, {
      alert_channel_id: String(idOf(words, 'alert channel')),
      kind: words.text('each'),
      at: words.text('at'),
      timezone: words.text('timezone'),
    });
    const { schedule, isNew } = await sendReports(await context.deps(), null, asked, byCommandLine);
    const view = viewSchedule(schedule);
    const sent = `each ${view.kind} to alert channel ${view.alert_channel_id}, next ${view.next_at}`;
    return { json: view, text: `${isNew ? 'Sent from now on' : 'Changed'}: ${sent}` };
  },
};

const sent: Command = {
  name: 'report sent',
  onlyReads: true,
  summary: 'Lists to whom reports are sent, and when.',
  async run(context) {
    const { store } = await context.deps();
    const views = (await store.listReportSchedules(null)).map(viewSchedule);
    const names = new Map((await store.listChannels()).map(({ id, name }) => [id, name]));
    const said = tableOf(
      {
        ID: ({ report_schedule_id: id }) => String(id),
        CHANNEL: ({ alert_channel_id: id }) => names.get(id) ?? '',
        EACH: 'kind',
        AT: ({ at, timezone }) => `${at} ${timezone}`,
        NEXT: 'next_at',
      },
      views,
    );
    return { json: views, text: views.length === 0 ? 'Reports are sent to nobody.' : said };
  },
};

const unsend: Command = {
  name: 'report unsend',
  summary: 'Sends reports to a channel no more.',
  usage: 'ID',
  async run(context, words) {
    const id = idOf(words, 'schedule of reports');
    const deps = await context.deps();
    const previous = viewSchedule(await endSchedule(deps, null, id, byCommandLine));
    const channel = await deps.store.findKeptChannel(previous.alert_channel_id);
    return removed(previous, `No more: each ${previous.kind} to ${printable(channel?.name ?? '')}`);
  },
};

export const reportCommands = resourceCommands({
  name: 'report',
  view: viewHead,
  title: ({ period }) => period,
  target: reportNamed,
  list: {
    summary: 'Lists the reports that were made: of which weeks and months.',
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
      PERIOD: 'period',
      EVENTS: ({ sums }) => String(sums.events),
      'NEW ISSUES': ({ sums }) => String(sums.new_issues),
      INCIDENTS: ({ sums }) => String(sums.incidents),
      ...{ MADE: 'made_at', BY: 'made_by' },
    },
  },
  others: [make, show, send, sent, unsend],
  remove: {
    verb: 'remove',
    summary: 'Deletes a report that was made.',
    usage: 'PERIOD [--project NAME]',
    options,
    act: (deps, { id }) => deleteReport(deps, null, id, byCommandLine),
    says: ({ report_id: id, period }) => `Removed: report ${id}, ${period}`,
  },
});

async function reportNamed(deps: Deps, words: ParsedWords): Promise<KeptReport> {
  const name = words.positionals[0] ?? '';
  const report = await deps.store.findReportOf(await ownerOf(deps, words), name);
  if (report === null) throw new CommandFailure(`No report of "${printable(name)}" was made.`);
  return report;
}

async function textOf(deps: Deps, report: KeptReport): Promise<string> {
  const letter = letterOf(periodOfReport(report), await bodyOfKept(deps.store, report));
  const lines = letterText(letter, null).split('\n');
  return lines.map((line) => printable(line)).join('\n');
}
