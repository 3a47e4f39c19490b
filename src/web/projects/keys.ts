import { z } from 'zod';
import type { KeyRowView, ProjectModel } from '../../core/page-models/projects/project.ts';
import { copyButton, fieldsForm } from '../components/controls.ts';
import {
  closeDialogButton,
  type DialogForm,
  dialog,
  dialogButton,
  formDialog,
} from '../components/dialog-forms.ts';
import { bidiIsolated, emptyState, noneText, section } from '../components/elements.ts';
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
import { type IconName, iconMark, statusMark } from '../components/icons.ts';
import { column, dataTable, rowHeader } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { counted, formatAge, formatShortTime, shortTime, timeAgo } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

export interface CreatedKeyView {
  readonly key_id: number;
  readonly kind: 'public' | 'secret';
  readonly text: string;
}

export function newKeyNotice({ kind, text }: CreatedKeyView): VNode {
  const isSecret = kind === 'secret';
  const ending = isSecret ? ', shown only once. Only its hash is stored.' : '. It may be published in pages.';
  return html`<div class="once" role="status">
    <p>${statusMark('new', `New ${kind} key`)}${ending}</p>
    <p class="line"><code id="k-new">${text}</code> ${copyButton('k-new', 'the new key')}</p>
  </div>`;
}

export function keySection(
  { project, keys }: ProjectModel,
  context: PageContext,
  newKey: CreatedKeyView | null,
): VNode {
  const mayManage = context.currentUser?.canManage === true;
  const path = `/projects/${project.project_id}/keys`;
  const form = newKeyDialogForm(project);
  const make = [
    html`<span class="acts">${dialogButton(context, form, { word: 'New key…', class: 'btn small' })}</span>`,
    formDialog(context, form),
  ];
  const stateOf = (key: KeyRowView): readonly [IconName, string] => [
    newKey?.key_id === key.key_id ? 'new' : shapes[key.state],
    keyStateText(key, context.nowMs),
  ];
  const lastUsed = ({ last_used_at: at }: KeyRowView): VNode =>
    at === null ? noneText('never') : timeAgo(at, context.nowMs);
  const table = dataTable<KeyRowView>(context, {
    caption: 'Keys of this project',
    class: 't list keylist',
    rows: keys,
    columns: [
      { class: 'lv', cell: (key) => iconMark(...stateOf(key)) },
      {
        name: 'Key',
        row: (key) =>
          rowHeader(html`<span class="cell"><code>${shortKey(key.key)}</code></span>`, scopeText(key), [
            ['f2', lastUsed(key)],
            ['f1', statusMark(...stateOf(key))],
          ]),
      },
      column('Last used', 'd2 w8', 'd2', (key) => [
        lastUsed(key),
        html`<small>created ${shortTime(key.created_at, context.nowMs)}</small>`,
      ]),
      column('State', 'd1 w9', 'd1', (key) => [
        statusMark(...stateOf(key)),
        html`<small>${key.state === 'live' ? 'no expiry' : null}</small>`,
      ]),
      mayManage
        ? {
            head: 'r w7',
            class: 'r nowrap',
            cell: (key) => keyChange(key, context, path, keys.indexOf(key) < dialogsMax),
          }
        : null,
    ],
  });
  const noKeys = emptyState('No keys', 'Without a key nothing can be sent to this project or read from it.');
  return section(
    { id: 'p-keys', title: 'Keys', aside: mayManage ? make : null },
    keys.length === 0 ? noKeys : table,
    el(
      'p',
      { class: 'hint legend' },
      'Rotating a key creates a new one at once; the old one stays valid for as long as you choose. Revoking a key cannot be undone.',
    ),
  );
}

/** Later keys link to their pages instead of a dialog, to keep the page small. */
const dialogsMax = 20;

const shapes: Readonly<Record<KeyRowView['state'], IconName>> = {
  live: 'up',
  ending: 'pending',
  expired: 'skipped',
  revoked: 'skipped',
};

function keyChange(key: KeyRowView, context: PageContext, path: string, hasDialog: boolean): Content {
  if (key.state !== 'live' && key.state !== 'ending') return null;
  const keyPath = `${path}/${key.key_id}`;
  const control = { word: 'Manage…', label: `Manage… key ${key.key_id}`, class: 'small' };
  if (!hasDialog) {
    return pageLink(context, keyPath, { class: control.class, 'aria-label': control.label }, control.word);
  }
  const { box, ...at } = keyDialog(key, keyPath, context);
  return [...dialogButton(context, at, { ...control, class: 'btn small' }), box];
}

export function keyStateText(key: KeyRowView, nowMs: number): string {
  const { state, expires_at: expires, revoked_at: revoked } = key;
  if (state === 'live') return 'Active';
  if (state === 'ending' && expires !== null) return `Expires in ${formatAge(Date.parse(expires) - nowMs)}`;
  const at = state === 'revoked' ? revoked : expires;
  const word = state === 'revoked' ? 'Revoked' : 'Expired';
  return at === null ? word : `${word} ${formatShortTime(Date.parse(at), nowMs)}`;
}

/** Public keys are shortened here; the snippets show them in full. Secret keys are masked already. */
function shortKey(key: string): string {
  return key.length > 28 ? `${key.slice(0, 15)}…${key.slice(-4)}` : key;
}

function scopeText({ kind, label, imported, scopes, allowed_origins: origins }: KeyRowView): Content {
  const from = origins.length === 0 ? '' : ` from ${counted(origins.length, 'origin')}`;
  const may = kind === 'public' ? 'sends events and reports' : scopes.join(', ');
  return [
    `${kind}: ${may}${from}`,
    imported ? ', adopted' : null,
    label === '' ? null : [', “', bidiIsolated(label), '”'],
  ];
}

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

function keyDialog(
  { key_id: id, key }: KeyRowView,
  path: string,
  context: PageContext,
): { readonly id: string; readonly path: string; readonly box: VNode } {
  const name = `d-key-${id}`;
  const box = dialog(
    name,
    ['Key ', el('code', null, shortKey(key))],
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
