// The forms that plan work, change it and call it off.
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
    title: needed('What is done', 'Say what is done.', {
      hint: 'In a line, such as Image servers move to new disks.',
    }),
    message: text('What everybody may read of it'),
    covers: choice('What it is about', z.string('Choose what it is about.')),
    from: text('From, UTC', { hint: 'Such as 2026-12-01 02:00. Left empty, it begins now.', ...momentMax }),
    until: text('Until, UTC', { hint: 'For work that comes once.', ...momentMax }),
    weekdays: text('Or each week on', {
      hint: 'Such as sun, or mon, thu.',
      attributes: { maxlength: 60 },
    }),
    at: text('At', { hint: 'Such as 02:30.' }),
    minutes: text('For so many minutes', { hint: 'Left empty, 60.', attributes: { type: 'number' } }),
    timezone: text('By the clock of', { hint: 'Such as Europe/Berlin. Left empty, UTC.' }),
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

/** The form that plans work. */
export function planWorkPage({ choices }: NewWorkModel, frame: Frame): PageContent {
  return formPage(frame, {
    title: 'Plan work',
    crumbs: [{ name: 'Incidents', path: '/incidents' }],
    why: 'While it goes on nothing is asked, nobody is told, and the time does not count. It comes once, or again each week.',
    act: '/incidents/plan',
    fields: rows(planForm, { looks: { covers: { choices: named(choices) } } }),
    verb: 'Plan the work',
  });
}

/** The form that changes work, filled in with how it is. */
export function changeWorkPage(model: WorkModel, frame: Frame): PageContent {
  return formPage(frame, {
    title: 'Change planned work',
    crumbs: crumbsOf(model),
    heading: ['Change ', told(model.title)],
    why: 'What goes on goes on where its time still is. It comes once or again each week: empty what no longer holds.',
    act: `/incidents/${model.incident_id}/plan`,
    fields: rows(workForm, {
      values: model,
      looks: {
        covers: {
          choices: [{ value: 'same', name: `as it is: ${aboutText(model.about)}` }, ...named(model.choices)],
        },
        from: { hint: 'Such as 2026-12-01 02:00.' },
        minutes: { hint: 'For work that comes again each week.' },
        timezone: { hint: 'Such as Europe/Berlin.' },
      },
    }),
    verb: 'Change the work',
  });
}

function named(choices: NewWorkModel['choices']) {
  return choices.map(({ value, name }) => ({ value, name: nameOf(name) }));
}

const namedMax = 5;

function aboutText(about: readonly string[]): string {
  const first = about.slice(0, namedMax).map((each) => nameOf(each));
  const more = about.length - first.length;
  if (first.length === 0) return 'nothing that is there';
  return `${first.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

/** Asks before work is called off. */
export function callOffPage(model: IncidentModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Call work off',
    crumbs: crumbsOf(model),
    heading: ['Call off ', told(model.title)],
    why: 'Work that goes on ends now, and what it is about is watched again. What was to come, each week too, does not.',
    act: `/incidents/${model.incident_id}/call-off`,
    verb: 'Call it off',
  });
}
