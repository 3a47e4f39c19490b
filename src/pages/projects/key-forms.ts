// What is asked before a key is made, replaced or ended: on pages of their own, and in dialogs of the
// project's.
import type { VNode } from 'preact';
import type { KeyRowView, ProjectModel } from '../../core/workspace/projects/project.ts';
import { el } from '../el.ts';
import type { Frame } from '../frame.ts';
import { type Asking, closer, dialog } from '../parts/asking.ts';
import { actForm, field, submit } from '../parts/controls.ts';
import { outside } from '../parts/layout.ts';

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
      field(
        { id: 'label', label: 'Label', hint: 'A word to know it by. May stay empty.' },
        { name: 'label', type: 'text', maxlength: 100, autocomplete: 'off' },
      ),
    ],
    verb: 'Make the key',
  };
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
    el('p', { class: 'soft' }, 'What still holds it is refused within 30 seconds. There is no way back.'),
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
