// /status-pages/{slug}: the editor of a status page: its name, its parts, what it shows, and how it reads
// now.
import type { VNode } from 'preact';
import type { ComponentView, StatusPageModel } from '../../core/workspace/uptime/status-pages.ts';
import { type Attributes, type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, field, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { hiddenCaption, pageHead, pairs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell } from '../parts/table.ts';
import { followers } from './status-pages.ts';
import { componentShape, listed, nameOf, told } from './words.ts';

/** The page. */
export function statusPagePage(model: StatusPageModel, frame: Frame): PageContent {
  const { slug, name, hosts, is_public: isPublic } = model;
  const shown = { path: `/status/${encodeURIComponent(slug)}`, query: { project: null } };
  const mayManage = frame.visitor?.canManage === true;
  const form = [
    el('div', { class: 'cols' }, el('div', { class: 'col' }, ...parts(model, frame)), side(model, frame)),
  ];
  return {
    title: nameOf(name),
    crumbs: [{ name: 'Status pages', path: '/status-pages' }],
    main: [
      pageHead({
        above: 'Status page',
        title: told(name, 400),
        below: [
          isPublic ? 'Public, ' : 'Members only, ',
          pageLink(frame, shown, null, told(hosts[0] ?? `/status/${slug}`)),
        ],
        acts: pageLink(frame, shown, { class: 'btn' }, 'Look at it', icon('out')),
      }),
      mayManage ? actForm(frame, `/status-pages/${encodeURIComponent(slug)}`, null, ...form) : form,
    ],
  };
}

function parts(model: StatusPageModel, frame: Frame): Content[] {
  const mayManage = frame.visitor?.canManage === true;
  return [
    basics(model, mayManage),
    components(model, frame),
    shows(model, mayManage),
    mayManage
      ? el(
          'p',
          { class: 'acts saveline sec' },
          submit('Save', { class: 'btn primary', name: 'do', value: 'save' }),
          submit('Delete…', { class: 'btn danger', name: 'do', value: 'delete' }),
        )
      : el('p', { class: 'hint' }, 'An admin changes it.'),
  ];
}

function basics({ name, hosts, slug, is_public: isPublic }: StatusPageModel, mayManage: boolean): VNode {
  const locked = { disabled: !mayManage };
  return el(
    'section',
    { 'aria-labelledby': 's-page' },
    el('h2', { id: 's-page' }, 'Page'),
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
            'Hosts of its own, with commas between them, or none. It is also at ',
            el('code', null, `/status/${slug}`),
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
      el(
        'fieldset',
        { class: 'choose', ...locked },
        el('legend', null, 'Who sees it'),
        choice({ type: 'radio', name: 'seen_by', value: 'everybody', checked: isPublic }, 'Everybody'),
        choice({ type: 'radio', name: 'seen_by', value: 'members', checked: !isPublic }, 'Members only'),
      ),
    ),
  );
}

function choice(attributes: Attributes, word: string, small?: string): VNode {
  return el(
    'label',
    null,
    el('input', attributes),
    el('span', null, word, small === undefined ? null : el('small', { class: 'soft' }, small)),
  );
}

function components({ slug, parts: groups }: StatusPageModel, frame: Frame): VNode {
  const mayManage = frame.visitor?.canManage === true;
  const add = submit('Add a group', { class: 'btn small', name: 'do', value: 'add_group' });
  return el(
    'section',
    { class: 'sec', 'aria-labelledby': 's-parts' },
    el('div', { class: 'top' }, el('h2', { id: 's-parts' }, 'Groups and components'), mayManage ? add : null),
    groups.length === 0
      ? el('p', { class: 'ruled soft' }, 'It has no components yet, so it says that all is well.')
      : groups.map((each, at) => groupOf(slug, each, at, frame)),
  );
}

function groupOf(
  slug: string,
  { group, components: all }: StatusPageModel['parts'][number],
  at: number,
  frame: Frame,
): VNode {
  const mayManage = frame.visitor?.canManage === true;
  const name = group === '' ? 'Without a group' : nameOf(group);
  return el(
    'fieldset',
    { class: 'compo' },
    el('legend', { class: 'vh' }, name),
    el(
      'div',
      { class: 'top' },
      el('label', { class: 'vh', for: `g-${at}` }, 'Name of the group'),
      mayManage ? el('input', { type: 'hidden', name: 'was[]', value: group }) : null,
      el('input', {
        type: 'text',
        id: `g-${at}`,
        name: 'group[]',
        value: group,
        maxlength: 100,
        disabled: !mayManage,
      }),
      mayManage ? moves(`group-${group}`, name) : null,
    ),
    el(
      'table',
      { class: 't mini' },
      hiddenCaption(`Components of ${name}`),
      el('tbody', null, ...all.map((each) => componentRow(slug, each, frame))),
    ),
    mayManage
      ? submit('Add a component…', { class: 'btn small', name: 'do', value: `add_component-${group}` })
      : null,
  );
}

function componentRow(
  slug: string,
  { component_id: id, name, state, monitors }: ComponentView,
  frame: Frame,
): VNode {
  const path = `/status-pages/${encodeURIComponent(slug)}/components/${id}`;
  const isTheirs = frame.visitor?.canAct === true;
  const mayManage = frame.visitor?.canManage === true;
  const fed = listed(monitors.map((each) => told(each.name)));
  const by =
    monitors.length === 0
      ? 'set by hand'
      : monitors.length === 1
        ? ['monitor ', ...fed]
        : ['monitors ', ...fed, ': the worst of them'];
  return el(
    'tr',
    null,
    cell(componentShape(state), 'lv'),
    el(
      'th',
      { scope: 'row' },
      isTheirs ? pageLink(frame, { path }, null, told(name)) : told(name),
      el('span', { class: 'cul' }, by),
    ),
    mayManage ? cell(moves(`component-${id}`, nameOf(name)), 'r w9') : null,
  );
}

/** Order is changed by buttons, never by dragging alone. */
function moves(what: string, name: string): VNode {
  const way = (word: 'Up' | 'Down'): VNode =>
    submit(word, {
      class: 'btn small',
      name: 'do',
      value: `${word.toLowerCase()}-${what}`,
      'aria-label': `Move ${name} ${word.toLowerCase()}`,
    });
  return el('span', { class: 'acts end' }, way('Up'), way('Down'));
}

function shows({ shows: on, line }: StatusPageModel, mayManage: boolean): VNode {
  const box = (part: keyof StatusPageModel['shows'], word: string, small?: string): VNode =>
    choice({ type: 'checkbox', name: 'shows[]', value: part, checked: on[part] }, word, small);
  return el(
    'section',
    { class: 'sec', 'aria-labelledby': 's-says' },
    el('h2', { id: 's-says' }, 'What it says'),
    el(
      'div',
      { class: 'ruled stack' },
      el(
        'fieldset',
        { class: 'choose', disabled: !mayManage },
        el('legend', { class: 'vh' }, 'Parts'),
        box('days', '90 days of every component'),
        box('percent', 'Uptime in percent', 'slow counts as up, planned work is left out'),
        box('incidents', 'Incidents', 'what was said to everybody, and nothing else'),
        box('feeds', 'Offer RSS'),
      ),
      field(
        {
          id: 's-line',
          label: 'A line below the title',
          hint: 'For what stays: opening hours, another page.',
        },
        { name: 'line', value: line, maxlength: 500, disabled: !mayManage },
      ),
    ),
  );
}

function side(model: StatusPageModel, frame: Frame): VNode {
  const path = `/status/${encodeURIComponent(model.slug)}`;
  const link = (to: string, word: string): VNode =>
    pageLink(frame, { path: to, query: { project: null } }, null, word);
  return el(
    'aside',
    { class: 'aside', 'aria-label': 'About this page' },
    el(
      'section',
      { 'aria-labelledby': 's-reads' },
      el('h2', { id: 's-reads' }, 'Reads now'),
      el(
        'div',
        { class: 'why' },
        el('p', { class: 'pv' }, told(model.headline)),
        el(
          'p',
          { class: 'small soft' },
          'Made of the states below; the words of an open incident come first.',
        ),
      ),
    ),
    el(
      'section',
      { 'aria-labelledby': 's-feeds' },
      el('h2', { id: 's-feeds' }, 'Badge and feeds'),
      pairs([
        ['Badge', link(`${path}/badge.svg`, 'badge.svg')],
        ['RSS', model.shows.feeds ? link(`${path}.rss`, `${model.slug}.rss`) : 'not offered'],
        ['JSON', link(`${path}.json`, `${model.slug}.json`)],
        ...(model.followers === null ? [] : [['Followers', followers(model)] as const]),
      ]),
    ),
  );
}
