import { z } from 'zod';
import { domainRequest } from '../../../schemas/domains.ts';
import { type DialogForm, formSection } from '../components/dialog-forms.ts';
import { emptyState, pageHead } from '../components/elements.ts';
import {
  checkboxField,
  defineForm,
  enteredFields,
  type FormEntry,
  requiredTextField,
  selectField,
} from '../components/form.ts';
import { el, pageLink } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';

export interface NewDomainModel {
  readonly projects: ReadonlyArray<{ readonly project_id: number; readonly name: string }>;
}

export const newDomainForm = defineForm(
  {
    domain: requiredTextField('Host', 'Enter a host such as shop.example.', {
      hint: 'For example shop.example, or *.shop.example for all subdomains. No scheme, no port.',
    }),
    project_id: selectField('Project', z.coerce.number('Choose a project.').int()),
    bug_reports: checkboxField('Accept bug reports from visitors'),
    prove: checkboxField('Verify ownership: the next page shows what to publish'),
  },
  domainRequest.shape,
);

export function newDomainDialogForm({ projects }: NewDomainModel, entry?: FormEntry): DialogForm {
  const choices = projects.map(({ project_id: id, name }) => ({ value: String(id), name }));
  return {
    id: 'd-domain',
    path: '/domains/new',
    title: 'Add domain',
    action: '/domains',
    fields: enteredFields(newDomainForm, entry, { fieldOptions: { project_id: { choices } } }),
    verb: 'Add domain',
  };
}

export function newDomainPage(model: NewDomainModel, context: PageContext, entry?: FormEntry): PageContent {
  const noProjects = emptyState(
    'No projects yet',
    'A domain belongs to a project.',
    pageLink(context, '/projects/new', null, 'Create a project'),
  );
  return {
    title: 'Add domain',
    breadcrumbs: [{ name: 'Domains', path: '/domains' }],
    main:
      model.projects.length === 0
        ? el('div', { class: 'narrow' }, pageHead({ title: 'Add domain' }), noProjects)
        : formSection(context, newDomainDialogForm(model, entry), { from: '/domains' }),
  };
}
