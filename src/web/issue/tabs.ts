import type { VNode } from 'preact';
import type { IssueEventModel } from '../../core/page-models/issue/event.ts';
import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import type { HistoryEntryView, HistoryModel } from '../../core/page-models/issue/history.ts';
import type { SimilarView } from '../../core/page-models/issue/similar.ts';
import type {
  IssueEventsModel,
  IssueHistoryModel,
  IssueSimilarModel,
  IssueUsersModel,
} from '../../core/page-models/issue/tabs.ts';
import { nameOfIdentity } from '../../core/page-models/mask-user.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, emptyState, pager, section, visuallyHidden } from '../components/elements.ts';
import { type FormEntry, textToPost } from '../components/form.ts';
import { pageLink } from '../components/link.ts';
import { filterForm } from '../components/list.ts';
import { iconMark, statusMark } from '../components/mark.ts';
import { type Column, dataTable, titleCell } from '../components/table.ts';
import { shortTime, timeAgo, timeElement } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { eventPart, handlingOf } from '../event/event.ts';
import { count, counted } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { formatDayAndTime } from '../formatters/times.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { eventsChart, issuePage } from './head.ts';
import { issuePath } from './issue-path.ts';
import { activitySentence, issueLink, issueStateIcon, mistakeLines, sharedTraitsText } from './sentences.ts';
import { splitLink } from './split.ts';

type EventRow = IssueEventsModel['events'][number];
type UserRow = IssueUsersModel['users'][number];

export function issueEventPage(model: IssueEventModel, context: PageContext): PageContent {
  const log = activitySection(model, model.history, context, { isShort: true });
  return issuePage(
    { ...model, how: handlingOf(model) },
    context,
    'event',
    ...eventPart(model, context, { split: splitLink(model, context), log }),
  );
}

export function issueEventsPage(model: IssueEventsModel, frame: PageContext): PageContent {
  const path = `${issuePath(model)}/events`;
  const { events, stored, q, mistakes, matching } = model;
  const search = [
    filterForm(frame, path, {
      label: 'Events of this issue',
      search: { label: 'Search events', hint: 'Search, for example release:latest user.id:84213', value: q },
      verb: 'Search',
    }),
    mistakeLines(mistakes),
  ];
  if (events.length === 0 && matching !== null) {
    const all = pageLink(frame, { path }, { class: 'btn' }, 'Clear search');
    return issuePage(
      model,
      frame,
      'events',
      search,
      emptyState('No events match this search', 'Tags and texts are searched in the newest 1,000.', all),
    );
  }
  if (events.length === 0) {
    const why = 'Events are deleted after the retention period, while counts are kept.';
    return issuePage(
      model,
      frame,
      'events',
      eventsChart(model, frame),
      emptyState('No events are stored any more', why),
    );
  }
  const all = `${count(stored.events)}${stored.capped ? ' or more' : ''}`;
  const { newer, older } = model;
  return issuePage(
    model,
    frame,
    'events',
    eventsChart(model, frame),
    search,
    dataTable(frame, {
      caption: 'Stored events, newest first',
      columns: eventColumns(path, frame),
      rows: events,
    }),
    pager(frame, {
      path,
      summary:
        matching === null
          ? `${count(events.length)} of ${all} stored events`
          : `${count(events.length)} of ${counted(matching, 'event')} found`,
      newer: newer === null ? null : { after: newer },
      older: older === null ? null : { before: older },
    }),
  );
}

function eventColumns(path: string, frame: PageContext): Array<Column<EventRow>> {
  const text = (value: string | null): Content =>
    value === null ? '–' : bidiIsolated(replaceInvisible(value));
  return [
    { name: visuallyHidden('Level'), class: 'lv', cell: ({ level }) => iconMark(level) },
    {
      name: 'Event',
      row: ({ event_id: id, title, culprit, release, environment }) =>
        titleCell(frame, {
          path: `${path}/${id}`,
          title: replaceInvisible(title),
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
      cell: ({ received: at }) => timeElement(at, formatDayAndTime(Date.parse(at)), false),
    },
  ];
}

export function issueUsersPage(model: IssueUsersModel, frame: PageContext): PageContent {
  const { users, users_total: total, stored, newer, older } = model;
  const among = `the newest ${stored.capped ? count(stored.events) : counted(stored.events, 'stored event')}`;
  if (users.length === 0 && newer === null) {
    const why = 'Errors name a user when the SDK is told: Sentry.setUser({ id }).';
    return issuePage(model, frame, 'users', emptyState('No stored event names a user', why));
  }
  return issuePage(
    model,
    frame,
    'users',
    dataTable(frame, {
      caption: 'Users of this issue, last seen first',
      columns: userColumns(frame),
      rows: users,
    }),
    pager(frame, {
      path: `${issuePath(model)}/users`,
      summary: `${count(users.length)} of ${counted(total, 'user')} in ${among}`,
      newer: newer === null ? null : { page: newer === 1 ? null : String(newer) },
      older: older === null ? null : { page: String(older) },
    }),
  );
}

function userColumns(frame: PageContext): Array<Column<UserRow>> {
  return [
    {
      name: 'User',
      row: (user) =>
        titleCell(frame, {
          path: `/users/${user.user_hash}`,
          title: replaceInvisible(nameOfIdentity(user) ?? 'without a name'),
          place: [user.email, user.username, user.name].filter((each) => each !== null).join(', '),
          folded: [['f5', counted(user.events, 'event')]],
        }),
    },
    { name: 'Events', class: 'r d5', cell: ({ events }) => count(events) },
    {
      name: 'Last seen',
      class: 'seen',
      cell: ({ last_seen: at }) => (at === null ? null : timeAgo(at, frame.nowMs)),
    },
  ];
}

export function issueHistoryPage(
  model: IssueHistoryModel,
  frame: PageContext,
  entry?: FormEntry,
): PageContent {
  return issuePage(
    model,
    frame,
    'activity',
    html`<div class="half">${activitySection(model, model.history, frame, { isShort: false, entry })}</div>`,
  );
}

export function issueSimilarPage(model: IssueSimilarModel, frame: PageContext): PageContent {
  const { similar, compared, issue } = model;
  const how = [
    `Compared with the ${count(compared)} most recently seen issues of `,
    bidiIsolated(replaceInvisible(issue.project.name)),
    ', by title, location, file and grouping frames.',
  ];
  if (similar.length === 0) return issuePage(model, frame, 'similar', emptyState('No similar issues', how));
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

function similarTable(rows: readonly SimilarView[], frame: PageContext): VNode {
  const state = ({ status, substatus }: SimilarView): VNode => statusMark(issueStateIcon(status, substatus));
  return dataTable<SimilarView>(frame, {
    caption: 'Similar issues, most similar first',
    columns: [
      {
        name: 'Issue',
        row: (other) =>
          titleCell(frame, {
            path: `/issues/${other.issue_id}`,
            title: replaceInvisible(other.title),
            place: [`#${other.issue_id}, `, sharedTraitsText(other.shared)],
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
        cell: ({ last_seen: at }) => timeAgo(at, frame.nowMs),
      },
      { name: 'Similarity', head: 'r w6', class: 'r', cell: ({ alike }) => `${Math.round(alike * 100)}%` },
    ],
    rows,
  });
}

/** Activity with the comment form; `isShort` shows only the newest entries. */
function activitySection(
  model: IssueHeadModel,
  history: HistoryModel,
  frame: PageContext,
  { isShort, entry }: { readonly isShort: boolean; readonly entry?: FormEntry | undefined },
): VNode {
  const path = `${issuePath(model)}/activity`;
  const rest = history.older;
  const more = isShort ? { path } : { path, query: { before: rest } };
  const beside =
    isShort && rest !== null
      ? html`<p class="small">${pageLink(frame, { path }, null, 'All activity')}</p>`
      : null;
  return section(
    { id: 's-act', title: 'Activity', beside },
    isShort ? null : commentForm(model, frame, entry),
    html`<ol class="log">${history.entries.map((entry) => entryItem(entry, model, frame))}</ol>`,
    isShort || rest === null
      ? null
      : html`<p class="after">${pageLink(frame, more, { rel: 'next' }, 'Older')}</p>`,
    isShort ? commentForm(model, frame) : null,
  );
}

function entryItem(entry: HistoryEntryView, model: IssueHeadModel, frame: PageContext): VNode {
  const time = shortTime(entry.at, frame.nowMs);
  if (entry.entry === 'act') {
    const undo = undoForm(entry, model, frame) ?? undoSplitForm(entry, model, frame);
    return html`<li>${time}<div><p>${activitySentence(entry, model, frame)}</p>${undo}</div></li>`;
  }
  const remove = entry.may_remove
    ? actionForm(
        frame,
        `${issuePath(model)}/comments/${entry.comment_id}/remove`,
        { class: 'under' },
        submitButton(['Remove', visuallyHidden(` the comment of ${entry.author}`)], { class: 'btn small' }),
      )
    : null;
  return html`<li id="comment-${entry.comment_id}">
    ${time}
    <div><p><b><bdi>${replaceInvisible(entry.author)}</bdi></b></p>${paragraphs(entry.body, frame)}${remove}</div>
  </li>`;
}

/** Paragraphs are separated by empty lines; issue numbers become links. */
function paragraphs(body: string, frame: PageContext): VNode[] {
  return replaceInvisible(body)
    .split(/\n{2,}/)
    .map((text) => html`<p class="said"><bdi>${linked(text, frame)}</bdi></p>`);
}

function linked(text: string, frame: PageContext): Content[] {
  // `#123`, but not within a word or URL.
  return text.split(/(?<![\p{L}\p{N}/#&])(#[1-9]\d{0,14})(?![\p{L}\p{N}])/u).map((piece, at) => {
    return at % 2 === 1 ? issueLink(Number(piece.slice(1)), frame) : piece;
  });
}

function undoForm(
  entry: Extract<HistoryEntryView, { entry: 'act' }>,
  model: IssueHeadModel,
  frame: PageContext,
): VNode | null {
  const { merge_id: mergeId } = entry.detail as { readonly merge_id?: unknown };
  const stands = model.merges.some((merge) => merge.merge_id === mergeId && merge.undone_at === null);
  if (entry.kind !== 'merged' || !stands || frame.currentUser?.canAct !== true) return null;
  return undoMergeForm(Number(mergeId), model, frame);
}

function undoSplitForm(
  { kind, at, detail }: Extract<HistoryEntryView, { entry: 'act' }>,
  model: IssueHeadModel,
  frame: PageContext,
): VNode | null {
  const { into, from } = detail as { readonly into?: unknown; readonly from?: unknown };
  const own = model.issue.issue_id;
  const [home, part] = typeof into === 'number' ? [own, into] : [from, own];
  if (kind !== 'split' || typeof home !== 'number' || frame.currentUser?.canAct !== true) return null;
  const isOver = model.merges.some(
    (merge) => merge.undone_at === null && merge.issue_ids.includes(part) && merge.at >= at,
  );
  if (isOver) return null;
  return actionForm(
    frame,
    `/issues/${home}/merge`,
    { class: 'under' },
    html`<input type="hidden" name="issue_id" value=${part} />`,
    submitButton('Undo split', { class: 'btn small' }),
  );
}

function undoMergeForm(mergeId: number, model: IssueHeadModel, frame: PageContext): VNode | null {
  return actionForm(
    frame,
    `${issuePath(model)}/undo-merge`,
    { class: 'under' },
    html`<input type="hidden" name="merge_id" value=${mergeId} />`,
    submitButton('Undo merge', { class: 'btn small' }),
  );
}

function commentForm(model: IssueHeadModel, frame: PageContext, entry?: FormEntry): VNode | null {
  if (frame.currentUser?.canAct !== true) return null;
  return actionForm(
    frame,
    `${issuePath(model)}/comments`,
    { class: 'say' },
    ...textToPost('Comment', {
      ...{ name: 'text', rows: 2, value: entry?.values['text'], wrong: entry?.wrong['text'] },
      placeholder: 'What you found, what you will do',
    }),
    html`<div class="saybar">
      <span class="small dim">Write #1 to link to an issue, @name to notify a member</span>${submitButton('Comment')}
    </div>`,
  );
}
