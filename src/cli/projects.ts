// `project create|list|set|rename`: the projects of a database, the addresses their SDKs use, and what is
// taken and never stored of them.

import { actAudited, byCommandLine } from '../core/audit/audit.ts';
import { toldOfProject } from '../core/audit/told.ts';
import { createProject, renameProject } from '../core/projects/projects.ts';
import { readScrubFields, settingsText } from '../core/projects/settings.ts';
import { viewCreatedProject, viewProject } from '../core/projects/views.ts';
import {
  type Command,
  exitCodes,
  onOff,
  type ParsedWords,
  printable,
  printJson,
  table,
  timeText,
  UsageError,
} from './command.ts';
import { getProject } from './which-project.ts';

export const projectCreate: Command = {
  name: 'project create',
  summary: 'Makes a project with a public and a secret key, printed once.',
  usage: 'NAME',
  options: {},
  positionals: { least: 1, most: 1 },
  examples: ['project create shop'],
  async run(context, words) {
    const deps = await context.deps();
    const name = words.positionals[0] ?? '';
    const made = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await createProject(parts, name);
      return { result, told: toldOfProject(result.project, 'project.created') };
    });
    const shown = viewCreatedProject(made, deps.config);
    if (words.flag('json')) {
      printJson(context, shown);
      return exitCodes.fine;
    }
    context.out(
      [
        `Project ${shown.project_id} "${shown.name}" made.`,
        '',
        `  Public key   ${shown.public_key}`,
        `  Secret key   ${shown.secret_key}   (shown this once)`,
        `  Sentry DSN   ${shown.dsn}`,
        ...(shown.long_dsn === shown.dsn ? [] : [`  or, behind WordPress, ${shown.long_dsn}`]),
        '',
      ].join('\n'),
    );
    return exitCodes.fine;
  },
};

export const projectList: Command = {
  name: 'project list',
  onlyReads: true,
  summary: 'Lists the projects.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const deps = await context.deps();
    const projects = await deps.store.listProjects();
    for (const { name } of await deps.store.listEndingProjects()) {
      context.err(`"${name}" is being deleted: notifier project delete "${name}" goes on with it.\n`);
    }
    if (words.flag('json')) {
      printJson(context, projects.map(viewProject));
      return exitCodes.fine;
    }
    const rows = projects.map((project) => [
      project.id,
      project.name,
      timeText(project.createdAtMs),
      project.groupingVersion,
      project.storeIpAddresses ? 'cut' : 'dropped',
      project.scrubFields.join(' ') || '–',
    ]);
    const headings = ['ID', 'Name', 'Created (UTC)', 'Grouping', 'Addresses', 'Also filtered'];
    context.out(`${table(headings, rows)}\n`);
    return exitCodes.fine;
  },
};

export const projectSet: Command = {
  name: 'project set',
  summary:
    'Changes what is taken out of events before they are stored, and whether apps may send bug reports.',
  usage: 'NAME [--scrub-fields a,b] [--store-ip on|off] [--bug-reports on|off]',
  options: {
    'scrub-fields': { type: 'string', help: 'comma list of further field names to filter; empty for none' },
    'store-ip': { type: 'string', help: 'on: IP addresses are stored, cut to /24 and /48; off: dropped' },
    'bug-reports': {
      type: 'string',
      help: 'bug reports that name neither a page nor an error, as apps send them',
    },
  },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const change = changeOf(words);
    if (Object.values(change).every((value) => value === undefined)) {
      throw new UsageError('Say what to change, such as --scrub-fields iban,birthday.');
    }
    const deps = await context.deps();
    const found = await getProject(deps, words.positionals[0] ?? '');
    const project = await actAudited(deps, byCommandLine, async ({ store }) => {
      const result = (await store.changeProject(found.id, change)) ?? found;
      return { result, told: toldOfProject(result, 'project.changed', settingsText(result)) };
    });
    if (words.flag('json')) {
      printJson(context, viewProject(project));
    } else {
      context.out(`Project ${project.id} "${project.name}": ${settingsText(project)}.\n`);
    }
    return exitCodes.fine;
  },
};

export const projectRename: Command = {
  name: 'project rename',
  summary: 'Gives a project another name. Its id, its keys and its DSN stay.',
  usage: 'OLD_NAME NEW_NAME',
  options: {},
  positionals: { least: 2, most: 2 },
  examples: ['project rename shop store'],
  async run(context, words) {
    const [oldName = '', newName = ''] = words.positionals;
    const deps = await context.deps();
    const before = await getProject(deps, oldName);
    const project = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await renameProject(parts, before, newName);
      const isNew = result.name !== before.name;
      const told = isNew ? toldOfProject(result, 'project.renamed', `was ${before.name}`) : null;
      return { result, told };
    });
    if (context.env['NOTIFIER_PROJECT'] === before.name && project.name !== before.name) {
      context.err(`NOTIFIER_PROJECT still says "${before.name}": change it to "${project.name}" too.\n`);
    }
    if (words.flag('json')) printJson(context, viewProject(project));
    else context.out(`Project ${project.id} is called "${project.name}" now.\n`);
    return exitCodes.fine;
  },
};

function changeOf(words: ParsedWords) {
  const text = words.text('scrub-fields');
  return {
    scrubFields: text === undefined ? undefined : checkedFields(text),
    storeIpAddresses: onOff(words, 'store-ip'),
    bugReports: onOff(words, 'bug-reports'),
  };
}

function checkedFields(text: string): string[] {
  const read = readScrubFields(text);
  if (read.ok) return read.fields;
  throw new UsageError(read.field === null ? read.why : `"${printable(read.field)}" ${read.why}`);
}
