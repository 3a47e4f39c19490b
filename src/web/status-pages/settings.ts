import type { ComponentView, StatusPageModel } from '../../core/page-models/monitoring/status-pages.ts';
import { actionForm, enterSavesButton, submitButton } from '../components/controls.ts';
import { emptyState, nameValueList, pageHead, plainSection, section } from '../components/elements.ts';
import { type FormEntry, formFields, formSummary, optionLabel } from '../components/form.ts';
import { icon } from '../components/icons.ts';
import { miniTable, rowHeader } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { counted, formatBytes } from '../formatters.ts';
import { commaSeparated, componentIcon, shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { statusPageForm } from './forms.ts';
import { subscriberCountText } from './status-pages.ts';

export function statusPagePage(model: StatusPageModel, context: PageContext, entry?: FormEntry): PageContent {
  const { slug, name, hosts, published } = model;
  const shown = { path: `/status/${encodeURIComponent(slug)}`, query: { project: null } };
  const mayManage = context.currentUser?.canManage === true;
  const form = { class: 'form', novalidate: true, enctype: 'multipart/form-data' };
  const content = settings(model, context, entry);
  return {
    title: shortUntrustedName(name),
    breadcrumbs: [{ name: 'Status pages', path: '/status-pages' }],
    main: [
      pageHead({
        above: 'Status page',
        title: shortUntrustedText(name, 400),
        below: [
          published ? 'Public, ' : 'Members only, ',
          pageLink(context, shown, null, shortUntrustedText(hosts[0] ?? `/status/${slug}`)),
        ],
        actions: pageLink(context, shown, { class: 'btn' }, 'View page', icon('out')),
      }),
      html`<div class="cols">
        <div class="col">
          ${
            mayManage
              ? actionForm(context, `/status-pages/${encodeURIComponent(slug)}`, form, ...content)
              : html`<div class="form">${content}</div>`
          }
        </div>
        ${side(model, context)}
      </div>`,
    ],
  };
}

function settings(model: StatusPageModel, context: PageContext, entry: FormEntry | undefined): Content[] {
  const { slug, logo, favicon } = model;
  const mayManage = context.currentUser?.canManage === true;
  const group = (legend: string, ...content: Content[]): VNode =>
    el('fieldset', { disabled: !mayManage }, el('legend', null, legend), ...content);
  const values = entry?.values ?? { ...model, hosts: model.hosts.join(', ') };
  const fields = (...only: ReadonlyArray<keyof typeof statusPageForm.fields>): Content[] =>
    formFields(statusPageForm, { values, errors: entry?.errors, only });
  const image = (kind: 'logo' | 'favicon', current: StatusPageModel['logo']): Content[] => [
    ...fields(kind),
    current === null
      ? null
      : currentImage(context, `/status/${encodeURIComponent(slug)}/${kind}`, kind, current),
    current === null ? null : fields(`remove_${kind}`),
  ];
  return [
    mayManage ? enterSavesButton() : null,
    entry === undefined ? null : formSummary(statusPageForm, entry),
    group('Page', ...fields('name', 'description', 'language')),
    components(model, context, entry),
    group('Content', showsField(model, entry)),
    group(
      'Address and visibility',
      ...fields('published'),
      html`<p class="says">Its address is <code>/status/${slug}</code>, also with hostnames of its own.</p>`,
      ...fields('hosts'),
    ),
    group('Logo and colour', ...image('logo', logo), ...fields('accent'), ...image('favicon', favicon)),
    mayManage
      ? html`<p class="acts saveline sec">
        ${submitButton('Save', { class: 'btn primary', name: 'do', value: 'save' })}
        ${submitButton('Delete…', { class: 'btn danger', name: 'do', value: 'delete' })}
      </p>`
      : html`<p class="hint">Only an admin can change this.</p>`,
  ];
}

const previewPxMax = 64;

function currentImage(
  { base }: PageContext,
  path: string,
  kind: string,
  { content_type: type, width, height, bytes }: NonNullable<StatusPageModel['logo']>,
): VNode {
  const scale = Math.min(1, previewPxMax / height, (4 * previewPxMax) / width);
  const [shownWidth, shownHeight] = [width, height].map((each) => Math.max(1, Math.round(each * scale)));
  return html`<p class="small soft">
    <img src=${base + path} alt="Current ${kind}" width=${shownWidth} height=${shownHeight} /><br />
    ${type.replace('image/', '').toUpperCase()}, ${width} by ${height} pixels, ${formatBytes(bytes)}
  </p>`;
}

function components(
  { slug, parts: groups }: StatusPageModel,
  context: PageContext,
  entry: FormEntry | undefined,
): VNode {
  const mayManage = context.currentUser?.canManage === true;
  const [was = [], names = []] = ['was', 'group'].map((name) => [entry?.values[name] ?? []].flat());
  const renamed = new Map(was.map((each, at) => [each, names[at]]));
  const add = submitButton('Add group', { class: 'btn small', name: 'do', value: 'add_group' });
  return section(
    { id: 's-parts', title: 'Groups and components', aside: mayManage ? add : '', class: null },
    groups.length === 0
      ? emptyState(
          'No components yet',
          'The page says so to its visitors. A component shows the state of its monitors, or one set manually.',
          mayManage
            ? submitButton('Add component…', { class: 'btn primary', name: 'do', value: 'add_component-' })
            : 'An admin can add one.',
        )
      : groups.map((each, at) => groupOf(slug, each, at, { context, named: renamed.get(each.group) })),
  );
}

function groupOf(
  slug: string,
  { group, components: all }: StatusPageModel['parts'][number],
  at: number,
  /** `named`: the name that was entered and is not saved. */
  { context, named = group }: { readonly context: PageContext; readonly named: string | undefined },
): VNode {
  const mayManage = context.currentUser?.canManage === true;
  const name = group === '' ? 'No group' : shortUntrustedName(group);
  return el(
    'fieldset',
    { class: 'compo' },
    html`<legend class="vh">${name}</legend>`,
    html`<div class="top">
      <label class="vh" for="g-${at}">Group name</label>
      ${mayManage ? html`<input type="hidden" name="was[]" value=${group} />` : null}
      <input type="text" id="g-${at}" name="group[]" value=${named} maxlength="100" disabled=${!mayManage} />
      ${mayManage ? moves(`group-${group}`, name) : null}
    </div>`,
    miniTable(
      `Components of ${name}`,
      all,
      { class: 'lv', cell: ({ state }) => componentIcon(state) },
      { row: (component) => componentTitle(slug, component, context) },
      mayManage
        ? {
            class: 'r w9',
            cell: ({ component_id: id, name }) => moves(`component-${id}`, shortUntrustedName(name)),
          }
        : null,
    ),
    mayManage
      ? submitButton('Add component…', { class: 'btn small', name: 'do', value: `add_component-${group}` })
      : null,
  );
}

function componentTitle(
  slug: string,
  { component_id: id, name, monitors }: ComponentView,
  context: PageContext,
): VNode {
  const path = `/status-pages/${encodeURIComponent(slug)}/components/${id}`;
  const canAct = context.currentUser?.canAct === true;
  const monitorNames = commaSeparated(monitors.map((each) => shortUntrustedText(each.name)));
  const by =
    monitors.length === 0
      ? 'set manually'
      : monitors.length === 1
        ? ['monitor ', ...monitorNames]
        : ['monitors ', ...monitorNames, ': the worst state counts'];
  const title = shortUntrustedText(name);
  return rowHeader(canAct ? pageLink(context, path, null, title) : title, by);
}

/** Buttons, because dragging alone would not be accessible. */
function moves(kind: string, name: string): VNode {
  const moveButton = (word: 'Up' | 'Down'): VNode =>
    submitButton(word, {
      class: 'btn small',
      name: 'do',
      value: `${word.toLowerCase()}-${kind}`,
      'aria-label': `Move ${name} ${word.toLowerCase()}`,
    });
  return html`<span class="acts end">${moveButton('Up')}${moveButton('Down')}</span>`;
}

function showsField({ shows: on }: StatusPageModel, entry: FormEntry | undefined): VNode {
  const entered = entry === undefined ? null : [entry.values['shows'] ?? []].flat();
  const box = (part: StatusPageModel['shows'][number], word: string, small?: string): VNode => {
    const checked = entered === null ? on.includes(part) : entered.includes(part);
    return optionLabel({ type: 'checkbox', name: 'shows[]', value: part, checked }, word, small);
  };
  return html`<div class="choose">
    ${box('days', '90-day history of every component')}
    ${box('percent', 'Uptime in percent', 'degraded counts as up, maintenance is left out')}
    ${box('incidents', 'Incidents', 'public updates only')}
    ${box('feeds', 'Offer RSS')}
    ${box('subscribe', 'Subscribe by e-mail', 'needs incidents, and SMTP_URL')}
  </div>`;
}

function side(model: StatusPageModel, context: PageContext): VNode {
  const path = `/status/${encodeURIComponent(model.slug)}`;
  const link = (to: string, word: string): VNode =>
    pageLink(context, { path: to, query: { project: null } }, null, word);
  return el(
    'aside',
    { class: 'aside', 'aria-label': 'About this page' },
    plainSection(
      's-reads',
      'Current headline',
      html`<div class="why">
        <p class="pv">${shortUntrustedText(model.headline)}</p>
        <p class="small soft">Derived from the component states; the title of an open incident comes first.</p>
      </div>`,
    ),
    plainSection(
      's-feeds',
      'Badge and feeds',
      nameValueList([
        ['Badge', link(`${path}/badge.svg`, 'badge.svg')],
        ['RSS', model.shows.includes('feeds') ? link(`${path}.rss`, `${model.slug}.rss`) : 'not offered'],
        ['JSON', link(`${path}.json`, `${model.slug}.json`)],
        ['Followers', model.followers === null ? null : subscriberCountText(model)],
        ['Subscribers', subscribersLink(model, context)],
      ]),
    ),
  );
}

function subscribersLink({ slug, subscribers }: StatusPageModel, context: PageContext): Content {
  const path = `/status-pages/${encodeURIComponent(slug)}/subscribers`;
  const all = counted(subscribers, 'subscriber');
  return context.currentUser?.canManage === true ? pageLink(context, path, null, all) : all;
}
