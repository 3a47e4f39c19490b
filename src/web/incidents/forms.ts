import { z } from 'zod';
import { incidentRequest, incidentSeverities } from '../../../schemas/incidents.ts';
import type { IncidentModel } from '../../core/page-models/monitoring/incident.ts';
import type { NewIncidentModel } from '../../core/page-models/monitoring/incident-form-models.ts';
import { confirmPage, formPage } from '../components/dialog-forms.ts';
import {
  choicesFromLabels,
  defineForm,
  enteredFields,
  type FormEntry,
  requiredTextField,
  selectField,
  textareaField,
  textField,
} from '../components/form.ts';
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

export function incidentBreadcrumbs({
  incident_id: id,
  title,
}: Pick<IncidentModel, 'incident_id' | 'title'>) {
  return [incidentsBreadcrumb, { name: shortUntrustedName(title), path: `/incidents/${id}` }];
}
