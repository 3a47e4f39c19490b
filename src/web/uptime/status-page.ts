import type { VNode } from 'preact';
import type { StatusPageLanguage } from '../../../schemas/status-pages.ts';
import type { ComponentView, StatusPageModel } from '../../core/page-models/monitoring/status-pages.ts';
import { actionForm, field, fieldBox, optionsOf, submitButton } from '../components/controls.ts';
import { emptyState, hiddenCaption, nameValueList, pageHead } from '../components/elements.ts';
import { icon } from '../components/icons.ts';
import { pageLink } from '../components/link.ts';
import { cell } from '../components/table.ts';
import { type Attributes, type Content, el, html } from '../el.ts';
import { counted } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { commaSeparated, componentIcon, shortUntrustedName, shortUntrustedText } from './labels.ts';
import { followers } from './status-pages.ts';

export function statusPagePage(model: StatusPageModel, context: PageContext): PageContent {
  const { slug, name, hosts, is_public: isPublic } = model;
  const shown = { path: `/status/${encodeURIComponent(slug)}`, query: { project: null } };
  const mayManage = context.visitor?.canManage === true;
  const form = [
    html`<div class="cols"><div class="col">${parts(model, context)}</div>${side(model, context)}</div>`,
  ];
  return {
    title: shortUntrustedName(name),
    crumbs: [{ name: 'Status pages', path: '/status-pages' }],
    main: [
      pageHead({
        above: 'Status page',
        title: shortUntrustedText(name, 400),
        below: [
          isPublic ? 'Public, ' : 'Members only, ',
          pageLink(context, shown, null, shortUntrustedText(hosts[0] ?? `/status/${slug}`)),
        ],
        acts: pageLink(context, shown, { class: 'btn' }, 'View page', icon('out')),
      }),
      mayManage ? actionForm(context, `/status-pages/${encodeURIComponent(slug)}`, null, ...form) : form,
    ],
  };
}

function parts(model: StatusPageModel, frame: PageContext): Content[] {
  const mayManage = frame.visitor?.canManage === true;
  return [
    basics(model, mayManage),
    components(model, frame),
    shows(model, mayManage),
    mayManage
      ? html`<p class="acts saveline sec">
        ${submitButton('Save', { class: 'btn primary', name: 'do', value: 'save' })}
        ${submitButton('Delete…', { class: 'btn danger', name: 'do', value: 'delete' })}
      </p>`
      : html`<p class="hint">Only an admin can change this.</p>`,
  ];
}

function basics(
  { name, hosts, slug, is_public: isPublic, language }: StatusPageModel,
  mayManage: boolean,
): VNode {
  const locked = { disabled: !mayManage };
  return el(
    'section',
    { 'aria-labelledby': 's-page' },
    html`<h2 id="s-page">Page</h2>`,
    el(
      'div',
      { class: 'ruled stack' },
      field(
        { id: 's-name', label: 'Name' },
        { name: 'name', value: name, required: true, maxlength: 100, ...locked },
      ),
      field(
        {
          id: 's-hosts',
          label: 'Hosts',
          hint: [
            'Custom hostnames, separated by commas; optional. The page is also at ',
            html`<code>/status/${slug}</code>`,
            '.',
          ],
        },
        {
          name: 'hosts',
          value: hosts.join(', '),
          maxlength: 2_600,
          placeholder: 'status.example.com',
          ...locked,
        },
      ),
      html`<fieldset class="choose" ...${locked}>
        <legend>Visible to</legend>
        ${choice({ type: 'radio', name: 'seen_by', value: 'everybody', checked: isPublic }, 'Everyone')}
        ${choice({ type: 'radio', name: 'seen_by', value: 'members', checked: !isPublic }, 'Members only')}
      </fieldset>`,
      fieldBox(
        {
          id: 's-language',
          label: 'Language',
          hint: 'Of the public page, its feed and mails to subscribers. Your own texts are shown as you write them.',
        },
        (described) =>
          el(
            'select',
            { id: 's-language', name: 'language', ...locked, ...described },
            ...optionsOf(languageChoices, language),
          ),
      ),
    ),
  );
}

const languageChoices = Object.entries({
  auto: 'Language of the browser',
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
  pl: 'Polski',
  ja: '日本語',
  zh: '简体中文',
} satisfies Record<StatusPageLanguage, string>).map(([value, name]) => ({ value, name }));

function choice(attributes: Attributes, word: string, small?: string): VNode {
  return html`<label>
    <input ...${attributes} />
    <span>${word}${small === undefined ? null : html`<small class="soft">${small}</small>`}</span>
  </label>`;
}

function components({ slug, parts: groups }: StatusPageModel, frame: PageContext): VNode {
  const mayManage = frame.visitor?.canManage === true;
  const add = submitButton('Add group', { class: 'btn small', name: 'do', value: 'add_group' });
  return el(
    'section',
    { class: 'sec', 'aria-labelledby': 's-parts' },
    html`<div class="top"><h2 id="s-parts">Groups and components</h2>${mayManage ? add : null}</div>`,
    groups.length === 0
      ? emptyState(
          'No components yet',
          'The page says so to its visitors. A component shows the state of its monitors, or one set manually.',
          mayManage
            ? submitButton('Add component…', { class: 'btn primary', name: 'do', value: 'add_component-' })
            : 'An admin can add one.',
        )
      : groups.map((each, at) => groupOf(slug, each, at, frame)),
  );
}

function groupOf(
  slug: string,
  { group, components: all }: StatusPageModel['parts'][number],
  at: number,
  frame: PageContext,
): VNode {
  const mayManage = frame.visitor?.canManage === true;
  const name = group === '' ? 'No group' : shortUntrustedName(group);
  return el(
    'fieldset',
    { class: 'compo' },
    html`<legend class="vh">${name}</legend>`,
    html`<div class="top">
      <label class="vh" for="g-${at}">Group name</label>
      ${mayManage ? html`<input type="hidden" name="was[]" value=${group} />` : null}
      <input type="text" id="g-${at}" name="group[]" value=${group} maxlength="100" disabled=${!mayManage} />
      ${mayManage ? moves(`group-${group}`, name) : null}
    </div>`,
    html`<table class="t mini">
      ${hiddenCaption(`Components of ${name}`)}
      <tbody>${all.map((each) => componentRow(slug, each, frame))}</tbody>
    </table>`,
    mayManage
      ? submitButton('Add component…', { class: 'btn small', name: 'do', value: `add_component-${group}` })
      : null,
  );
}

function componentRow(
  slug: string,
  { component_id: id, name, state, monitors }: ComponentView,
  frame: PageContext,
): VNode {
  const path = `/status-pages/${encodeURIComponent(slug)}/components/${id}`;
  const isTheirs = frame.visitor?.canAct === true;
  const mayManage = frame.visitor?.canManage === true;
  const fed = commaSeparated(monitors.map((each) => shortUntrustedText(each.name)));
  const by =
    monitors.length === 0
      ? 'set manually'
      : monitors.length === 1
        ? ['monitor ', ...fed]
        : ['monitors ', ...fed, ': the worst state counts'];
  return html`<tr>
    ${cell(componentIcon(state), 'lv')}
    <th scope="row">
      ${isTheirs ? pageLink(frame, { path }, null, shortUntrustedText(name)) : shortUntrustedText(name)}<span class="cul">${by}</span>
    </th>
    ${mayManage ? cell(moves(`component-${id}`, shortUntrustedName(name)), 'r w9') : null}
  </tr>`;
}

/** Buttons, because dragging alone would not be accessible. */
function moves(what: string, name: string): VNode {
  const way = (word: 'Up' | 'Down'): VNode =>
    submitButton(word, {
      class: 'btn small',
      name: 'do',
      value: `${word.toLowerCase()}-${what}`,
      'aria-label': `Move ${name} ${word.toLowerCase()}`,
    });
  return html`<span class="acts end">${way('Up')}${way('Down')}</span>`;
}

function shows({ shows: on, line }: StatusPageModel, mayManage: boolean): VNode {
  const box = (part: keyof StatusPageModel['shows'], word: string, small?: string): VNode =>
    choice({ type: 'checkbox', name: 'shows[]', value: part, checked: on[part] }, word, small);
  return el(
    'section',
    { class: 'sec', 'aria-labelledby': 's-says' },
    html`<h2 id="s-says">Content</h2>`,
    el(
      'div',
      { class: 'ruled stack' },
      html`<fieldset class="choose" disabled=${!mayManage}>
        <legend class="vh">Parts</legend>${box('days', '90-day history of every component')}
        ${box('percent', 'Uptime in percent', 'degraded counts as up, maintenance is left out')}
        ${box('incidents', 'Incidents', 'public updates only')}
        ${box('feeds', 'Offer RSS')}
        ${box('subscribe', 'Subscribe by e-mail', 'needs incidents, and SMTP_URL')}
      </fieldset>`,
      field(
        {
          id: 's-line',
          label: 'Note below the title',
          hint: 'For example opening hours, or a link to another page.',
        },
        { name: 'line', value: line, maxlength: 500, disabled: !mayManage },
      ),
    ),
  );
}

function side(model: StatusPageModel, frame: PageContext): VNode {
  const path = `/status/${encodeURIComponent(model.slug)}`;
  const link = (to: string, word: string): VNode =>
    pageLink(frame, { path: to, query: { project: null } }, null, word);
  return el(
    'aside',
    { class: 'aside', 'aria-label': 'About this page' },
    html`<section aria-labelledby="s-reads">
      <h2 id="s-reads">Headline now</h2>
      <div class="why">
        <p class="pv">${shortUntrustedText(model.headline)}</p>
        <p class="small soft">Derived from the component states; the title of an open incident comes first.</p>
      </div>
    </section>`,
    el(
      'section',
      { 'aria-labelledby': 's-feeds' },
      html`<h2 id="s-feeds">Badge and feeds</h2>`,
      nameValueList([
        ['Badge', link(`${path}/badge.svg`, 'badge.svg')],
        ['RSS', model.shows.feeds ? link(`${path}.rss`, `${model.slug}.rss`) : 'not offered'],
        ['JSON', link(`${path}.json`, `${model.slug}.json`)],
        ...(model.followers === null ? [] : [['Followers', followers(model)] as const]),
        ['Subscribers', subscribersLink(model, frame)],
      ]),
    ),
  );
}

function subscribersLink({ slug, subscribers }: StatusPageModel, frame: PageContext): Content {
  const path = `/status-pages/${encodeURIComponent(slug)}/subscribers`;
  const all = counted(subscribers, 'subscriber');
  return frame.visitor?.canManage === true ? pageLink(frame, { path }, null, all) : all;
}
