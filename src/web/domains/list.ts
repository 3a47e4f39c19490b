import { z } from 'zod';
import { domainRequest } from '../../../schemas/domains.ts';
import {
  type DomainRowView,
  type DomainsModel,
  type DomainTab,
  domainTabs,
} from '../../core/page-models/domains/list.ts';
import { type DialogForm, dialogButton, formDialog, formSection } from '../components/dialog-forms.ts';
import { bidiIsolated, dash, emptyState, noneText, noResults, pageHead } from '../components/elements.ts';
import {
  checkboxField,
  defineForm,
  enteredFields,
  type FormEntry,
  requiredTextField,
  selectField,
} from '../components/form.ts';
import { iconMark } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { formatShortTime, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { domainMark, domainStates, dueInText, methodNames, verificationSummary } from './labels.ts';

const choicesMax = 100;

const tabNames: Readonly<Record<DomainTab, string>> = {
  all: 'All',
  verified: 'Verified',
  waiting: 'Pending',
  failing: 'Failing',
  ended: 'Expired',
  unproved: 'Not verified',
};

const path = '/domains';

export function domainsPage(model: DomainsModel, context: PageContext): PageContent {
  const { filters, counts, domains, found, newer, older } = model;
  const shown = domainTabs.filter((each) => each === 'all' || each === filters.state || counts[each] > 0);
  const state = filters.state === 'all' ? null : filters.state;
  return listPage(context, {
    path,
    title: 'Domains',
    head: {
      actions: counts.all > 0 && context.currentUser?.canManage === true ? addDomainAction(context) : null,
    },
    tabs: {
      label: 'State',
      name: 'state',
      current: filters.state,
      usual: 'all',
      query: { state, q: filters.q },
      all: shown.map((each) => [each, tabNames[each], counts[each]]),
    },
    filters: { preserved: { state }, search: { label: 'Search domains', hint: 'Host', value: filters.q } },
    noRows: emptyList(model, context),
    caption: 'Domains, those that need attention first',
    columns: columns(context),
    rows: domains,
    pages: { query: { state, q: filters.q }, newer, older, all: found, noun: ['domain'], isForMany: true },
  });
}

/** A dialog; a separate page if there are too many projects for a select. */
function addDomainAction(context: PageContext): Content {
  const choice = context.project === null ? context.projects : [context.project];
  const word = 'Add domain…';
  if (choice.length === 0 || choice.length > choicesMax) {
    return pageLink(context, '/domains/new', { class: 'btn primary' }, word);
  }
  const form = newDomainDialogForm({ projects: choice.map(({ id, name }) => ({ project_id: id, name })) });
  return [...dialogButton(context, form, { word, class: 'btn primary' }), formDialog(context, form)];
}

function emptyList({ counts, filters }: DomainsModel, context: PageContext): VNode {
  if (counts.all > 0) {
    const all = pageLink(context, path, null, 'Show all domains');
    const description =
      filters.q === null ? 'No domain has this state.' : ['No host contains ', bidiIsolated(filters.q), '.'];
    return noResults(context, 'No domains match', description, all);
  }
  const add = pageLink(context, '/domains/new', { class: 'btn primary' }, 'Add domain');
  return emptyState(
    'No domains yet',
    'Visitors can send bug reports only from domains listed here. SDKs check here what a domain may send.',
    context.currentUser?.canManage === true ? add : 'Only an admin can add one.',
  );
}

function columns(context: PageContext): Array<Column<DomainRowView>> {
  const checked = ({ proof }: DomainRowView): Content => {
    const at = proof?.last_checked_at ?? null;
    return at === null ? null : timeAgo(at, context.nowMs);
  };
  return [
    { class: 'lv', cell: ({ state }) => iconMark(...domainStates[state]) },
    { name: 'Domain', row: (domain) => title(domain, checked(domain), context) },
    column('State', 'd5 w8', 'd5', (domain) => stateCell(domain, context.nowMs)),
    column('Method', 'd3 w6', 'd3 soft', (domain) => methodName(domain) ?? dash()),
    column('Project', 'd1 w8', 'd1 soft', ({ project }) => bidiIsolated(project.name)),
    column('Reports', 'd2 w6', 'd2', ({ domain }) => (domain?.bug_reports === true ? 'on' : noneText('off'))),
    column('Checked', 'd2 w7', 'd2 soft', (domain) => checked(domain) ?? dash()),
    column('Next', 'r d1 w6', 'r d1 soft', ({ proof }) =>
      dueInText(proof?.next_check_at ?? null, context.nowMs),
    ),
  ];
}

function title(domain: DomainRowView, checked: Content, context: PageContext): VNode {
  const { host, host_unicode: unicode, project } = domain;
  const method = methodName(domain);
  return titleCell(context, {
    path: `${path}/${domain.id}`,
    title: unicode,
    subtitle: [
      unicode === host ? null : [html`<code>${bidiIsolated(host)}</code>`, ', '],
      secondLine(domain, context),
    ],
    folded: [
      ['f5', domainMark(domain.state)],
      ['f4', method === null ? null : `by ${method}`],
      ['f2', checked],
      ['f2', `reports ${domain.domain?.bug_reports === true ? 'on' : 'off'}`],
      ['f1', bidiIsolated(project.name)],
    ],
  });
}

function methodName({ proof }: DomainRowView): string | null {
  return proof === null ? null : methodNames[proof.verified_by ?? proof.method];
}

function stateCell({ state, proof }: DomainRowView, nowMs: number): Content {
  const since = state === 'verified' ? (proof?.verified_at ?? null) : null;
  const words =
    since === null ? null : html`<small>since ${formatShortTime(Date.parse(since), nowMs)}</small>`;
  return [domainMark(state), words];
}

function secondLine({ proof, domain, state }: DomainRowView, context: PageContext): Content {
  if (proof !== null) {
    const line = verificationSummary(proof, context.nowMs);
    return domain === null ? `${line}, not listed` : line;
  }
  return state === 'verified' ? 'verified by a parent domain' : 'not verified';
}

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

function newDomainDialogForm({ projects }: NewDomainModel, entry?: FormEntry): DialogForm {
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
