import { z } from 'zod';
import { windowRequest } from '../../../schemas/maintenance-windows.ts';
import type { IncidentModel } from '../../core/workspace/uptime/incident.ts';
import type { NewWorkModel, WorkModel } from '../../core/workspace/uptime/incident-forms.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dangerPage, formPage } from '../parts/asking.ts';
import { choice, form, lines, needed, rows, text } from '../parts/form.ts';
import { nameOf, told } from '../uptime/words.ts';
import { crumbsOf } from './forms.ts';

const momentMax = { attributes: { maxlength: 40 } };

export const planForm = form(
  {
    title: needed('Title', 'Enter a title.', {
      hint: 'For example: Image servers move to new disks.',
    }),
    message: text('Public description'),
    covers: choice('Affected', z.string('Choose what is affected.')),
    from: text('Start (UTC)', { hint: 'For example 2026-12-01 02:00. Starts now if empty.', ...momentMax }),
    until: text('End (UTC)', { hint: 'For one-time maintenance.', ...momentMax }),
    weekdays: text('Or every week on', {
      hint: 'For example sun, or mon, thu.',
      attributes: { maxlength: 60 },
    }),
    at: text('Start time', { hint: 'For example 02:30.' }),
    minutes: text('Duration (minutes)', { hint: '60 if empty.', attributes: { type: 'number' } }),
    timezone: text('Time zone', { hint: 'For example Europe/Berlin. UTC if empty.' }),
  },
  windowRequest.shape,
);

const workForm = form(
  {
    ...planForm.fields,
    message: lines(planForm.fields.message.look.label, { attributes: { rows: 4 } }),
  },
  windowRequest.shape,
);

export function planWorkPage({ choices }: NewWorkModel, frame: Frame): PageContent {
  return formPage(frame, {
    title: 'Schedule maintenance',
    crumbs: [{ name: 'Incidents', path: '/incidents' }],
    why: 'During maintenance, monitors are not checked, no notifications are sent, and the time does not count against uptime. It takes place once or every week.',
    act: '/incidents/plan',
    fields: rows(planForm, { looks: { covers: { choices: named(choices) } } }),
    verb: 'Schedule maintenance',
  });
}

export function changeWorkPage(model: WorkModel, frame: Frame): PageContent {
  return formPage(frame, {
    title: 'Edit maintenance',
    crumbs: crumbsOf(model),
    heading: ['Edit ', told(model.title)],
    why: 'Maintenance that is in progress continues if its new time includes now. Clear the fields that no longer apply: it takes place either once or every week.',
    act: `/incidents/${model.incident_id}/plan`,
    fields: rows(workForm, {
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

function named(choices: NewWorkModel['choices']) {
  return choices.map(({ value, name }) => ({ value, name: nameOf(name) }));
}

const namedMax = 5;

function aboutText(about: readonly string[]): string {
  const first = about.slice(0, namedMax).map((each) => nameOf(each));
  const more = about.length - first.length;
  if (first.length === 0) return 'nothing that still exists';
  return `${first.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

export function callOffPage(model: IncidentModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Cancel maintenance',
    crumbs: crumbsOf(model),
    heading: ['Cancel ', told(model.title)],
    why: 'Maintenance in progress ends now and its monitors are checked again. Future occurrences, weekly ones too, are cancelled.',
    act: `/incidents/${model.incident_id}/call-off`,
    verb: 'Cancel maintenance',
  });
}
