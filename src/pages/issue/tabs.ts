// The pages of an issue: the event, the list of events, the history, and what is like it.
import type { VNode } from 'preact';
import type { IssueEventModel } from '../../core/workspace/issue/event.ts';
import type { SimilarView } from '../../core/workspace/issue/similar.ts';
import type {
  IssueEventsModel,
  IssueHistoryModel,
  IssueSimilarModel,
} from '../../core/workspace/issue/tabs.ts';
import { type Content, html } from '../el.ts';
import { eventPart } from '../event/event.ts';
import type { Frame, PageContent } from '../frame.ts';
import { empty, outside, pager, section } from '../parts/layout.ts';
import { mark, shapeMark } from '../parts/mark.ts';
import { type Column, tableOf, titleCell } from '../parts/table.ts';
import { ago, moment } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { dayAndTime } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { issuePage } from './head.ts';
import { logPart } from './log.ts';
import { pathOf } from './path.ts';
import { splitWay } from './split.ts';
import { sharedWords, stateShape } from './words.ts';

type EventRow = IssueEventsModel['events'][number];

/** `/issues/{id}` and `/issues/{id}/events/{event_id}`. */
export function issueEventPage(model: IssueEventModel, frame: Frame): PageContent {
  const log = logPart(model, model.history, frame, true);
  return issuePage(model, frame, 'event', ...eventPart(model, frame, { split: splitWay(model, frame), log }));
}

/** `/issues/{id}/events`. */
export function issueEventsPage(model: IssueEventsModel, frame: Frame): PageContent {
  const path = `${pathOf(model)}/events`;
  const { events, stored } = model;
  if (events.length === 0) {
    const why =
      'Events are kept for a time and counted for ever: those of this issue went when their time was over or there were too many.';
    return issuePage(model, frame, 'events', empty('No event is stored any more', why));
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

/** `/issues/{id}/activity`. */
export function issueHistoryPage(model: IssueHistoryModel, frame: Frame): PageContent {
  return issuePage(
    model,
    frame,
    'activity',
    html`<div class="half">${logPart(model, model.history, frame, false)}</div>`,
  );
}

/** `/issues/{id}/similar`. */
export function issueSimilarPage(model: IssueSimilarModel, frame: Frame): PageContent {
  const { similar, compared, issue } = model;
  const how = [
    `Compared with the ${count(compared)} issues of `,
    outside(visible(issue.project.name)),
    ' that were seen last: by the words of their titles, the place, the file, and the frames that they are grouped by.',
  ];
  if (similar.length === 0) return issuePage(model, frame, 'similar', empty('Nothing is like it', how));
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
    caption: 'Similar issues, the most alike first',
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
        name: 'Seen',
        head: 'd1 w8',
        class: 'd1 soft',
        cell: ({ last_seen: at }) => ago(at, frame.nowMs),
      },
      { name: 'Alike', head: 'r w6', class: 'r', cell: ({ alike }) => `${Math.round(alike * 100)}%` },
    ],
    rows,
  });
}
