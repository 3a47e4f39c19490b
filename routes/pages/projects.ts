import { z } from 'zod';
import { actAudited, byVisit } from '../../src/core/audit/audit.ts';
import { toldOfProject } from '../../src/core/audit/told.ts';
import { removeBeside } from '../../src/core/projects/deletion.ts';
import { createKeyBy, revokeKey, rotateKey, updateKey } from '../../src/core/projects/key-life.ts';
import { type KeyWords, readKeyWords } from '../../src/core/projects/key-words.ts';
import { createProject, endProject, renameProject } from '../../src/core/projects/projects.ts';
import { readScrubFields, settingsText } from '../../src/core/projects/settings.ts';
import { momentText } from '../../src/core/reading/moments.ts';
import { hourMs } from '../../src/core/reading/spans.ts';
import type { Project, ProjectKey } from '../../src/core/store/projects.ts';
import { projectsModel } from '../../src/core/workspace/projects/list.ts';
import {
  keyModel,
  keyOfPath,
  projectModel,
  projectModelOf,
  projectOfPath,
} from '../../src/core/workspace/projects/project.ts';
import { notHere, type Visit, wrongInput } from '../../src/core/workspace/visit.ts';
import { type ActAnswer, act, type Declaration, page } from '../../src/http/pages/declare.ts';
import type { Posted } from '../../src/pages/parts/form.ts';
import {
  changeProjectPage,
  newKeyPage,
  newProjectPage,
  oneKeyPage,
  projectForm,
  settingsForm,
} from '../../src/pages/projects/forms.ts';
import { keyForm, newKeyForm, replaceKeyForm } from '../../src/pages/projects/key-forms.ts';
import type { MadeKey } from '../../src/pages/projects/keys.ts';
import { projectsPage } from '../../src/pages/projects/list.ts';
import { projectPage } from '../../src/pages/projects/project.ts';

export function projectPages(): Declaration[] {
  return [
    page({ path: '/projects', model: projectsModel, view: projectsPage }),
    page({
      path: '/projects/new',
      needs: 'admin',
      model: async () => ({}),
      view: (_model, frame) => newProjectPage(frame),
    }),
    page({
      path: '/projects/{project_id}',
      model: projectModel,
      view: (model, frame) => projectPage(model, frame),
    }),
    page({
      path: '/projects/{project_id}/change',
      needs: 'admin',
      model: projectModel,
      view: changeProjectPage,
    }),
    page({
      path: '/projects/{project_id}/keys/new',
      needs: 'admin',
      model: projectModel,
      view: newKeyPage,
    }),
    page({
      path: '/projects/{project_id}/keys/{key_id}',
      needs: 'admin',
      model: keyModel,
      view: oneKeyPage,
    }),
    ...projectActs(),
    ...keyActs(),
  ];
}

function projectActs(): Declaration[] {
  return [
    act({
      path: '/projects',
      needs: 'admin',
      form: projectForm.schema,
      act: makeProject,
    }),
    act({
      path: '/projects/{project_id}/rename',
      needs: 'admin',
      form: projectForm.schema,
      act: rename,
    }),
    act({
      path: '/projects/{project_id}/settings',
      needs: 'admin',
      form: settingsForm.schema,
      act: changeSettings,
    }),
    act({
      path: '/projects/{project_id}/delete',
      needs: 'admin',
      form: z.object({ name: z.string('To confirm, enter the name of the project.') }),
      act: deleteProject,
    }),
  ];
}

function keyActs(): Declaration[] {
  return [
    act({
      path: '/projects/{project_id}/keys',
      needs: 'admin',
      form: newKeyForm.schema,
      act: makeKey,
    }),
    act({
      path: '/projects/{project_id}/keys/{key_id}/change',
      needs: 'admin',
      form: keyForm.schema,
      act: changeOneKey,
    }),
    act({
      path: '/projects/{project_id}/keys/{key_id}/rotate',
      needs: 'admin',
      form: replaceKeyForm.schema,
      act: replaceKey,
    }),
    act({ path: '/projects/{project_id}/keys/{key_id}/revoke', needs: 'admin', act: endKey }),
  ];
}

async function makeProject(visit: Visit, { name }: { name: string }): Promise<ActAnswer> {
  const made = await createProject(visit.deps, name, byVisit(visit));
  return shownOnce(visit, made.project, {
    key_id: made.secretKey.key.id,
    kind: 'secret',
    text: made.secretKey.text,
  });
}

async function shownOnce(visit: Visit, project: Project, made: MadeKey): Promise<ActAnswer> {
  const model = await projectModelOf(visit, project);
  return { status: 200, view: (frame) => projectPage(model, frame, made) };
}

async function rename(visit: Visit, { name }: { name: string }): Promise<ActAnswer> {
  const before = projectOfPath(visit);
  await renameProject(visit.deps, before, name, byVisit(visit));
  return { to: `/projects/${before.id}`, notice: 'project-renamed' };
}

async function changeSettings(visit: Visit, form: Posted<typeof settingsForm>): Promise<ActAnswer> {
  const before = projectOfPath(visit);
  const read = readScrubFields(form.scrub_fields ?? '');
  if (!read.ok) throw wrongInput(read.field === null ? read.why : `“${read.field}” ${read.why}`);
  const change = {
    scrubFields: read.fields,
    storeIpAddresses: form.store_ip === 'on',
    bugReports: form.bug_reports === 'on',
  };
  await actAudited(visit.deps, byVisit(visit), async ({ store }) => {
    const result = await store.changeProject(before.id, change);
    if (result === null) throw notHere('A project with this number');
    const isNew = settingsText(result) !== settingsText(before);
    return { result, told: isNew ? toldOfProject(result, 'project.changed', settingsText(result)) : null };
  });
  return { to: `/projects/${before.id}`, notice: 'project-changed' };
}

async function deleteProject(visit: Visit, { name }: { name: string }): Promise<ActAnswer> {
  const project = projectOfPath(visit);
  if (name !== project.name) {
    throw wrongInput(`The name does not match. To delete this project, enter “${project.name}”.`);
  }
  await endProject(visit.deps, project, byVisit(visit));
  removeBeside(visit.deps, project.id);
  return { to: '/projects', query: { project: null }, notice: 'project-deleted' };
}

/** A public key has no scopes to choose, although the form shows them. */
function saidOf(kind: ProjectKey['kind'], form: Posted<typeof keyForm>): KeyWords {
  const ticked = { ci: form.scope_ci, read: form.scope_read, admin: form.scope_admin };
  const scopes = Object.entries(ticked).flatMap(([scope, on]) => (on === 'on' ? [scope] : []));
  const { label = '', origins = '', ends: expires = 'never' } = form;
  return { label, origins, expires, scopes: kind === 'secret' ? scopes.join(' ') : undefined };
}

async function makeKey(visit: Visit, form: Posted<typeof newKeyForm>): Promise<ActAnswer> {
  const project = projectOfPath(visit);
  const said = readKeyWords(form.kind, saidOf(form.kind, form), visit.nowMs);
  const { key, text } = await createKeyBy(visit.deps, project.id, form.kind, said, byVisit(visit));
  return shownOnce(visit, project, { key_id: key.id, kind: key.kind, text });
}

async function changeOneKey(visit: Visit, form: Posted<typeof keyForm>): Promise<ActAnswer> {
  const before = await keyOfPath(visit);
  // The form has a date only; if it is unchanged, the time of day is kept.
  const isSameDay = before.expiresAtMs !== null && momentText(before.expiresAtMs).slice(0, 10) === form.ends;
  const words = saidOf(before.kind, form);
  const said = readKeyWords(before.kind, isSameDay ? { ...words, expires: undefined } : words, visit.nowMs);
  await updateKey(visit.deps, before, said, byVisit(visit));
  return { to: `/projects/${before.projectId}/keys/${before.id}`, notice: 'key-changed' };
}

async function replaceKey(visit: Visit, { hours }: Posted<typeof replaceKeyForm>): Promise<ActAnswer> {
  const old = await keyOfPath(visit);
  const { made } = await rotateKey(visit.deps, old, Number(hours) * hourMs, null, byVisit(visit));
  return shownOnce(visit, projectOfPath(visit), {
    key_id: made.key.id,
    kind: made.key.kind,
    text: made.text,
  });
}

async function endKey(visit: Visit): Promise<ActAnswer> {
  const key = await keyOfPath(visit);
  await revokeKey(visit.deps, key, byVisit(visit));
  return { to: `/projects/${key.projectId}`, notice: 'key-ended' };
}
