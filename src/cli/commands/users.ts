import { commandLineSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { finishBackgroundWork } from '../../core/issues/background-work.ts';
import { eraseUser } from '../../core/users/erase.ts';
import { exportUser } from '../../core/users/export.ts';
import { type FoundUser, findUsers, getUser } from '../../core/users/find.ts';
import { readUserRecords, type UserDetailsView, viewUser, viewUserDetails } from '../../core/users/views.ts';
import { type Command, CommandError, type ParsedArgs } from '../command.ts';
import { formatIsoTime, formatViewTable, listResult, sanitizeForTerminal, valueLines } from '../print.ts';
import { getProject } from '../project-option.ts';

const allProjectsOption = { project: 'project ID or name (default: all projects)' };

const list: Command = {
  name: 'user list',
  onlyReads: true,
  summary: 'Find users by a whole id, e-mail address, user name or IP address.',
  usage: 'QUERY [--project NAME]',
  options: allProjectsOption,
  examples: ['user list 84213', 'user list user.email:renske@northwind.example --json'],
  async run(context, args) {
    const deps = await context.deps();
    const query = args.positionals[0] ?? '';
    const users = (await findUsers(deps, await projectIds(deps, args), query)).map(viewUser);
    const shown = (text: string | null): string => (text === null ? '–' : sanitizeForTerminal(text, 40));
    return listResult(users, 'No user matches.', {
      'User hash': 'user_hash',
      ID: ({ id }) => shown(id),
      'E-mail': ({ email }) => shown(email),
      'User name': ({ username, name }) => shown(username ?? name),
      Events: ({ events, events_capped: isCapped }) => `${events}${isCapped ? '+' : ''}`,
      'Last seen (UTC)': ({ last_seen: at }) => formatIsoTime(at),
    });
  },
};

const show: Command = {
  name: 'user show',
  onlyReads: true,
  summary: 'Show one user: issues, latest events, bug reports, browsers and releases.',
  usage: 'USER [--project NAME]',
  options: allProjectsOption,
  examples: ['user show 84213'],
  async run(context, args) {
    const deps = await context.deps();
    const user = viewUserDetails(await readUserRecords(deps, await userNamed(deps, args)));
    return { json: user, text: () => userText(user) };
  },
};

const exportData: Command = {
  name: 'user export',
  summary: 'Print everything that is stored of a user in one project, as JSON. Written to the audit log.',
  usage: 'USER [--project NAME]',
  options: allProjectsOption,
  examples: ['user export 84213', 'user export 84213 --project shop --json'],
  async run(context, args) {
    const deps = await context.deps();
    const user = await userNamed(deps, args);
    requireOneProject(user);
    let part = await exportUser(deps, user, commandLineSource);
    const events = [...part.events];
    const { next: _next, ...first } = part;
    while (part.next !== null) {
      part = await exportUser(deps, user, commandLineSource, part.next);
      events.push(...part.events);
    }
    const json = { ...first, events };
    return { json, text: () => JSON.stringify(json, null, 2) };
  },
};

const erase: Command = {
  name: 'user delete',
  aliases: ['user erase'],
  summary:
    'Remove the id, e-mail address, name and address of a user from events, tags and bug reports. Counts stay. This cannot be undone.',
  usage: 'USER --yes [--project NAME]',
  options: { ...allProjectsOption, yes: { flag: 'erase without asking' } },
  examples: ['user delete 84213 --yes'],
  async run(context, args) {
    const deps = await context.deps();
    const user = await userNamed(deps, args);
    const { user_hash, events } = viewUser(user);
    const projects = user.parts.length;
    if (!args.flag('yes')) {
      throw new CommandError(
        `This removes the user from ${events} events in ${projects === 1 ? 'one project' : `${projects} projects`}; it cannot be undone. Repeat with --yes.`,
      );
    }
    await eraseUser(deps, user, commandLineSource);
    await finishBackgroundWork(deps, () => false);
    return {
      json: { erased: true, user_hash, events, projects },
      text: `Erased a user in ${events} events.`,
    };
  },
};

export const userCommands = [list, show, exportData, erase];

function requireOneProject({ parts: records }: FoundUser): void {
  if (records.length > 1)
    throw new CommandError('This user is in several projects. Choose one with --project.');
}

async function projectIds(deps: Deps, args: ParsedArgs): Promise<number[]> {
  const name = args.text('project');
  const projects = name === undefined ? await deps.store.listProjects() : [await getProject(deps, name)];
  return projects.map(({ id }) => id);
}

async function userNamed(deps: Deps, args: ParsedArgs): Promise<FoundUser> {
  const word = args.positionals[0] ?? '';
  const ids = await projectIds(deps, args);
  const [user, ...others] = await findUsers(deps, ids, word);
  if (user === undefined) return getUser(deps, ids, word);
  if (others.length === 0) return user;
  throw new CommandError(
    `${others.length + 1} users match "${sanitizeForTerminal(word)}". Choose one by its user_hash: notifier user list`,
  );
}

function userText(user: UserDetailsView): string {
  const { id, email, username, name, ip_address: address } = user;
  const time = (at: string | null): string => (at === null ? '–' : `${formatIsoTime(at)} UTC`);
  const lines = [
    `User ${sanitizeForTerminal(id ?? username ?? email ?? user.user_hash, 100)}`,
    ...valueLines({ id, email, username, name, ip_address: address, user_hash: user.user_hash }),
    `  first seen ${time(user.first_seen)}, last seen ${time(user.last_seen)}`,
    `  ${user.events}${user.events_capped ? '+' : ''} events, ${user.feedback.length} bug reports`,
    '',
  ];
  const table = formatViewTable(
    {
      Issue: 'issue_id',
      Title: ({ title }) => sanitizeForTerminal(title, 60),
      ...{ Status: 'status', 'Their events': 'user_events' },
      'Last seen (UTC)': ({ user_last_seen: at }) => formatIsoTime(at),
    },
    user.issues,
  );
  return `${lines.join('\n')}\n${user.issues.length === 0 ? 'No issues.' : table}`;
}
