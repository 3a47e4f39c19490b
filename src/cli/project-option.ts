import type { Deps } from '../core/deps.ts';
import type { Project } from '../core/store/projects.ts';
import { CommandError, type ParsedArgs } from './command.ts';
import { sanitizeForTerminal } from './print.ts';

/** For lists and creation: no other argument says the project. */
export const projectOption = { project: 'project ID or name (default: the only project)' };

/** For items found by id or host, which determine the project. */
export const ownerOption = { project: 'project ID or name (default: the project it belongs to)' };

/** The project of `--project` (id or name); without it the only project. Throws CommandError otherwise. */
export async function getSelectedProject(deps: Deps, args: ParsedArgs): Promise<Project> {
  const name = args.text('project');
  if (name !== undefined) return getProject(deps, name);
  const projects = await deps.store.listProjects();
  const [project, ...others] = projects;
  if (project === undefined) {
    throw new CommandError('There is no project yet. Create one: notifier project create NAME');
  }
  if (others.length > 0) {
    throw new CommandError(`There are ${projects.length} projects. Choose one with --project.`);
  }
  return project;
}

/** The id of the `--project` project; null without the option, for items of the workspace. */
export async function getOwnerProjectId(deps: Deps, args: ParsedArgs): Promise<number | null> {
  const name = args.text('project');
  return name === undefined ? null : (await getProject(deps, name)).id;
}

/** Finds by id, then by name. Throws CommandError if there is none. */
export async function getProject(deps: Deps, word: string): Promise<Project> {
  const project = await findProject(deps, word);
  if (project === null) throw new CommandError(`There is no project "${sanitizeForTerminal(word)}".`);
  return project;
}

export async function findProject({ store }: Deps, word: string): Promise<Project | null> {
  const byId = /^\d{1,15}$/.test(word) ? await store.findProject(Number(word)) : null;
  return byId ?? (await store.findProjectByName(word));
}

/** Finds an item and its project: the one of `--project`, else the only project that has it. `label` is for
 * messages, such as `issue 7`. Throws CommandError if none has it, or several have. */
export async function getWithProject<Found>(
  deps: Deps,
  args: ParsedArgs,
  label: string,
  find: (project: Project) => Promise<Found | null>,
): Promise<{ project: Project; found: Found }> {
  const name = args.text('project');
  const projects = name === undefined ? await deps.store.listProjects() : [await getProject(deps, name)];
  const owners: Array<{ project: Project; found: Found }> = [];
  for (const project of projects) {
    const found = await find(project);
    if (found !== null) owners.push({ project, found });
  }
  const [match, ...others] = owners;
  if (match === undefined) {
    throw new CommandError(
      `There is no ${sanitizeForTerminal(label)}${name === undefined ? '' : ` in "${sanitizeForTerminal(name)}"`}.`,
    );
  }
  if (others.length === 0) return match;
  const names = owners.map(({ project }) => `"${project.name}"`).join(' and ');
  throw new CommandError(`${names} each have ${sanitizeForTerminal(label)}. Choose one with --project.`);
}
