import type { IncidentModel, UpdateView } from '../../core/page-models/monitoring/incident.ts';
import type { IncidentState } from '../../core/page-models/monitoring/kinds.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { formatDelay, formatDurationToMinute } from '../../core/parsing/format/numbers.ts';
import { chartFigure } from '../charts/chart-figure.ts';
import { toPercent } from '../charts/scale.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { plainSection, section } from '../components/elements.ts';
import { type FormEntry, textToPost } from '../components/form.ts';
import { statusMark } from '../components/icons.ts';
import { markdown } from '../components/markdown.ts';
import { miniTable, rowHeader } from '../components/table.ts';
import { type Content, el, html, type VNode } from '../el.ts';
import {
  currentTimeZone,
  formatDate,
  formatShortTime,
  formatTimeOfDay,
  timeElement,
  untrustedText,
} from '../formatters.ts';
import {
  incidentIcon,
  incidentStateNames,
  shortDay,
  shortUntrustedName,
  shortUntrustedText,
} from '../monitors/labels.ts';
import type { PageContext } from '../page-context.ts';

const stepTexts: Readonly<Record<IncidentModel['steps'][number]['step'], string>> = {
  began: 'Started',
  acknowledged: 'Acknowledged',
  identified: 'Identified',
  mitigated: 'Fixed',
  resolved: 'Resolved',
};

/** Newest first; with a form for a new update while the incident is open. */
export function updatesSection(
  model: IncidentModel,
  context: PageContext,
  entry: FormEntry | undefined,
): VNode {
  const { updates: all, shown_on: pages } = model;
  const open = all.filter(({ is_public: isPublic }) => isPublic).length;
  const isLong = Date.parse(all[0]?.at ?? '') - Date.parse(all.at(-1)?.at ?? '') > dayMs;
  const lines = all.map((each) => updateLine(each, model, isLong));
  const aside = html`<span class="small dim">${open} public, ${all.length - open} for the team</span>`;
  return section(
    { id: 'i-updates', title: 'Updates', aside, class: model.is_over ? 'sec' : null },
    model.is_over || context.currentUser?.canAct !== true
      ? null
      : updateForm(model, pages.length, context, entry),
    all.length === 0 ? html`<p class="ruled soft">No updates yet.</p>` : html`<ol class="log">${lines}</ol>`,
  );
}

function updateForm(
  { incident_id: id }: IncidentModel,
  pages: number,
  context: PageContext,
  { values, errors }: FormEntry = { values: {}, errors: {} },
): VNode | null {
  const choice = (value: string, word: string, isChecked: boolean): VNode =>
    html`<label class="check">
      <input type="radio" name="to" value=${value} checked=${isChecked} />${word}
    </label>`;
  const publicLabel =
    pages === 0
      ? 'Public, on status pages that show it'
      : pages === 1
        ? 'Public, on 1 page and RSS'
        : `Public, on ${pages} pages and RSS`;
  return actionForm(
    context,
    `/incidents/${id}/updates`,
    { class: 'say' },
    ...textToPost('Update', {
      ...{ name: 'body', rows: 3, value: values['body'], error: errors['body'] },
      placeholder: 'What is known, what people can do, when you will say more',
    }),
    html`<div class="saybar">
      <fieldset class="acts wide-gap">
        <legend class="vh">Visible to</legend>${choice('team', 'Team only', values['to'] !== 'public')}
        ${choice('public', publicLabel, values['to'] === 'public')}
      </fieldset>
      ${submitButton('Post update')}
    </div>`,
  );
}

function updateLine(update: UpdateView, { severity }: IncidentModel, isLong: boolean): VNode {
  const { at, author, is_public: isPublic, body, from, to } = update;
  const when = isLong ? shortDay(at.slice(0, 10)) : formatTimeOfDay(Date.parse(at));
  const state = (each: IncidentState): VNode =>
    statusMark(incidentIcon(each, severity), incidentStateNames[each]);
  const change =
    to === null
      ? null
      : from === null
        ? [' ', html`<span class="small">${state(to)}</span>`]
        : [
            ' ',
            html`<span class="diff"><del>${incidentStateNames[from]}</del> <ins>${state(to)}</ins></span>`,
          ];
  return html`<li>
    ${timeElement(at, when, false)}
    <div>
      <p>
        ${visibilityMark(isPublic)}${' '}
        <span class="dim small">${shortUntrustedText(author)}</span>${change}
      </p>
      ${body === '' ? null : html`<p class="said">${untrustedText(body)}</p>`}
    </div>
  </li>`;
}

function visibilityMark(isPublic: boolean): VNode {
  return isPublic ? statusMark('out', 'Public') : statusMark('team', 'Team only');
}

export function postMortemSection({ post_mortem: written }: IncidentModel, context: PageContext): VNode {
  if (written === null) {
    const none = 'No post-mortem yet. It says what happened, what went well and what will change.';
    return plainSection('i-post', 'Post-mortem', html`<p class="ruled soft">${none}</p>`);
  }
  const { author, written_at: at, is_public: isPublic, markdown: text, parts: sections, actions } = written;
  const aside = html`<span class="small dim">
    ${shortUntrustedText(author)}, ${formatShortTime(Date.parse(at), context.nowMs)}.${' '}${visibilityMark(isPublic)}
  </span>`;
  return section(
    { id: 'i-post', title: 'Post-mortem', aside, class: null },
    html`<div class="md">${text === undefined ? sections.flatMap(paragraphs) : [markdown(text)]}</div>`,
    actions.length === 0 ? null : [html`<h3 class="space">Action items</h3>`, actionTable(actions)],
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
    heading === '' ? null : html`<h3>${shortUntrustedText(heading)}</h3>`,
    ...all.map((each) => html`<p class="said">${untrustedText(each)}</p>`),
  ];
}

function actionTable(actions: NonNullable<IncidentModel['post_mortem']>['actions']): VNode {
  return miniTable(
    'Actions',
    actions,
    { row: ({ what, who }) => rowHeader(shortUntrustedText(what, 400), shortUntrustedText(who)) },
    {
      class: 'r k',
      cell: ({ state }) =>
        statusMark(/^done\b/i.test(state) ? 'resolved' : 'pending', shortUntrustedName(state)),
    },
  );
}

interface Step {
  /** Milliseconds since the start. */
  readonly afterMs: number;
  readonly label: string;
}

const height = 58;
const [lineTop, lineBottom] = [28, 34];
/** Width of a 12px letter, in percent of a chart of 40rem. */
const percentPerLetter = 1.05;

/** The first and last labels are always shown; others are hidden if they overlap. */
export function incidentTimelineSection({ steps: all, started_at: at, lasted_ms: ms }: IncidentModel): VNode {
  const steps = all.map(({ step, after_ms: afterMs }) => ({
    afterMs,
    label: step === 'began' ? stepTexts.began : `${stepTexts[step]}, ${formatDelay(afterMs)}`,
  }));
  const durationMs = Math.max(1, steps.at(-1)?.afterMs ?? 1);
  const x = (afterMs: number): number => (Math.min(durationMs, Math.max(0, afterMs)) / durationMs) * 100;
  const mitigatedMs = all.find(({ step }) => step === 'mitigated')?.after_ms ?? null;
  const mitigated = mitigatedMs === null ? 100 : x(mitigatedMs);
  const cap = { y: lineTop, height: lineBottom - lineTop };
  const name = `${steps.map(({ label }) => label).join('; ')}.`;
  const svg = el(
    'svg',
    { class: 'plot steps', width: '100%', height, role: 'img', 'aria-label': name },
    html`<rect class="f-fatal" x="0" width=${toPercent(mitigated)} ...${cap}></rect>`,
    mitigated < 100
      ? html`<rect class="f-warning" x=${toPercent(mitigated)} width=${toPercent(100 - mitigated)} ...${cap}>
      </rect>`
      : null,
    drawSteps(steps, x),
  );
  const day = `, ${formatDate(Date.parse(at))} from ${formatTimeOfDay(Date.parse(at))}`;
  const finding = [html`<b>${formatDurationToMinute(ms)}</b>`, day];
  const aside = html`<span class="small dim">${currentTimeZone()}</span>`;
  return html`<div class="sec">${chartFigure({ finding, aside }, svg)}</div>`;
}

/** Labels alternate below and above the line. */
function drawSteps(all: readonly Step[], x: (ms: number) => number): VNode[] {
  const last = all.length - 1;
  // The last label is placed first, at the right.
  const end = all[last];
  const rightLimit = {
    above: last > 0 && last % 2 === 1 && end !== undefined ? 100 - widthOf(end) : 100,
    below: last > 0 && last % 2 === 0 && end !== undefined ? 100 - widthOf(end) : 100,
  };
  const reached = { above: 0, below: 0 };
  return all.flatMap((step, index) => {
    const at = x(step.afterMs);
    const row = index % 2 === 0 ? 'below' : 'above';
    const isEnd = index === last && last > 0;
    const isMiddle = index > 0 && !isEnd && at > widthOf(step) / 2;
    const from = isEnd ? 100 - widthOf(step) : isMiddle ? at - widthOf(step) / 2 : at;
    const hasRoom = isEnd || index === 0 || (from >= reached[row] && from + widthOf(step) <= rightLimit[row]);
    if (hasRoom) reached[row] = from + widthOf(step);
    const anchor = isEnd ? 'end' : isMiddle ? 'middle' : null;
    const [top, bottom, word] = row === 'below' ? [lineTop, 42, 54] : [18, lineBottom, 13];
    const position = toPercent(at);
    return [
      html`<line class="tick" x1=${position} x2=${position} y1=${top} y2=${bottom}>
        <title>${step.label}</title>
      </line>`,
      hasRoom
        ? html`<text class=${index === 0 || isEnd ? null : 'alt'} x=${position} y=${word} text-anchor=${anchor}>
          ${step.label}
        </text>`
        : null,
    ].filter((each) => each !== null);
  });
}

function widthOf({ label }: Step): number {
  return (label.length + 2) * percentPerLetter;
}
