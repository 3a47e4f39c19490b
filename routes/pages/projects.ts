import { z } from 'zod';
import {
  type FilterSwitch,
  filterLists,
  filterSwitches,
  inboundFiltersRequest,
} from '../../schemas/inbound-filters.ts';
import { requestSource } from '../../src/core/audit/audit.ts';
import { updateTriageSettings } from '../../src/core/issues/triage-settings.ts';
import { projectsModel } from '../../src/core/page-models/projects/list.ts';
import {
  getKeyOfPath,
  getProjectOfPath,
  keyModel,
  projectModel,
  projectModelOf,
} from '../../src/core/page-models/projects/project.ts';
import { projectTriageModel } from '../../src/core/page-models/projects/triage.ts';
import type { RequestContext } from '../../src/core/page-models/request-context.ts';
import { hourMs } from '../../src/core/parsing/durations.ts';
import { formatTime } from '../../src/core/parsing/timestamps.ts';
import { createKeyWithAudit, revokeKey, rotateKey, updateKey } from '../../src/core/projects/change-keys.ts';
import { removeInBackground } from '../../src/core/projects/deletion.ts';
import { updateInboundFilters } from '../../src/core/projects/inbound-filters.ts';
import { type KeyOptionTexts, parseKeyOptions } from '../../src/core/projects/parse-key-options.ts';
import {
  createProject,
  endProject,
  renameProject,
  updateProjectSettings,
} from '../../src/core/projects/projects.ts';
import { parseScrubFields } from '../../src/core/projects/settings.ts';
import type { Project, ProjectKey } from '../../src/core/store/projects.ts';
import { parseValue } from '../../src/http/api/parse-parameters.ts';
import {
  type ActionResult,
  action,
  type Declaration,
  FormError,
  page,
} from '../../src/http/pages/declarations.ts';
import type { FormEntry, FormValues } from '../../src/web/components/form.ts';
import type { PageContext } from '../../src/web/page-context.ts';
import {
  editProjectPage,
  keyPage,
  newKeyPage,
  newProjectPage,
  projectForm,
  settingsForm,
} from '../../src/web/projects/forms.ts';
import { filterListsForm, filterListsPage } from '../../src/web/projects/inbound-filters.ts';
import { keyForm, newKeyForm, rotateKeyFields } from '../../src/web/projects/key-forms.ts';
import type { CreatedKeyView } from '../../src/web/projects/keys.ts';
import { projectsPage } from '../../src/web/projects/list.ts';
import { projectPage } from '../../src/web/projects/project.ts';
import { projectTriagePage, triageForm } from '../../src/web/projects/triage.ts';

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
      view: (model, frame) => editProjectPage(model, frame),
    }),
    page({
      path: '/projects/{project_id}/ownership',
      needs: 'admin',
      model: projectTriageModel,
      view: (model, frame) => projectTriagePage(model, frame),
    }),
    page({
      path: '/projects/{project_id}/keys/new',
      needs: 'admin',
      model: projectModel,
      view: (model, frame) => newKeyPage(model, frame),
    }),
    page({
      path: '/projects/{project_id}/keys/{key_id}',
      needs: 'admin',
      model: keyModel,
      view: (model, frame) => keyPage(model, frame),
    }),
    page({
      path: '/projects/{project_id}/filters',
      needs: 'admin',
      model: projectModel,
      view: filterListsPage,
    }),
    ...projectActs(),
    ...keyActs(),
  ];
}

const nameErrors = { notifier_project_name: 'name' };
const keyErrors = {
  notifier_key_scopes: 'scope_ci',
  notifier_key_expires: 'ends',
  notifier_key_origins: 'origins',
  allowed_origins: 'origins',
};

const editAgain =
  (form: 'rename' | 'settings' | 'delete') => async (visit: RequestContext, entry: FormEntry) => {
    const model = await projectModel(visit);
    return (frame: PageContext) => editProjectPage(model, frame, { [form]: entry });
  };

function projectActs(): Declaration[] {
  return [
    action({
      path: '/projects',
      needs: 'admin',
      form: projectForm.schema,
      act: makeProject,
      again: async (_visit, entry) => (frame) => newProjectPage(frame, entry),
      fieldOf: nameErrors,
    }),
    action({
      path: '/projects/{project_id}/rename',
      needs: 'admin',
      form: projectForm.schema,
      act: rename,
      again: editAgain('rename'),
      fieldOf: nameErrors,
    }),
    action({
      path: '/projects/{project_id}/settings',
      needs: 'admin',
      form: settingsForm.schema,
      act: changeSettings,
      again: editAgain('settings'),
    }),
    action({
      path: '/projects/{project_id}/filters',
      needs: 'admin',
      form: filterListsForm.schema,
      act: changeFilterLists,
      again: async (visit, entry) => {
        const model = await projectModel(visit);
        return (frame) => filterListsPage(model, frame, entry);
      },
    }),
    action({
      path: '/projects/{project_id}/filters/switch',
      needs: 'admin',
      form: z.object({ filter: z.enum(filterSwitches), to: z.enum(['on', 'off']) }),
      act: switchFilter,
    }),
    action({
      path: '/projects/{project_id}/ownership',
      needs: 'admin',
      form: triageForm.schema,
      act: changeTriage,
      again: async (visit, entry) => {
        const model = await projectTriageModel(visit);
        return (frame) => projectTriagePage(model, frame, entry);
      },
    }),
    action({
      path: '/projects/{project_id}/delete',
      needs: 'admin',
      form: z.object({ name: z.string('To confirm, enter the name of the project.') }),
      act: deleteProject,
      again: editAgain('delete'),
    }),
  ];
}

function keyActs(): Declaration[] {
  return [
    action({
      path: '/projects/{project_id}/keys',
      needs: 'admin',
      form: newKeyForm.schema,
      act: makeKey,
      again: async (visit, entry) => {
        const model = await projectModel(visit);
        return (frame) => newKeyPage(model, frame, entry);
      },
      fieldOf: keyErrors,
    }),
    action({
      path: '/projects/{project_id}/keys/{key_id}/change',
      needs: 'admin',
      form: keyForm.schema,
      act: changeOneKey,
      again: async (visit, entry) => {
        const model = await keyModel(visit);
        return (frame) => keyPage(model, frame, entry);
      },
      fieldOf: keyErrors,
    }),
    action({
      path: '/projects/{project_id}/keys/{key_id}/rotate',
      needs: 'admin',
      form: rotateKeyFields.schema,
      act: replaceKey,
    }),
    action({ path: '/projects/{project_id}/keys/{key_id}/revoke', needs: 'admin', act: endKey }),
  ];
}

async function makeProject(visit: RequestContext, { name }: { name: string }): Promise<ActionResult> {
  const made = await createProject(visit.deps, name, requestSource(visit));
  return shownOnce(visit, made.project, {
    key_id: made.secretKey.key.id,
    kind: 'secret',
    text: made.secretKey.text,
  });
}

async function shownOnce(
  visit: RequestContext,
  project: Project,
  made: CreatedKeyView,
): Promise<ActionResult> {
  const model = await projectModelOf(visit, project);
  return { status: 200, view: (frame) => projectPage(model, frame, made) };
}

async function rename(visit: RequestContext, { name }: { name: string }): Promise<ActionResult> {
  const before = getProjectOfPath(visit);
  await renameProject(visit.deps, before, name, requestSource(visit));
  return { to: `/projects/${before.id}`, notice: 'project-renamed' };
}

async function changeSettings(
  visit: RequestContext,
  form: FormValues<typeof settingsForm>,
): Promise<ActionResult> {
  const before = getProjectOfPath(visit);
  const read = parseScrubFields(form.scrub_fields ?? '');
  if (!read.ok) {
    const why = read.field === null ? read.why : `“${read.field}” ${read.why}`;
    throw new FormError('scrub_fields', why, { scrub_fields: why });
  }
  const change = {
    scrubFields: read.fields,
    storeIpAddresses: form.store_ip === 'on',
    bugReports: form.bug_reports === 'on',
  };
  await updateProjectSettings(visit.deps, before, change, requestSource(visit));
  return { to: `/projects/${before.id}`, notice: 'project-changed' };
}

async function switchFilter(
  visit: RequestContext,
  { filter, to }: { filter: FilterSwitch; to: 'on' | 'off' },
): Promise<ActionResult> {
  const project = getProjectOfPath(visit);
  await updateInboundFilters(visit.deps, project, { [filter]: to === 'on' }, requestSource(visit));
  return { to: `/projects/${project.id}`, notice: `filter-${to}` };
}

/** One entry a line; an empty field empties its list. */
async function changeFilterLists(
  visit: RequestContext,
  form: FormValues<typeof filterListsForm>,
): Promise<ActionResult> {
  const project = getProjectOfPath(visit);
  const lists = filterLists.map((name) => [name, linesOf(form[name])]);
  const asked = parseValue(inboundFiltersRequest, Object.fromEntries(lists));
  await updateInboundFilters(visit.deps, project, asked, requestSource(visit));
  return { to: `/projects/${project.id}`, notice: 'project-changed' };
}

function linesOf(text = ''): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

async function changeTriage(
  visit: RequestContext,
  form: FormValues<typeof triageForm>,
): Promise<ActionResult> {
  const project = getProjectOfPath(visit);
  const { rules = '', codeowners = '', repository = '', assigns } = form;
  const change = { ownershipRules: rules, assignsOwners: assigns === 'on', repositoryUrl: repository };
  const source = requestSource(visit);
  await updateTriageSettings(visit.deps, project, { ...change, codeowners }, source);
  return { to: `/projects/${project.id}`, notice: 'project-changed' };
}

async function deleteProject(visit: RequestContext, { name }: { name: string }): Promise<ActionResult> {
  const project = getProjectOfPath(visit);
  if (name !== project.name) {
    const why = `The name does not match. To delete this project, enter “${project.name}”.`;
    throw new FormError('name', why, { name: why });
  }
  await endProject(visit.deps, project, requestSource(visit));
  removeInBackground(visit.deps, project.id);
  return { to: '/projects', query: { project: null }, notice: 'project-deleted' };
}

/** A public key has no scopes to choose, although the form shows them. */
function saidOf(kind: ProjectKey['kind'], form: FormValues<typeof keyForm>): KeyOptionTexts {
  const ticked = { ci: form.scope_ci, read: form.scope_read, admin: form.scope_admin };
  const scopes = Object.entries(ticked).flatMap(([scope, on]) => (on === 'on' ? [scope] : []));
  const { label = '', origins = '', ends: expires = 'never' } = form;
  return { label, origins, expires, scopes: kind === 'secret' ? scopes.join(' ') : undefined };
}

async function makeKey(visit: RequestContext, form: FormValues<typeof newKeyForm>): Promise<ActionResult> {
  const project = getProjectOfPath(visit);
  const said = parseKeyOptions(form.kind, saidOf(form.kind, form), visit.nowMs);
  const { key, text } = await createKeyWithAudit(
    visit.deps,
    project.id,
    form.kind,
    said,
    requestSource(visit),
  );
  return shownOnce(visit, project, { key_id: key.id, kind: key.kind, text });
}

async function changeOneKey(visit: RequestContext, form: FormValues<typeof keyForm>): Promise<ActionResult> {
  const before = await getKeyOfPath(visit);
  // The form has a date only; if it is unchanged, the time of day is kept.
  const isSameDay = before.expiresAtMs !== null && formatTime(before.expiresAtMs).slice(0, 10) === form.ends;
  const words = saidOf(before.kind, form);
  const said = parseKeyOptions(
    before.kind,
    isSameDay ? { ...words, expires: undefined } : words,
    visit.nowMs,
  );
  await updateKey(visit.deps, before, said, requestSource(visit));
  return { to: `/projects/${before.projectId}/keys/${before.id}`, notice: 'key-changed' };
}

async function replaceKey(
  visit: RequestContext,
  { hours }: FormValues<typeof rotateKeyFields>,
): Promise<ActionResult> {
  const old = await getKeyOfPath(visit);
  const { made } = await rotateKey(visit.deps, old, Number(hours) * hourMs, null, requestSource(visit));
  return shownOnce(visit, getProjectOfPath(visit), {
    key_id: made.key.id,
    kind: made.key.kind,
    text: made.text,
  });
}

async function endKey(visit: RequestContext): Promise<ActionResult> {
  const key = await getKeyOfPath(visit);
  await revokeKey(visit.deps, key, requestSource(visit));
  return { to: `/projects/${key.projectId}`, notice: 'key-ended' };
}
