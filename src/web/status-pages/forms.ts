import type { VNode } from 'preact';
import { z } from 'zod';
import { statusPageRequest } from '../../../schemas/status-pages.ts';
import type {
  ComponentFormModel,
  ComponentModel,
  StatusPageNameModel,
} from '../../core/page-models/monitoring/status-page-forms.ts';
import { actionForm, select, submitButton } from '../components/controls.ts';
import { confirmPage, formPage } from '../components/dialog-forms.ts';
import { pageHead, section } from '../components/elements.ts';
import {
  defineForm,
  formFields,
  optionLabel,
  parseOnlyField,
  requiredTextField,
  textField,
} from '../components/form.ts';
import { type Content, el } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { componentStateName, shortUntrustedName, shortUntrustedText } from '../uptime/labels.ts';

const crumb = { name: 'Status pages', path: '/status-pages' };
const publicName = 'Its name is public; names of monitors are not shown.';

export const newStatusPageForm = defineForm(
  {
    name: requiredTextField('Name', 'Enter a name.', {
      hint: 'For example Harbour & Pine. Its URL is made from it.',
    }),
    line: textField('Note below the title', {
      hint: 'For example opening hours, or a link to another page.',
      attributes: { maxlength: 500 },
    }),
  },
  statusPageRequest.shape,
);

const nameMax = { attributes: { maxlength: 100 } };

export const componentForm = defineForm({
  name: {
    ...requiredTextField('Name', '', { hint: 'For example Basket and checkout.', ...nameMax }),
    // Optional, because the delete button does not need it.
    schema: z.string('Enter a name.').optional(),
  },
  group: textField('Group', nameMax),
  monitors: parseOnlyField(z.array(z.coerce.number('Choose a monitor.')).optional()),
  do: parseOnlyField(z.literal('remove').optional().catch(undefined)),
});

export function newStatusPagePage(_model: unknown, context: PageContext): PageContent {
  return formPage(context, {
    title: 'New status page',
    crumbs: [crumb],
    why: 'Visible to members only until you publish it. You add components in the next step.',
    act: '/status-pages',
    fields: formFields(newStatusPageForm),
    verb: 'Create status page',
  });
}

export function deleteStatusPagePage({ slug, name }: StatusPageNameModel, frame: PageContext): PageContent {
  return confirmPage(frame, {
    title: 'Delete status page',
    crumbs: [crumb, { name: shortUntrustedName(name), path: pathOf(slug) }],
    heading: ['Delete ', shortUntrustedText(name)],
    why: 'Its URL and custom hostnames stop working. Monitors and incidents stay.',
    act: `${pathOf(slug)}/delete`,
    verb: 'Delete status page',
  });
}

export function newComponentPage(model: ComponentFormModel, frame: PageContext): PageContent {
  const path = pathOf(model.slug);
  return formPage(frame, {
    title: 'Add component',
    crumbs: [crumb, { name: shortUntrustedName(model.page), path }],
    why: publicName,
    act: `${path}/components`,
    fields: fields(model),
    verb: 'Add component',
  });
}

export function componentPage(model: ComponentModel, frame: PageContext): PageContent {
  const { slug, page, component } = model;
  return {
    title: shortUntrustedName(component.name),
    crumbs: [crumb, { name: shortUntrustedName(page), path: pathOf(slug) }],
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ above: 'Component', title: shortUntrustedText(component.name) }),
      states(model, frame),
      frame.visitor?.canManage === true ? change(model, frame) : null,
    ),
  };
}

function states({ slug, states: all, component }: ComponentModel, frame: PageContext): VNode {
  const { component_id: id, state, monitor_ids: fed } = component;
  const choices = all.map((value) => ({ value, name: componentStateName(value) }));
  return section(
    { id: 's-state', title: 'State' },
    fed.length > 0
      ? el('p', { class: 'ruled soft' }, `${componentStateName(state)}, the worst state of its monitors.`)
      : actionForm(
          frame,
          `${pathOf(slug)}/components/${id}/state`,
          { class: 'stack space' },
          ...select({ id: 'state', name: 'state', label: 'State' }, choices, state),
          el('p', { class: 'hint' }, 'Visible to everyone within 15 seconds.'),
          el('p', { class: 'acts' }, submitButton('Set state', { class: 'btn' })),
        ),
  );
}

function change(model: ComponentModel, frame: PageContext): VNode {
  return section(
    { id: 's-change', title: 'Details' },
    actionForm(
      frame,
      `${pathOf(model.slug)}/components/${model.component.component_id}`,
      { class: 'stack space' },
      el('p', { class: 'soft' }, publicName),
      ...fields(model),
      el(
        'p',
        { class: 'acts saveline sec' },
        submitButton('Save', { class: 'btn primary', name: 'do', value: 'save' }),
        submitButton('Remove component', { class: 'btn danger', name: 'do', value: 'remove' }),
      ),
    ),
  );
}

function fields(model: ComponentFormModel): Content[] {
  const { component, group, groups } = model;
  const there = `Existing groups: ${groups.map((each) => shortUntrustedName(each)).join(', ')}.`;
  const looks = groups.length === 0 ? {} : { group: { hint: there } };
  return [...formFields(componentForm, { values: { name: component?.name, group }, looks }), feeding(model)];
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
      return optionLabel(input, shortUntrustedText(called));
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
