// `report send|sent|unsend`: which channels of e-mail are sent reports, and when. The rules are those of POST
// /report-schedules.
import { reportScheduleRequest } from '../../../schemas/reports.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import { endSchedule, sendReports, viewSchedule } from '../../core/reports/schedules.ts';
import { type Command, exitCodes, printable, printJson, table } from '../command.ts';
import { idOf, requestOf } from '../text/api-words.ts';

export const reportSend: Command = {
  name: 'report send',
  summary: 'Has the report of each week, or of each month, sent to an alert channel of e-mail.',
  usage: 'CHANNEL --each week|month [--at 08:00] [--timezone Europe/Berlin]',
  options: {
    each: { type: 'string', help: 'week or month' },
    at: { type: 'string', help: 'when on the first day after each (default: 08:00)' },
    timezone: { type: 'string', help: 'by whose clocks (default: UTC)' },
  },
  positionals: { least: 1, most: 1 },
  examples: ['report send 1 --each week --timezone Europe/Berlin'],
  async run(context, words) {
    const asked = requestOf(reportScheduleRequest, {
      alert_channel_id: String(idOf(words, 'alert channel')),
      kind: words.text('each'),
      at: words.text('at'),
      timezone: words.text('timezone'),
    });
    const deps = await context.deps();
    const { schedule, isNew } = await sendReports(deps, null, asked, byCommandLine);
    const view = viewSchedule(schedule);
    if (words.flag('json')) {
      printJson(context, view);
    } else {
      const said = isNew ? 'Sent from now on' : 'Changed';
      context.out(
        `${said}: each ${view.kind} to alert channel ${view.alert_channel_id}, next ${view.next_at}\n`,
      );
    }
    return exitCodes.fine;
  },
};

export const reportSent: Command = {
  name: 'report sent',
  onlyReads: true,
  summary: 'Lists to whom reports are sent, and when.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const { store } = await context.deps();
    const views = (await store.listReportSchedules(null)).map(viewSchedule);
    if (words.flag('json')) {
      printJson(context, views);
      return exitCodes.fine;
    }
    const names = new Map((await store.listChannels()).map(({ id, name }) => [id, name]));
    const rows = views.map((each) => [
      String(each.report_schedule_id),
      names.get(each.alert_channel_id) ?? '',
      each.kind,
      `${each.at} ${each.timezone}`,
      each.next_at,
    ]);
    const said = table(['ID', 'CHANNEL', 'EACH', 'AT', 'NEXT'], rows);
    context.out(`${rows.length === 0 ? 'Reports are sent to nobody.' : said}\n`);
    return exitCodes.fine;
  },
};

export const reportUnsend: Command = {
  name: 'report unsend',
  summary: 'Sends reports to a channel no more.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const id = idOf(words, 'schedule of reports');
    const deps = await context.deps();
    const previous = viewSchedule(await endSchedule(deps, null, id, byCommandLine));
    const channel = await deps.store.findKeptChannel(previous.alert_channel_id);
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`No more: each ${previous.kind} to ${printable(channel?.name ?? '')}\n`);
    return exitCodes.fine;
  },
};
