import { z } from 'zod';
import {
  type StatusPageLanguage,
  statusPageChangeRequest,
  statusPageLanguages,
  statusPageRequest,
} from '../../../schemas/status-pages.ts';
import type {
  ComponentFormModel,
  ComponentModel,
  StatusPageNameModel,
} from '../../core/page-models/monitoring/status-page-forms.ts';
import { actionForm, select, submitButton } from '../components/controls.ts';
import { confirmPage, formPage } from '../components/dialog-forms.ts';
import { pageHead, section } from '../components/elements.ts';
import {
  checkboxField,
  choicesFromLabels,
  defineForm,
  enteredFields,
  type FormEntry,
  fileField,
  optionLabel,
  parseOnlyField,
  radioField,
  requiredTextField,
  selectField,
  textField,
} from '../components/form.ts';
import { type Content, el, html, type VNode } from '../el.ts';
import { componentStateName, shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const statusPagesBreadcrumb = { name: 'Status pages', path: '/status-pages' };
const noteHint = 'For example opening hours, or a link to another page.';
const publicName = 'Its name is public; names of monitors are not shown.';

export const newStatusPageForm = defineForm(
  {
    name: requiredTextField('Name', 'Enter a name.', {
      hint: 'For example Harbour & Pine. Its URL is made from it.',
    }),
    description: textField('Note below the title', { isOptional: true, hint: noteHint }),
  },
  statusPageRequest.shape,
);

const languageChoices = choicesFromLabels({
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
} satisfies Record<StatusPageLanguage, string>);

const imageTypes = 'image/png,image/webp';

/** By the names of the API; `remove_logo` and `remove_favicon` send an empty one. */
export const statusPageForm = defineForm(
  {
    name: requiredTextField('Name', 'Enter a name.', {
      missing: 'Enter a name.',
      hint: 'For example Harbour & Pine.',
    }),
    description: textField('Note below the title', { isOptional: true, hint: noteHint }),
    language: selectField('Language', z.enum(statusPageLanguages, 'Choose a language.').optional(), {
      choices: languageChoices,
      hint: 'Of the public page, its feed and mails to subscribers. Your own texts are shown as you write them.',
    }),
    published: radioField('Visible to', z.stringbool('Choose who can see it.').optional(), [
      ['true', 'Everyone', ''],
      ['false', 'Members only', ''],
    ]),
    hosts: textField('Custom hostnames', {
      isOptional: true,
      hint: 'Separated by commas, for example status.shop.example.',
      attributes: { maxlength: 2_600, spellcheck: 'false' },
    }),
    logo: fileField('Logo', imageTypes, {
      isOptional: true,
      hint: 'PNG or WebP of at most 100 KiB, for example 480 by 64 pixels. Shown 32 pixels high beside the name.',
    }),
    remove_logo: checkboxField('Remove the logo'),
    accent: textField('Accent colour', {
      isOptional: true,
      hint: 'For example #0a7f5c. It colours lines, underlines of links and the button to subscribe, and must be visible on light and dark.',
      attributes: { class: 'mono', spellcheck: 'false' },
    }),
    favicon: fileField('Favicon', imageTypes, {
      isOptional: true,
      hint: 'A square PNG or WebP, for example 64 by 64 pixels. Made from the logo if there is none.',
    }),
    remove_favicon: checkboxField('Remove the favicon'),
    shows: parseOnlyField(z.array(z.string()).optional()),
    /** For each group its old name; `group` has the new ones in the same order. */
    was: parseOnlyField(z.array(z.string()).optional()),
    group: parseOnlyField(z.array(z.string()).optional()),
    do: parseOnlyField(z.string().optional()),
  },
  statusPageChangeRequest.shape,
);

const nameMax = { attributes: { maxlength: 100 } };

const nameText = z.string('Enter a name.').max(100, 'Use at most 100 characters.');

export const componentForm = defineForm({
  name: {
    ...requiredTextField('Name', '', {
      hint: 'For example Basket and checkout.',
      missing: 'Enter a name.',
      ...nameMax,
    }),
    // Optional, because the delete button does not need it.
    schema: nameText.optional(),
  },
  group: { ...textField('Group', { isOptional: true, ...nameMax }), schema: nameText.optional() },
  monitors: parseOnlyField(z.array(z.coerce.number('Choose a monitor.')).optional()),
  do: parseOnlyField(z.literal('remove').optional().catch(undefined)),
});

export function newStatusPagePage(_model: unknown, context: PageContext, entry?: FormEntry): PageContent {
  return formPage(context, {
    title: 'New status page',
    breadcrumbs: [statusPagesBreadcrumb],
    description: 'Visible to members only until you publish it. You add components in the next step.',
    action: '/status-pages',
    fields: enteredFields(newStatusPageForm, entry),
    verb: 'Create status page',
  });
}

export function deleteStatusPagePage({ slug, name }: StatusPageNameModel, context: PageContext): PageContent {
  return confirmPage(context, {
    title: 'Delete status page',
    breadcrumbs: [statusPagesBreadcrumb, { name: shortUntrustedName(name), path: pathOf(slug) }],
    heading: ['Delete ', shortUntrustedText(name)],
    description: 'Its URL and custom hostnames stop working. Monitors and incidents stay.',
    action: `${pathOf(slug)}/delete`,
    verb: 'Delete status page',
  });
}

export function newComponentPage(
  model: ComponentFormModel,
  context: PageContext,
  entry?: FormEntry,
): PageContent {
  const path = pathOf(model.slug);
  return formPage(context, {
    title: 'Add component',
    breadcrumbs: [statusPagesBreadcrumb, { name: shortUntrustedName(model.page), path }],
    description: publicName,
    action: `${path}/components`,
    fields: fields(model, entry),
    verb: 'Add component',
  });
}

export function componentPage(model: ComponentModel, context: PageContext, entry?: FormEntry): PageContent {
  const { slug, page, component } = model;
  return {
    title: shortUntrustedName(component.name),
    breadcrumbs: [statusPagesBreadcrumb, { name: shortUntrustedName(page), path: pathOf(slug) }],
    main: html`<div class="narrow">
      ${pageHead({ above: 'Component', title: shortUntrustedText(component.name) })}${states(model, context)}
      ${context.currentUser?.canManage === true ? change(model, context, entry) : null}
    </div>`,
  };
}

function states({ slug, states: all, component }: ComponentModel, context: PageContext): VNode {
  const { component_id: id, state, monitor_ids: monitorIds } = component;
  const choices = all.map((value) => ({ value, name: componentStateName(value) }));
  return section(
    { id: 's-state', title: 'State' },
    monitorIds.length > 0
      ? el('p', { class: 'ruled soft' }, `${componentStateName(state)}, the worst state of its monitors.`)
      : actionForm(
          context,
          `${pathOf(slug)}/components/${id}/state`,
          { class: 'stack space' },
          ...select({ id: 'state', name: 'state', label: 'State' }, choices, state),
          el('p', { class: 'hint' }, 'Visible to everyone within 15 seconds.'),
          el('p', { class: 'acts' }, submitButton('Set state', { class: 'btn' })),
        ),
  );
}

function change(model: ComponentModel, context: PageContext, entry: FormEntry | undefined): VNode {
  return section(
    { id: 's-change', title: 'Details' },
    actionForm(
      context,
      `${pathOf(model.slug)}/components/${model.component.component_id}`,
      { class: 'stack space', novalidate: true },
      el('p', { class: 'soft' }, publicName),
      ...fields(model, entry),
      html`<p class="acts saveline sec">
        ${submitButton('Save', { class: 'btn primary', name: 'do', value: 'save' })}
        ${submitButton('Remove component', { class: 'btn danger', name: 'do', value: 'remove' })}
      </p>`,
    ),
  );
}

function fields(model: ComponentFormModel, entry: FormEntry | undefined): Content[] {
  const { component, group, groups } = model;
  const groupsHint = `Existing groups: ${groups.map((each) => shortUntrustedName(each)).join(', ')}.`;
  const fieldOptions = groups.length === 0 ? {} : { group: { hint: groupsHint } };
  const values = { name: component?.name, group };
  return [...enteredFields(componentForm, entry, { values, fieldOptions }), monitorChoices(model, entry)];
}

function monitorChoices({ monitors, component }: ComponentFormModel, entry: FormEntry | undefined): Content {
  if (monitors.length === 0) {
    return el('p', { class: 'hint' }, 'There are no monitors: set the state manually.');
  }
  const entered = entry?.values['monitors'];
  const selected = new Set(entry === undefined ? component?.monitor_ids : [entered ?? []].flat().map(Number));
  return html`<fieldset class="choose">
    <legend>Monitors</legend>
    ${monitors.map(({ monitor_id: id, name: called }) => {
      const input = { type: 'checkbox', name: 'monitors[]', value: String(id), checked: selected.has(id) };
      return optionLabel(input, shortUntrustedText(called));
    })}
    <p class="hint">
      The component shows the worst state of these monitors. Without monitors, set the state manually.
    </p>
  </fieldset>`;
}

function pathOf(slug: string): string {
  return `/status-pages/${encodeURIComponent(slug)}`;
}
