// Which project a command speaks of: the one that --project names, the only one there is, or the one that has
// the thing.
import type { Deps } from '../core/deps.ts';
import type { Project } from '../core/store/projects.ts';
import { CommandFailure, type ParsedWords } from './command.ts';
import { printable } from './print.ts';

/** For what is listed or made, which nothing else places in a project. */
export const projectOption = { project: 'project ID or name (default: the only project)' };

/** For what is named by an id or a host, which says the project by itself. */
export const ownerOption = { project: 'project ID or name (default: the project it belongs to)' };

/**
 * The project that `--project` names by id or name; without it the only one there is. Throws CommandFailure
 * otherwise.
 */
export async function getChosenProject(deps: Deps, words: ParsedWords): Promise<Project> {
  const name = words.text('project');
  if (name !== undefined) return getProject(deps, name);
  const projects = await deps.store.listProjects();
  const [only, ...others] = projects;
  if (only === undefined) {
    throw new CommandFailure('There is no project yet. Create one: notifier project create NAME');
  }
  if (others.length > 0) {
    throw new CommandFailure(`There are ${projects.length} projects. Choose one with --project.`);
  }
  return only;
}

/** The project that `--project` names; null where it names none, for what may belong to none. */
export async function ownerOf(deps: Deps, words: ParsedWords): Promise<number | null> {
  const name = words.text('project');
  return name === undefined ? null : (await getProject(deps, name)).id;
}

/** A project by its id, else by its name. Throws CommandFailure where there is none. */
export async function getProject(deps: Deps, word: string): Promise<Project> {
  const project = await findProject(deps, word);
  if (project === null) throw new CommandFailure(`There is no project "${printable(word)}".`);
  return project;
}

/** The same; null where there is none. */
export async function findProject({ store }: Deps, word: string): Promise<Project | null> {
  const byId = /^\d{1,15}$/.test(word) ? await store.findProject(Number(word)) : null;
  return byId ?? (await store.findProjectByName(word));
}

/**
 * The one thing that `find` finds, and its project: the one that `--project` names, else whichever has it.
 * `what` says what was looked for, such as `issue 7`. Throws CommandFailure where none has it, or several do.
 */
export async function getOwned<Found>(
  deps: Deps,
  words: ParsedWords,
  what: string,
  find: (project: Project) => Promise<Found | null>,
): Promise<{ project: Project; found: Found }> {
  const name = words.text('project');
  const projects = name === undefined ? await deps.store.listProjects() : [await getProject(deps, name)];
  const owners: Array<{ project: Project; found: Found }> = [];
  for (const project of projects) {
    const found = await find(project);
    if (found !== null) owners.push({ project, found });
  }
  const [only, ...others] = owners;
  if (only === undefined) {
    throw new CommandFailure(
      `There is no ${printable(what)}${name === undefined ? '' : ` in "${printable(name)}"`}.`,
    );
  }
  if (others.length === 0) return only;
  const names = owners.map(({ project }) => `"${project.name}"`).join(' and ');
  throw new CommandFailure(`${names} each have ${printable(what)}. Choose one with --project.`);
}
