// The forms that open and delete incidents; what is done with one stands on its own page.
import type { IncidentModel } from '../../core/workspace/uptime/incident.ts';
import type { NewIncidentModel } from '../../core/workspace/uptime/incident-forms.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingPart, dangerPart } from '../parts/asking.ts';
import { choiceField, field } from '../parts/controls.ts';
import { nameOf, told } from '../uptime/words.ts';

const crumb = { name: 'Incidents', path: '/incidents' };
const severityWords = {
  critical: 'critical: people cannot go on',
  minor: 'minor: something is worse than it should be',
} as const;

/** The form that opens an incident. */
export function newIncidentPage(
  { severities, monitors, components }: NewIncidentModel,
  frame: Frame,
): PageContent {
  return {
    title: 'Open an incident',
    crumbs: [crumb],
    main: askingPart(
      frame,
      {
        id: 'd-incident',
        path: '/incidents/new',
        title: 'Open an incident',
        why: 'A monitor that goes down opens one by itself. This is for what people see first.',
        act: '/incidents',
        fields: [
          field(
            { id: 'title', label: 'What is wrong', hint: 'In a line, such as Checkout fails.' },
            { name: 'title', required: true, maxlength: 200, autocomplete: 'off' },
          ),
          choiceField(
            { id: 'severity', label: 'How bad it is' },
            severities.map((each) => ({ value: each, name: severityWords[each] })),
          ),
          monitors.length === 0
            ? null
            : choiceField({ id: 'monitor', label: 'The monitor that it hits' }, [
                { value: '', name: 'none' },
                ...monitors.map(({ monitor_id: id, name }) => ({ value: String(id), name: nameOf(name) })),
              ]),
          components.length === 0
            ? null
            : choiceField({ id: 'component', label: 'The part of a status page that it hits' }, [
                { value: '', name: 'none' },
                ...components.map(({ component_id: id, name, page }) => ({
                  value: String(id),
                  name: `${nameOf(name)}, ${nameOf(page)}`,
                })),
              ]),
          field(
            {
              id: 'message',
              label: 'What is known',
              hint: 'For the team. It stands first among the updates.',
            },
            { name: 'message', maxlength: 10_000, autocomplete: 'off' },
          ),
        ],
        verb: 'Open the incident',
      },
      { from: '/incidents' },
    ),
  };
}

/** The form that writes what was learnt. */
export function postMortemPage(model: IncidentModel, frame: Frame): PageContent {
  const path = `/incidents/${model.incident_id}`;
  const isPublic = model.post_mortem?.is_public === true;
  return {
    title: 'Post-mortem',
    crumbs: [crumb, { name: nameOf(model.title), path }],
    main: askingPart(
      frame,
      {
        id: 'd-post',
        path: `${path}/post-mortem`,
        title: ['Post-mortem of ', told(model.title)],
        why: 'What happened, what went well, what changes. Markdown; left empty, there is none.',
        act: `${path}/post-mortem`,
        fields: [
          el('label', { class: 'vh', for: 'text' }, 'Post-mortem'),
          el(
            'textarea',
            { id: 'text', name: 'text', rows: 20, maxlength: 20_000 },
            model.post_mortem?.markdown ?? '',
          ),
          choiceField(
            { id: 'to', label: 'Who may read it' },
            [
              { value: 'team', name: 'the team' },
              { value: 'public', name: 'everybody, where a status page shows the incident' },
            ],
            isPublic ? 'public' : 'team',
          ),
        ],
        verb: 'Save',
      },
      { from: path },
    ),
  };
}

/** Asks before an incident goes. */
export function deleteIncidentPage(model: IncidentModel, frame: Frame): PageContent {
  const path = `/incidents/${model.incident_id}`;
  return {
    title: 'Delete an incident',
    crumbs: [crumb, { name: nameOf(model.title), path }],
    main: dangerPart(
      frame,
      {
        id: 'd-delete',
        path: `${path}/delete`,
        title: ['Delete ', told(model.title)],
        why: 'All that was said of it goes with it, and it counts nowhere any more.',
        verb: 'Delete the incident',
      },
      path,
    ),
  };
}
