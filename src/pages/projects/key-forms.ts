// What is asked before a key is made, replaced or ended: on pages of their own, and in dialogs of the
// project's.
import type { VNode } from 'preact';
import type { KeyRowView, ProjectModel } from '../../core/workspace/projects/project.ts';
import { el } from '../el.ts';
import type { Frame } from '../frame.ts';
import { type Asking, closer, dialog } from '../parts/asking.ts';
import { actForm, field, submit } from '../parts/controls.ts';
import { outside } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';

/** What makes a key. */
export function newKeyAsking({ project_id: id, name }: ProjectModel['project']): Asking {
  return {
    id: 'd-key',
    path: `/projects/${id}/keys/new`,
    title: ['Make a key for ', outside(name)],
    act: `/projects/${id}/keys`,
    fields: [
      choices('Kind', 'kind', 'secret', [
        ['public', 'Public', 'stands in pages and apps, can only send'],
        ['secret', 'Secret', 'for servers and build machines: reads too; shown once'],
      ]),
      labelField('label', ''),
      scopeBoxes('A secret key may', allScopes),
      originsField('origins', 'A public key may be used from', []),
      endField('ends', null),
    ],
    verb: 'Make the key',
  };
}

const allScopes: KeyRowView['scopes'] = ['ci', 'read', 'admin'];

/** Changes what a key is called, what it may do, from where, and until when. */
export function changeForm(key: KeyRowView, path: string, frame: Frame): VNode | null {
  return actForm(
    frame,
    `${path}/change`,
    { class: 'stack' },
    labelField('k-label', key.label),
    key.kind === 'secret'
      ? scopeBoxes('It may', key.scopes)
      : originsField('k-origins', 'It may be used from', key.allowed_origins),
    endField('k-ends', key.expires_at),
    el('p', null, submit('Save')),
  );
}

function labelField(id: string, value: string): VNode {
  return field(
    { id, label: 'Label', hint: 'A word to know it by. May stay empty.' },
    { name: 'label', type: 'text', value, maxlength: 100, autocomplete: 'off' },
  );
}

function scopeBoxes(legend: string, chosen: KeyRowView['scopes']): VNode {
  const box = (scope: KeyRowView['scopes'][number], words: string): VNode =>
    el(
      'label',
      null,
      el('input', { type: 'checkbox', name: `scope_${scope}`, value: 'on', checked: chosen.includes(scope) }),
      el('span', null, scope, el('small', { class: 'soft' }, words)),
    );
  return el(
    'fieldset',
    { class: 'choose' },
    el('legend', { class: 'label' }, legend),
    box('ci', 'tell of releases, deploys, artifacts and test runs'),
    box('read', 'read issues, events, reports and all else'),
    box('admin', 'change and delete'),
  );
}

function originsField(id: string, label: string, origins: readonly string[]): VNode {
  const hint = 'Origins of pages, one a line, such as https://shop.example. Empty is everywhere.';
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    el('textarea', { id, name: 'origins', rows: 2, 'aria-describedby': `${id}-hint` }, origins.join('\n')),
    el('p', { class: 'hint', id: `${id}-hint` }, hint),
  );
}

function endField(id: string, expiresAt: string | null): VNode {
  return field(
    { id, label: 'Ends', hint: 'The day begins at midnight UTC. Empty is never.' },
    { name: 'ends', type: 'date', value: expiresAt?.slice(0, 10) ?? '' },
  );
}

/** The dialog that replaces a key or ends it; `path` is that of the key. */
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
    el('h3', null, 'End it'),
    endForm(path, frame),
    el('p', null, pageLink(frame, { path }, null, 'What it may do, and until when…')),
    el('p', { class: 'acts end' }, closer(name)),
  );
  return { id: name, path, box };
}

/** Makes another key in the place of one, which goes on for a while. */
export function replaceForm(path: string, frame: Frame): VNode | null {
  return actForm(
    frame,
    `${path}/rotate`,
    { class: 'stack' },
    choices('The old key goes on for', 'hours', '24', [
      ['24', '24 hours', 'so that everything that holds it can be changed'],
      ['168', '7 days', ''],
      ['720', '30 days', ''],
      ['1', '1 hour', ''],
      ['0', 'Not at all', 'what holds it is refused at once'],
    ]),
    el('p', null, submit('Replace the key')),
  );
}

/** Ends a key for good. */
export function endForm(path: string, frame: Frame): VNode | null {
  return actForm(
    frame,
    `${path}/revoke`,
    { class: 'stack' },
    el('p', { class: 'soft' }, 'What still holds it is refused from then on. There is no way back.'),
    el('p', null, submit('End the key', { class: 'btn danger' })),
  );
}

/** A choice, one a line: its value, its name and what follows from it. */
function choices(
  legend: string,
  name: string,
  chosen: string,
  all: ReadonlyArray<readonly [value: string, title: string, words: string]>,
): VNode {
  const lines = all.map(([value, title, words]) =>
    el(
      'label',
      null,
      el('input', { type: 'radio', name, value, checked: value === chosen }),
      el('span', null, title, words === '' ? null : el('small', { class: 'soft' }, words)),
    ),
  );
  return el('fieldset', { class: 'choose' }, el('legend', { class: 'label' }, legend), ...lines);
}
