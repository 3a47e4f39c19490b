// `report list|make|show|remove`: weeks and months by what they brought, over all projects unless one is
// named. The rules are those of POST /reports.
import { type ReportHeadView, reportRequest } from '../../../schemas/reports.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { deleteReport, makeReport } from '../../core/reports/making.ts';
import { periodOfReport, viewHead, viewReport } from '../../core/reports/views.ts';
import { letterOf, letterText } from '../../core/reports/words.ts';
import type { KeptReport } from '../../core/store/reports/kept.ts';
import { bodyOfKept } from '../../core/workspace/reports/kept.ts';
import {
  type Command,
  CommandFailure,
  exitCodes,
  type ParsedWords,
  printable,
  printJson,
  table,
} from '../command.ts';
import { requestOf } from '../text/api-words.ts';
import { ownerOf } from '../which-project.ts';

const options = {
  project: { type: 'string', help: 'project id or name that it is of (default: all projects together)' },
} as const;

export const reportList: Command = {
  name: 'report list',
  onlyReads: true,
  summary: 'Lists the reports that were made: of which weeks and months.',
  usage: '[--project NAME]',
  options,
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const deps = await context.deps();
    const found = await deps.store.listKeptReports(await ownerOf(deps, words));
    const reports = found
      .toSorted((one, other) => periodOfReport(other).toMs - periodOfReport(one).toMs)
      .map(viewHead);
    if (words.flag('json')) printJson(context, reports);
    else context.out(`${reports.length === 0 ? 'No reports.' : reportTable(reports)}\n`);
    return exitCodes.fine;
  },
};

export const reportMake: Command = {
  name: 'report make',
  summary: 'Makes the report of a week or a month that is over, and keeps it.',
  usage: 'PERIOD [--project NAME]',
  options,
  positionals: { least: 1, most: 1 },
  examples: ['report make 2026-W46', 'report make 2026-10 --project shop'],
  async run(context, words) {
    const asked = requestOf(reportRequest, { period: words.positionals[0] });
    const deps = await context.deps();
    const projectId = await ownerOf(deps, words);
    const { report, isNew } = await makeReport(deps, projectId, asked.period, byCommandLine);
    if (words.flag('json')) {
      printJson(context, await viewReport(deps, report));
    } else {
      const said = isNew ? 'Made' : 'Made before';
      context.out(`${said}: report ${report.id}\n\n${await textOf(deps, report)}\n`);
    }
    return exitCodes.fine;
  },
};

export const reportShow: Command = {
  name: 'report show',
  onlyReads: true,
  summary: 'Shows a report that was made.',
  usage: 'PERIOD [--project NAME]',
  options,
  positionals: { least: 1, most: 1 },
  examples: ['report show 2026-W46'],
  async run(context, words) {
    const deps = await context.deps();
    const report = await reportNamed(deps, words);
    if (words.flag('json')) printJson(context, await viewReport(deps, report));
    else context.out(`${await textOf(deps, report)}\n`);
    return exitCodes.fine;
  },
};

export const reportRemove: Command = {
  name: 'report remove',
  summary: 'Deletes a report that was made.',
  usage: 'PERIOD [--project NAME]',
  options,
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const { id } = await reportNamed(deps, words);
    const previous = viewHead(await deleteReport(deps, null, id, byCommandLine));
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`Removed: report ${id}, ${previous.period}\n`);
    return exitCodes.fine;
  },
};

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

function reportTable(reports: readonly ReportHeadView[]): string {
  const rows = reports.map(({ report_id: id, period, sums, made_at: at, made_by: by }) => [
    String(id),
    period,
    String(sums.events),
    String(sums.new_issues),
    String(sums.incidents),
    at,
    by,
  ]);
  return table(['ID', 'PERIOD', 'EVENTS', 'NEW ISSUES', 'INCIDENTS', 'MADE', 'BY'], rows);
}
