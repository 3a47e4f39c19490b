// The forms that make and delete status pages, and those of their components.
import type { VNode } from 'preact';
import { z } from 'zod';
import { statusPageRequest } from '../../../schemas/status-pages.ts';
import type {
  ComponentFormModel,
  ComponentModel,
  StatusPageNameModel,
} from '../../core/workspace/uptime/status-page-forms.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dangerPage, formPage } from '../parts/asking.ts';
import { actForm, select, submit } from '../parts/controls.ts';
import { form, needed, option, read, rows, text } from '../parts/form.ts';
import { pageHead, section } from '../parts/layout.ts';
import { componentWord, nameOf, told } from '../uptime/words.ts';

const crumb = { name: 'Status pages', path: '/status-pages' };
const publicName = 'Everybody reads its name; those of monitors stay here.';

export const newStatusPageForm = form(
  {
    name: needed('Name', 'A status page needs a name.', {
      hint: 'As everybody knows you, such as Harbour & Pine. Its address is made of it.',
    }),
    line: text('A line below the title', {
      hint: 'For what stays: opening hours, another page.',
      attributes: { maxlength: 500 },
    }),
  },
  statusPageRequest.shape,
);

const nameMax = { attributes: { maxlength: 100 } };

export const componentForm = form({
  name: {
    ...needed('Name', '', { hint: 'What people know, such as Basket and checkout.', ...nameMax }),
    // What is taken off the page needs none.
    schema: z.string('A component needs a name.').optional(),
  },
  group: text('Group', nameMax),
  monitors: read(z.array(z.coerce.number('Choose a monitor.')).optional()),
  do: read(z.literal('remove').optional().catch(undefined)),
});

/** The form that makes a status page. */
export function newStatusPagePage(_model: unknown, frame: Frame): PageContent {
  return formPage(frame, {
    title: 'Make a status page',
    crumbs: [crumb],
    why: 'Nobody but members sees it until you say otherwise. Components follow.',
    act: '/status-pages',
    fields: rows(newStatusPageForm),
    verb: 'Make the page',
  });
}

/** Asks before a status page goes. */
export function deleteStatusPagePage({ slug, name }: StatusPageNameModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Delete a status page',
    crumbs: [crumb, { name: nameOf(name), path: pathOf(slug) }],
    heading: ['Delete ', told(name)],
    why: 'Its address and its hosts lead nowhere any more. Monitors and incidents stay.',
    act: `${pathOf(slug)}/delete`,
    verb: 'Delete the page',
  });
}

/** The form of a component that is not there yet. */
export function newComponentPage(model: ComponentFormModel, frame: Frame): PageContent {
  const path = pathOf(model.slug);
  return formPage(frame, {
    title: 'Add a component',
    crumbs: [crumb, { name: nameOf(model.page), path }],
    why: publicName,
    act: `${path}/components`,
    fields: fields(model),
    verb: 'Add the component',
  });
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
  const looks = groups.length === 0 ? {} : { group: { hint: there } };
  return [...rows(componentForm, { values: { name: component?.name, group }, looks }), feeding(model)];
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
    ...monitors.map(({ monitor_id: id, name: called }) => {
      const input = { type: 'checkbox', name: 'monitors[]', value: String(id), checked: fed.has(id) };
      return option(input, told(called));
    }),
    el('p', { class: 'hint' }, 'It is as the worst of them. Without any, somebody says how it is.'),
  );
}

function pathOf(slug: string): string {
  return `/status-pages/${encodeURIComponent(slug)}`;
}
