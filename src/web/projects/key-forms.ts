import { z } from 'zod';
import type { KeyRowView, ProjectModel } from '../../core/page-models/projects/project.ts';
import { fieldsForm } from '../components/controls.ts';
import { closeDialogButton, type DialogForm, dialog } from '../components/dialog-forms.ts';
import { bidiIsolated } from '../components/elements.ts';
import {
  checkboxSchema,
  defineForm,
  type FormEntry,
  formFields,
  formSummary,
  optionLabel,
  parseOnlyField,
  radioField,
  textareaField,
  textField,
} from '../components/form.ts';
import { statusMark } from '../components/icons.ts';
import { el, html, pageLink, type VNode } from '../el.ts';
import type { PageContext } from '../page-context.ts';

const keyFields = {
  label: textField('Label', { isOptional: true, attributes: { maxlength: 100 } }),
  scope_ci: parseOnlyField(checkboxSchema),
  scope_read: parseOnlyField(checkboxSchema),
  scope_admin: parseOnlyField(checkboxSchema),
  origins: textareaField('Allowed origins', {
    hint: 'For public keys. One per line, for example https://shop.example. Leave empty to allow all.',
  }),
  ends: textField('Expires', {
    hint: 'At midnight UTC. Leave empty for never.',
    attributes: { type: 'date', autocomplete: null },
  }),
};

/** Empty fields are not sent, which means: no label, origins, expiry or scope. */
export const keyForm = defineForm(keyFields);

export const newKeyForm = defineForm({
  kind: radioField('Type', z.enum(['public', 'secret'], 'Choose public or secret.'), [
    ['public', 'Public', 'for pages and apps; can only send'],
    ['secret', 'Secret', 'for servers and CI; can also read; shown only once'],
  ]),
  ...keyFields,
});

const keyScopes = ['ci', 'read', 'admin'] as const;
const overlapHours = ['0', '1', '24', '168', '720'] as const;

export const rotateKeyFields = defineForm({
  hours: radioField(
    'Keep the old key valid for',
    z.enum(overlapHours, 'Choose 0, 1, 24, 168 or 720 hours.'),
    [
      ['24', '24 hours', 'so that you can update everything that uses it'],
      ['168', '7 days', ''],
      ['720', '30 days', ''],
      ['1', '1 hour', ''],
      ['0', '0 hours', 'everything that still uses it is refused at once'],
    ],
  ),
});

export function newKeyDialogForm(
  { project_id: id, name }: ProjectModel['project'],
  entry?: FormEntry,
): DialogForm {
  const shown = { values: entry?.values ?? { kind: 'secret' }, errors: entry?.errors };
  const scopes = entry === undefined ? keyScopes : enteredScopes(entry);
  return {
    id: 'd-key',
    path: `/projects/${id}/keys/new`,
    title: ['Create key for ', bidiIsolated(name)],
    action: `/projects/${id}/keys`,
    fields: [
      entry === undefined ? null : formSummary(newKeyForm, entry),
      ...formFields(newKeyForm, { ...shown, only: ['kind', 'label'] }),
      scopeBoxes('Scopes of a secret key', scopes, entry),
      ...formFields(newKeyForm, { ...shown, only: ['origins', 'ends'] }),
    ],
    verb: 'Create key',
  };
}

export function editKeyForm(
  key: KeyRowView,
  path: string,
  context: PageContext,
  entry?: FormEntry,
): VNode | null {
  const shown = {
    errors: entry?.errors,
    values: entry?.values ?? { ...key, origins: key.allowed_origins, ends: key.expires_at?.slice(0, 10) },
    fieldOptions: {
      label: { id: 'k-label' },
      origins: { id: 'k-origins', label: 'Allowed origins' },
      ends: { id: 'k-ends' },
    },
  };
  const kindFields =
    key.kind === 'secret'
      ? [scopeBoxes('Scopes', entry === undefined ? key.scopes : enteredScopes(entry), entry)]
      : formFields(keyForm, { ...shown, only: ['origins'] });
  const fields = [
    ...formFields(keyForm, { ...shown, only: ['label'] }),
    ...kindFields,
    ...formFields(keyForm, { ...shown, only: ['ends'] }),
  ];
  return fieldsForm(context, `${path}/change`, fields, 'Save');
}

function enteredScopes({ values }: FormEntry): KeyRowView['scopes'] {
  return keyScopes.filter((scope) => values[`scope_${scope}`] === 'on');
}

function scopeBoxes(legend: string, chosen: KeyRowView['scopes'], entry: FormEntry | undefined): VNode {
  const error = entry?.errors['scope_ci'];
  const box = (scope: KeyRowView['scopes'][number], description: string): VNode => {
    const input = { type: 'checkbox', name: `scope_${scope}`, value: 'on', checked: chosen.includes(scope) };
    return optionLabel(input, scope, description);
  };
  return html`<fieldset class="choose">
    <legend class="label">${legend}</legend>${box('ci', 'write releases, deploys, artifacts and test runs')}
    ${box('read', 'read everything')}${box('admin', 'change and delete')}
    ${error === undefined ? null : el('p', { class: 'wrong' }, statusMark('failed', error))}
  </fieldset>`;
}

export function keyDialog(
  { key_id: id, key }: KeyRowView,
  path: string,
  context: PageContext,
): { readonly id: string; readonly path: string; readonly box: VNode } {
  const name = `d-key-${id}`;
  const box = dialog(
    name,
    ['Key ', el('code', null, key.length > 28 ? `${key.slice(0, 15)}…${key.slice(-4)}` : key)],
    rotateKeyForm(path, context),
    el('h3', null, 'Revoke key'),
    revokeKeyForm(path, context),
    el('p', null, pageLink(context, path, null, 'Edit scopes and expiry…')),
    el('p', { class: 'acts end' }, closeDialogButton(name)),
  );
  return { id: name, path, box };
}

export function rotateKeyForm(path: string, context: PageContext): VNode | null {
  const fields = formFields(rotateKeyFields, { values: { hours: '24' } });
  return fieldsForm(context, `${path}/rotate`, fields, 'Rotate key');
}

export function revokeKeyForm(path: string, context: PageContext): VNode | null {
  const text = 'Everything that still uses it is refused from now on. This cannot be undone.';
  const fields = [html`<p class="soft">${text}</p>`];
  return fieldsForm(context, `${path}/revoke`, fields, 'Revoke key', { class: 'btn danger' });
}
