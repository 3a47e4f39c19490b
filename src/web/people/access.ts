// Project access of members and teams, in words and as form fields.
import { z } from 'zod';
import type { ProjectAccess } from '../../core/page-models/members.ts';
import { tabs } from '../components/elements.ts';
import { type FieldOptions, type FormField, optionLabel, radioField } from '../components/form.ts';
import { type Content, el, type VNode } from '../el.ts';
import type { PageContext } from '../page-context.ts';

const chosenSchema = z.array(z.coerce.number().int().min(1)).max(1_000).default([]);

/** Checkboxes; the choices come with the page. */
function checkboxesField(label: string): FormField<typeof chosenSchema> {
  return {
    schema: chosenSchema,
    options: { label },
    show(name: string, { label: shown, choices = [] }: FieldOptions, value: unknown): Content {
      if (choices.length === 0) return null;
      const selected = Array.isArray(value) ? value.map(String) : [];
      const boxes = choices.map((choice) =>
        optionLabel(
          {
            type: 'checkbox',
            name: `${name}[]`,
            value: choice.value,
            checked: selected.includes(choice.value),
          },
          choice.name,
        ),
      );
      return el('fieldset', { class: 'choose' }, el('legend', null, shown), ...boxes);
    },
  };
}

export const accessFields = {
  access: radioField('Project access', z.enum(['all', 'chosen'], 'Choose all projects or some.'), [
    ['all', 'All projects', 'also those that are created later, and what belongs to no project'],
    ['chosen', 'Chosen projects', 'and those of their teams; admins always have all'],
  ]),
  project: checkboxesField('Chosen projects'),
};

export const teamsField = checkboxesField('Teams');

export function readAccess(form: {
  readonly access: string;
  readonly project: readonly number[];
}): ProjectAccess {
  return { hasAllProjects: form.access === 'all', projectIds: form.project };
}

type VisibleProjects = ReadonlyArray<{ readonly project_id: number; readonly name: string }> | null;

export function accessText(projects: VisibleProjects): string {
  if (projects === null) return 'All projects';
  return projects.length === 0 ? 'none' : projects.map(({ name }) => name).join(', ');
}

export function accessValues(projects: VisibleProjects) {
  return { access: projects === null ? 'all' : 'chosen', project: projects?.map((each) => each.project_id) };
}

const memberPlaces = [
  ['Members', '/members'],
  ['Teams', '/members/teams'],
  ['Invitations', '/members/invitations'],
  ['Sign-in and SSO', '/members/sign-in'],
  ['Your sessions', '/members/sessions'],
  ['Your API tokens', '/members/tokens'],
] as const;

export function memberTabs(context: PageContext, current: (typeof memberPlaces)[number][1]): VNode {
  const all = memberPlaces.map(([name, path]) => ({ name, path, isCurrent: path === current }));
  return tabs(context, 'People', all);
}
