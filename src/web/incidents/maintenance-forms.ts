import { z } from 'zod';
import { maintenanceWindowRequest } from '../../../schemas/maintenance-windows.ts';
import type { IncidentModel } from '../../core/page-models/monitoring/incident.ts';
import type {
  MaintenanceModel,
  NewMaintenanceModel,
} from '../../core/page-models/monitoring/incident-form-models.ts';
import { confirmPage, formPage } from '../components/dialog-forms.ts';
import {
  defineForm,
  formFields,
  requiredTextField,
  selectField,
  textareaField,
  textField,
} from '../components/form.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { shortUntrustedName, shortUntrustedText } from '../uptime/labels.ts';
import { incidentBreadcrumbs } from './forms.ts';

const momentMax = { attributes: { maxlength: 40 } };

export const newMaintenanceForm = defineForm(
  {
    title: requiredTextField('Title', 'Enter a title.', {
      hint: 'For example: Image servers move to new disks.',
    }),
    message: textField('Public description'),
    covers: selectField('Affected', z.string('Choose what is affected.')),
    from: textField('Start (UTC)', {
      hint: 'For example 2026-12-01 02:00. Starts now if empty.',
      ...momentMax,
    }),
    until: textField('End (UTC)', { hint: 'For one-time maintenance.', ...momentMax }),
    weekdays: textField('Or every week on', {
      hint: 'For example sun, or mon, thu.',
      attributes: { maxlength: 60 },
    }),
    at: textField('Start time', { hint: 'For example 02:30.' }),
    minutes: textField('Duration (minutes)', { hint: '60 if empty.', attributes: { type: 'number' } }),
    timezone: textField('Time zone', { hint: 'For example Europe/Berlin. UTC if empty.' }),
  },
  maintenanceWindowRequest.shape,
);

const workForm = defineForm(
  {
    ...newMaintenanceForm.fields,
    message: textareaField(newMaintenanceForm.fields.message.look.label, { attributes: { rows: 4 } }),
  },
  maintenanceWindowRequest.shape,
);

export function newMaintenancePage({ choices }: NewMaintenanceModel, context: PageContext): PageContent {
  return formPage(context, {
    title: 'Schedule maintenance',
    crumbs: [{ name: 'Incidents', path: '/incidents' }],
    why: 'During maintenance, monitors are not checked, no notifications are sent, and the time does not count against uptime. It takes place once or every week.',
    act: '/incidents/plan',
    fields: formFields(newMaintenanceForm, { looks: { covers: { choices: named(choices) } } }),
    verb: 'Schedule maintenance',
  });
}

export function editMaintenancePage(model: MaintenanceModel, frame: PageContext): PageContent {
  return formPage(frame, {
    title: 'Edit maintenance',
    crumbs: incidentBreadcrumbs(model),
    heading: ['Edit ', shortUntrustedText(model.title)],
    why: 'Maintenance that is in progress continues if its new time includes now. Clear the fields that no longer apply: it takes place either once or every week.',
    act: `/incidents/${model.incident_id}/plan`,
    fields: formFields(workForm, {
      values: model,
      looks: {
        covers: {
          choices: [{ value: 'same', name: `Unchanged: ${aboutText(model.about)}` }, ...named(model.choices)],
        },
        from: { hint: 'For example 2026-12-01 02:00.' },
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

export function cancelMaintenancePage(model: IncidentModel, frame: PageContext): PageContent {
  return confirmPage(frame, {
    title: 'Cancel maintenance',
    crumbs: incidentBreadcrumbs(model),
    heading: ['Cancel ', shortUntrustedText(model.title)],
    why: 'Maintenance in progress ends now and its monitors are checked again. Future occurrences, weekly ones too, are cancelled.',
    act: `/incidents/${model.incident_id}/call-off`,
    verb: 'Cancel maintenance',
  });
}
