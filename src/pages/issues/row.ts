// One issue in a list: what it is and where in ink and below, how often and since when, and how it stands.
import type { VNode } from 'preact';
import type { ListedIssueView } from '../../core/workspace/issues/list.ts';
import { type Content, el } from '../el.ts';
import type { Frame } from '../frame.ts';
import type { Shape } from '../parts/icons.ts';
import { mark, shapeMark } from '../parts/mark.ts';
import { cell, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { spark } from '../plots/spark.ts';
import { count, counted, countOrDash } from '../words/numbers.ts';
import { distance, shortMoment } from '../words/times.ts';
import { visible } from '../words/visible.ts';

/**
 * The row, with a box to choose it where somebody may act. `isBack` says that it is told of because it came
 * back: while it is open it is called so, whatever became of it since.
 */
export function issueRow(frame: Frame, issue: ListedIssueView, canAct: boolean, isBack = false): VNode {
  const state = isBack && issue.status === 'unresolved' ? mark('regressed') : stateMark(issue);
  const why = stateWhy(frame, issue);
  const users = `${count(issue.users)}${issue.users_capped ? '+' : ''}`;
  const title =
    issue.type === null
      ? visible(issue.message)
      : [el('strong', null, visible(issue.type)), ' ', visible(issue.message)];
  return el(
    'tr',
    null,
    canAct ? cell(box(issue), 'pickcol') : null,
    cell(shapeMark(issue.level), 'lv'),
    titleCell(frame, {
      path: `/issues/${issue.issue_id}`,
      title,
      place: placeOf(issue),
      folded: [
        el('span', { class: 'f1' }, state),
        el(
          'span',
          { class: 'f5' },
          el('b', null, count(issue.events)),
          issue.events === 1 ? ' event' : ' events',
        ),
        issue.users === 0
          ? null
          : el('span', { class: 'f2' }, el('b', null, users), issue.users === 1 ? ' user' : ' users'),
        el('span', { class: 'f5' }, ago(issue.last_seen, frame.nowMs)),
        issue.assigned_to === null ? null : el('span', { class: 'f1' }, why),
      ],
    }),
    cell(spark({ values: issue.hours, name: sparkName(issue.hours) }), 'd3'),
    cell(count(issue.events), 'r d5'),
    cell(issue.users === 0 ? countOrDash(0) : users, 'r d2'),
    cell(
      [
        ago(issue.last_seen, frame.nowMs),
        el('small', null, `${distance(frame.nowMs - Date.parse(issue.first_seen))} old`),
      ],
      'd5 seen',
    ),
    cell([state, why === null ? null : el('small', null, why)], 'd1'),
  );
}

function box({ issue_id: id }: ListedIssueView): VNode {
  return el('input', { type: 'checkbox', name: 'issue[]', value: id, 'aria-label': `Select issue ${id}` });
}

function placeOf({ project, place }: ListedIssueView): Content[] {
  const code = (text: string): VNode => el('code', null, el('bdi', null, visible(text)));
  return [
    el('span', { class: 'proj' }, el('bdi', null, visible(project.name))),
    ' ',
    place.function === null ? null : code(place.function),
    place.function === null ? null : ' in ',
    place.file === null ? null : code(place.file),
    place.text === null ? null : el('bdi', null, visible(place.text)),
  ];
}

/** An open issue is called by its sub-state; one that merely goes on needs no mark. */
function stateMark({ status, substatus }: ListedIssueView): VNode {
  if (status === 'unresolved' && substatus === 'ongoing') return el('span', { class: 'dim' }, 'Ongoing');
  return mark((status === 'unresolved' ? (substatus ?? 'ongoing') : status) as Shape);
}

/** Whom it is given to, else what is known of how it came to stand so. */
function stateWhy({ nowMs }: Frame, issue: ListedIssueView): Content {
  const { assigned_to: assignee, resolution, ignore } = issue;
  if (assignee !== null) return el('bdi', null, visible(assignee.name ?? 'a former member'));
  const named = (words: string, version: string | null): Content =>
    version === null ? null : [words, el('bdi', null, visible(version))];
  if (resolution?.in === 'release') return named('in ', resolution.release);
  if (resolution?.in === 'next_release') return 'in the next release';
  if (resolution !== null) return null;
  if (ignore?.until === 'date') return `until ${shortMoment(Date.parse(ignore.date), nowMs)}`;
  if (ignore?.until === 'count') return `until ${counted(ignore.count, 'more event')}`;
  if (ignore?.until === 'users') return `until ${counted(ignore.users, 'more user')}`;
  if (ignore !== null) return null;
  return named('since ', issue.substatus === 'regressed' ? issue.regressed_in : issue.first_release);
}

function sparkName(hours: readonly number[]): string {
  const sum = hours.reduce((all, each) => all + each, 0);
  if (sum === 0) return 'No events in 24 hours';
  return `${counted(sum, 'event')} in 24 hours, ${count(hours.at(-1) ?? 0)} in the running hour`;
}
