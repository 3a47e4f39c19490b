import { feedbackQuery } from '../../../schemas/feedback.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import { getNamespaceUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { deleteFeedback, getFeedback } from '../../core/feedback/feedback.ts';
import {
  type FeedbackDetailsView,
  toFeedbackFilter,
  viewFeedback,
  viewFeedbackDetails,
} from '../../core/feedback/views.ts';
import { parseId } from '../../core/ids.ts';
import type { Project } from '../../core/store/projects.ts';
import type { Command, ParsedArgs } from '../command.ts';
import {
  formatIsoTime,
  formatTable,
  listResult,
  sanitizeForTerminal,
  textSection,
  valueLines,
} from '../print.ts';
import { getSelectedProject, getWithProject, ownerOption, projectOption } from '../project-option.ts';
import {
  limitOption,
  optionsFromSchema,
  parseLimit,
  parseRequest,
  printHiddenRowCount,
  readFieldValues,
} from '../schema-options.ts';

const filters = {
  schema: feedbackQuery,
  only: ['search', 'issue_id', 'event_id', 'domain', 'category', 'state', 'spam'],
  names: { issue_id: 'issue', event_id: 'event' },
  flags: ['spam'],
};

const list: Command = {
  name: 'feedback list',
  onlyReads: true,
  summary: 'List the bug reports of a project, newest first.',
  usage:
    '[--search TEXT] [--issue ID] [--event ID] [--domain HOST] [--state STATE] [--spam] [--limit 50] [--project NAME]',
  options: { ...optionsFromSchema(filters), ...limitOption, ...projectOption },
  examples: ['feedback list', 'feedback list --state open', 'feedback list --issue 7 --json'],
  async run(context, args) {
    const rows = parseLimit(args);
    const query = parseRequest(feedbackQuery, readFieldValues(args, filters));
    const deps = await context.deps();
    const project = await getSelectedProject(deps, args);
    const page = await deps.store.listFeedback(project.id, { ...toFeedbackFilter(query), ...rows });
    const reports = page.rows.map(viewFeedback);
    printHiddenRowCount(context, reports.length, page.total, 'bug reports');
    return listResult(reports, 'No bug reports.', {
      ID: 'feedback_id',
      'Received (UTC)': ({ created_at: at }) => formatIsoTime(at),
      Message: ({ message }) => sanitizeForTerminal(message, 60),
      From: ({ name, email }) => sanitizeForTerminal(name ?? email ?? '–', 30),
      Domain: 'domain',
      Issue: ({ issue_id: id }) => (id === null ? '–' : String(id)),
      Screenshots: 'screenshot_count',
    });
  },
};

const show: Command = {
  name: 'feedback show',
  onlyReads: true,
  summary: 'Show one bug report in full: message, visitor, page, console, tags and screenshots.',
  usage: 'FEEDBACK_ID [--project NAME]',
  options: ownerOption,
  examples: ['feedback show 3'],
  async run(context, args) {
    const deps = await context.deps();
    const { project, found } = await reportNamed(deps, args, args.positionals[0]);
    const restUrl = (path: string): string => `${getNamespaceUrl(deps.config)}${path}`;
    const report = viewFeedbackDetails(await getFeedback(deps, project, found), restUrl);
    return { json: { project_id: project.id, ...report }, text: () => reportText(report, project) };
  },
};

const remove: Command = {
  name: 'feedback delete',
  summary: 'Delete bug reports and their screenshots. This cannot be undone.',
  usage: 'FEEDBACK_ID… [--project NAME]',
  options: ownerOption,
  examples: ['feedback delete 3 4'],
  async run(context, args) {
    const deps = await context.deps();
    const targets = [];
    // All ids are looked up before the first report is deleted.
    for (const word of new Set(args.positionals)) targets.push(await reportNamed(deps, args, word));
    const deleted = [];
    for (const { project, found } of targets) {
      deleted.push(viewFeedback(await deleteFeedback(deps, project, found, commandLineSource)));
    }
    return {
      json: deleted.map((previous) => ({ deleted: true, previous })),
      text: `Deleted: ${deleted.map((report) => report.feedback_id).join(' ')}`,
    };
  },
};

export const feedbackCommands = [list, show, remove];

async function reportNamed(
  deps: Deps,
  args: ParsedArgs,
  word = '',
): Promise<{ project: Project; found: number }> {
  const id = parseId(word);
  return getWithProject(deps, args, `bug report "${word}"`, async (project) => {
    const found = id === null ? null : await deps.store.findFeedback(project.id, id);
    return found === null ? null : found.feedback.id;
  });
}

function reportText(report: FeedbackDetailsView, project: Project): string {
  const shown = (value: string | null): string => (value === null ? '–' : sanitizeForTerminal(value, 500));
  const about =
    report.event_id === null ? '–' : `event ${report.event_id}, issue ${report.issue_id ?? 'unknown'}`;
  const lines = [
    `Bug report ${report.feedback_id} of "${sanitizeForTerminal(project.name)}"${report.spam ? '  (spam)' : ''}`,
    ...report.message.split('\n').map((line) => `  ${sanitizeForTerminal(line, 500)}`),
    '',
    `  received    ${formatIsoTime(report.created_at)} UTC, by ${report.source}`,
    `  from        ${shown(report.name)}, ${shown(report.email)}`,
    `  page        ${shown(report.url)}`,
    `  domain      ${shown(report.domain)}`,
    `  about       ${about}`,
    `  kind        ${shown(report.category)}, severity ${shown(report.severity)}`,
    `  release     ${shown(report.release)}, environment ${shown(report.environment)}`,
    `  browser     ${shown(report.user_agent)}, language ${shown(report.locale)}`,
    ...textSection('Tags', valueLines(report.tags)),
    ...textSection('Window', valueLines(report.viewport)),
    ...textSection('Metadata', valueLines(report.metadata)),
    ...textSection('Console', consoleLines(report.console)),
  ];
  const pictures = report.screenshots.map((each) => [
    each.name ?? '–',
    each.content_type,
    `${each.width}×${each.height}`,
    each.size,
    each.url,
  ]);
  const pictureTable = formatTable(
    ['Screenshot', 'Type', 'Pixels', 'Bytes', 'URL (requires the secret key)'],
    pictures,
  );
  return pictures.length === 0 ? lines.join('\n') : `${lines.join('\n')}\n\n${pictureTable}`;
}

function consoleLines(lines: unknown): string[] {
  if (!Array.isArray(lines)) return [];
  return lines.map(({ level, message }: { level: string | null; message: string }) =>
    `  ${sanitizeForTerminal(level ?? 'log', 20).padEnd(8)}${sanitizeForTerminal(message, 500)}`.trimEnd(),
  );
}
