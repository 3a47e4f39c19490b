import type { IncidentModel } from '../../core/page-models/monitoring/incident.ts';
import { hourMs } from '../../core/parsing/durations.ts';
import { formatDelay, formatDurationToMinute } from '../../core/parsing/format/numbers.ts';
import { type Bar, histogram } from '../charts/histogram.ts';
import type { Marker } from '../charts/markers.ts';
import { actionButton, actionForm, menu, submitButton } from '../components/controls.ts';
import { type Fact, facts, pageHead } from '../components/elements.ts';
import type { FormEntry } from '../components/form.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { counted, formatDate, formatDayAndTime, formatTimeOfDay, shortTime, timeAgo } from '../formatters.ts';
import {
  afterText,
  budgetUsedText,
  commaSeparated,
  incidentMark,
  incidentStateNames,
  isScheduled,
  linkTo,
  shortUntrustedName,
  shortUntrustedText,
} from '../monitors/labels.ts';
import { untilText } from '../monitors/monitors.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import {
  affectedSection,
  confirmedCauses,
  earlierIncidents,
  participantsSection,
  proposedCauses,
} from './incident-sidebar.ts';
import { incidentTimelineSection, postMortemSection, updatesSection } from './incident-updates.ts';

export function incidentPage(model: IncidentModel, context: PageContext, entry?: FormEntry): PageContent {
  const isOver = model.is_over;
  return {
    title: shortUntrustedName(model.title),
    breadcrumbs: [{ name: 'Incidents', path: '/incidents' }],
    main: [
      head(model, context),
      note(model, context),
      facts(isOver ? figuresAfter(model) : figuresDuring(model, context)),
      isOver ? incidentTimelineSection(model) : events(model, context),
      html`<div class="cols">
        <div class="col">
          ${isOver ? postMortemSection(model, context) : null}${updatesSection(model, context, entry)}
          ${isOver ? events(model, context) : null}
        </div>
        <aside class="aside" aria-label="About this incident">
          ${isOver ? confirmedCauses(model, context) : proposedCauses(model, context)}${affectedSection(model, context)}
          ${isOver ? participantsSection(model) : null}${earlierIncidents(model, context)}
        </aside>
      </div>`,
    ],
  };
}

function head(model: IncidentModel, context: PageContext): VNode {
  const { opened_by: by, lead, started_at: at, is_over: isOver } = model;
  const on = isOver ? [' on ', html`<time datetime=${at}>${formatDayAndTime(Date.parse(at))}</time>`] : null;
  return pageHead({
    above: `Incident ${model.incident_id}, ${model.severity}`,
    title: shortUntrustedText(model.title, 400),
    below: [
      'Opened by ',
      by.path === null
        ? shortUntrustedText(by.name)
        : pageLink(context, by.path, null, shortUntrustedText(by.name)),
      on,
      lead === null ? '. Unassigned' : ['. Assigned to ', shortUntrustedText(lead)],
    ],
    ...(context.currentUser?.canAct === true ? { actions: headActions(model, context) } : {}),
  });
}

function headActions(model: IncidentModel, context: PageContext): Content[] {
  const path = `/incidents/${model.incident_id}`;
  const print = html`<button class="btn js" type="button" data-print>Print</button>`;
  if (model.severity === 'planned') {
    if (model.is_over) return [print, removal(model, context)];
    return [
      pageLink(context, `${path}/plan`, { class: 'btn' }, 'Edit…'),
      pageLink(context, `${path}/call-off`, { class: 'btn' }, 'Cancel…'),
    ];
  }
  if (model.is_over) {
    const word = model.post_mortem === null ? 'Write post-mortem…' : 'Edit post-mortem…';
    return [
      pageLink(context, `${path}/post-mortem`, { class: 'btn' }, word),
      print,
      actionButton(context, `${path}/reopen`, 'Reopen'),
      removal(model, context),
    ];
  }
  const states = (['investigating', 'identified', 'monitoring'] as const).filter(
    (state) => state !== model.state,
  );
  return [
    model.acknowledge_ms === null
      ? actionButton(context, `${path}/acknowledge`, 'Acknowledge', { class: 'btn primary' })
      : null,
    actionButton(context, `${path}/resolve`, 'Resolve', {
      class: model.acknowledge_ms === null ? 'btn' : 'btn primary',
    }),
    actionForm(
      context,
      `${path}/state`,
      null,
      ...menu(
        {
          id: 'i-state',
          word: incidentStateNames[model.state],
          label: `State: ${incidentStateNames[model.state]}`,
        },
        ...states.map((state) =>
          submitButton(incidentStateNames[state], { class: null, name: 'state', value: state }),
        ),
      ),
    ),
  ];
}

function removal({ incident_id: id }: IncidentModel, context: PageContext): Content {
  if (context.currentUser?.canManage !== true) return null;
  return pageLink(context, `/incidents/${id}/delete`, { class: 'btn danger' }, 'Delete…');
}

function note(model: IncidentModel, context: PageContext): VNode {
  const { state, severity, shown_on: pages, cause, planned_end_at: ends } = model;
  const shown =
    pages.length === 0
      ? ' Not shown on any status page.'
      : [
          ' Shown on ',
          ...commaSeparated(
            pages.map(({ slug, name }) =>
              linkTo(context, { path: `/status/${encodeURIComponent(slug)}`, name }),
            ),
          ),
          '.',
        ];
  const length = formatDurationToMinute(model.lasted_ms);
  const when = model.is_canceled
    ? ', canceled before it began.'
    : isScheduled(model, context.nowMs)
      ? ` from ${formatDayAndTime(Date.parse(model.started_at))}${untilText(ends)}.`
      : model.is_over
        ? ` after ${length}.`
        : state === 'planned'
          ? `${untilText(ends)}, for ${length} so far.`
          : ` for ${length}.`;
  const causeText = cause === '' ? null : [' Cause: ', shortUntrustedText(cause), '.'];
  return html`<p class="note">${incidentMark(state, severity)}${when}${causeText}${shown}</p>`;
}

function figuresDuring(model: IncidentModel, context: PageContext): Fact[] {
  const { acknowledge_ms: seen, first_public_ms: firstPublicMs, updates: all, hit } = model;
  const newest = all[0];
  const names = hit.components.length > 0 ? hit.components : hit.monitors;
  const shownNames = names.slice(0, 2).map((each) => linkTo(context, each));
  return [
    [
      'Started',
      shortTime(model.started_at, context.nowMs),
      `${formatDate(Date.parse(model.started_at))}, UTC`,
    ],
    [
      'Acknowledged',
      seen === null ? 'not yet' : afterText(seen),
      model.lead === null ? null : ['by ', shortUntrustedText(model.lead)],
    ],
    [
      'First public update',
      firstPublicMs === null ? 'not yet' : afterText(firstPublicMs),
      firstPublicMs === null ? 'no public updates' : null,
    ],
    [
      'Latest update',
      newest === undefined ? 'none' : timeAgo(newest.at, context.nowMs),
      newest === undefined ? null : ['by ', shortUntrustedText(newest.author)],
    ],
    [
      'Affects',
      names.length === 0 ? 'nothing' : commaSeparated(shownNames),
      hit.components.length === 0
        ? moreText(names.length - shownNames.length)
        : `${hit.components.length} of ${counted(model.components_in_all, 'component')}`,
    ],
  ];
}

function moreText(more: number): string | null {
  return more > 0 ? `and ${more} more` : null;
}

/** Resolved incident: duration of each phase, compared with the median. */
function figuresAfter(model: IncidentModel): Fact[] {
  const { usual, acknowledge_ms: seen, users_affected: users, budget } = model;
  const publicCount = model.updates.filter(({ is_public: isPublic }) => isPublic).length;
  return [
    [
      'Time to acknowledge',
      seen === null ? '–' : formatDelay(seen),
      seen === null ? 'not acknowledged' : compared(seen, usual.to_acknowledge.median_ms),
    ],
    [
      'Time to resolve',
      formatDurationToMinute(model.lasted_ms),
      compared(model.lasted_ms, usual.to_resolve.median_ms),
    ],
    [
      'Affected',
      users === null ? '–' : counted(users, 'user'),
      users === null ? 'unknown' : 'users of the linked issues during the incident',
    ],
    ['Error budget', budget === null ? '–' : budgetUsedText(budget.share), budgetText(budget)],
    [
      'Updates',
      publicCount === 0 ? 'none public' : `${publicCount} public`,
      model.first_public_ms === null ? null : `first ${afterText(model.first_public_ms)}`,
    ],
  ];
}

function budgetText(budget: IncidentModel['budget']): string {
  if (budget === null) return 'no monitor affected';
  return budget.share === null
    ? 'nothing was measured'
    : `of ${formatDurationToMinute(budget.allowed_ms)} in 30 d used`;
}

function compared(ms: number, median: number | null): string | null {
  if (median === null) return null;
  const less = ms - median;
  if (Math.abs(less) < 60_000) return 'as the median';
  return `${formatDurationToMinute(Math.abs(less))} ${less > 0 ? 'more' : 'less'} than the median`;
}

function events(model: IncidentModel, context: PageContext): Content {
  const { events: of, causes, started_at: startedAt } = model;
  if (of === null) return null;
  const bars: Bar[] = of.hours.map(({ at, events: value }) => ({
    fromMs: Date.parse(at),
    toMs: Date.parse(at) + hourMs,
    counts: { events: value },
  }));
  const beganMs = Date.parse(startedAt);
  const releases: Marker[] = [...causes.linked, ...causes.proposed].flatMap(
    ({ kind, name, before_ms: before }) =>
      before === null || (kind !== 'release' && kind !== 'deploy')
        ? []
        : [{ atMs: beganMs - before, name: shortUntrustedName(name) }],
  );
  const plot = histogram(context, {
    bars,
    stacks: [{ key: 'events', name: 'events', fill: 'fatal' }],
    markers: [...releases, { atMs: beganMs, name: formatTimeOfDay(beganMs) }],
    finding: [
      html`<b>Events of ${pageLink(context, `/issues/${of.issue_id}`, null, shortUntrustedText(of.name))}</b>`,
      ' per hour, with releases and the start of the incident',
    ],
    height: 120,
  });
  return html`<div class="sec">${plot}</div>`;
}
