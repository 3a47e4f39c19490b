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
const publicName = 'Its name is public; names of monitors are not shown.';

export const newStatusPageForm = form(
  {
    name: needed('Name', 'Enter a name.', {
      hint: 'For example Harbour & Pine. Its URL is made from it.',
    }),
    line: text('Note below the title', {
      hint: 'For example opening hours, or a link to another page.',
      attributes: { maxlength: 500 },
    }),
  },
  statusPageRequest.shape,
);

const nameMax = { attributes: { maxlength: 100 } };

export const componentForm = form({
  name: {
    ...needed('Name', '', { hint: 'For example Basket and checkout.', ...nameMax }),
    // Optional, because the delete button does not need it.
    schema: z.string('Enter a name.').optional(),
  },
  group: text('Group', nameMax),
  monitors: read(z.array(z.coerce.number('Choose a monitor.')).optional()),
  do: read(z.literal('remove').optional().catch(undefined)),
});

export function newStatusPagePage(_model: unknown, frame: Frame): PageContent {
  return formPage(frame, {
    title: 'New status page',
    crumbs: [crumb],
    why: 'Visible to members only until you publish it. You add components in the next step.',
    act: '/status-pages',
    fields: rows(newStatusPageForm),
    verb: 'Create status page',
  });
}

export function deleteStatusPagePage({ slug, name }: StatusPageNameModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Delete status page',
    crumbs: [crumb, { name: nameOf(name), path: pathOf(slug) }],
    heading: ['Delete ', told(name)],
    why: 'Its URL and custom hostnames stop working. Monitors and incidents stay.',
    act: `${pathOf(slug)}/delete`,
    verb: 'Delete status page',
  });
}

export function newComponentPage(model: ComponentFormModel, frame: Frame): PageContent {
  const path = pathOf(model.slug);
  return formPage(frame, {
    title: 'Add component',
    crumbs: [crumb, { name: nameOf(model.page), path }],
    why: publicName,
    act: `${path}/components`,
    fields: fields(model),
    verb: 'Add component',
  });
}

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
    { id: 's-state', title: 'State' },
    fed.length > 0
      ? el('p', { class: 'ruled soft' }, `${componentWord(state)}, the worst state of its monitors.`)
      : actForm(
          frame,
          `${pathOf(slug)}/components/${id}/state`,
          { class: 'stack space' },
          ...select({ id: 'state', name: 'state', label: 'State' }, choices, state),
          el('p', { class: 'hint' }, 'Visible to everyone within 15 seconds.'),
          el('p', { class: 'acts' }, submit('Set state', { class: 'btn' })),
        ),
  );
}

function change(model: ComponentModel, frame: Frame): VNode {
  return section(
    { id: 's-change', title: 'Details' },
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
        submit('Remove component', { class: 'btn danger', name: 'do', value: 'remove' }),
      ),
    ),
  );
}

function fields(model: ComponentFormModel): Content[] {
  const { component, group, groups } = model;
  const there = `Existing groups: ${groups.map((each) => nameOf(each)).join(', ')}.`;
  const looks = groups.length === 0 ? {} : { group: { hint: there } };
  return [...rows(componentForm, { values: { name: component?.name, group }, looks }), feeding(model)];
}

function feeding({ monitors, component }: ComponentFormModel): Content {
  if (monitors.length === 0) {
    return el('p', { class: 'hint' }, 'There are no monitors: set the state manually.');
  }
  const fed = new Set(component?.monitor_ids);
  return el(
    'fieldset',
    { class: 'choose' },
    el('legend', null, 'Monitors'),
    ...monitors.map(({ monitor_id: id, name: called }) => {
      const input = { type: 'checkbox', name: 'monitors[]', value: String(id), checked: fed.has(id) };
      return option(input, told(called));
    }),
    el(
      'p',
      { class: 'hint' },
      'The component shows the worst state of these monitors. Without monitors, set the state manually.',
    ),
  );
}

function pathOf(slug: string): string {
  return `/status-pages/${encodeURIComponent(slug)}`;
}
