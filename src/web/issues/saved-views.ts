import { z } from 'zod';
import type { IssuesModel } from '../../core/page-models/issues/list.ts';
import type { SavedViewTab } from '../../core/page-models/issues/views.ts';
import { viewNameCharactersMax } from '../../core/saved-views/saved-views.ts';
import { issueSorts } from '../../core/store/issue-queries.ts';
import { actionForm, hiddenFields, menu, submitButton } from '../components/controls.ts';
import { type DialogForm, formDialog, formSection } from '../components/dialog-forms.ts';
import { pageHead } from '../components/elements.ts';
import {
  checkboxField,
  defineForm,
  enteredFields,
  type FormEntry,
  parseOnlyField,
  requiredTextField,
  selectField,
} from '../components/form.ts';
import { column, dataTable, titleCell } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { replaceInvisible, untrustedCode } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const searchFields = {
  query: parseOnlyField(z.string().max(1_000, 'The search is too long.').optional()),
  sort: parseOnlyField(z.enum(issueSorts).optional()),
};

export const newViewForm = defineForm({
  name: requiredTextField('Name', 'Enter a name.', {
    id: 'v-name',
    attributes: { maxlength: viewNameCharactersMax },
  }),
  shared: checkboxField('Share with everyone'),
  ...searchFields,
});

/** The search of a view becomes the one that was sent. */
export const viewSearchForm = defineForm(searchFields);

export const shareForm = defineForm({ shared: parseOnlyField(z.enum(['yes', 'no'])) });

export const defaultViewForm = defineForm({ view: parseOnlyField(z.string('Choose a view.').max(20)) });

/** What the current search may become. Viewers keep views for themselves. */
export function saveViewMenu(
  context: PageContext,
  { filters, views }: IssuesModel,
): { readonly button: Content; readonly below: Content } {
  if (context.currentUser === null) return { button: null, below: null };
  const current = views.find(({ view }) => view === filters.view) ?? null;
  const search = { query: filters.query, sort: filters.sort };
  const isOwn = current?.is_yours === true;
  const isChanged = current !== null && (current.query !== filters.query || current.sort !== filters.sort);
  const form = newViewDialog(search, context.currentUser.canAct);
  const submit = (word: Content): VNode => el('button', { type: 'submit' }, word);
  const menuAction = (path: string, values: Readonly<Record<string, string>>, word: Content): Content =>
    actionForm(context, path, null, hiddenFields(Object.entries(values)), submit(word));
  const now = html`<span class="dim">${current?.is_shared === true ? 'now: everyone' : 'now: only you'}</span>`;
  const [button, ...list] = menu(
    { id: 'm-save', word: 'Save view' },
    isOwn && isChanged
      ? menuAction(`/issues/views/${current.view}`, search, 'Save changes to this view')
      : null,
    html`<button class="js" type="button" command="show-modal" commandfor=${form.id}>
      Save as new view…
    </button>`,
    pageLink(context, { path: form.path, query: search }, { class: 'nojs' }, 'Save as new view…'),
    isOwn && (context.currentUser.canAct || current.is_shared)
      ? menuAction(`/issues/views/${current.view}/share`, { shared: current.is_shared ? 'no' : 'yes' }, [
          current.is_shared ? 'Stop sharing' : 'Share with everyone',
          now,
        ])
      : null,
    current === null || current.is_default
      ? null
      : menuAction('/issues/views/default', { view: current.view }, 'Make this my default view'),
  );
  // The forms of the menu cannot be within the form of the search.
  return { button, below: [...list, formDialog(context, form)] };
}

interface ViewSearch {
  readonly query: string;
  readonly sort: string;
}

function newViewDialog(search: ViewSearch, canShare: boolean, entry?: FormEntry): DialogForm {
  const only = canShare ? (['name', 'shared'] as const) : (['name'] as const);
  return {
    id: 'd-view',
    path: '/issues/views/new',
    title: 'Save as new view',
    description: search.query === '' ? 'All issues.' : untrustedCode(search.query),
    action: '/issues/views',
    fields: [...enteredFields(newViewForm, entry, { only }), ...hiddenFields(Object.entries(search))],
    verb: 'Save view',
  };
}

export function newViewPage(model: ViewSearch, context: PageContext, entry?: FormEntry): PageContent {
  return {
    title: 'Save as new view',
    breadcrumbs: [{ name: 'Issues', path: '/issues' }],
    main: formSection(context, newViewDialog(model, context.currentUser?.canAct === true, entry), {
      from: '/issues',
    }),
  };
}

export function viewsPage(
  { views }: { readonly views: readonly SavedViewTab[] },
  context: PageContext,
): PageContent {
  const title = 'Views';
  return {
    title,
    breadcrumbs: [{ name: 'Issues', path: '/issues' }],
    main: [
      pageHead({
        title,
        below: 'Saved searches. Your own and shared ones are tabs of the issue list.',
      }),
      dataTable<SavedViewTab>(context, {
        caption: title,
        columns: [
          { name: 'View', row: (view) => viewTitle(view, context) },
          column('Of', 'd3 w7', 'd3 soft', (view) => ownerText(view)),
          {
            name: html`<span class="vh">Actions</span>`,
            head: 'w11',
            cell: (view) => viewActions(view, context),
          },
        ],
        rows: views,
      }),
    ],
  };
}

function viewTitle({ view, title, query }: SavedViewTab, context: PageContext): VNode {
  const subtitle = query === '' ? 'all issues' : untrustedCode(query);
  return titleCell(context, { path: '/issues', query: { view }, title: replaceInvisible(title), subtitle });
}

function ownerText({ is_built_in: isBuiltIn, is_yours: isYours, is_shared: isShared }: SavedViewTab): string {
  if (isBuiltIn) return 'everyone';
  return isYours ? (isShared ? 'you, shared' : 'you') : 'shared';
}

function viewActions(view: SavedViewTab, context: PageContext): Content {
  const isDeletable = view.is_yours || (view.is_shared && context.currentUser?.canManage === true);
  const title = replaceInvisible(view.title);
  return html`<div class="acts">
    ${
      view.is_default
        ? html`<span class="soft">Default</span>`
        : actionForm(
            context,
            '/issues/views/default',
            null,
            hiddenFields([['view', view.view]]),
            submitButton('Make default', { class: 'btn small', 'aria-label': `Make default: ${title}` }),
          )
    }
    ${
      isDeletable
        ? actionForm(
            context,
            `/issues/views/${view.view}/delete`,
            null,
            submitButton('Delete', { class: 'btn small danger', 'aria-label': `Delete ${title}` }),
          )
        : null
    }
  </div>`;
}

export const settingsForm = defineForm({
  timezone: selectField('Time zone', z.string('Choose a time zone.').max(100, 'Choose a time zone.'), {
    hint: 'Times on all pages use it. Daily counts use UTC.',
  }),
  shortcuts: checkboxField('Keyboard shortcuts of single letters, such as j, k and x'),
});

const places = [
  ['passkeys and accounts', '/members/sign-in'],
  ['sessions', '/members/sessions'],
  ['API tokens', '/members/tokens'],
  ['saved views', '/issues/views'],
] as const;

interface SettingsModel {
  readonly time_zone: string;
  readonly time_zones: readonly string[];
  readonly shortcuts: boolean;
}

export function settingsPage(model: SettingsModel, context: PageContext, entry?: FormEntry): PageContent {
  const title = 'Your settings';
  const choices = model.time_zones.map((value) => ({ value, name: value }));
  const fields = enteredFields(settingsForm, entry, {
    values: { timezone: model.time_zone, shortcuts: model.shortcuts },
    fieldOptions: { timezone: { choices } },
  });
  return {
    title,
    main: [
      pageHead({ title }),
      actionForm(
        context,
        '/settings',
        { class: 'form' },
        ...fields,
        html`<p>${submitButton('Save', { class: 'btn primary' })}</p>`,
      ),
      el(
        'p',
        { class: 'soft space' },
        'Also yours: ',
        ...places.flatMap(([name, path], at) => [at === 0 ? '' : ', ', pageLink(context, path, null, name)]),
        '.',
      ),
    ],
  };
}
