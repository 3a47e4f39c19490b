import type { IncidentModel } from '../../core/page-models/monitoring/incident.ts';
import type { LinkView } from '../../core/page-models/monitoring/incident-views.ts';
import { formatDurationToMinute } from '../../core/parsing/format/numbers.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { nameValueList, plainSection } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { type Attributes, type Content, el, html, pageLink, type VNode } from '../el.ts';
import { count, shortTime } from '../formatters.ts';
import {
  budgetUsedText,
  commaSeparated,
  componentMark,
  linkKindNames,
  linkTo,
  monitorStateNames,
  shortUntrustedText,
} from '../monitors/labels.ts';
import type { PageContext } from '../page-context.ts';

export function proposedCauses(model: IncidentModel, context: PageContext): VNode {
  const all = [...model.causes.linked, ...model.causes.proposed, ...model.causes.dismissed];
  return plainSection(
    'i-causes',
    'Suggested causes',
    all.length === 0
      ? html`<p class="ruled soft">
        No release, failed test run or new issue shortly before it.
      </p>`
      : [
          html`<ul class="causes">${all.map((each) => cause(each, model, context))}</ul>`,
          html`<p class="hint">
            Suggested from what happened in the hours before. Nothing is linked until someone confirms it.
          </p>`,
        ],
  );
}

function cause(link: LinkView, { incident_id: id, causes }: IncidentModel, context: PageContext): VNode {
  const isDismissed = causes.dismissed.includes(link);
  return el(
    'li',
    null,
    html`<div>
      <p>${linkKindNames[link.kind]} ${linkTo(context, link)}${titleAndProject(link)}</p>
      ${link.why === '' ? null : html`<p class="small soft">${shortUntrustedText(link.why)}</p>`}
    </div>`,
    html`<p class="small dim nowrap">${before(link)}</p>`,
    link.linked_by !== null
      ? html`<p>${statusMark('resolved', 'Linked')} <span class="dim small">by ${shortUntrustedText(link.linked_by)}</span></p>`
      : isDismissed
        ? html`<p class="dim small">Dismissed</p>`
        : answer(link, id, context),
  );
}

function answer({ kind, id, name }: LinkView, incidentId: number, context: PageContext): Content {
  if (context.currentUser?.canAct !== true) return null;
  const buttonAttributes = (verb: 'link' | 'drop'): Attributes => ({
    class: 'btn small',
    name: 'answer',
    value: verb,
    'aria-label': `${verb === 'link' ? 'Link' : 'Dismiss'}: ${linkKindNames[kind]} ${name}`,
  });
  return actionForm(
    context,
    `/incidents/${incidentId}/causes`,
    { class: 'acts' },
    html`<input type="hidden" name="cause" value="${kind}-${id}" />`,
    submitButton('Link', buttonAttributes('link')),
    submitButton('Dismiss', buttonAttributes('drop')),
  );
}

/** Title of an issue, and its project if that is not the incident's. */
function titleAndProject({ title, project }: LinkView): Content[] {
  return [
    title === undefined ? null : [' ', shortUntrustedText(title, 100)],
    project === undefined ? null : [' ', html`<span class="dim small">${shortUntrustedText(project)}</span>`],
  ];
}

function before({ before_ms: ms }: LinkView): string {
  return ms === null ? '' : `${formatDurationToMinute(ms)} before`;
}

export function confirmedCauses({ causes }: IncidentModel, context: PageContext): Content[] {
  const row = (link: LinkView): readonly [Content, Content] => {
    const when = before(link);
    return [
      linkKindNames[link.kind],
      [linkTo(context, link), ...titleAndProject(link), when === '' ? null : `, ${when}`],
    ];
  };
  const not = [...causes.dismissed, ...causes.proposed];
  return [
    plainSection(
      'i-causes',
      'Cause and links',
      causes.linked.length === 0
        ? html`<p class="ruled soft">No cause linked.</p>`
        : nameValueList(causes.linked.map(row)),
    ),
    not.length === 0 ? null : plainSection('i-not', 'Dismissed', nameValueList(not.map(row))),
  ];
}

/** A maintenance window can have up to 1000 monitors. */
const monitorsShown = 50;

export function affectedSection(model: IncidentModel, context: PageContext): Content {
  const { hit, users_affected: users, budget } = model;
  const rows: Array<readonly [Content, Content]> = [
    ...hit.monitors
      .slice(0, monitorsShown)
      .map(
        (each) =>
          [
            'Monitor',
            [
              linkTo(context, each),
              each.state === null ? null : `, ${monitorStateNames[each.state].toLowerCase()} now`,
            ],
          ] as const,
      ),
    ...moreOf(hit.monitors.length - monitorsShown),
    ...hit.components.map(
      (each) =>
        [
          'Component',
          [linkTo(context, each), each.state === null ? null : [', ', componentMark(each.state)]],
        ] as const,
    ),
  ];
  if (users !== null) rows.push(['Users', count(users)]);
  if (budget !== null && budget.share !== null) {
    rows.push([
      'Error budget',
      [`${budgetUsedText(budget.share)} of 30 days is used, of `, shortUntrustedText(budget.monitor)],
    ]);
  }
  if (rows.length === 0) return null;
  return plainSection('i-hit', 'Affected', nameValueList(rows));
}

function moreOf(more: number): Array<readonly [Content, Content]> {
  return more > 0 ? [['Monitors', `and ${count(more)} more`]] : [];
}

export function participantsSection({ lead, helpers, notified: channels }: IncidentModel): Content {
  const named = (all: readonly string[]): Content =>
    all.length === 0 ? null : commaSeparated(all.map((each) => shortUntrustedText(each)));
  const rows: Array<readonly [Content, Content]> = [
    ['Assignee', lead === null ? null : shortUntrustedText(lead)],
    ['Participants', named(helpers)],
    ['Notified', named(channels)],
  ];
  if (rows.every(([, value]) => value === null)) return null;
  return plainSection('i-who', 'Participants', nameValueList(rows));
}

export function earlierIncidents({ before: all }: IncidentModel, context: PageContext): Content {
  if (all.length === 0) return null;
  const lines = all.map(
    (each) =>
      html`<li>
        ${shortTime(each.started_at, context.nowMs)}
        <div>
          <p>${pageLink(context, `/incidents/${each.incident_id}`, null, shortUntrustedText(each.title))}</p>
          <p class="small dim">
            ${formatDurationToMinute(each.lasted_ms)}${each.cause === '' ? null : [', ', shortUntrustedText(each.cause)]}
          </p>
        </div>
      </li>`,
  );
  return plainSection('i-before', 'Similar incidents', html`<ol class="log">${lines}</ol>`);
}
