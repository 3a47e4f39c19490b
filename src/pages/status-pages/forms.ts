// The forms that make and delete status pages, and those of their components.
import type { VNode } from 'preact';
import type {
  ComponentFormModel,
  ComponentModel,
  StatusPageNameModel,
} from '../../core/workspace/uptime/status-page-forms.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingPart, dangerPart } from '../parts/asking.ts';
import { actForm, field, select, submit } from '../parts/controls.ts';
import { pageHead, section } from '../parts/layout.ts';
import { componentWord, nameOf, told } from '../uptime/words.ts';

const crumb = { name: 'Status pages', path: '/status-pages' };
const publicName = 'Everybody reads its name; those of monitors stay here.';

function name(value: string, hint: string): Content {
  return field(
    { id: 'name', label: 'Name', hint },
    { name: 'name', value, required: true, maxlength: 100, autocomplete: 'off' },
  );
}

/** The form that makes a status page. */
export function newStatusPagePage(_model: unknown, frame: Frame): PageContent {
  return {
    title: 'Make a status page',
    crumbs: [crumb],
    main: askingPart(
      frame,
      {
        id: 'd-page',
        path: '/status-pages/new',
        title: 'Make a status page',
        why: 'Nobody but members sees it until you say otherwise. Components follow.',
        act: '/status-pages',
        fields: [
          name('', 'As everybody knows you, such as Harbour & Pine. Its address is made of it.'),
          field(
            {
              id: 'line',
              label: 'A line below the title',
              hint: 'For what stays: opening hours, another page.',
            },
            { name: 'line', maxlength: 500, autocomplete: 'off' },
          ),
        ],
        verb: 'Make the page',
      },
      { from: '/status-pages' },
    ),
  };
}

/** Asks before a status page goes. */
export function deleteStatusPagePage({ slug, name: page }: StatusPageNameModel, frame: Frame): PageContent {
  const path = pathOf(slug);
  return {
    title: 'Delete a status page',
    crumbs: [crumb, { name: nameOf(page), path }],
    main: dangerPart(
      frame,
      {
        id: 'd-delete',
        path: `${path}/delete`,
        title: ['Delete ', told(page)],
        why: 'Its address and its hosts lead nowhere any more. Monitors and incidents stay.',
        verb: 'Delete the page',
      },
      path,
    ),
  };
}

/** The form of a component that is not there yet. */
export function newComponentPage(model: ComponentFormModel, frame: Frame): PageContent {
  const path = pathOf(model.slug);
  return {
    title: 'Add a component',
    crumbs: [crumb, { name: nameOf(model.page), path }],
    main: askingPart(
      frame,
      {
        id: 'd-component',
        path: `${path}/components/new`,
        title: 'Add a component',
        why: publicName,
        act: `${path}/components`,
        fields: fields(model),
        verb: 'Add the component',
      },
      { from: path },
    ),
  };
}

/** A component: what a person says of it where no monitor feeds it, and for admins its form. */
export function componentPage(model: ComponentModel, frame: Frame): PageContent {
  const { slug, page, component } = model;
  return {
    title: nameOf(component.name),
    crumbs: [crumb, { name: nameOf(page), path: pathOf(slug) }],
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ above: 'Component', title: told(component.name) }),
      states(model, frame),
      frame.visitor?.canManage === true ? change(model, frame) : null,
    ),
  };
}

function states({ slug, states: all, component }: ComponentModel, frame: Frame): VNode {
  const { component_id: id, state, monitor_ids: fed } = component;
  const choices = all.map((value) => ({ value, name: componentWord(value) }));
  return section(
    { id: 's-state', title: 'How it is' },
    fed.length > 0
      ? el(
          'p',
          { class: 'ruled soft' },
          `${componentWord(state)}, as the worst of the monitors that feed it.`,
        )
      : actForm(
          frame,
          `${pathOf(slug)}/components/${id}/state`,
          { class: 'stack space' },
          ...select({ id: 'state', name: 'state', label: 'How it is' }, choices, state),
          el('p', { class: 'hint' }, 'Everybody sees it within 15 seconds.'),
          el('p', { class: 'acts' }, submit('Say so', { class: 'btn' })),
        ),
  );
}

function change(model: ComponentModel, frame: Frame): VNode {
  return section(
    { id: 's-change', title: 'What it is' },
    actForm(
      frame,
      `${pathOf(model.slug)}/components/${model.component.component_id}`,
      { class: 'stack space' },
      el('p', { class: 'soft' }, publicName),
      ...fields(model),
      el(
        'p',
        { class: 'acts saveline sec' },
        submit('Save', { class: 'btn primary', name: 'do', value: 'save' }),
        submit('Take it off the page', { class: 'btn danger', name: 'do', value: 'remove' }),
      ),
    ),
  );
}

function fields(model: ComponentFormModel): Content[] {
  const { component, group, groups } = model;
  const there = `There are: ${groups.map((each) => nameOf(each)).join(', ')}.`;
  return [
    name(component?.name ?? '', 'What people know, such as Basket and checkout.'),
    field(
      { id: 'group', label: 'Group', ...(groups.length === 0 ? {} : { hint: there }) },
      { name: 'group', value: group, maxlength: 100, autocomplete: 'off' },
    ),
    feeding(model),
  ];
}

function feeding({ monitors, component }: ComponentFormModel): Content {
  if (monitors.length === 0) {
    return el('p', { class: 'hint' }, 'There are no monitors: how it is, somebody says.');
  }
  const fed = new Set(component?.monitor_ids);
  return el(
    'fieldset',
    { class: 'choose' },
    el('legend', null, 'Monitors that feed it'),
    ...monitors.map(({ monitor_id: id, name: called }) =>
      el(
        'label',
        null,
        el('input', { type: 'checkbox', name: 'monitors[]', value: String(id), checked: fed.has(id) }),
        el('span', null, told(called)),
      ),
    ),
    el('p', { class: 'hint' }, 'It is as the worst of them. Without any, somebody says how it is.'),
  );
}

function pathOf(slug: string): string {
  return `/status-pages/${encodeURIComponent(slug)}`;
}
