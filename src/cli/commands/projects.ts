// `project …`. Deleting ends the keys at once, then removes the data in batches while the server runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLineSource, writeAuditEntry } from '../../core/audit/audit.ts';
import { projectAuditEvent } from '../../core/audit/events.ts';
import type { Deps } from '../../core/deps.ts';
import {
  createProject,
  endProject,
  formatProjectSettings,
  parseScrubFields,
  removeProjectData,
  renameProject,
  updateProjectSettings,
} from '../../core/projects/projects.ts';
import { viewCreatedProject, viewProject } from '../../core/projects/views.ts';
import { previewRegroup, type RegroupOptions, viewRegroup } from '../../core/regroup/preview.ts';
import { applyRegroup } from '../../core/regroup/regroup.ts';
import type { DeletingProject, Project } from '../../core/store/projects.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  type CommandResult,
  type ParsedArgs,
  UsageError,
} from '../command.ts';
import {
  createProgressLine,
  formatIsoTime,
  formatTable,
  formatView,
  formatViewTable,
  sanitizeForTerminal,
} from '../print.ts';
import { findProject, getProject } from '../project-option.ts';
import { deleteResult } from '../resource.ts';
import { parseOnOff, requireChange } from '../schema-options.ts';

/** Issues printed in a table; `--json` lists up to 100. */
const shownMax = 20;
const idsMax = 10;

const dryRunNote =
  'Nothing is changed yet. Make a backup first (notifier backup), because this cannot be undone; then run it with --yes.';

const projectRegroup: Command = {
  name: 'project regroup',
  summary:
    'Regroup the stored events of a project by the newest grouping config. Shows what would change; --yes does it. If interrupted, run it again.',
  usage: 'NAME [--yes]',
  options: {
    yes: { flag: 'apply the changes; without it they are only shown. Make a backup first' },
  },
  examples: ['project regroup shop', 'project regroup shop --yes'],
  async run(context, args) {
    const deps = await context.deps();
    const project = await getProject(deps, args.positionals[0] ?? '');
    const progress = createProgressLine(context);
    const options: RegroupOptions = {
      sleep: (milliseconds) => sleep(milliseconds),
      onProgress: (state, events) => progress.update(`${events.toLocaleString('en')} events ${state}`),
    };
    const answer = await regroup(deps, project, options, args.flag('yes'));
    progress.end();
    return answer;
  },
};

const create: Command = {
  name: 'project create',
  summary: 'Create a project with a public and a secret key, which are shown only once.',
  usage: 'NAME',
  examples: ['project create shop'],
  async run(context, args) {
    const deps = await context.deps();
    const created = await createProject(deps, args.positionals[0] ?? '', commandLineSource);
    const shown = viewCreatedProject(created, deps.config);
    const lines = [
      `Created: project ${shown.project_id} "${shown.name}"`,
      '',
      `  Public key   ${shown.public_key}`,
      `  Secret key   ${shown.secret_key}   (shown only once)`,
      `  Sentry DSN   ${shown.dsn}`,
      ...(shown.long_dsn === shown.dsn ? [] : [`  or, behind WordPress, ${shown.long_dsn}`]),
    ];
    return { json: shown, text: lines.join('\n') };
  },
};

const list: Command = {
  name: 'project list',
  onlyReads: true,
  summary: 'List the projects.',
  async run(context) {
    const { store } = await context.deps();
    for (const { name } of await store.listEndingProjects()) {
      context.err(`"${name}" is not completely deleted. To continue: notifier project delete "${name}"\n`);
    }
    const projects = (await store.listProjects()).map(viewProject);
    const text = formatViewTable(
      {
        ...{ ID: 'project_id', Name: 'name' },
        'Created (UTC)': ({ created_at: at }) => formatIsoTime(at),
        Grouping: 'grouping',
        'IP addresses': ({ store_ip: isStored }) => (isStored ? 'truncated' : 'removed'),
        'Also redacted': ({ scrub_fields: fields }) => fields.join(' ') || '–',
      },
      projects,
    );
    return { json: projects, text };
  },
};

const set: Command = {
  name: 'project update',
  aliases: ['project set'],
  summary: 'Edit a project: its name, data and privacy, and whether apps may send bug reports.',
  usage: 'NAME [--name NEW_NAME] [--scrub-fields a,b] [--store-ip on|off] [--bug-reports on|off]',
  options: {
    name: 'the new name; ID, keys and DSN stay the same',
    'scrub-fields': 'further field names to redact, separated by commas; empty for none',
    'store-ip': 'on: store IP addresses, truncated to /24 and /48; off: remove them',
    'bug-reports': 'accept bug reports without a page or an error, as apps send them',
  },
  examples: ['project update shop --name store', 'project update shop --store-ip on'],
  async run(context, args) {
    const fields = args.text('scrub-fields');
    const newName = args.text('name');
    const change = {
      scrubFields: fields === undefined ? undefined : checkedFields(fields),
      storeIpAddresses: parseOnOff(args, 'store-ip'),
      bugReports: parseOnOff(args, 'bug-reports'),
    };
    requireChange({ ...change, newName }, '--scrub-fields iban,birthday');
    const deps = await context.deps();
    const before = await getProject(deps, args.positionals[0] ?? '');
    const found = newName === undefined ? before : await rename(context, deps, before, newName);
    const project = await updateProjectSettings(deps, found, change, commandLineSource);
    const text = `Project ${project.id} "${project.name}": ${formatProjectSettings(project)}.`;
    return { json: viewProject(project), text };
  },
};

/** The earlier form of `project update --name`, which still works and which the help does not show. */
export const projectRename: Command = {
  name: 'project rename',
  summary: 'Rename a project. Its ID, keys and DSN stay the same.',
  usage: 'OLD_NAME NEW_NAME',
  async run(context, args) {
    const [oldName = '', newName = ''] = args.positionals;
    const deps = await context.deps();
    const project = await rename(context, deps, await getProject(deps, oldName), newName);
    return { json: viewProject(project), text: `Project ${project.id} is now named "${project.name}".` };
  },
};

async function rename(context: CommandContext, deps: Deps, before: Project, newName: string) {
  const project = await renameProject(deps, before, newName, commandLineSource);
  if (context.env['NOTIFIER_PROJECT'] === before.name && project.name !== before.name) {
    context.err(`NOTIFIER_PROJECT is still "${before.name}". Change it to "${project.name}" as well.\n`);
  }
  return project;
}

const show: Command = {
  name: 'project show',
  onlyReads: true,
  summary: 'Show one project with its settings.',
  usage: 'NAME',
  async run(context, args) {
    const view = viewProject(await getProject(await context.deps(), args.positionals[0] ?? ''));
    return { json: view, text: formatView(`Project ${view.project_id}, ${view.name}`, view) };
  },
};

const remove: Command = {
  name: 'project delete',
  summary: 'Delete a project with all its data. This cannot be undone. If interrupted, run it again.',
  usage: 'NAME [--yes]',
  options: { yes: { flag: 'do not ask for confirmation' } },
  examples: ['project delete shop', 'project delete shop --yes --json'],
  async run(context, args) {
    const deps = await context.deps();
    const name = args.positionals[0] ?? '';
    const project = await findProject(deps, name);
    const ending =
      project === null
        ? await getEndingProject(deps, name)
        : await confirmAndDelete(context, deps, args, project);
    await removeAll(context, deps, ending);
    const previous = project === null ? { project_id: ending.id, name: ending.name } : viewProject(project);
    return deleteResult(previous, `Project ${ending.id} "${ending.name}" is deleted.`);
  },
};

export const projectCommands = [create, list, show, set, projectRegroup, remove];

function checkedFields(text: string): string[] {
  const read = parseScrubFields(text);
  if (read.ok) return read.fields;
  throw new UsageError(
    read.field === null ? read.reason : `"${sanitizeForTerminal(read.field)}" ${read.reason}`,
  );
}

/** A deletion that has begun is continued without another question. If several have the name, the oldest. */
async function getEndingProject(deps: Deps, name: string): Promise<DeletingProject> {
  const ending = await deps.store.listEndingProjects();
  const found = ending.find((each) => each.name === name || String(each.id) === name);
  if (found === undefined) throw new CommandError(`There is no project "${sanitizeForTerminal(name)}".`);
  return found;
}

async function confirmAndDelete(context: CommandContext, deps: Deps, args: ParsedArgs, project: Project) {
  if (!args.flag('yes')) {
    if (context.ask === undefined) {
      throw new CommandError(
        `Confirmation needs a terminal. Use --yes to delete "${project.name}" without confirmation.`,
      );
    }
    context.err(
      `This deletes project ${project.id} "${project.name}" with all its issues, events, releases and keys.\n`,
    );
    const typed = await context.ask('To confirm, enter its name: ');
    if (typed !== project.name) throw new CommandError('The name does not match. Nothing was deleted.');
  }
  const ending = await endProject(deps, project, commandLineSource);
  if (ending === null) throw new CommandError(`Project "${project.name}" no longer exists.`);
  return ending;
}

async function removeAll(context: CommandContext, deps: Deps, ending: DeletingProject): Promise<void> {
  if (context.isTerminal) {
    context.err('Its keys are revoked. Press Ctrl-C to interrupt; run the command again to continue.\n');
  }
  const progress = createProgressLine(context);
  await removeProjectData(deps, ending.id, {
    sleep: (milliseconds) => sleep(milliseconds),
    onProgress: (rows) => progress.update(`${rows.toLocaleString('en')} rows deleted`),
  });
  progress.end();
}

async function regroup(
  deps: Deps,
  project: Project,
  options: RegroupOptions,
  isConfirmed: boolean,
): Promise<CommandResult> {
  const preview = await previewRegroup(deps, project, options);
  const done = isConfirmed ? await applyRegroup(deps, project, preview, options) : null;
  if (done !== null)
    await writeAuditEntry(deps, commandLineSource, projectAuditEvent(project, 'project.regrouped'));
  const view = viewRegroup(project, preview, done?.run ?? null);
  return { json: view, text: regroupText(view, isConfirmed) };
}

function regroupText(view: ReturnType<typeof viewRegroup>, isConfirmed: boolean): string {
  const amount = (count: number, noun: string): string =>
    `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
  const isNothing = view.events_moved + view.issues_joined + view.hashes_changed + view.keys_shown_anew === 0;
  const lines = [
    `Project ${view.project_id} "${view.name}": ${amount(view.events, 'event')} in ${amount(view.issues, 'issue')}, ` +
      `grouping config ${view.grouping}, newest ${view.grouping_after}.`,
  ];
  if (isNothing && view.grouping === view.grouping_after) return `${lines[0]}\nNothing to change.\n`;
  const leave = `${amount(view.events_moved, 'event')} of ${amount(view.issues_split, 'issue')}`;
  const createdText = `${amount(view.issues_made, 'new issue')} created`;
  const joined = amount(view.issues_joined, 'issue');
  lines.push(
    view.applied
      ? `${leave} moved, ${createdText}; ${joined} merged into another.`
      : `${leave} would move, ${createdText}; ${joined} would be merged into another.`,
  );
  if (view.events_unreadable > 0) {
    lines.push(`Not moved, because they are damaged: ${amount(view.events_unreadable, 'event')}.`);
  }
  if (view.splits.length > 0) lines.push('', splitTable(view));
  if (view.joins.length > 0) lines.push('', joinTable(view));
  if (view.applied) lines.push('', 'Done.');
  else if (!isConfirmed) lines.push('', dryRunNote);
  return `${lines.join('\n')}\n`;
}

function splitTable({ splits, splits_count: count }: ReturnType<typeof viewRegroup>): string {
  const rows = splits
    .slice(0, shownMax)
    .map((split) => [
      split.issue_id,
      split.events,
      split.into === null ? 'a new issue' : `issue ${split.into}`,
      split.title,
    ]);
  return `${formatTable(['From issue', 'Events', 'To', 'Title'], rows)}${moreThan(count)}`;
}

function joinTable({ joins, joins_count: count }: ReturnType<typeof viewRegroup>): string {
  const rows = joins.slice(0, shownMax).map((join) => [idsOf(join.issue_ids), join.into, join.title]);
  return `${formatTable(['Merged issues', 'Into', 'Title'], rows)}${moreThan(count)}`;
}

function moreThan(count: number): string {
  return count > shownMax
    ? `And ${(count - shownMax).toLocaleString('en')} more; --json shows up to 100.\n`
    : '';
}

function idsOf(ids: readonly number[]): string {
  const more = ids.length > idsMax ? [`and ${(ids.length - idsMax).toLocaleString('en')} more`] : [];
  return [...ids.slice(0, idsMax), ...more].join(' ');
}
