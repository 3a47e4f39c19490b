import type { VNode } from 'preact';
import type { KeyModel, ProjectModel } from '../../core/workspace/projects/project.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { type Asking, askingPart } from '../parts/asking.ts';
import { actForm, field, submit } from '../parts/controls.ts';
import { check, form, lines, needed, rows } from '../parts/form.ts';
import { outside, pageHead, pairs, section } from '../parts/layout.ts';
import { ago, shortTime } from '../parts/time.ts';
import { changeForm, endForm, newKeyAsking, replaceForm } from './key-forms.ts';
import { keyStateWords } from './keys.ts';

const named = {
  hint: '1 to 100 letters, digits, spaces, dots, dashes or underscores.',
  attributes: { maxlength: 100 },
};

export const projectForm = form({ name: needed('Name', 'Enter a name.', named) });

export const settingsForm = form({
  scrub_fields: lines('Additional sensitive fields', {
    id: 'fields',
    hint: 'One field name per line, for example iban. Values are redacted, as passwords, tokens and card numbers are.',
    attributes: { rows: 4 },
  }),
  store_ip: check('Store IP addresses of users, truncated to /24 and /48'),
  bug_reports: check('Accept bug reports from apps that name no page'),
});

export const newProjectAsking: Asking = {
  id: 'd-project',
  path: '/projects/new',
  title: 'Create project',
  why: 'It gets a public and a secret key. The secret key is shown only once.',
  act: '/projects',
  fields: rows(projectForm),
  verb: 'Create project',
};

export function newProjectPage(frame: Frame): PageContent {
  return {
    title: 'Create project',
    crumbs: [{ name: 'Projects', path: '/projects' }],
    main: askingPart(frame, newProjectAsking, { from: '/projects' }),
  };
}

export function newKeyPage({ project }: ProjectModel, frame: Frame): PageContent {
  return {
    title: `Create key for ${project.name}`,
    crumbs: crumbs(project),
    main: askingPart(frame, newKeyAsking(project), { from: `/projects/${project.project_id}` }),
  };
}

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
        ['Type', key.kind],
        ['Label', key.label === '' ? null : outside(key.label)],
        ['Scopes', key.scopes.join(', ')],
        ['Origins', key.allowed_origins.length === 0 ? null : outside(key.allowed_origins.join(', '))],
        ['State', keyStateWords(key, frame.nowMs)],
        ['Expires', key.expires_at === null ? null : shortTime(key.expires_at, frame.nowMs)],
        ['Created', shortTime(key.created_at, frame.nowMs)],
        ['Last used', used === null ? 'never' : ago(used, frame.nowMs)],
      ]),
      isOpen
        ? [
            section({ id: 'k-change', title: 'Edit key' }, changeForm(key, path, frame)),
            section({ id: 'k-new', title: 'Rotate key' }, replaceForm(path, frame)),
            section({ id: 'k-end', title: 'Revoke key' }, endForm(path, frame)),
          ]
        : el('p', { class: 'soft' }, 'It is no longer accepted.'),
    ],
  };
}

export function changeProjectPage({ project }: ProjectModel, frame: Frame): PageContent {
  const path = `/projects/${project.project_id}`;
  return {
    title: `Edit ${project.name}`,
    crumbs: crumbs(project),
    main: [
      pageHead({ title: ['Change ', outside(project.name)] }),
      section(
        { id: 'c-name', title: 'Name' },
        actForm(
          frame,
          `${path}/rename`,
          { class: 'stack' },
          ...rows(projectForm, { values: project }),
          el('p', null, submit('Rename')),
        ),
      ),
      settings(project, frame),
      section(
        { id: 'c-end', title: 'Delete project' },
        actForm(
          frame,
          `${path}/delete`,
          { class: 'stack' },
          el(
            'p',
            { class: 'soft' },
            'Its keys are revoked at once. Events, issues, feedback, releases, artifacts and test runs are deleted. This cannot be undone.',
          ),
          field(
            { id: 'sure', label: ['To confirm, enter its name: ', el('b', null, outside(project.name))] },
            { name: 'name', type: 'text', required: true, maxlength: 100, autocomplete: 'off' },
          ),
          el('p', null, submit('Delete project', { class: 'btn danger' })),
        ),
      ),
    ],
  };
}

function settings(project: ProjectModel['project'], frame: Frame): VNode {
  return section(
    { id: 'c-care', title: 'Data and privacy' },
    actForm(
      frame,
      `/projects/${project.project_id}/settings`,
      { class: 'stack' },
      ...rows(settingsForm, { values: project }),
      el('p', null, submit('Save')),
    ),
  );
}

function crumbs({ project_id: id, name }: { readonly project_id: number; readonly name: string }) {
  return [
    { name: 'Projects', path: '/projects' },
    { name, path: `/projects/${id}` },
  ];
}
