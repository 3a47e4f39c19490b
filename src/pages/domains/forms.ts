import { z } from 'zod';
import { domainRequest } from '../../../schemas/domains.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { type Asking, askingPart } from '../parts/asking.ts';
import { check, choice, form, needed, rows } from '../parts/form.ts';
import { empty, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';

export interface NewDomainModel {
  readonly projects: ReadonlyArray<{ readonly project_id: number; readonly name: string }>;
}

export const newDomainForm = form(
  {
    domain: needed('Host', 'Enter a host such as shop.example.', {
      hint: 'For example shop.example, or *.shop.example for all subdomains. No scheme, no port.',
    }),
    project_id: choice('Project', z.coerce.number('Choose a project.').int()),
    bug_reports: check('Accept bug reports from visitors'),
    prove: check('Verify ownership: the next page shows what to publish'),
  },
  domainRequest.shape,
);

export function newDomainAsking({ projects }: NewDomainModel): Asking {
  const choices = projects.map(({ project_id: id, name }) => ({ value: String(id), name }));
  return {
    id: 'd-domain',
    path: '/domains/new',
    title: 'Add domain',
    act: '/domains',
    fields: rows(newDomainForm, { looks: { project_id: { choices } } }),
    verb: 'Add domain',
  };
}

export function newDomainPage(model: NewDomainModel, frame: Frame): PageContent {
  const none = empty(
    'No projects yet',
    'A domain belongs to a project.',
    pageLink(frame, { path: '/projects/new' }, null, 'Create a project'),
  );
  return {
    title: 'Add domain',
    crumbs: [{ name: 'Domains', path: '/domains' }],
    main:
      model.projects.length === 0
        ? el('div', { class: 'narrow' }, pageHead({ title: 'Add domain' }), none)
        : askingPart(frame, newDomainAsking(model), { from: '/domains' }),
  };
}
