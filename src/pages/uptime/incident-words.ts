// What was said of an incident: its steps in a line, its updates, newest first, and its post-mortem.
import type { VNode } from 'preact';
import type { IncidentModel, StepView, UpdateView } from '../../core/workspace/uptime/incident.ts';
import type { IncidentState } from '../../core/workspace/uptime/kinds.ts';
import { type Content, el } from '../el.ts';
import type { Frame } from '../frame.ts';
import { actForm, submit } from '../parts/controls.ts';
import { hiddenCaption } from '../parts/layout.ts';
import { mark } from '../parts/mark.ts';
import { markdown } from '../parts/markdown.ts';
import { cell } from '../parts/table.ts';
import { moment } from '../parts/time.ts';
import { steps } from '../plots/steps.ts';
import { dayInFull, shortMoment, timeOfDay } from '../words/times.ts';
import {
  incidentShape,
  incidentWords,
  lengthText,
  nameOf,
  shortDay,
  soonText,
  told,
  wholly,
} from './words.ts';

const dayMs = 86_400_000;
const stepWords: Readonly<Record<StepView['step'], string>> = {
  began: 'Began',
  acknowledged: 'Acknowledged',
  identified: 'Cause known',
  mended: 'Mended',
  resolved: 'Resolved',
};

/** The whole of it as a line. */
export function line({ steps: all, started_at: at, lasted_ms: lasted }: IncidentModel): VNode {
  const mended = all.find(({ step }) => step === 'mended')?.after_ms ?? null;
  const said = all.map(({ step, after_ms: afterMs }) => ({
    afterMs,
    said: step === 'began' ? stepWords.began : `${stepWords[step]}, ${soonText(afterMs)}`,
  }));
  const plot = steps({
    steps: said,
    mendedMs: mended,
    finding: [
      el('b', null, lengthText(lasted)),
      `, ${dayInFull(Date.parse(at))} from ${timeOfDay(Date.parse(at))}`,
    ],
    beside: el('span', { class: 'small dim' }, 'UTC'),
  });
  return el('div', { class: 'sec' }, plot);
}

/** All updates, with a form for one more while it goes on. */
export function updates(model: IncidentModel, frame: Frame): VNode {
  const { updates: all, shown_on: pages } = model;
  const open = all.filter(({ is_public: isPublic }) => isPublic).length;
  const isLong = Date.parse(all[0]?.at ?? '') - Date.parse(all.at(-1)?.at ?? '') > dayMs;
  const lines = all.map((each) => updateLine(each, model, isLong));
  return el(
    'section',
    { class: model.is_over ? 'sec' : null, 'aria-labelledby': 'i-updates' },
    el(
      'div',
      { class: 'top' },
      el('h2', { id: 'i-updates' }, 'Updates'),
      el('span', { class: 'small dim' }, `${open} public, ${all.length - open} for the team`),
    ),
    model.is_over || frame.visitor?.canAct !== true ? null : say(model, pages.length, frame),
    all.length === 0
      ? el('p', { class: 'ruled soft' }, 'Nothing was said yet.')
      : el('ol', { class: 'log' }, ...lines),
  );
}

function say({ incident_id: id }: IncidentModel, pages: number, frame: Frame): VNode | null {
  const choice = (value: string, word: string, isChecked: boolean): VNode =>
    el(
      'label',
      { class: 'check' },
      el('input', { type: 'radio', name: 'to', value, checked: isChecked }),
      word,
    );
  const where =
    pages === 0
      ? 'Public, where a page shows it'
      : pages === 1
        ? 'Public, on 1 page and RSS'
        : `Public, on ${pages} pages and RSS`;
  return actForm(
    frame,
    `/incidents/${id}/updates`,
    { class: 'say' },
    el('label', { class: 'vh', for: 'say' }, 'Update'),
    el('textarea', {
      id: 'say',
      name: 'body',
      rows: 3,
      maxlength: 10_000,
      required: true,
      placeholder: 'What is known, what people can do, when you will say more',
    }),
    el(
      'div',
      { class: 'saybar' },
      el(
        'fieldset',
        { class: 'acts wide-gap' },
        el('legend', { class: 'vh' }, 'Who sees it'),
        choice('team', 'Team only', true),
        choice('public', where, false),
      ),
      submit('Say it'),
    ),
  );
}

function updateLine(update: UpdateView, { severity }: IncidentModel, isLong: boolean): VNode {
  const { at, author, is_public: isPublic, body, from, to } = update;
  const when = isLong ? shortDay(at.slice(0, 10)) : timeOfDay(Date.parse(at));
  const state = (each: IncidentState): VNode => mark(incidentShape(each, severity), incidentWords[each]);
  const change =
    to === null
      ? null
      : from === null
        ? [' ', el('span', { class: 'small' }, state(to))]
        : [
            ' ',
            el(
              'span',
              { class: 'diff' },
              el('del', null, incidentWords[from]),
              ' ',
              el('ins', null, state(to)),
            ),
          ];
  return el(
    'li',
    null,
    moment(at, when, false),
    el(
      'div',
      null,
      el(
        'p',
        null,
        isPublic ? mark('out', 'Public') : mark('team', 'Team only'),
        ' ',
        el('span', { class: 'dim small' }, told(author)),
        change,
      ),
      body === '' ? null : el('p', { class: 'said' }, wholly(body)),
    ),
  );
}

/** What was learnt of it, and what is done about it. */
export function postMortem({ post_mortem: written }: IncidentModel, frame: Frame): VNode {
  if (written === null) {
    return el(
      'section',
      { 'aria-labelledby': 'i-post' },
      el('h2', { id: 'i-post' }, 'Post-mortem'),
      el('p', { class: 'ruled soft' }, 'Nobody wrote one: what happened, what went well, what changes.'),
    );
  }
  const { author, written_at: at, is_public: isPublic, markdown: text, parts, actions } = written;
  const who = [
    told(author),
    `, ${shortMoment(Date.parse(at), frame.nowMs)}. `,
    isPublic ? mark('out', 'Public') : mark('team', 'Team only'),
  ];
  return el(
    'section',
    { 'aria-labelledby': 'i-post' },
    el(
      'div',
      { class: 'top' },
      el('h2', { id: 'i-post' }, 'Post-mortem'),
      el('span', { class: 'small dim' }, ...who),
    ),
    el('div', { class: 'md' }, ...(text === undefined ? parts.flatMap(paragraphs) : [markdown(text)])),
    actions.length === 0 ? null : [el('h3', { class: 'space' }, 'What changes'), actionTable(actions)],
  );
}

function paragraphs({
  heading,
  paragraphs: all,
}: {
  heading: string;
  paragraphs: readonly string[];
}): Content[] {
  return [
    heading === '' ? null : el('h3', null, told(heading)),
    ...all.map((each) => el('p', { class: 'said' }, wholly(each))),
  ];
}

function actionTable(actions: NonNullable<IncidentModel['post_mortem']>['actions']): VNode {
  const rows = actions.map(({ what, who, state }) => {
    const isDone = /^done\b/i.test(state);
    return el(
      'tr',
      null,
      el('th', { scope: 'row' }, told(what, 400), el('span', { class: 'cul' }, told(who))),
      cell(mark(isDone ? 'resolved' : 'pending', nameOf(state)), 'r k'),
    );
  });
  return el('table', { class: 't mini' }, hiddenCaption('Actions'), el('tbody', null, ...rows));
}
