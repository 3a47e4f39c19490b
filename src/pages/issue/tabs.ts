import type { VNode } from 'preact';
import type { IssueEventModel } from '../../core/workspace/issue/event.ts';
import type { IssueHeadModel } from '../../core/workspace/issue/head.ts';
import type { HistoryEntryView, HistoryModel } from '../../core/workspace/issue/history.ts';
import type { SimilarView } from '../../core/workspace/issue/similar.ts';
import type {
  IssueEventsModel,
  IssueHistoryModel,
  IssueSimilarModel,
} from '../../core/workspace/issue/tabs.ts';
import { type Content, html } from '../el.ts';
import { eventPart } from '../event/event.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, submit } from '../parts/controls.ts';
import { empty, hidden, outside, pager, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark, shapeMark } from '../parts/mark.ts';
import { type Column, tableOf, titleCell } from '../parts/table.ts';
import { ago, moment, shortTime } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { dayAndTime } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { issuePage } from './head.ts';
import { pathOf } from './path.ts';
import { splitWay } from './split.ts';
import { actSentence, issueLink, sharedWords, stateShape } from './words.ts';

type EventRow = IssueEventsModel['events'][number];

export function issueEventPage(model: IssueEventModel, frame: Frame): PageContent {
  const log = logPart(model, model.history, frame, true);
  return issuePage(model, frame, 'event', ...eventPart(model, frame, { split: splitWay(model, frame), log }));
}

export function issueEventsPage(model: IssueEventsModel, frame: Frame): PageContent {
  const path = `${pathOf(model)}/events`;
  const { events, stored } = model;
  if (events.length === 0) {
    const why = 'Events are deleted after the retention period, while counts are kept.';
    return issuePage(model, frame, 'events', empty('No events are stored any more', why));
  }
  const all = `${count(stored.events)}${stored.capped ? ' or more' : ''}`;
  const { newer, older } = model;
  return issuePage(
    model,
    frame,
    'events',
    tableOf(frame, {
      caption: 'Stored events, newest first',
      columns: eventColumns(path, frame),
      rows: events,
    }),
    pager(frame, {
      path,
      said: `${count(events.length)} of ${all} stored events`,
      newer: newer === null ? null : { after: newer },
      older: older === null ? null : { before: older },
    }),
  );
}

function eventColumns(path: string, frame: Frame): Array<Column<EventRow>> {
  const text = (value: string | null): Content => (value === null ? '–' : outside(visible(value)));
  return [
    { name: 'Level', class: 'lv', cell: ({ level }) => shapeMark(level) },
    {
      name: 'Event',
      row: ({ event_id: id, title, culprit, release, environment }) =>
        titleCell(frame, {
          path: `${path}/${id}`,
          title: visible(title),
          place: [html`<code>${id.slice(0, 8)}</code>`, ' ', text(culprit)],
          folded: [
            ['f2', text(release)],
            ['f1', environment === null ? null : text(environment)],
          ],
        }),
    },
    { name: 'Release', head: 'd2 w9', class: 'd2 soft', cell: ({ release }) => text(release) },
    { name: 'Environment', head: 'd1 w9', class: 'd1 soft', cell: ({ environment }) => text(environment) },
    {
      name: 'Received',
      head: 'w9',
      class: 'soft',
      cell: ({ received: at }) => moment(at, dayAndTime(Date.parse(at)), false),
    },
  ];
}

export function issueHistoryPage(model: IssueHistoryModel, frame: Frame): PageContent {
  return issuePage(
    model,
    frame,
    'activity',
    html`<div class="half">${logPart(model, model.history, frame, false)}</div>`,
  );
}

export function issueSimilarPage(model: IssueSimilarModel, frame: Frame): PageContent {
  const { similar, compared, issue } = model;
  const how = [
    `Compared with the ${count(compared)} most recently seen issues of `,
    outside(visible(issue.project.name)),
    ', by title, location, file and grouping frames.',
  ];
  if (similar.length === 0) return issuePage(model, frame, 'similar', empty('No similar issues', how));
  return issuePage(
    model,
    frame,
    'similar',
    section(
      { id: 's-similar', title: 'Similar issues' },
      html`<p class="hint">${how}</p>`,
      similarTable(similar, frame),
    ),
  );
}

function similarTable(rows: readonly SimilarView[], frame: Frame): VNode {
  const state = ({ status, substatus }: SimilarView): VNode => mark(stateShape(status, substatus));
  return tableOf<SimilarView>(frame, {
    caption: 'Similar issues, most similar first',
    columns: [
      {
        name: 'Issue',
        row: (other) =>
          titleCell(frame, {
            path: `/issues/${other.issue_id}`,
            title: visible(other.title),
            place: [`#${other.issue_id}, `, sharedWords(other.shared)],
            folded: [
              ['f4', state(other)],
              ['f2', counted(other.events, 'event')],
            ],
          }),
      },
      { name: 'State', head: 'd3 w9', class: 'd3', cell: state },
      { name: 'Events', head: 'r d2 w7', class: 'r d2', cell: ({ events }) => count(events) },
      {
        name: 'Last seen',
        head: 'd1 w8',
        class: 'd1 soft',
        cell: ({ last_seen: at }) => ago(at, frame.nowMs),
      },
      { name: 'Similarity', head: 'r w6', class: 'r', cell: ({ alike }) => `${Math.round(alike * 100)}%` },
    ],
    rows,
  });
}

/** Activity with the comment form; `isShort` shows only the newest entries. */
function logPart(model: IssueHeadModel, history: HistoryModel, frame: Frame, isShort: boolean): VNode {
  const path = `${pathOf(model)}/activity`;
  const rest = history.older;
  const more = isShort ? { path } : { path, query: { before: rest } };
  const beside =
    isShort && rest !== null
      ? html`<p class="small">${pageLink(frame, { path }, null, 'All activity')}</p>`
      : null;
  return section(
    { id: 's-act', title: 'Activity', beside },
    isShort ? null : sayForm(model, frame),
    html`<ol class="log">${history.entries.map((entry) => entryItem(entry, model, frame))}</ol>`,
    isShort || rest === null
      ? null
      : html`<p class="after">${pageLink(frame, more, { rel: 'next' }, 'Older')}</p>`,
    isShort ? sayForm(model, frame) : null,
  );
}

function entryItem(entry: HistoryEntryView, model: IssueHeadModel, frame: Frame): VNode {
  const time = shortTime(entry.at, frame.nowMs);
  if (entry.entry === 'act') {
    const undo = undoForm(entry, model, frame) ?? undoSplitForm(entry, model, frame);
    return html`<li>${time}<div><p>${actSentence(entry, model, frame)}</p>${undo}</div></li>`;
  }
  const remove = entry.may_remove
    ? actForm(
        frame,
        `${pathOf(model)}/comments/${entry.comment_id}/remove`,
        { class: 'under' },
        submit(['Remove', hidden(` the comment of ${entry.author}`)], { class: 'btn small' }),
      )
    : null;
  return html`<li id="comment-${entry.comment_id}">
    ${time}
    <div><p><b><bdi>${visible(entry.author)}</bdi></b></p>${paragraphs(entry.body, frame)}${remove}</div>
  </li>`;
}

/** Paragraphs are separated by empty lines; issue numbers become links. */
function paragraphs(body: string, frame: Frame): VNode[] {
  return visible(body)
    .split(/\n{2,}/)
    .map((text) => html`<p class="said"><bdi>${linked(text, frame)}</bdi></p>`);
}

function linked(text: string, frame: Frame): Content[] {
  // `#123`, but not within a word or URL.
  return text.split(/(?<![\p{L}\p{N}/#&])(#[1-9]\d{0,14})(?![\p{L}\p{N}])/u).map((piece, at) => {
    return at % 2 === 1 ? issueLink(Number(piece.slice(1)), frame) : piece;
  });
}

function undoForm(
  entry: Extract<HistoryEntryView, { entry: 'act' }>,
  model: IssueHeadModel,
  frame: Frame,
): VNode | null {
  const { merge_id: mergeId } = entry.detail as { readonly merge_id?: unknown };
  const stands = model.merges.some((merge) => merge.merge_id === mergeId && merge.undone_at === null);
  if (entry.kind !== 'merged' || !stands || frame.visitor?.canAct !== true) return null;
  return undoMergeForm(Number(mergeId), model, frame);
}

/** A split is undone by merging the two issues. */
function undoSplitForm(
  { kind, at, detail }: Extract<HistoryEntryView, { entry: 'act' }>,
  model: IssueHeadModel,
  frame: Frame,
): VNode | null {
  const { into, from } = detail as { readonly into?: unknown; readonly from?: unknown };
  const own = model.issue.issue_id;
  const [home, part] = typeof into === 'number' ? [own, into] : [from, own];
  if (kind !== 'split' || typeof home !== 'number' || frame.visitor?.canAct !== true) return null;
  const isOver = model.merges.some(
    (merge) => merge.undone_at === null && merge.issue_ids.includes(part) && merge.at >= at,
  );
  if (isOver) return null;
  return actForm(
    frame,
    `/issues/${home}/merge`,
    { class: 'under' },
    html`<input type="hidden" name="issue_id" value=${part} />`,
    submit('Undo split', { class: 'btn small' }),
  );
}

function undoMergeForm(mergeId: number, model: IssueHeadModel, frame: Frame): VNode | null {
  return actForm(
    frame,
    `${pathOf(model)}/undo-merge`,
    { class: 'under' },
    html`<input type="hidden" name="merge_id" value=${mergeId} />`,
    submit('Undo merge', { class: 'btn small' }),
  );
}

function sayForm(model: IssueHeadModel, frame: Frame): VNode | null {
  if (frame.visitor?.canAct !== true) return null;
  const text = { id: 'say', name: 'text', rows: 2, required: true, maxlength: 10_000 };
  return actForm(
    frame,
    `${pathOf(model)}/comments`,
    { class: 'say' },
    html`<label class="vh" for="say">Comment</label>`,
    html`<textarea ...${text} placeholder="What you found, what you will do"></textarea>`,
    html`<div class="saybar">
      <span class="small dim">Write #1 to link to an issue</span>${submit('Comment')}
    </div>`,
  );
}
