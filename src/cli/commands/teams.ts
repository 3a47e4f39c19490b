import type { TeamView } from '../../../schemas/teams.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  findTeam,
  removeTeamMember,
  renameTeam,
  updateTeamAccess,
  viewTeam,
} from '../../core/members/teams.ts';
import type { Team } from '../../core/store/members.ts';
import { type Command, type CommandContext, CommandError, type ParsedArgs, UsageError } from '../command.ts';
import { formatView, listResult, sanitizeForTerminal } from '../print.ts';
import { memberNamed, parseAccess, projectsOption } from './members.ts';

export const teamCommands: readonly Command[] = [
  {
    name: 'team create',
    summary: 'Create a team. Its members see its projects besides their own.',
    usage: 'NAME [--projects all|LIST]',
    options: { projects: `${projectsOption} (default: none)` },
    examples: ['team create payments --projects checkout-api,worker-queue'],
    async run(context, args) {
      const deps = await context.deps();
      const access = await parseAccess(deps, args.text('projects') ?? '');
      const team = await createTeam(deps, { name: args.positionals[0] ?? '', access }, commandLineSource);
      return { json: await viewOf(deps, team), text: `Created #${team.name}.` };
    },
  },
  {
    name: 'team list',
    onlyReads: true,
    summary: 'List the teams, their members and projects.',
    async run(context) {
      const deps = await context.deps();
      const projects = await deps.store.listProjects();
      const views = (await deps.store.listTeams()).map((team) => viewTeam(team, projects));
      return listResult<TeamView>(views, 'No teams yet. Create one: notifier team create NAME', {
        ...{ ID: 'team_id', Name: 'name' },
        Members: ({ members }) => members.map(({ name }) => name).join(', '),
        Projects: (team) => team.projects?.map(({ name }) => name).join(', ') ?? 'all',
      });
    },
  },
  {
    name: 'team show',
    onlyReads: true,
    summary: 'Show one team with its members and projects.',
    usage: 'NAME|ID',
    async run(context, args) {
      const deps = await context.deps();
      const view = await viewOf(deps, await teamNamed(deps, args.positionals[0] ?? ''));
      return { json: view, text: formatView(`Team ${view.team_id}, #${view.name}`, view) };
    },
  },
  {
    name: 'team update',
    summary: 'Rename a team, change its projects, or add and remove a member.',
    usage: 'NAME|ID [--name NAME] [--projects all|LIST] [--add MEMBER] [--remove MEMBER]',
    options: {
      name: 'the new name',
      projects: projectsOption,
      add: 'name or ID of a member to add',
      remove: 'name or ID of a member to remove',
    },
    examples: ['team update payments --add Mara', 'team update payments --projects checkout-api'],
    run: updateTeam,
  },
  {
    name: 'team delete',
    summary: 'Delete a team. Its members keep their own access only.',
    usage: 'NAME|ID',
    async run(context, args) {
      const deps = await context.deps();
      const team = await teamNamed(deps, args.positionals[0] ?? '');
      const json = await viewOf(deps, team);
      await deleteTeam(deps, team, commandLineSource);
      return { json, text: `Deleted #${team.name}.` };
    },
  },
];

async function updateTeam(context: CommandContext, args: ParsedArgs) {
  const [name, projects] = [args.text('name'), args.text('projects')];
  const [add, remove] = [args.text('add'), args.text('remove')];
  if ([name, projects, add, remove].every((each) => each === undefined)) {
    throw new UsageError('Nothing to change. Enter --name, --projects, --add or --remove.');
  }
  const deps = await context.deps();
  const team = await teamNamed(deps, args.positionals[0] ?? '');
  const access = projects === undefined ? null : await parseAccess(deps, projects);
  const added = add === undefined ? null : await memberNamed(deps, add);
  const removed = remove === undefined ? null : await memberNamed(deps, remove);
  if (name !== undefined) await renameTeam(deps, team, name, commandLineSource);
  const now = (await deps.store.findTeam(team.id)) ?? team;
  if (access !== null) await updateTeamAccess(deps, now, access, commandLineSource);
  if (added !== null) await addTeamMember(deps, now, added, commandLineSource);
  if (removed !== null) await removeTeamMember(deps, now, removed, commandLineSource);
  return { json: await viewOf(deps, now), text: `Changed #${now.name}.` };
}

async function viewOf({ store }: Deps, team: Team): Promise<TeamView> {
  const listed = (await store.listTeams()).find(({ id }) => id === team.id);
  return viewTeam(listed ?? { ...team, members: [], projectIds: [] }, await store.listProjects());
}

async function teamNamed(deps: Deps, word: string): Promise<Team> {
  const team = await findTeam(deps, word);
  if (team === null) throw new CommandError(`There is no team "${sanitizeForTerminal(word)}".`);
  return team;
}
