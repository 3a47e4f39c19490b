import { projectChangeRequest, projectDeletion, projectRequest } from '../schemas/projects.ts';
import { createInvalidParamError, createNotFoundError } from '../src/core/errors.ts';
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
import { pathId } from '../src/http/api/parse-parameters.ts';
import { created, type MemberRequest, memberHandler, memberInputHandler, ok } from '../src/http/api/route.ts';

export const getProjects = memberHandler(async ({ projects }) => ok(projects.map(viewListed)));

/** 201 with the public key alone: a token must not make secret keys. */
export const postProjects = memberInputHandler(projectRequest, async ({ deps, by }, { name }) => {
  const result = await createProject(deps, name, by);
  const { secret_key: _secret, ...shown } = viewCreatedProject(result, deps.config);
  return created({ accepted: true, ...viewListed(result.project), ...shown });
});

export const getOneProject = memberHandler(async (request) => ok(viewProject(projectOf(request))));

export const postProject = memberInputHandler(projectChangeRequest, async (request, input) => {
  const { name, scrub_fields: fields } = input;
  const project = projectOf(request);
  const settings = {
    scrubFields: fields === undefined ? undefined : requireScrubFields(fields),
    storeIpAddresses: input.store_ip,
    bugReports: input.bug_reports,
  };
  const { deps, by } = request;
  const changed = await deps.store.transaction(async (store) => {
    const txDeps = { ...deps, store };
    if (name !== undefined) await renameProject(txDeps, project, name, by);
    return updateProjectSettings(txDeps, project, settings, by);
  });
  return ok({ accepted: true, ...viewProject(changed) });
});

/** Its keys end at once, its data is removed in the background. As on the page, the name confirms it. */
export const deleteOneProject = memberInputHandler(projectDeletion, async (request, { name }) => {
  const project = projectOf(request);
  if (name !== project.name) throw createInvalidParamError({ name: 'name is not the name of the project.' });
  if ((await endProject(request.deps, project, request.by)) === null) throw createNotFoundError('project');
  removeInBackground(request.deps, project.id);
  return ok({ deleted: true, previous: viewProject(project) });
});

function projectOf(request: MemberRequest): Project {
  const id = pathId(request, 'project');
  const project = request.projects.find((each) => each.id === id);
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
