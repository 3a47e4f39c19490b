// The forms that plan work, change it and call it off.
import type { IncidentModel } from '../../core/workspace/uptime/incident.ts';
import type { NewWorkModel, WorkModel } from '../../core/workspace/uptime/incident-forms.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingPart, dangerPart } from '../parts/asking.ts';
import { choiceField, field } from '../parts/controls.ts';
import { nameOf, told } from '../uptime/words.ts';

const crumb = { name: 'Incidents', path: '/incidents' };

/** The form that plans work. */
export function planWorkPage({ choices }: NewWorkModel, frame: Frame): PageContent {
  return {
    title: 'Plan work',
    crumbs: [crumb],
    main: askingPart(
      frame,
      {
        id: 'd-plan',
        path: '/incidents/plan',
        title: 'Plan work',
        why: 'While it goes on nothing is asked, nobody is told, and the time does not count. It comes once, or again each week.',
        act: '/incidents/plan',
        fields: [
          title(''),
          field(
            { id: 'message', label: 'What everybody may read of it' },
            { name: 'message', maxlength: 10_000, autocomplete: 'off' },
          ),
          choiceField(
            { id: 'covers', label: 'What it is about' },
            choices.map(({ value, name }) => ({ value, name: nameOf(name) })),
          ),
          moment('from', 'From, UTC', 'Such as 2026-12-01 02:00. Left empty, it begins now.'),
          moment('until', 'Until, UTC', 'For work that comes once.'),
          weekdays('Or each week on'),
          at('Such as 02:30.'),
          minutes('Left empty, 60.'),
          timezone('Such as Europe/Berlin. Left empty, UTC.'),
        ],
        verb: 'Plan the work',
      },
      { from: '/incidents' },
    ),
  };
}

/** The form that changes work, filled in with how it is. */
export function changeWorkPage(model: WorkModel, frame: Frame): PageContent {
  const path = `/incidents/${model.incident_id}`;
  return {
    title: 'Change planned work',
    crumbs: [crumb, { name: nameOf(model.title), path }],
    main: askingPart(
      frame,
      {
        id: 'd-work',
        path: `${path}/plan`,
        title: ['Change ', told(model.title)],
        why: 'What goes on goes on where its time still is. It comes once or again each week: empty what no longer holds.',
        act: `${path}/plan`,
        fields: [
          title(model.title),
          el(
            'div',
            { class: 'field' },
            el('label', { for: 'message' }, 'What everybody may read of it'),
            el('textarea', { id: 'message', name: 'message', rows: 4, maxlength: 10_000 }, model.message),
          ),
          choiceField({ id: 'covers', label: 'What it is about' }, [
            { value: 'same', name: `as it is: ${aboutText(model.about)}` },
            ...model.choices.map(({ value, name }) => ({ value, name: nameOf(name) })),
          ]),
          moment('from', 'From, UTC', 'Such as 2026-12-01 02:00.', model.from),
          moment('until', 'Until, UTC', 'For work that comes once.', model.until),
          weekdays('Or each week on', model.weekdays),
          at('Such as 02:30.', model.at),
          minutes('For work that comes again each week.', model.minutes),
          timezone('Such as Europe/Berlin.', model.timezone),
        ],
        verb: 'Change the work',
      },
      { from: path },
    ),
  };
}

const namedMax = 5;

function aboutText(about: readonly string[]): string {
  const named = about.slice(0, namedMax).map((each) => nameOf(each));
  const more = about.length - named.length;
  if (named.length === 0) return 'nothing that is there';
  return `${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function title(value: string): Content {
  return field(
    {
      id: 'title',
      label: 'What is done',
      hint: 'In a line, such as Image servers move to new disks.',
    },
    { name: 'title', ...filledIn(value), required: true, maxlength: 200, autocomplete: 'off' },
  );
}

function moment(name: string, label: string, hint: string, value = ''): Content {
  return field({ id: name, label, hint }, { name, ...filledIn(value), maxlength: 40, autocomplete: 'off' });
}

function weekdays(label: string, value = ''): Content {
  return field(
    { id: 'weekdays', label, hint: 'Such as sun, or mon, thu.' },
    { name: 'weekdays', ...filledIn(value), maxlength: 60, autocomplete: 'off' },
  );
}

function at(hint: string, value = ''): Content {
  return field(
    { id: 'at', label: 'At', hint },
    { name: 'at', ...filledIn(value), maxlength: 5, autocomplete: 'off' },
  );
}

function minutes(hint: string, value = ''): Content {
  return field(
    { id: 'minutes', label: 'For so many minutes', hint },
    { name: 'minutes', ...filledIn(value), type: 'number', min: 1, max: 1_440 },
  );
}

function timezone(hint: string, value = ''): Content {
  return field(
    { id: 'timezone', label: 'By the clock of', hint },
    { name: 'timezone', ...filledIn(value), maxlength: 100, autocomplete: 'off' },
  );
}

/** Fields of something new have none. */
function filledIn(value: string): { readonly value?: string } {
  return value === '' ? {} : { value };
}

/** Asks before work is called off. */
export function callOffPage(model: IncidentModel, frame: Frame): PageContent {
  const path = `/incidents/${model.incident_id}`;
  return {
    title: 'Call work off',
    crumbs: [crumb, { name: nameOf(model.title), path }],
    main: dangerPart(
      frame,
      {
        id: 'd-call-off',
        path: `${path}/call-off`,
        title: ['Call off ', told(model.title)],
        why: 'Work that goes on ends now, and what it is about is watched again. What was to come, each week too, does not.',
        verb: 'Call it off',
      },
      path,
    ),
  };
}
