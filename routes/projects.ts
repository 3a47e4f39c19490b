import { projectChangeRequest, projectDeletion, projectRequest } from '../schemas/projects.ts';
import { createInvalidParamError, createNotFoundError } from '../src/core/errors.ts';
import type { OpenedUser } from '../src/core/members/open-user.ts';
import {
  createProject,
  endProject,
  parseScrubFields,
  removeInBackground,
  renameProject,
  updateProjectSettings,
} from '../src/core/projects/projects.ts';
import { viewCreatedProject, viewProject } from '../src/core/projects/views.ts';
import type { Project } from '../src/core/store/projects.ts';
import { actAsMember } from '../src/http/api/act-as-member.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { created, ok, type PersonalRequest, personalHandler } from '../src/http/api/route.ts';

export const getProjects = personalHandler(async (deps, request) =>
  ok((await actAsMember(deps, request)).projects.map(viewListed)),
);

/** 201 with the public key alone: a token must not make secret keys. */
export const postProjects = personalHandler(async (deps, request) => {
  const { name } = parseParameters(projectRequest, request);
  const { deps: memberDeps, by } = await actAsMember(deps, request);
  const result = await createProject(memberDeps, name, by);
  const { secret_key: _secret, ...shown } = viewCreatedProject(result, deps.config);
  return created({ accepted: true, ...viewListed(result.project), ...shown });
});

export const getOneProject = personalHandler(async (deps, request) =>
  ok(viewProject(projectOf(await actAsMember(deps, request), request))),
);

export const postProject = personalHandler(async (deps, request) => {
  const { name, scrub_fields: fields, ...changes } = parseParameters(projectChangeRequest, request);
  const user = await actAsMember(deps, request);
  const project = projectOf(user, request);
  const settings = {
    scrubFields: fields === undefined ? undefined : requireScrubFields(fields),
    storeIpAddresses: changes.store_ip,
    bugReports: changes.bug_reports,
  };
  const changed = await user.deps.store.transaction(async (store) => {
    const txDeps = { ...user.deps, store };
    if (name !== undefined) await renameProject(txDeps, project, name, user.by);
    return updateProjectSettings(txDeps, project, settings, user.by);
  });
  return ok({ accepted: true, ...viewProject(changed) });
});

/** Its keys end at once, its data is removed in the background. As on the page, the name confirms it. */
export const deleteOneProject = personalHandler(async (deps, request) => {
  const { name } = parseParameters(projectDeletion, request);
  const user = await actAsMember(deps, request);
  const project = projectOf(user, request);
  if (name !== project.name) throw createInvalidParamError({ name: 'name is not the name of the project.' });
  if ((await endProject(user.deps, project, user.by)) === null) throw createNotFoundError('project');
  removeInBackground(deps, project.id);
  return ok({ deleted: true, previous: viewProject(project) });
});

function projectOf({ projects }: OpenedUser, request: PersonalRequest): Project {
  const id = pathId(request, 'project');
  const project = projects.find((each) => each.id === id);
  if (project === undefined) throw createNotFoundError('project');
  return project;
}

function requireScrubFields(fields: readonly string[]): readonly string[] {
  const read = parseScrubFields(fields.join('\n'));
  if (read.ok) return read.fields;
  throw createInvalidParamError({
    scrub_fields: read.field === null ? read.reason : `scrub_fields: “${read.field}” ${read.reason}`,
  });
}

function viewListed(project: Project) {
  const { project_id, name, created_at } = viewProject(project);
  return { project_id, name, created_at };
}
