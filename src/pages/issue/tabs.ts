// The pages of an issue: the event, the list of events, the history, and what is like it.
import type { VNode } from 'preact';
import type { IssueEventModel } from '../../core/workspace/issue/event.ts';
import type { SimilarView } from '../../core/workspace/issue/similar.ts';
import type {
  IssueEventsModel,
  IssueHistoryModel,
  IssueSimilarModel,
} from '../../core/workspace/issue/tabs.ts';
import { el } from '../el.ts';
import { eventPart } from '../event/event.ts';
import type { Frame, PageContent } from '../frame.ts';
import { empty, hiddenCaption, outside, pager, section } from '../parts/layout.ts';
import { mark, shapeMark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago, moment } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { dayAndTime } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { issuePage } from './head.ts';
import { logPart } from './log.ts';
import { pathOf } from './path.ts';
import { splitWay } from './split.ts';
import { sharedWords, stateShape } from './words.ts';

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
  return issuePage(
    model,
    frame,
    'events',
    el(
      'table',
      { class: 't list' },
      hiddenCaption('Stored events, newest first'),
      headRow(
        columnHead('Level', 'lv'),
        columnHead('Event'),
        columnHead('Release', 'd2 w9'),
        columnHead('Environment', 'd1 w9'),
        columnHead('Received', 'w9'),
      ),
      el('tbody', null, ...events.map((event) => eventRow(event, path, frame))),
    ),
    pager(frame, {
      path,
      said: `${count(events.length)} of ${all} stored events`,
      newer: model.newer === null ? null : { after: model.newer },
      older: model.older === null ? null : { before: model.older },
    }),
  );
}

function eventRow(event: IssueEventsModel['events'][number], path: string, frame: Frame): VNode {
  const release = event.release === null ? '–' : outside(visible(event.release));
  return el(
    'tr',
    null,
    cell(shapeMark(event.level), 'lv'),
    titleCell(frame, {
      path: `${path}/${event.event_id}`,
      title: visible(event.title),
      place: [el('code', null, event.event_id.slice(0, 8)), ' ', outside(visible(event.culprit))],
      folded: [
        el('span', { class: 'f2' }, release),
        event.environment === null ? null : el('span', { class: 'f1' }, outside(visible(event.environment))),
      ],
    }),
    cell(release, 'd2 soft'),
    cell(event.environment === null ? '–' : outside(visible(event.environment)), 'd1 soft'),
    cell(moment(event.received, dayAndTime(Date.parse(event.received)), false), 'soft'),
  );
}

/** `/issues/{id}/activity`. */
export function issueHistoryPage(model: IssueHistoryModel, frame: Frame): PageContent {
  return issuePage(
    model,
    frame,
    'activity',
    el('div', { class: 'half' }, logPart(model, model.history, frame, false)),
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
      el('p', { class: 'hint' }, ...how),
      el(
        'table',
        { class: 't list' },
        hiddenCaption('Similar issues, the most alike first'),
        headRow(
          columnHead('Issue'),
          columnHead('State', 'd3 w9'),
          columnHead('Events', 'r d2 w7'),
          columnHead('Seen', 'd1 w8'),
          columnHead('Alike', 'r w6'),
        ),
        el('tbody', null, ...similar.map((each) => similarRow(each, frame))),
      ),
    ),
  );
}

function similarRow(other: SimilarView, frame: Frame): VNode {
  const state = mark(stateShape(other.status, other.substatus));
  return el(
    'tr',
    null,
    titleCell(frame, {
      path: `/issues/${other.issue_id}`,
      title: visible(other.title),
      place: [`#${other.issue_id}, `, sharedWords(other.shared)],
      folded: [
        el('span', { class: 'f4' }, state),
        el('span', { class: 'f2' }, counted(other.events, 'event')),
      ],
    }),
    cell(state, 'd3'),
    cell(count(other.events), 'r d2'),
    cell(ago(other.last_seen, frame.nowMs), 'd1 soft'),
    cell(`${Math.round(other.alike * 100)}%`, 'r'),
  );
}
