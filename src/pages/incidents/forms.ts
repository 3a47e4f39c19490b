import { z } from 'zod';
import { incidentRequest, incidentSeverities } from '../../../schemas/incidents.ts';
import type { IncidentModel } from '../../core/workspace/uptime/incident.ts';
import type { NewIncidentModel } from '../../core/workspace/uptime/incident-forms.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dangerPage, formPage } from '../parts/asking.ts';
import { choice, choicesOf, form, needed, read, rows, text } from '../parts/form.ts';
import { nameOf, told } from '../uptime/words.ts';

const crumb = { name: 'Incidents', path: '/incidents' };
const severityWords = {
  critical: 'Critical: users cannot continue',
  minor: 'Minor: degraded, but usable',
} as const;
const none = { value: '', name: 'none' };

export const newIncidentForm = form(
  {
    title: needed('Title', 'Enter a title.', {
      hint: 'For example: Checkout fails.',
    }),
    severity: choice('Severity', z.enum(incidentSeverities, 'Choose a severity.'), {
      choices: choicesOf(severityWords),
    }),
    monitor: choice('Affected monitor', z.coerce.number('Choose a monitor.').optional()),
    component: choice('Affected component', z.coerce.number('Choose a component.').optional()),
    message: text('First update', { hint: 'Visible to the team only.' }),
  },
  incidentRequest.shape,
);

export const postMortemForm = form({
  text: read(z.string().optional()),
  to: choice('Visible to', z.enum(['team', 'public'], 'Choose who can see it.'), {
    choices: choicesOf({
      team: 'Team only',
      public: 'Everyone, on status pages that show this incident',
    }),
  }),
});

export function newIncidentPage({ monitors, components }: NewIncidentModel, frame: Frame): PageContent {
  const ofMonitors = monitors.map(({ monitor_id: id, name }) => ({ value: String(id), name: nameOf(name) }));
  const ofComponents = components.map(({ component_id: id, name, page }) => ({
    value: String(id),
    name: `${nameOf(name)}, ${nameOf(page)}`,
  }));
  return formPage(frame, {
    title: 'New incident',
    crumbs: [crumb],
    why: 'A monitor that goes down opens an incident by itself. Use this for problems that people notice first.',
    act: '/incidents',
    fields: rows(newIncidentForm, {
      only: [
        'title',
        'severity',
        ...(monitors.length === 0 ? [] : (['monitor'] as const)),
        ...(components.length === 0 ? [] : (['component'] as const)),
        'message',
      ],
      looks: {
        monitor: { choices: [none, ...ofMonitors] },
        component: { choices: [none, ...ofComponents] },
      },
    }),
    verb: 'Create incident',
  });
}

export function postMortemPage(model: IncidentModel, frame: Frame): PageContent {
  const to = model.post_mortem?.is_public === true ? 'public' : 'team';
  return formPage(frame, {
    title: 'Post-mortem',
    crumbs: crumbsOf(model),
    heading: ['Post-mortem of ', told(model.title)],
    why: 'What happened, what went well, what will change. Markdown. Leave empty for no post-mortem.',
    act: `/incidents/${model.incident_id}/post-mortem`,
    fields: [
      el('label', { class: 'vh', for: 'text' }, 'Post-mortem'),
      el(
        'textarea',
        { id: 'text', name: 'text', rows: 20, maxlength: 20_000 },
        model.post_mortem?.markdown ?? '',
      ),
      ...rows(postMortemForm, { values: { to } }),
    ],
    verb: 'Save',
  });
}

export function deleteIncidentPage(model: IncidentModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Delete incident',
    crumbs: crumbsOf(model),
    heading: ['Delete ', told(model.title)],
    why: 'Its updates are deleted with it, and it no longer counts in any statistics. This cannot be undone.',
    act: `/incidents/${model.incident_id}/delete`,
    verb: 'Delete incident',
  });
}

export function crumbsOf({ incident_id: id, title }: Pick<IncidentModel, 'incident_id' | 'title'>) {
  return [crumb, { name: nameOf(title), path: `/incidents/${id}` }];
}
