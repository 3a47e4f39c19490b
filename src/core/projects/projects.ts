// Projects: what one may be called, how one is made with its keys, how it gets another name.
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { Project } from '../store/projects.ts';
import { type CreatedKey, createKey } from './keys.ts';

export interface CreatedProject {
  readonly project: Project;
  readonly publicKey: CreatedKey;
  /** Its text is shown once and never again. */
  readonly secretKey: CreatedKey;
}

/** Makes a project with a public and a secret key. Throws 400 for a name that is none, or that is taken. */
export async function createProject(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  name: string,
): Promise<CreatedProject> {
  await requireFreeName(deps, name);
  const project = await deps.store.createProject({ name, createdAtMs: deps.now() });
  const publicKey = await createKey(deps, project.id, 'public');
  const secretKey = await createKey(deps, project.id, 'secret');
  return { project, publicKey, secretKey };
}

/**
 * Gives a project another name; keys, DSN and ids stay. Throws 400 for a name that is none, or that is taken.
 */
export async function renameProject(
  deps: Pick<Deps, 'store'>,
  project: Project,
  name: string,
): Promise<Project> {
  if (name === project.name) return project;
  await requireFreeName(deps, name);
  return (await deps.store.changeProject(project.id, { name })) ?? project;
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/;

/** Whether a project may be called so. */
export function isProjectName(name: string): boolean {
  return namePattern.test(name);
}

async function requireFreeName(deps: Pick<Deps, 'store'>, name: string): Promise<void> {
  if (!isProjectName(name)) {
    throw badRequest(
      'notifier_project_name',
      'A project name is 1 to 100 letters, digits, blanks, dots, dashes or underscores.',
    );
  }
  if ((await deps.store.findProjectByName(name)) !== null) {
    throw badRequest('notifier_project_name', `There is a project "${name}" already.`);
  }
}
