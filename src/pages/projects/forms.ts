// Forms about projects and keys: making, changing, replacing, ending.
import type { VNode } from 'preact';
import type { KeyModel, ProjectModel } from '../../core/workspace/projects/project.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, field, submit } from '../parts/controls.ts';
import { outside, pageHead, pairs, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { ago, shortTime } from '../parts/time.ts';
import { keyStateWords } from './keys.ts';

const nameHint = '1 to 100 letters, digits, blanks, dots, dashes or underscores.';

/** The form that makes a project. */
export function newProjectPage(frame: Frame): PageContent {
  return {
    title: 'Make a project',
    crumbs: [{ name: 'Projects', path: '/projects' }],
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ title: 'Make a project' }),
      el('p', { class: 'soft' }, 'It gets a public and a secret key. The secret one is shown once.'),
      actForm(
        frame,
        '/projects',
        { class: 'stack' },
        nameField(''),
        buttons(submit('Make the project', { class: 'btn primary' }), cancel(frame, '/projects')),
      ),
    ),
  };
}

/** The form that makes a key. */
export function newKeyPage({ project }: ProjectModel, frame: Frame): PageContent {
  const path = `/projects/${project.project_id}`;
  return {
    title: `Make a key for ${project.name}`,
    crumbs: crumbs(project),
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ title: ['Make a key for ', outside(project.name)] }),
      actForm(
        frame,
        `${path}/keys`,
        { class: 'stack' },
        choices('Kind', 'kind', 'secret', [
          ['public', 'Public', 'stands in pages and apps, can only send'],
          ['secret', 'Secret', 'for servers and build machines: reads too; shown once'],
        ]),
        field(
          { id: 'label', label: 'Label', hint: 'A word to know it by. May stay empty.' },
          { name: 'label', type: 'text', maxlength: 100, autocomplete: 'off' },
        ),
        buttons(submit('Make the key', { class: 'btn primary' }), cancel(frame, path)),
      ),
    ),
  };
}

/** One key: what it is, and how it is replaced or ended. */
export function oneKeyPage({ project, key }: KeyModel, frame: Frame): PageContent {
  const path = `/projects/${project.project_id}/keys/${key.key_id}`;
  const isOpen = key.state === 'live' || key.state === 'ending';
  const used = key.last_used_at;
  return {
    title: `Key ${key.key_id} of ${project.name}`,
    crumbs: crumbs(project),
    main: [
      pageHead({
        above: ['Key ', String(key.key_id), ' of ', outside(project.name)],
        title: el('code', null, key.key),
      }),
      pairs([
        ['Kind', key.kind],
        ['Label', key.label === '' ? null : outside(key.label)],
        ['State', keyStateWords(key, frame.nowMs)],
        ['Made', shortTime(key.created_at, frame.nowMs)],
        ['Last used', used === null ? 'not yet' : ago(used, frame.nowMs)],
      ]),
      isOpen
        ? [replacing(path, frame), ending(path, frame)]
        : el('p', { class: 'soft' }, 'It opens nothing any more.'),
    ],
  };
}

function replacing(path: string, frame: Frame): VNode {
  return section(
    { id: 'k-new', title: 'Replace it' },
    actForm(
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
    ),
  );
}

function ending(path: string, frame: Frame): VNode {
  return section(
    { id: 'k-end', title: 'End it' },
    actForm(
      frame,
      `${path}/revoke`,
      { class: 'stack' },
      el('p', { class: 'soft' }, 'What still holds it is refused within 30 seconds. There is no way back.'),
      el('p', null, submit('End the key', { class: 'btn danger' })),
    ),
  );
}

/** What can be changed about a project, and its end. */
export function changeProjectPage({ project }: ProjectModel, frame: Frame): PageContent {
  const path = `/projects/${project.project_id}`;
  return {
    title: `Change ${project.name}`,
    crumbs: crumbs(project),
    main: [
      pageHead({ title: ['Change ', outside(project.name)] }),
      section(
        { id: 'c-name', title: 'Name' },
        actForm(
          frame,
          `${path}/rename`,
          { class: 'stack' },
          nameField(project.name),
          el('p', null, submit('Rename')),
        ),
      ),
      settings(project, frame),
      section(
        { id: 'c-end', title: 'Delete the project' },
        actForm(
          frame,
          `${path}/delete`,
          { class: 'stack' },
          el(
            'p',
            { class: 'soft' },
            'Its keys end at once. Events, issues, reports, releases, artifacts and test runs go for good.',
          ),
          field(
            { id: 'sure', label: ['To delete it, write its name: ', el('b', null, outside(project.name))] },
            { name: 'name', type: 'text', required: true, maxlength: 100, autocomplete: 'off' },
          ),
          el('p', null, submit('Delete the project', { class: 'btn danger' })),
        ),
      ),
    ],
  };
}

function settings(project: ProjectModel['project'], frame: Frame): VNode {
  return section(
    { id: 'c-care', title: 'What is never stored' },
    actForm(
      frame,
      `/projects/${project.project_id}/settings`,
      { class: 'stack' },
      el(
        'div',
        { class: 'field' },
        el('label', { for: 'fields' }, 'Own field names'),
        el(
          'textarea',
          { id: 'fields', name: 'scrub_fields', rows: 4, 'aria-describedby': 'fields-hint' },
          project.scrub_fields.join('\n'),
        ),
        el(
          'p',
          { class: 'hint', id: 'fields-hint' },
          'One a line, such as iban. Their values are taken out beside passwords, tokens, cards and the like.',
        ),
      ),
      el(
        'label',
        { class: 'check' },
        el('input', { type: 'checkbox', name: 'store_ip', value: 'on', checked: project.store_ip }),
        ' Store addresses of visitors, cut to /24 and /48',
      ),
      el('p', null, submit('Save')),
    ),
  );
}

function nameField(value: string): VNode {
  return field(
    { id: 'name', label: 'Name', hint: nameHint },
    { name: 'name', type: 'text', value, required: true, maxlength: 100, autocomplete: 'off' },
  );
}

function crumbs({ project_id: id, name }: { readonly project_id: number; readonly name: string }) {
  return [
    { name: 'Projects', path: '/projects' },
    { name, path: `/projects/${id}` },
  ];
}

function cancel(frame: Frame, path: string): VNode {
  return pageLink(frame, { path }, { class: 'btn' }, 'Cancel');
}

function buttons(...all: Content[]): VNode {
  return el('p', { class: 'acts' }, ...all.flatMap((each) => [each, ' ']));
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
