import { z } from 'zod';
import { incidentRequest, incidentSeverities } from '../../../schemas/incidents.ts';
import { maintenanceWindowRequest } from '../../../schemas/maintenance-windows.ts';
import type { IncidentModel } from '../../core/page-models/monitoring/incident.ts';
import type {
  MaintenanceModel,
  NewIncidentModel,
  NewMaintenanceModel,
} from '../../core/page-models/monitoring/incident-form-models.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { confirmPage, formPage } from '../components/dialog-forms.ts';
import {
  choicesFromLabels,
  defineForm,
  enteredFields,
  type FormEntry,
  formFields,
  formSummary,
  requiredTextField,
  selectField,
  textareaField,
  textField,
} from '../components/form.ts';
import { el, html, pageLink } from '../el.ts';
import { shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const incidentsBreadcrumb = { name: 'Incidents', path: '/incidents' };
const severityTexts = {
  critical: 'Critical: users cannot continue',
  minor: 'Minor: degraded, but usable',
} as const;
const noChoice = { value: '', name: 'none' };

export const newIncidentForm = defineForm(
  {
    title: requiredTextField('Title', 'Enter a title.', {
      missing: 'Enter a title.',
      hint: 'For example: Checkout fails.',
    }),
    severity: selectField('Severity', z.enum(incidentSeverities, 'Choose a severity.'), {
      choices: choicesFromLabels(severityTexts),
    }),
    monitor: selectField('Affected monitor', z.coerce.number('Choose a monitor.').optional()),
    component: selectField('Affected component', z.coerce.number('Choose a component.').optional()),
    message: textField('First update', { hint: 'Visible to the team only.' }),
  },
  incidentRequest.shape,
);

export const postMortemForm = defineForm({
  text: textareaField('Post-mortem', {
    hint: 'Markdown. Leave empty for no post-mortem.',
    attributes: { rows: 20, maxlength: 20_000 },
  }),
  to: selectField('Visible to', z.enum(['team', 'public'], 'Choose who can see it.'), {
    choices: choicesFromLabels({
      team: 'Team only',
      public: 'Everyone, on status pages that show this incident',
    }),
  }),
});

export function newIncidentPage(
  { monitors, components }: NewIncidentModel,
  context: PageContext,
  entry?: FormEntry,
): PageContent {
  const ofMonitors = monitors.map(({ monitor_id: id, name }) => ({
    value: String(id),
    name: shortUntrustedName(name),
  }));
  const ofComponents = components.map(({ component_id: id, name, page }) => ({
    value: String(id),
    name: `${shortUntrustedName(name)}, ${shortUntrustedName(page)}`,
  }));
  return formPage(context, {
    title: 'New incident',
    breadcrumbs: [incidentsBreadcrumb],
    description:
      'A monitor that goes down opens an incident by itself. Use this for problems that people notice first.',
    action: '/incidents',
    fields: enteredFields(newIncidentForm, entry, {
      only: [
        'title',
        'severity',
        ...(monitors.length === 0 ? [] : (['monitor'] as const)),
        ...(components.length === 0 ? [] : (['component'] as const)),
        'message',
      ],
      fieldOptions: {
        monitor: { choices: [noChoice, ...ofMonitors] },
        component: { choices: [noChoice, ...ofComponents] },
      },
    }),
    verb: 'Create incident',
  });
}

export function postMortemPage(model: IncidentModel, context: PageContext, entry?: FormEntry): PageContent {
  const to = model.post_mortem?.is_public === true ? 'public' : 'team';
  return formPage(context, {
    title: 'Post-mortem',
    breadcrumbs: incidentBreadcrumbs(model),
    heading: ['Post-mortem of ', shortUntrustedText(model.title)],
    description: 'What happened, what went well, what will change.',
    action: `/incidents/${model.incident_id}/post-mortem`,
    fields: enteredFields(postMortemForm, entry, {
      values: { text: model.post_mortem?.markdown ?? '', to },
    }),
    verb: 'Save',
  });
}

export function deleteIncidentPage(model: IncidentModel, context: PageContext): PageContent {
  return confirmPage(context, {
    title: 'Delete incident',
    breadcrumbs: incidentBreadcrumbs(model),
    heading: ['Delete ', shortUntrustedText(model.title)],
    description:
      'Its updates are deleted with it, and it no longer counts in any statistics. This cannot be undone.',
    action: `/incidents/${model.incident_id}/delete`,
    verb: 'Delete incident',
  });
}

function incidentBreadcrumbs({ incident_id: id, title }: Pick<IncidentModel, 'incident_id' | 'title'>) {
  return [incidentsBreadcrumb, { name: shortUntrustedName(title), path: `/incidents/${id}` }];
}

const momentMax = { attributes: { maxlength: 40 } };

export const newMaintenanceForm = defineForm(
  {
    title: requiredTextField('Title', 'Enter a title.', {
      missing: 'Enter a title.',
      hint: 'For example: Image servers move to new disks.',
    }),
    message: textField('Public description', {
      isOptional: true,
      hint: 'For example: Pictures load slowly.',
    }),
    covers: selectField('Affected', z.string('Choose what is affected.')),
    from: textField('Start (UTC)', {
      hint: 'For example 2026-12-01 02:00. Starts now if empty.',
      ...momentMax,
    }),
    until: textField('End (UTC)', {
      hint: 'For example 2026-12-01 04:00.',
      missing: 'Enter when it ends, such as 2026-12-01 04:00.',
      ...momentMax,
    }),
    weekdays: textField('Or every week on', {
      hint: 'For example sun, or mon, thu.',
      missing: 'Enter weekdays such as sun, or mon, thu.',
      attributes: { maxlength: 60 },
    }),
    at: textField('Start time', { hint: 'For example 02:30.', missing: 'Enter a time such as 02:30.' }),
    minutes: textField('Duration (minutes)', {
      hint: 'For example 90. 60 if empty.',
      attributes: { type: 'number' },
    }),
    timezone: textField('Time zone', { hint: 'For example Europe/Berlin. UTC if empty.' }),
  },
  maintenanceWindowRequest.shape,
);

const workForm = defineForm(
  {
    ...newMaintenanceForm.fields,
    message: textareaField(newMaintenanceForm.fields.message.options.label, { attributes: { rows: 4 } }),
  },
  maintenanceWindowRequest.shape,
);

const path = '/incidents/plan';
const repeats = {
  once: { act: 'Every week instead', to: `${path}/weekly`, fields: [['from', 'until']] },
  weekly: {
    act: 'Once instead',
    to: path,
    fields: [
      ['weekdays', 'at'],
      ['minutes', 'timezone'],
    ],
  },
} as const;

/** How often first, then only its fields. */
export function newMaintenancePage(
  { choices }: NewMaintenanceModel,
  context: PageContext,
  { entry = null, repeat = 'once' }: MaintenanceEntry = {},
): PageContent {
  const { act: switchText, to, fields } = repeats[repeat];
  const title = repeat === 'once' ? 'Schedule maintenance' : 'Schedule weekly maintenance';
  const shown = {
    values: entry?.values ?? {},
    errors: entry?.errors ?? {},
    fieldOptions: { covers: { choices: named(choices) }, weekdays: { label: 'Weekdays' } },
  };
  const lines = fields.map((only) =>
    el('div', { class: 'fields' }, ...formFields(newMaintenanceForm, { ...shown, only })),
  );
  return {
    title,
    breadcrumbs: [incidentsBreadcrumb],
    main: [
      html`<div class="top">
        <div class="h1line">
          <h1>${title}</h1>${pageLink(context, to, { class: 'small' }, switchText)}
        </div>
      </div>`,
      el(
        'p',
        { class: 'soft' },
        'During maintenance, monitors are not checked, no notifications about them are sent, and the time does not count against uptime.',
      ),
      actionForm(
        context,
        path,
        { class: 'form space', novalidate: true },
        entry === null ? null : formSummary(newMaintenanceForm, entry),
        html`<fieldset>
          <legend class="vh">Maintenance</legend>
          ${formFields(newMaintenanceForm, { ...shown, only: ['title', 'message', 'covers'] })}
        </fieldset>`,
        el('fieldset', null, el('legend', null, 'Time'), ...lines),
        html`<p class="acts saveline">
          ${submitButton('Schedule maintenance', { class: 'btn primary' })}
          ${pageLink(context, '/incidents', { class: 'btn' }, 'Cancel')}
        </p>`,
      ),
    ],
  };
}

interface MaintenanceEntry {
  readonly entry?: FormEntry | null;
  readonly repeat?: 'once' | 'weekly';
}

export function editMaintenancePage(
  model: MaintenanceModel,
  context: PageContext,
  entry: FormEntry | null = null,
): PageContent {
  return formPage(context, {
    title: 'Edit maintenance',
    breadcrumbs: incidentBreadcrumbs(model),
    heading: ['Edit ', shortUntrustedText(model.title)],
    description:
      'Maintenance that is in progress continues if its new time includes now. Clear the fields that no longer apply: it takes place either once or every week.',
    action: `/incidents/${model.incident_id}/plan`,
    fields: formFields(workForm, {
      values: entry?.values ?? model,
      errors: entry?.errors ?? {},
      fieldOptions: {
        covers: {
          choices: [{ value: 'same', name: `Unchanged: ${aboutText(model.about)}` }, ...named(model.choices)],
        },
        from: { hint: 'For example 2026-12-01 02:00.' },
        until: { hint: 'For one-time maintenance.' },
        minutes: { hint: 'For weekly maintenance.' },
        timezone: { hint: 'For example Europe/Berlin.' },
      },
    }),
    verb: 'Save',
  });
}

function named(choices: NewMaintenanceModel['choices']) {
  return choices.map(({ value, name }) => ({ value, name: shortUntrustedName(name) }));
}

const namedMax = 5;

function aboutText(about: readonly string[]): string {
  const first = about.slice(0, namedMax).map((each) => shortUntrustedName(each));
  const more = about.length - first.length;
  if (first.length === 0) return 'nothing that still exists';
  return `${first.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

export function cancelMaintenancePage(model: IncidentModel, context: PageContext): PageContent {
  return confirmPage(context, {
    title: 'Cancel maintenance',
    breadcrumbs: incidentBreadcrumbs(model),
    heading: ['Cancel ', shortUntrustedText(model.title)],
    description:
      'Maintenance in progress ends now and its monitors are checked again. Future occurrences, weekly ones too, are canceled. Subscribers of its status pages are notified.',
    action: `/incidents/${model.incident_id}/call-off`,
    verb: 'Cancel maintenance',
  });
}
