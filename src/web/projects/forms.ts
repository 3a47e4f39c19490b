import type { KeyModel, ProjectModel, ProjectTriageModel } from '../../core/page-models/projects/project.ts';
import { actionForm, field, fieldsForm, submitButton } from '../components/controls.ts';
import { type DialogForm, formSection } from '../components/dialog-forms.ts';
import { bidiIsolated, nameValueList, pageHead, section } from '../components/elements.ts';
import {
  checkboxField,
  defineForm,
  enteredFields,
  type FormEntry,
  formFields,
  requiredTextField,
  textareaField,
  textField,
} from '../components/form.ts';
import { el, html, type VNode } from '../el.ts';
import { shortTime, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { editKeyForm, keyStateText, newKeyDialogForm, revokeKeyForm, rotateKeyForm } from './keys.ts';

const named = {
  hint: '1 to 100 letters, digits, spaces, dots, dashes or underscores.',
  attributes: { maxlength: 100 },
};

export const projectForm = defineForm({ name: requiredTextField('Name', 'Enter a name.', named) });

export const settingsForm = defineForm({
  scrub_fields: textareaField('Additional sensitive fields', {
    id: 'fields',
    hint: 'One field name per line, for example iban. Values are redacted, as passwords, tokens and card numbers are.',
    attributes: { rows: 4 },
  }),
  store_ip: checkboxField('Store IP addresses of users, truncated to /24 and /48'),
  bug_reports: checkboxField('Accept bug reports from apps that name no page'),
});

export const newProjectDialogForm: DialogForm = {
  id: 'd-project',
  path: '/projects/new',
  title: 'Create project',
  description: 'It gets a public and a secret key. The secret key is shown only once.',
  action: '/projects',
  fields: formFields(projectForm),
  verb: 'Create project',
};

export function newProjectPage(context: PageContext, entry?: FormEntry): PageContent {
  const form = { ...newProjectDialogForm, fields: enteredFields(projectForm, entry) };
  return {
    title: 'Create project',
    breadcrumbs: [{ name: 'Projects', path: '/projects' }],
    main: formSection(context, form, { from: '/projects' }),
  };
}

export function newKeyPage({ project }: ProjectModel, context: PageContext, entry?: FormEntry): PageContent {
  return {
    title: `Create key for ${project.name}`,
    breadcrumbs: projectBreadcrumbs(project),
    main: formSection(context, newKeyDialogForm(project, entry), { from: `/projects/${project.project_id}` }),
  };
}

export function keyPage({ project, key }: KeyModel, context: PageContext, entry?: FormEntry): PageContent {
  const path = `/projects/${project.project_id}/keys/${key.key_id}`;
  const isOpen = key.state === 'live' || key.state === 'ending';
  const used = key.last_used_at;
  return {
    title: `Key ${key.key_id} of ${project.name}`,
    breadcrumbs: projectBreadcrumbs(project),
    main: [
      pageHead({
        above: ['Key ', String(key.key_id), ' of ', bidiIsolated(project.name)],
        title: el('code', null, key.key),
      }),
      nameValueList([
        ['Type', key.kind],
        ['Label', key.label === '' ? null : bidiIsolated(key.label)],
        ['Scopes', key.scopes.join(', ')],
        ['Origins', key.allowed_origins.length === 0 ? null : bidiIsolated(key.allowed_origins.join(', '))],
        ['State', keyStateText(key, context.nowMs)],
        ['Expires', key.expires_at === null ? null : shortTime(key.expires_at, context.nowMs)],
        ['Created', shortTime(key.created_at, context.nowMs)],
        ['Last used', used === null ? 'never' : timeAgo(used, context.nowMs)],
      ]),
      isOpen
        ? [
            section({ id: 'k-change', title: 'Edit key' }, editKeyForm(key, path, context, entry)),
            section({ id: 'k-new', title: 'Rotate key' }, rotateKeyForm(path, context)),
            section({ id: 'k-end', title: 'Revoke key' }, revokeKeyForm(path, context)),
          ]
        : el('p', { class: 'soft' }, 'It is no longer accepted.'),
    ],
  };
}

export function editProjectPage(
  { project }: ProjectModel,
  context: PageContext,
  entries: { readonly [Name in 'rename' | 'settings' | 'delete']?: FormEntry } = {},
): PageContent {
  const path = `/projects/${project.project_id}`;
  return {
    title: `Edit ${project.name}`,
    breadcrumbs: projectBreadcrumbs(project),
    main: [
      pageHead({ title: ['Edit ', bidiIsolated(project.name)] }),
      section(
        { id: 'c-name', title: 'Name' },
        actionForm(
          context,
          `${path}/rename`,
          { class: 'stack', novalidate: true },
          ...enteredFields(projectForm, entries.rename, { values: project }),
          el('p', null, submitButton('Rename')),
        ),
      ),
      settings(project, context, entries.settings),
      section(
        { id: 'c-end', title: 'Delete project' },
        fieldsForm(context, `${path}/delete`, deleteFields(project, entries.delete), 'Delete project', {
          class: 'btn danger',
        }),
      ),
    ],
  };
}

const deletedText =
  'Its keys are revoked at once. Events, issues, feedback, releases, artifacts and test runs are deleted. This cannot be undone.';

function deleteFields({ name }: ProjectModel['project'], entry: FormEntry | undefined): VNode[] {
  const label = ['To confirm, enter its name: ', el('b', null, bidiIsolated(name))];
  return [
    el('p', { class: 'soft' }, deletedText),
    field(
      { id: 'sure', label, error: entry?.errors['name'] },
      {
        ...{ name: 'name', type: 'text', required: true, maxlength: 100, autocomplete: 'off' },
        ...{ value: String(entry?.values['name'] ?? ''), autofocus: entry !== undefined },
      },
    ),
  ];
}

function settings(project: ProjectModel['project'], context: PageContext, entry: FormEntry | undefined) {
  return section(
    { id: 'c-care', title: 'Data and privacy' },
    fieldsForm(
      context,
      `/projects/${project.project_id}/settings`,
      enteredFields(settingsForm, entry, { values: project }),
      'Save',
    ),
  );
}

function projectBreadcrumbs({
  project_id: id,
  name,
}: {
  readonly project_id: number;
  readonly name: string;
}) {
  return [
    { name: 'Projects', path: '/projects' },
    { name, path: `/projects/${id}` },
  ];
}

// What assigns and links the issues of a project: ownership rules and its repository.

export const triageForm = defineForm({
  rules: textareaField('Ownership rules', {
    hint: 'One per line; the last that matches wins. For example path:src/checkout/* #payments, url:*/cart jane@example.com or tags.sku_class:x #payments.',
    attributes: { rows: 10, maxlength: 20_000, spellcheck: 'false' },
  }),
  assigns: checkboxField('Assign new issues to the first owner'),
  codeowners: textareaField('Import a CODEOWNERS file', {
    isOptional: true,
    hint: 'Its lines are put before the rules. @acme/payments becomes #payments; write members as e-mail addresses.',
    attributes: { rows: 4, maxlength: 20_000, spellcheck: 'false' },
  }),
  repository: textField('Repository URL', {
    isOptional: true,
    hint: 'For example https://github.com/acme/shop. Commits link to it, and issues open its form for a new issue.',
    attributes: { type: 'url', maxlength: 2_048 },
  }),
});

export function projectTriagePage(
  { project, rules, assigns, repository }: ProjectTriageModel,
  context: PageContext,
  entry?: FormEntry,
): PageContent {
  const path = `/projects/${project.project_id}`;
  return {
    title: `Ownership in ${project.name}`,
    breadcrumbs: [
      { name: 'Projects', path: '/projects' },
      { name: project.name, path },
    ],
    main: html`<div class="narrow">
      ${pageHead({ title: ['Ownership in ', bidiIsolated(project.name)] })}
      ${actionForm(
        context,
        `${path}/ownership`,
        { class: 'stack space', novalidate: true },
        ...enteredFields(triageForm, entry, { values: { rules, assigns, repository } }),
        html`<p>${submitButton('Save', { class: 'btn primary' })}</p>`,
      )}
    </div>`,
  };
}
