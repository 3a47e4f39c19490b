import { z } from 'zod';
import {
  type FilterSwitch,
  filterLists,
  filterSwitches,
  inboundFiltersRequest,
} from '../../schemas/inbound-filters.ts';
import { updateTriageSettings } from '../../src/core/issues/triage-settings.ts';
import { projectsModel } from '../../src/core/page-models/projects/list.ts';
import {
  getKeyOfPath,
  getProjectOfPath,
  keyModel,
  type ProjectModel,
  projectModel,
  projectModelOf,
  projectTriageModel,
} from '../../src/core/page-models/projects/project.ts';
import type { RequestContext } from '../../src/core/page-models/request-context.ts';
import { hourMs } from '../../src/core/parsing/durations.ts';
import { formatTime } from '../../src/core/parsing/timestamps.ts';
import { createKeyWithAudit, revokeKey, rotateKey, updateKey } from '../../src/core/projects/change-keys.ts';
import { updateInboundFilters } from '../../src/core/projects/inbound-filters.ts';
import { type KeyOptionTexts, parseKeyOptions } from '../../src/core/projects/keys.ts';
import {
  createProject,
  endProject,
  parseScrubFields,
  removeInBackground,
  renameProject,
  updateProjectSettings,
} from '../../src/core/projects/projects.ts';
import type { Project, ProjectKey } from '../../src/core/store/projects.ts';
import { parseValue } from '../../src/http/api/parse-parameters.ts';
import { action, FormError, noForm, page, showPage } from '../../src/http/pages/declarations.ts';
import type { FormEntry, FormValues } from '../../src/web/components/form.ts';
import type { PageContext } from '../../src/web/page-context.ts';
import {
  editProjectPage,
  keyPage,
  newKeyPage,
  newProjectPage,
  projectForm,
  projectTriagePage,
  settingsForm,
  triageForm,
} from '../../src/web/projects/forms.ts';
import { filterListsForm, filterListsPage } from '../../src/web/projects/inbound-filters.ts';
import { type CreatedKeyView, keyForm, newKeyForm, rotateKeyFields } from '../../src/web/projects/keys.ts';
import { projectsPage } from '../../src/web/projects/list.ts';
import { projectPage } from '../../src/web/projects/project.ts';

export function projectPages() {
  return [
    page('/projects', 'viewer', projectsModel, projectsPage),
    page('/projects/new', 'admin', newProject.model, newProject.view),
    page('/projects/{project_id}', 'viewer', projectModel, projectPage),
    page('/projects/{project_id}/change', 'admin', projectModel, editProjectPage),
    page('/projects/{project_id}/ownership', 'admin', projectTriageModel, projectTriagePage),
    page('/projects/{project_id}/keys/new', 'admin', projectModel, newKeyPage),
    page('/projects/{project_id}/keys/{key_id}', 'admin', keyModel, keyPage),
    page('/projects/{project_id}/filters', 'admin', projectModel, filterListsPage),
    ...projectActions(),
    ...keyActions(),
  ];
}

const nameErrors = { notifier_project_name: 'name' };
const keyErrors = {
  notifier_key_scopes: 'scope_ci',
  notifier_key_expires: 'ends',
  notifier_key_origins: 'origins',
  allowed_origins: 'origins',
};

const newProject = {
  model: async () => ({}),
  view: (_model: object, pageContext: PageContext, entry?: FormEntry) => newProjectPage(pageContext, entry),
};

const onInvalidEdit = (form: 'rename' | 'settings' | 'delete') => ({
  model: projectModel,
  view: (model: ProjectModel, pageContext: PageContext, entry: FormEntry) =>
    editProjectPage(model, pageContext, { [form]: entry }),
});

function projectActions() {
  return [
    action('/projects', 'admin', projectForm.schema, makeProject, {
      onInvalid: newProject,
      fieldOf: nameErrors,
    }),
    action('/projects/{project_id}/rename', 'admin', projectForm.schema, rename, {
      onInvalid: onInvalidEdit('rename'),
      fieldOf: nameErrors,
    }),
    action('/projects/{project_id}/settings', 'admin', settingsForm.schema, changeSettings, {
      onInvalid: onInvalidEdit('settings'),
    }),
    action('/projects/{project_id}/filters', 'admin', filterListsForm.schema, changeFilterLists, {
      onInvalid: { model: projectModel, view: filterListsPage },
    }),
    action(
      '/projects/{project_id}/filters/switch',
      'admin',
      z.object({ filter: z.enum(filterSwitches), to: z.enum(['on', 'off']) }),
      switchFilter,
    ),
    action('/projects/{project_id}/ownership', 'admin', triageForm.schema, changeTriage, {
      onInvalid: { model: projectTriageModel, view: projectTriagePage },
    }),
    action(
      '/projects/{project_id}/delete',
      'admin',
      z.object({ name: z.string('To confirm, enter the name of the project.') }),
      deleteProject,
      { onInvalid: onInvalidEdit('delete') },
    ),
  ];
}

function keyActions() {
  return [
    action('/projects/{project_id}/keys', 'admin', newKeyForm.schema, makeKey, {
      onInvalid: { model: projectModel, view: newKeyPage },
      fieldOf: keyErrors,
    }),
    action('/projects/{project_id}/keys/{key_id}/change', 'admin', keyForm.schema, changeOneKey, {
      onInvalid: { model: keyModel, view: keyPage },
      fieldOf: keyErrors,
    }),
    action('/projects/{project_id}/keys/{key_id}/rotate', 'admin', rotateKeyFields.schema, replaceKey),
    action('/projects/{project_id}/keys/{key_id}/revoke', 'admin', noForm, endKey),
  ];
}

async function makeProject(context: RequestContext, { name }: { name: string }) {
  const created = await createProject(context.deps, name, context.by);
  return showKeyOnce(context, created.project, {
    key_id: created.secretKey.key.id,
    kind: 'secret',
    text: created.secretKey.text,
  });
}

async function showKeyOnce(context: RequestContext, project: Project, key: CreatedKeyView) {
  const model = await projectModelOf(context, project);
  return showPage((pageContext) => projectPage(model, pageContext, key));
}

async function rename(context: RequestContext, { name }: { name: string }) {
  const before = getProjectOfPath(context);
  await renameProject(context.deps, before, name, context.by);
  return { to: `/projects/${before.id}`, notice: 'project-renamed' };
}

async function changeSettings(context: RequestContext, form: FormValues<typeof settingsForm>) {
  const before = getProjectOfPath(context);
  const read = parseScrubFields(form.scrub_fields ?? '');
  if (!read.ok) {
    const message = read.field === null ? read.reason : `“${read.field}” ${read.reason}`;
    throw new FormError('scrub_fields', message, { scrub_fields: message });
  }
  const change = {
    scrubFields: read.fields,
    storeIpAddresses: form.store_ip === 'on',
    bugReports: form.bug_reports === 'on',
  };
  await updateProjectSettings(context.deps, before, change, context.by);
  return { to: `/projects/${before.id}`, notice: 'project-changed' };
}

async function switchFilter(
  context: RequestContext,
  { filter, to }: { filter: FilterSwitch; to: 'on' | 'off' },
) {
  const project = getProjectOfPath(context);
  await updateInboundFilters(context.deps, project, { [filter]: to === 'on' }, context.by);
  return { to: `/projects/${project.id}`, notice: `filter-${to}`, hash: 'p-filters' };
}

/** One entry a line; an empty field empties its list. */
async function changeFilterLists(context: RequestContext, form: FormValues<typeof filterListsForm>) {
  const project = getProjectOfPath(context);
  const lists = filterLists.map((name) => [name, linesOf(form[name])]);
  const input = parseValue(inboundFiltersRequest, Object.fromEntries(lists));
  await updateInboundFilters(context.deps, project, input, context.by);
  return { to: `/projects/${project.id}`, notice: 'project-changed', hash: 'p-filters' };
}

function linesOf(text = ''): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

async function changeTriage(context: RequestContext, form: FormValues<typeof triageForm>) {
  const project = getProjectOfPath(context);
  const { rules = '', codeowners = '', repository = '', assigns } = form;
  const change = { ownershipRules: rules, assignsOwners: assigns === 'on', repositoryUrl: repository };
  await updateTriageSettings(context.deps, project, { ...change, codeowners }, context.by);
  return { to: `/projects/${project.id}`, notice: 'project-changed' };
}

async function deleteProject(context: RequestContext, { name }: { name: string }) {
  const project = getProjectOfPath(context);
  if (name !== project.name) {
    const message = `The name does not match. To delete this project, enter “${project.name}”.`;
    throw new FormError('name', message, { name: message });
  }
  await endProject(context.deps, project, context.by);
  removeInBackground(context.deps, project.id);
  return { to: '/projects', query: { project: null }, notice: 'project-deleted' };
}

/** A public key has no scopes to choose, although the form shows them. */
function keyOptionTexts(kind: ProjectKey['kind'], form: FormValues<typeof keyForm>): KeyOptionTexts {
  const ticked = { ci: form.scope_ci, read: form.scope_read, admin: form.scope_admin };
  const scopes = Object.entries(ticked).flatMap(([scope, on]) => (on === 'on' ? [scope] : []));
  const { label = '', origins = '', ends: expires = 'never' } = form;
  return { label, origins, expires, scopes: kind === 'secret' ? scopes.join(' ') : undefined };
}

async function makeKey(context: RequestContext, form: FormValues<typeof newKeyForm>) {
  const project = getProjectOfPath(context);
  const options = parseKeyOptions(form.kind, keyOptionTexts(form.kind, form), context.nowMs);
  const { key, text } = await createKeyWithAudit(context.deps, project.id, form.kind, options, context.by);
  return showKeyOnce(context, project, { key_id: key.id, kind: key.kind, text });
}

async function changeOneKey(context: RequestContext, form: FormValues<typeof keyForm>) {
  const before = await getKeyOfPath(context);
  // The form has a date only; if it is unchanged, the time of day is kept.
  const isSameDay = before.expiresAtMs !== null && formatTime(before.expiresAtMs).slice(0, 10) === form.ends;
  const texts = keyOptionTexts(before.kind, form);
  const options = parseKeyOptions(
    before.kind,
    isSameDay ? { ...texts, expires: undefined } : texts,
    context.nowMs,
  );
  await updateKey(context.deps, before, options, context.by);
  return { to: `/projects/${before.projectId}/keys/${before.id}`, notice: 'key-changed' };
}

async function replaceKey(context: RequestContext, { hours }: FormValues<typeof rotateKeyFields>) {
  const previous = await getKeyOfPath(context);
  const { created: rotated } = await rotateKey(
    context.deps,
    previous,
    Number(hours) * hourMs,
    null,
    context.by,
  );
  return showKeyOnce(context, getProjectOfPath(context), {
    key_id: rotated.key.id,
    kind: rotated.key.kind,
    text: rotated.text,
  });
}

async function endKey(context: RequestContext) {
  const key = await getKeyOfPath(context);
  await revokeKey(context.deps, key, context.by);
  return { to: `/projects/${key.projectId}`, notice: 'key-ended' };
}
