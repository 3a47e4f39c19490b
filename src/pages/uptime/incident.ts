import type { VNode } from 'preact';
import type { IncidentModel } from '../../core/workspace/uptime/incident.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, menu, submit } from '../parts/controls.ts';
import { type Fact, facts, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { ago, shortTime } from '../parts/time.ts';
import { type Bar, histogram } from '../plots/histogram.ts';
import type { Marker } from '../plots/markers.ts';
import { counted } from '../words/numbers.ts';
import { dayAndTime, dayInFull, timeOfDay } from '../words/times.ts';
import { affected, causesAsked, causesKnown, happenedBefore, tookPart } from './incident-side.ts';
import { line, postMortem, updates } from './incident-words.ts';
import { untilEnd } from './monitors.ts';
import {
  afterText,
  incidentMark,
  incidentWords,
  isToCome,
  lengthText,
  linkTo,
  listed,
  nameOf,
  soonText,
  told,
  usedText,
} from './words.ts';

const hourMs = 3_600_000;
export function incidentPage(model: IncidentModel, frame: Frame): PageContent {
  const isOver = model.is_over;
  return {
    title: nameOf(model.title),
    crumbs: [{ name: 'Incidents', path: '/incidents' }],
    main: [
      head(model, frame),
      note(model, frame),
      facts(isOver ? figuresAfter(model) : figuresDuring(model, frame)),
      isOver ? line(model) : events(model, frame),
      html`<div class="cols">
        <div class="col">
          ${isOver ? postMortem(model, frame) : null}${updates(model, frame)}
          ${isOver ? events(model, frame) : null}
        </div>
        <aside class="aside" aria-label="About this incident">
          ${isOver ? causesKnown(model, frame) : causesAsked(model, frame)}${affected(model, frame)}
          ${isOver ? tookPart(model) : null}${happenedBefore(model, frame)}
        </aside>
      </div>`,
    ],
  };
}

function head(model: IncidentModel, frame: Frame): VNode {
  const { opened_by: by, lead, started_at: at, is_over: isOver } = model;
  const on = isOver ? [' on ', html`<time datetime=${at}>${dayAndTime(Date.parse(at))}</time>`] : null;
  return pageHead({
    above: `Incident ${model.incident_id}, ${model.severity}`,
    title: told(model.title, 400),
    below: [
      'Opened by ',
      by.path === null ? told(by.name) : pageLink(frame, { path: by.path }, null, told(by.name)),
      on,
      lead === null ? '. Unassigned' : ['. Assigned to ', told(lead)],
    ],
    ...(frame.visitor?.canAct === true ? { acts: acts(model, frame) } : {}),
  });
}

function acts(model: IncidentModel, frame: Frame): Content[] {
  const path = `/incidents/${model.incident_id}`;
  const print = html`<button class="btn js" type="button" data-print>Print</button>`;
  if (model.severity === 'planned') {
    if (model.is_over) return [print, removal(model, frame)];
    return [
      pageLink(frame, { path: `${path}/plan` }, { class: 'btn' }, 'Change…'),
      pageLink(frame, { path: `${path}/call-off` }, { class: 'btn' }, 'Cancel…'),
    ];
  }
  if (model.is_over) {
    const word = model.post_mortem === null ? 'Write post-mortem…' : 'Edit post-mortem…';
    return [
      pageLink(frame, { path: `${path}/post-mortem` }, { class: 'btn' }, word),
      print,
      actForm(frame, `${path}/reopen`, null, submit('Reopen')),
      removal(model, frame),
    ];
  }
  const states = (['investigating', 'identified', 'monitoring'] as const).filter(
    (state) => state !== model.state,
  );
  return [
    model.acknowledge_ms === null
      ? actForm(frame, `${path}/acknowledge`, null, submit('Acknowledge', { class: 'btn primary' }))
      : null,
    actForm(
      frame,
      `${path}/resolve`,
      null,
      submit('Resolve', { class: model.acknowledge_ms === null ? 'btn' : 'btn primary' }),
    ),
    actForm(
      frame,
      `${path}/state`,
      null,
      ...menu(
        { id: 'i-state', word: incidentWords[model.state], label: `State: ${incidentWords[model.state]}` },
        ...states.map((state) => submit(incidentWords[state], { class: null, name: 'state', value: state })),
      ),
    ),
  ];
}

function removal({ incident_id: id }: IncidentModel, frame: Frame): Content {
  if (frame.visitor?.canManage !== true) return null;
  return pageLink(frame, { path: `/incidents/${id}/delete` }, { class: 'btn danger' }, 'Delete…');
}

function note(model: IncidentModel, frame: Frame): VNode {
  const { state, severity, shown_on: pages, cause, planned_end_at: ends } = model;
  const shown =
    pages.length === 0
      ? ' Not shown on any status page.'
      : [
          ' Shown on ',
          ...listed(
            pages.map(({ slug, name }) =>
              pageLink(
                frame,
                { path: `/status/${encodeURIComponent(slug)}`, query: { project: null } },
                null,
                told(name),
              ),
            ),
          ),
          '.',
        ];
  const length = lengthText(model.lasted_ms);
  const when = isToCome(model, frame.nowMs)
    ? ` from ${dayAndTime(Date.parse(model.started_at))}${untilEnd(ends)}.`
    : model.is_over
      ? ` after ${length}.`
      : state === 'planned'
        ? `${untilEnd(ends)}, for ${length} so far.`
        : ` for ${length}.`;
  const why = cause === '' ? null : [' Cause: ', told(cause), '.'];
  return html`<p class="note">${incidentMark(state, severity)}${when}${why}${shown}</p>`;
}

/** Open incident: time to acknowledge, and time of updates. */
function figuresDuring(model: IncidentModel, frame: Frame): Fact[] {
  const { acknowledge_ms: seen, first_public_ms: said, updates: all, hit } = model;
  const newest = all[0];
  const names = hit.components.length > 0 ? hit.components : hit.monitors;
  const shownNames = names.slice(0, 2).map((each) => linkTo(frame, each));
  return [
    {
      label: 'Began',
      figure: shortTime(model.started_at, frame.nowMs),
      small: `${dayInFull(Date.parse(model.started_at))}, UTC`,
    },
    {
      label: 'Acknowledged',
      figure: seen === null ? 'not yet' : afterText(seen),
      small: model.lead === null ? null : ['by ', told(model.lead)],
    },
    {
      label: 'First public update',
      figure: said === null ? 'not yet' : afterText(said),
      small: said === null ? 'no public updates' : null,
    },
    {
      label: 'Latest update',
      figure: newest === undefined ? 'none' : ago(newest.at, frame.nowMs),
      small: newest === undefined ? null : ['by ', told(newest.author)],
    },
    {
      label: 'Affects',
      figure: names.length === 0 ? 'nothing' : listed(shownNames),
      small:
        hit.components.length === 0
          ? moreText(names.length - shownNames.length)
          : `${hit.components.length} of ${counted(model.components_in_all, 'component')}`,
    },
  ];
}

function moreText(more: number): string | null {
  return more > 0 ? `and ${more} more` : null;
}

/** Resolved incident: duration of each phase, compared with the median. */
function figuresAfter(model: IncidentModel): Fact[] {
  const { usual, acknowledge_ms: seen, users_affected: users, budget } = model;
  const said = model.updates.filter(({ is_public: isPublic }) => isPublic).length;
  return [
    {
      label: 'Time to acknowledge',
      figure: seen === null ? '–' : soonText(seen),
      small: seen === null ? 'not acknowledged' : compared(seen, usual.to_acknowledge.median_ms),
    },
    {
      label: 'Time to resolve',
      figure: lengthText(model.lasted_ms),
      small: compared(model.lasted_ms, usual.to_resolve.median_ms),
    },
    {
      label: 'Affected',
      figure: users === null ? '–' : counted(users, 'user'),
      small: users === null ? 'unknown' : 'users of the linked issues during the incident',
    },
    {
      label: 'Error budget',
      figure: budget === null ? '–' : usedText(budget.share),
      small: budgetWords(budget),
    },
    {
      label: 'Updates',
      figure: said === 0 ? 'none public' : `${said} public`,
      small: model.first_public_ms === null ? null : `first ${afterText(model.first_public_ms)}`,
    },
  ];
}

function budgetWords(budget: IncidentModel['budget']): string {
  if (budget === null) return 'no monitor affected';
  return budget.share === null ? 'nothing was measured' : `of ${lengthText(budget.allowed_ms)} in 30 d used`;
}

function compared(ms: number, median: number | null): string | null {
  if (median === null) return null;
  const less = ms - median;
  if (Math.abs(less) < 60_000) return 'as the median';
  return `${lengthText(Math.abs(less))} ${less > 0 ? 'more' : 'less'} than the median`;
}

function events(model: IncidentModel, frame: Frame): Content {
  const { events: of, causes, started_at: began } = model;
  if (of === null) return null;
  const bars: Bar[] = of.hours.map(({ at, events: value }) => ({
    fromMs: Date.parse(at),
    toMs: Date.parse(at) + hourMs,
    counts: { events: value },
  }));
  const beganMs = Date.parse(began);
  const releases: Marker[] = [...causes.linked, ...causes.proposed].flatMap(
    ({ kind, name, before_ms: before }) =>
      before === null || (kind !== 'release' && kind !== 'deploy')
        ? []
        : [{ atMs: beganMs - before, name: nameOf(name) }],
  );
  const plot = histogram(frame, {
    bars,
    stacks: [{ key: 'events', name: 'events', fill: 'fatal' }],
    markers: [...releases, { atMs: beganMs, name: timeOfDay(beganMs) }],
    nowMs: frame.nowMs,
    noun: ['event', 'events'],
    finding: [
      html`<b>Events of ${pageLink(frame, { path: `/issues/${of.issue_id}` }, null, told(of.name))}</b>`,
      ' per hour, with releases and the start of the incident',
    ],
    height: 120,
  });
  return html`<div class="sec">${plot}</div>`;
}
