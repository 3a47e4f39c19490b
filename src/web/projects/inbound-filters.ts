import type { FilterView, InboundFiltersView } from '../../core/page-models/projects/inbound-filters.ts';
import type { ProjectModel } from '../../core/page-models/projects/project.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { section } from '../components/elements.ts';
import { defineForm, enteredFields, type FormEntry, textareaField } from '../components/form.ts';
import { statusMark } from '../components/icons.ts';
import { dataTable, scrollableTable } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { count, counted } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';

type FilterName = FilterView['name'];

const filterTexts: Readonly<Record<FilterName, readonly [title: string, drops: string]>> = {
  browser_extensions: ['Browser extensions', 'Errors from browser extensions and injected scripts.'],
  web_crawlers: ['Web crawlers', 'Errors in Googlebot, Bingbot and other crawlers.'],
  localhost: ['Localhost', 'Errors of pages and servers on localhost, 127.0.0.1 and file://.'],
  legacy_browsers: [
    'Old browsers',
    'Internet Explorer, Chrome before 63, Firefox before 67, Safari before 12 …',
  ],
  releases: ['Releases', 'Errors of these releases.'],
  error_messages: ['Messages', 'Errors whose message, or type and message, matches.'],
  ip_addresses: ['IP addresses', 'Errors sent from these addresses, or of users with them.'],
};

const onePerLine = (label: string, hint: string, attributes = {}) =>
  textareaField(label, {
    hint,
    isOptional: true,
    attributes: { rows: 3, spellcheck: 'false', ...attributes },
  });

export const filterListsForm = defineForm({
  releases: onePerLine(
    'Releases',
    'One per line, for example shop-web@1.* (* is any text, ? one character).',
  ),
  error_messages: onePerLine('Messages', 'One per line, for example ResizeObserver loop*'),
  ip_addresses: onePerLine('IP addresses', 'One per line, for example 203.0.113.7 or 203.0.113.0/24'),
});

export function filterSection({ project, filters }: ProjectModel, context: PageContext): VNode {
  const mayManage = context.currentUser?.canManage === true;
  const path = `/projects/${project.project_id}/filters`;
  const table = dataTable<FilterView>(context, {
    caption: 'Inbound filters',
    class: 't small',
    rows: filters.filters,
    columns: [
      {
        name: 'Filter',
        row: (filter) =>
          html`<th scope="row">${filterTexts[filter.name][0]}<span class="cul">${entryText(filter)}</span></th>`,
      },
      { name: 'State', class: 'w6', cell: stateOf },
      { name: `Last ${filters.days} days`, class: 'd3', cell: (filter) => effectOf(filter, filters) },
      mayManage ? { class: 'r', cell: (filter) => changeOf(filter, path, context) } : null,
    ],
  });
  return section(
    { id: 'p-filters', title: 'Inbound filters' },
    html`<p class="soft">
      Filtered events are not stored. They are counted above as filtered, with the filter as the reason.
    </p>`,
    scrollableTable('Inbound filters', table),
  );
}

function entryText({ name, entries }: FilterView): Content {
  const [, drops] = filterTexts[name];
  const shown = entries.slice(0, 3).map((entry, at) => [at === 0 ? ' ' : ', ', html`<code>${entry}</code>`]);
  return [
    drops,
    shown,
    entries.length > shown.length ? ` and ${count(entries.length - shown.length)} more` : null,
  ];
}

function stateOf({ is_on: isOn, entries }: FilterView): Content {
  if (!isOn) return html`<span class="dim">off</span>`;
  return entries.length === 0 ? statusMark('up', 'On') : statusMark('up', counted(entries.length, 'entry'));
}

/** `would_drop` is an estimate by a sample of the issues seen last. */
function effectOf(
  { name, is_on: isOn, dropped, would_drop: would }: FilterView,
  { events }: InboundFiltersView,
): Content {
  const was = dropped === 0 ? null : `dropped ${count(dropped)}`;
  if (isOn && (was !== null || would === null || would === 0)) return was ?? 'dropped none';
  if (!isOn && isList(name) && dropped === 0) return html`<span class="dim">no entries</span>`;
  if (would === null) return html`<span class="dim">unknown: addresses are not stored</span>`;
  if (events === 0) return html`<span class="dim">no events</span>`;
  const share = would === 0 ? 'would drop none' : `would drop about ${count(would)}`;
  return [was === null ? null : `${was}, `, share, html`<span class="dim"> of ${count(events)}</span>`];
}

function changeOf({ name, is_on: isOn }: FilterView, path: string, context: PageContext): Content {
  const [title] = filterTexts[name];
  const of = html`<span class="vh"> ${title}</span>`;
  if (isList(name)) {
    return pageLink(context, { path, hash: name }, { class: 'btn small' }, 'Edit', of);
  }
  return actionForm(
    context,
    `${path}/switch`,
    null,
    el('input', { type: 'hidden', name: 'filter', value: name }),
    el('input', { type: 'hidden', name: 'to', value: isOn ? 'off' : 'on' }),
    submitButton([isOn ? 'Turn off' : 'Turn on', of], { class: 'btn small' }),
  );
}

function isList(name: FilterName): boolean {
  return name in filterListsForm.schema.shape;
}

export function filterListsPage(
  { project, filters }: ProjectModel,
  context: PageContext,
  entry?: FormEntry,
): PageContent {
  const path = `/projects/${project.project_id}`;
  const stored = Object.fromEntries(filters.filters.map(({ name, entries }) => [name, entries]));
  return {
    title: `Inbound filters of ${project.name}`,
    breadcrumbs: [
      { name: 'Projects', path: '/projects' },
      { name: project.name, path },
    ],
    main: [
      html`<div class="top"><h1>Inbound filters</h1></div>`,
      html`<p class="soft">Matching events are not stored. Case is ignored. At most 50 entries each.</p>`,
      actionForm(
        context,
        `${path}/filters`,
        { class: 'form space', novalidate: true },
        ...enteredFields(filterListsForm, entry, { values: stored }),
        html`<p class="acts">
          ${submitButton('Save', { class: 'btn primary' })}
          ${pageLink(context, { path, hash: 'p-filters' }, { class: 'btn' }, 'Cancel')}
        </p>`,
      ),
    ],
  };
}
