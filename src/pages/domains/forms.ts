// The form that adds a domain.
import { z } from 'zod';
import { domainRequest } from '../../../schemas/domains.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { type Asking, askingPart } from '../parts/asking.ts';
import { check, choice, form, needed, rows } from '../parts/form.ts';
import { empty, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';

/** Which projects a domain can be added to. */
export interface NewDomainModel {
  readonly projects: ReadonlyArray<{ readonly project_id: number; readonly name: string }>;
}

export const newDomainForm = form(
  {
    domain: needed('Host', 'A domain needs a host, such as shop.example.', {
      hint: 'Such as shop.example, or *.shop.example for all names below it. No scheme, no port.',
    }),
    project_id: choice('Project', z.coerce.number('Choose a project.').int()),
    bug_reports: check('Visitors may say what went wrong'),
    prove: check('Prove that it is ours: the next page says what to publish'),
  },
  domainRequest.shape,
);

/** What adds a domain: a host, its project, and whether its visitors may report. */
export function newDomainAsking({ projects }: NewDomainModel): Asking {
  const choices = projects.map(({ project_id: id, name }) => ({ value: String(id), name }));
  return {
    id: 'd-domain',
    path: '/domains/new',
    title: 'Add a domain',
    act: '/domains',
    fields: rows(newDomainForm, { looks: { project_id: { choices } } }),
    verb: 'Add the domain',
  };
}

/** The form that adds a domain. */
export function newDomainPage(model: NewDomainModel, frame: Frame): PageContent {
  const none = empty(
    'No project yet',
    'A domain belongs to a project.',
    pageLink(frame, { path: '/projects/new' }, null, 'Make one'),
  );
  return {
    title: 'Add a domain',
    crumbs: [{ name: 'Domains', path: '/domains' }],
    main:
      model.projects.length === 0
        ? el('div', { class: 'narrow' }, pageHead({ title: 'Add a domain' }), none)
        : askingPart(frame, newDomainAsking(model), { from: '/domains' }),
  };
}
