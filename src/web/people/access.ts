// Project access of members and teams, in words and as form fields.
import { z } from 'zod';
import type { ProjectAccess } from '../../core/page-models/members.ts';
import { type FieldOptions, type FormField, optionLabel, radioField } from '../components/form.ts';
import { type Content, el } from '../el.ts';

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
