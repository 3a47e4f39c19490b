import type { IssueEventModel } from '../../core/page-models/issue/event.ts';
import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import type { HistoryEntryView } from '../../core/page-models/issue/history.ts';
import type { SimilarView } from '../../core/page-models/issue/similar.ts';
import type {
  IssueEventsModel,
  IssueHistoryModel,
  IssueSimilarModel,
  IssueUsersModel,
} from '../../core/page-models/issue/tabs.ts';
import { nameOfIdentity } from '../../core/page-models/mask-user.ts';
import { actionForm, hiddenFields, submitButton } from '../components/controls.ts';
import { emptyState, pager, section, visuallyHidden } from '../components/elements.ts';
import { type FormEntry, textToPost } from '../components/form.ts';
import { iconMark, statusMark } from '../components/icons.ts';
import { filterForm } from '../components/list.ts';
import { type Column, column, dataTable, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { eventPart, handlingOf } from '../event/event.ts';
import {
  count,
  counted,
  formatDayAndTime,
  replaceInvisible,
  shortTime,
  timeAgo,
  timeElement,
  untrustedText,
} from '../formatters.ts';
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
    { ...model, handledText: handlingOf(model) },
    context,
    'event',
    ...eventPart(model, context, { split: splitLink(model, context), log }),
  );
}

export function issueEventsPage(model: IssueEventsModel, context: PageContext): PageContent {
  const path = `${issuePath(model)}/events`;
  const { events, stored, q, mistakes, matching } = model;
  const search = [
    filterForm(context, path, {
      label: 'Events of this issue',
      search: { label: 'Search events', hint: 'Search, for example release:latest user.id:84213', value: q },
      verb: 'Search',
    }),
    mistakeLines(mistakes),
  ];
  const content = (...parts: Content[]): PageContent => issuePage(model, context, 'events', ...parts);
  if (events.length === 0 && matching !== null) {
    const all = pageLink(context, path, { class: 'btn' }, 'Clear search');
    const description = 'Tags and texts are searched in the newest 1,000.';
    return content(search, emptyState('No events match this search', description, all));
  }
  const chart = eventsChart(model, context);
  if (events.length === 0) {
    const description = 'Events are deleted after the retention period, while counts are kept.';
    return content(chart, emptyState('No events are stored any more', description));
  }
  const all = `${count(stored.events)}${stored.capped ? ' or more' : ''}`;
  const { newer, older } = model;
  return content(
    chart,
    search,
    dataTable(context, {
      caption: 'Stored events, newest first',
      columns: eventColumns(path, context),
      rows: events,
    }),
    pager(context, {
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

function eventColumns(path: string, context: PageContext): Array<Column<EventRow>> {
  const text = (value: string | null): Content => (value === null ? '–' : untrustedText(value));
  return [
    { name: visuallyHidden('Level'), class: 'lv', cell: ({ level }) => iconMark(level) },
    {
      name: 'Event',
      row: ({ event_id: id, title, culprit, release, environment }) =>
        titleCell(context, {
          path: `${path}/${id}`,
          title: replaceInvisible(title),
          subtitle: [html`<code>${id.slice(0, 8)}</code>`, ' ', text(culprit)],
          folded: [
            ['f2', text(release)],
            ['f1', environment === null ? null : text(environment)],
          ],
        }),
    },
    column('Release', 'd2 w9', 'd2 soft', ({ release }) => text(release)),
    column('Environment', 'd1 w9', 'd1 soft', ({ environment }) => text(environment)),
    column('Received', 'w9', 'soft', ({ received: at }) =>
      timeElement(at, formatDayAndTime(Date.parse(at)), false),
    ),
  ];
}

export function issueUsersPage(model: IssueUsersModel, context: PageContext): PageContent {
  const { users, users_total: total, stored, newer, older } = model;
  const sampleText = `the newest ${stored.capped ? count(stored.events) : counted(stored.events, 'stored event')}`;
  if (users.length === 0 && newer === null) {
    const description = 'Errors name a user when the SDK is told: Sentry.setUser({ id }).';
    return issuePage(model, context, 'users', emptyState('No stored event names a user', description));
  }
  return issuePage(
    model,
    context,
    'users',
    dataTable(context, {
      caption: 'Users of this issue, last seen first',
      columns: userColumns(context),
      rows: users,
    }),
    pager(context, {
      path: `${issuePath(model)}/users`,
      summary: `${count(users.length)} of ${counted(total, 'user')} in ${sampleText}`,
      newer: newer === null ? null : { page: newer === 1 ? null : String(newer) },
      older: older === null ? null : { page: String(older) },
    }),
  );
}

function userColumns(context: PageContext): Array<Column<UserRow>> {
  return [
    {
      name: 'User',
      row: (user) =>
        titleCell(context, {
          path: `/users/${user.user_hash}`,
          title: replaceInvisible(nameOfIdentity(user) ?? 'without a name'),
          subtitle: [user.email, user.username, user.name].filter((each) => each !== null).join(', '),
          folded: [['f5', counted(user.events, 'event')]],
        }),
    },
    { name: 'Events', class: 'r d5', cell: ({ events }) => count(events) },
    {
      name: 'Last seen',
      class: 'seen',
      cell: ({ last_seen: at }) => (at === null ? null : timeAgo(at, context.nowMs)),
    },
  ];
}

export function issueHistoryPage(
  model: IssueHistoryModel,
  context: PageContext,
  entry?: FormEntry,
): PageContent {
  return issuePage(
    model,
    context,
    'activity',
    html`<div class="half">${activitySection(model, model.history, context, { isShort: false, entry })}</div>`,
  );
}

export function issueSimilarPage(model: IssueSimilarModel, context: PageContext): PageContent {
  const { similar, compared, issue } = model;
  const description = [
    `Compared with the ${count(compared)} most recently seen issues of `,
    untrustedText(issue.project.name),
    ', by title, location, file and grouping frames.',
  ];
  if (similar.length === 0)
    return issuePage(model, context, 'similar', emptyState('No similar issues', description));
  return issuePage(
    model,
    context,
    'similar',
    section(
      { id: 's-similar', title: 'Similar issues' },
      html`<p class="hint">${description}</p>`,
      similarTable(similar, context),
    ),
  );
}

function similarTable(rows: readonly SimilarView[], context: PageContext): VNode {
  const state = ({ status, substatus }: SimilarView): VNode => statusMark(issueStateIcon(status, substatus));
  return dataTable<SimilarView>(context, {
    caption: 'Similar issues, most similar first',
    columns: [
      {
        name: 'Issue',
        row: (other) =>
          titleCell(context, {
            path: `/issues/${other.issue_id}`,
            title: replaceInvisible(other.title),
            subtitle: [`#${other.issue_id}, `, sharedTraitsText(other.shared)],
            folded: [
              ['f4', state(other)],
              ['f2', counted(other.events, 'event')],
            ],
          }),
      },
      column('State', 'd3 w9', 'd3', state),
      column('Events', 'r d2 w7', 'r d2', ({ events }) => count(events)),
      column('Last seen', 'd1 w8', 'd1 soft', ({ last_seen: at }) => timeAgo(at, context.nowMs)),
      column('Similarity', 'r w6', 'r', ({ alike: similarity }) => `${Math.round(similarity * 100)}%`),
    ],
    rows,
  });
}

/** Activity with the comment form; `isShort` shows only the newest entries. */
function activitySection(
  model: IssueHeadModel,
  history: IssueHistoryModel['history'],
  context: PageContext,
  { isShort, entry }: { readonly isShort: boolean; readonly entry?: FormEntry | undefined },
): VNode {
  const path = `${issuePath(model)}/activity`;
  const rest = history.older;
  const more = isShort ? { path } : { path, query: { before: rest } };
  const aside =
    isShort && rest !== null
      ? html`<p class="small">${pageLink(context, path, null, 'All activity')}</p>`
      : null;
  return section(
    { id: 's-act', title: 'Activity', aside },
    isShort ? null : commentForm(model, context, entry),
    html`<ol class="log">${history.entries.map((entry) => entryItem(entry, model, context))}</ol>`,
    isShort || rest === null
      ? null
      : html`<p class="after">${pageLink(context, more, { rel: 'next' }, 'Older')}</p>`,
    isShort ? commentForm(model, context) : null,
  );
}

function entryItem(entry: HistoryEntryView, model: IssueHeadModel, context: PageContext): VNode {
  const time = shortTime(entry.at, context.nowMs);
  if (entry.entry === 'act') {
    const undo = undoForm(entry, model, context);
    return html`<li>${time}<div><p>${activitySentence(entry, model, context)}</p>${undo}</div></li>`;
  }
  const remove = entry.may_remove
    ? actionForm(
        context,
        `${issuePath(model)}/comments/${entry.comment_id}/remove`,
        { class: 'under' },
        submitButton(['Remove', visuallyHidden(` the comment of ${entry.author}`)], { class: 'btn small' }),
      )
    : null;
  return html`<li id="comment-${entry.comment_id}">
    ${time}
    <div><p><b>${untrustedText(entry.author)}</b></p>${paragraphs(entry.body, context)}${remove}</div>
  </li>`;
}

/** Paragraphs are separated by empty lines; issue numbers become links. */
function paragraphs(body: string, context: PageContext): VNode[] {
  return replaceInvisible(body)
    .split(/\n{2,}/)
    .map((text) => html`<p class="said"><bdi>${linked(text, context)}</bdi></p>`);
}

function linked(text: string, context: PageContext): Content[] {
  // `#123`, but not within a word or URL.
  return text.split(/(?<![\p{L}\p{N}/#&])(#[1-9]\d{0,14})(?![\p{L}\p{N}])/u).map((piece, at) => {
    return at % 2 === 1 ? issueLink(Number(piece.slice(1)), context) : piece;
  });
}

function undoForm(
  { kind, at, detail }: Extract<HistoryEntryView, { entry: 'act' }>,
  model: IssueHeadModel,
  context: PageContext,
): VNode | null {
  if (context.currentUser?.canAct !== true) return null;
  const { merge_id: mergeId, into, from } = detail as Readonly<Record<string, unknown>>;
  const active = model.merges.filter((merge) => merge.undone_at === null);
  const form = (path: string, name: string, id: number, word: string): VNode | null =>
    actionForm(
      context,
      path,
      { class: 'under' },
      hiddenFields([[name, String(id)]]),
      submitButton(word, { class: 'btn small' }),
    );
  if (kind === 'merged' && active.some((merge) => merge.merge_id === mergeId)) {
    return form(`${issuePath(model)}/undo-merge`, 'merge_id', Number(mergeId), 'Undo merge');
  }
  const issueId = model.issue.issue_id;
  const [home, part] = typeof into === 'number' ? [issueId, into] : [from, issueId];
  if (kind !== 'split' || typeof home !== 'number') return null;
  const isOver = active.some((merge) => merge.issue_ids.includes(part) && merge.at >= at);
  return isOver ? null : form(`/issues/${home}/merge`, 'issue_id', part, 'Undo split');
}

function commentForm(model: IssueHeadModel, context: PageContext, entry?: FormEntry): VNode | null {
  if (context.currentUser?.canAct !== true) return null;
  return actionForm(
    context,
    `${issuePath(model)}/comments`,
    { class: 'say' },
    ...textToPost('Comment', {
      ...{ name: 'text', rows: 2, value: entry?.values['text'], error: entry?.errors['text'] },
      placeholder: 'What you found, what you will do',
    }),
    html`<div class="saybar">
      <span class="small dim">Write #1 to link to an issue, @name to notify a member</span>${submitButton('Comment')}
    </div>`,
  );
}
