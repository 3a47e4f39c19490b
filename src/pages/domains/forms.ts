// The form that adds a domain.
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { type Asking, askingPart } from '../parts/asking.ts';
import { choiceField, field } from '../parts/controls.ts';
import { empty, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';

/** Which projects a domain can be added to. */
export interface NewDomainModel {
  readonly projects: ReadonlyArray<{ readonly project_id: number; readonly name: string }>;
}

/** What adds a domain: a host, its project, and whether its visitors may report. */
export function newDomainAsking({ projects }: NewDomainModel): Asking {
  const choices = projects.map(({ project_id: id, name }) => ({ value: String(id), name }));
  const check = (name: string, words: string) =>
    el('label', { class: 'check' }, el('input', { type: 'checkbox', name, value: 'on' }), ` ${words}`);
  return {
    id: 'd-domain',
    path: '/domains/new',
    title: 'Add a domain',
    act: '/domains',
    fields: [
      field(
        {
          id: 'domain',
          label: 'Host',
          hint: 'Such as shop.example, or *.shop.example for all names below it. No scheme, no port.',
        },
        { name: 'domain', type: 'text', required: true, maxlength: 255, autocomplete: 'off' },
      ),
      choiceField({ id: 'project_id', label: 'Project' }, choices),
      check('bug_reports', 'Visitors may say what went wrong'),
      check('prove', 'Prove that it is ours: the next page says what to publish'),
    ],
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
