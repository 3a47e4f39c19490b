import type { VNode } from 'preact';
import { z } from 'zod';
import type { KeyRowView, ProjectModel } from '../../core/workspace/projects/project.ts';
import { el } from '../el.ts';
import type { Frame } from '../frame.ts';
import { type Asking, closer, dialog } from '../parts/asking.ts';
import { actForm, submit } from '../parts/controls.ts';
import { form, lines, on, option, radios, read, rows, text } from '../parts/form.ts';
import { outside } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';

const keyFields = {
  label: text('Label', { hint: 'Optional.', attributes: { maxlength: 100 } }),
  scope_ci: read(on),
  scope_read: read(on),
  scope_admin: read(on),
  origins: lines('Allowed origins', {
    hint: 'For public keys. One per line, for example https://shop.example. Leave empty to allow all.',
  }),
  ends: text('Expires', {
    hint: 'At midnight UTC. Leave empty for never.',
    attributes: { type: 'date', autocomplete: null },
  }),
};

/** Empty fields are not sent, which means: no label, origins, expiry or scope. */
export const keyForm = form(keyFields);

export const newKeyForm = form({
  kind: radios('Type', z.enum(['public', 'secret'], 'Choose public or secret.'), [
    ['public', 'Public', 'for pages and apps; can only send'],
    ['secret', 'Secret', 'for servers and CI; can also read; shown only once'],
  ]),
  ...keyFields,
});

const overlapHours = ['0', '1', '24', '168', '720'] as const;

export const replaceKeyForm = form({
  hours: radios('Keep the old key valid for', z.enum(overlapHours, 'Choose 0, 1, 24, 168 or 720 hours.'), [
    ['24', '24 hours', 'so that you can update everything that uses it'],
    ['168', '7 days', ''],
    ['720', '30 days', ''],
    ['1', '1 hour', ''],
    ['0', '0 hours', 'everything that still uses it is refused at once'],
  ]),
});

export function newKeyAsking({ project_id: id, name }: ProjectModel['project']): Asking {
  return {
    id: 'd-key',
    path: `/projects/${id}/keys/new`,
    title: ['Create key for ', outside(name)],
    act: `/projects/${id}/keys`,
    fields: [
      ...rows(newKeyForm, { values: { kind: 'secret' }, only: ['kind', 'label'] }),
      scopeBoxes('Scopes of a secret key', ['ci', 'read', 'admin']),
      ...rows(newKeyForm, { only: ['origins', 'ends'] }),
    ],
    verb: 'Create key',
  };
}

export function changeForm(key: KeyRowView, path: string, frame: Frame): VNode | null {
  const shown = {
    values: { ...key, origins: key.allowed_origins, ends: key.expires_at?.slice(0, 10) },
    looks: {
      label: { id: 'k-label' },
      origins: { id: 'k-origins', label: 'Allowed origins' },
      ends: { id: 'k-ends' },
    },
  };
  const ofKind =
    key.kind === 'secret'
      ? [scopeBoxes('Scopes', key.scopes)]
      : rows(keyForm, { ...shown, only: ['origins'] });
  return actForm(
    frame,
    `${path}/change`,
    { class: 'stack' },
    ...rows(keyForm, { ...shown, only: ['label'] }),
    ...ofKind,
    ...rows(keyForm, { ...shown, only: ['ends'] }),
    el('p', null, submit('Save')),
  );
}

function scopeBoxes(legend: string, chosen: KeyRowView['scopes']): VNode {
  const box = (scope: KeyRowView['scopes'][number], words: string): VNode => {
    const input = { type: 'checkbox', name: `scope_${scope}`, value: 'on', checked: chosen.includes(scope) };
    return option(input, scope, words);
  };
  return el(
    'fieldset',
    { class: 'choose' },
    el('legend', { class: 'label' }, legend),
    box('ci', 'write releases, deploys, artifacts and test runs'),
    box('read', 'read everything'),
    box('admin', 'change and delete'),
  );
}

/** Dialog to rotate or revoke a key; `path` is the key's page. */
export function keyDialog(
  { key_id: id, key }: KeyRowView,
  path: string,
  frame: Frame,
): { readonly id: string; readonly path: string; readonly box: VNode } {
  const name = `d-key-${id}`;
  const box = dialog(
    name,
    ['Key ', el('code', null, key.length > 28 ? `${key.slice(0, 15)}…${key.slice(-4)}` : key)],
    replaceForm(path, frame),
    el('h3', null, 'Revoke key'),
    endForm(path, frame),
    el('p', null, pageLink(frame, { path }, null, 'Edit scopes and expiry…')),
    el('p', { class: 'acts end' }, closer(name)),
  );
  return { id: name, path, box };
}

export function replaceForm(path: string, frame: Frame): VNode | null {
  return actForm(
    frame,
    `${path}/rotate`,
    { class: 'stack' },
    ...rows(replaceKeyForm, { values: { hours: '24' } }),
    el('p', null, submit('Rotate key')),
  );
}

export function endForm(path: string, frame: Frame): VNode | null {
  return actForm(
    frame,
    `${path}/revoke`,
    { class: 'stack' },
    el(
      'p',
      { class: 'soft' },
      'Everything that still uses it is refused from now on. This cannot be undone.',
    ),
    el('p', null, submit('Revoke key', { class: 'btn danger' })),
  );
}
