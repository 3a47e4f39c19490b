// `project create|list`: the projects of a database and the addresses their SDKs use.
import { dsnOf, issueKey } from '../core/keys.ts';
import { baseUrlOf } from './addresses.ts';
import { type Command, CommandFailure, exitCodes, table, timeText } from './command.ts';

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
      const rows = projects.map((project) => ({
        project_id: project.id,
        name: project.name,
        created_at: new Date(project.createdAtMs).toISOString(),
        grouping: project.groupingVersion,
      }));
      context.out(`${JSON.stringify(rows, null, 2)}\n`);
      return exitCodes.fine;
    }
    const rows = projects.map((project) => [
      project.id,
      project.name,
      timeText(project.createdAtMs),
      project.groupingVersion,
    ]);
    context.out(`${table(['ID', 'Name', 'Created (UTC)', 'Grouping'], rows)}\n`);
    return exitCodes.fine;
  },
};
