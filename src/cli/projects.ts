// `project create|list|set`: the projects of a database, the addresses their SDKs use, and what is never stored of them.
import { dsnOf, issueKey } from '../core/keys.ts';
import type { Project } from '../core/store.ts';
import { baseUrlOf } from './addresses.ts';
import {
  type Command,
  CommandFailure,
  exitCodes,
  onOff,
  type ParsedWords,
  printable,
  table,
  timeText,
  UsageError,
} from './command.ts';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/;

export const projectCreate: Command = {
  name: 'project create',
  summary: 'Makes a project with a public and a secret key, printed once.',
  usage: 'NAME',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const name = words.positionals[0] ?? '';
    if (!namePattern.test(name)) {
      throw new CommandFailure(
        'A project name is 1 to 100 letters, digits, blanks, dots, dashes or underscores.',
      );
    }
    if ((await deps.store.findProjectByName(name)) !== null) {
      throw new CommandFailure(`There is a project "${name}" already.`);
    }
    const project = await deps.store.createProject({ name, createdAtMs: deps.now() });
    const publicKey = await issueKey(deps, project.id, 'public');
    const secretKey = await issueKey(deps, project.id, 'secret');
    const dsn = dsnOf(baseUrlOf(deps.config), deps.config.wpPath, publicKey.text, project.id);
    if (words.flag('json')) {
      const answer = {
        project_id: project.id,
        name,
        public_key: publicKey.text,
        secret_key: secretKey.text,
        dsn,
      };
      context.out(`${JSON.stringify(answer, null, 2)}\n`);
      return exitCodes.fine;
    }
    context.out(
      [
        `Project ${project.id} "${name}" made.`,
        '',
        `  Public key   ${publicKey.text}`,
        `  Secret key   ${secretKey.text}   (shown this once)`,
        `  Sentry DSN   ${dsn}`,
        '',
      ].join('\n'),
    );
    return exitCodes.fine;
  },
};

export const projectList: Command = {
  name: 'project list',
  summary: 'Lists the projects.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const deps = await context.deps();
    const projects = await deps.store.listProjects();
    if (words.flag('json')) {
      context.out(`${JSON.stringify(projects.map(projectJson), null, 2)}\n`);
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

/** Names of one project that are filtered beside ours, and characters of each. */
const scrubFieldsMax = 100;
const scrubFieldCharactersMax = 100;

export const projectSet: Command = {
  name: 'project set',
  summary: 'Changes what is taken out of the events of a project before they are stored.',
  usage: 'NAME [--scrub-fields a,b] [--store-ip on|off]',
  options: {
    'scrub-fields': { type: 'string', help: 'comma list of further field names to filter; empty for none' },
    'store-ip': { type: 'string', help: 'on: IP addresses are stored, cut to /24 and /48; off: dropped' },
  },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const change = changeOf(words);
    if (Object.keys(change).length === 0) {
      throw new UsageError('Say what to change, such as --scrub-fields iban,birthday.');
    }
    const deps = await context.deps();
    const name = words.positionals[0] ?? '';
    const found = await deps.store.findProjectByName(name);
    if (found === null) throw new CommandFailure(`There is no project "${printable(name)}".`);
    const project = (await deps.store.changeProject(found.id, change)) ?? found;
    if (words.flag('json')) context.out(`${JSON.stringify(projectJson(project), null, 2)}\n`);
    else {
      const fields = project.scrubFields.length === 0 ? 'none' : project.scrubFields.join(', ');
      const addresses = project.storeIpAddresses ? 'cut to /24 and /48' : 'dropped';
      context.out(
        `Project ${project.id} "${project.name}": also filtered ${fields}; IP addresses ${addresses}.\n`,
      );
    }
    return exitCodes.fine;
  },
};

function changeOf(words: ParsedWords): { scrubFields?: string[]; storeIpAddresses?: boolean } {
  const scrubFields = words
    .text('scrub-fields')
    ?.split(',')
    .map((each) => each.trim());
  const storeIpAddresses = onOff(words, 'store-ip');
  return {
    ...(scrubFields === undefined
      ? {}
      : { scrubFields: checkedFields(scrubFields.filter((each) => each !== '')) }),
    ...(storeIpAddresses === undefined ? {} : { storeIpAddresses }),
  };
}

/** A name without a letter would match nothing: names are compared by their words. */
function checkedFields(fields: readonly string[]): string[] {
  const bad = fields.find((field) => field.length > scrubFieldCharactersMax || !/\p{L}/u.test(field));
  if (bad !== undefined) throw new UsageError(`"${printable(bad)}" is no field name.`);
  if (fields.length > scrubFieldsMax) throw new UsageError(`At most ${scrubFieldsMax} field names.`);
  return [...new Set(fields)];
}

function projectJson(project: Project): object {
  return {
    project_id: project.id,
    name: project.name,
    created_at: new Date(project.createdAtMs).toISOString(),
    grouping: project.groupingVersion,
    scrub_fields: project.scrubFields,
    store_ip: project.storeIpAddresses,
  };
}
