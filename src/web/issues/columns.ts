import type { VNode } from 'preact';
import type { ListedIssueView } from '../../core/page-models/issues/list.ts';
import { sparkline } from '../charts/sparkline.ts';
import type { IconName } from '../components/icons.ts';
import { iconMark, statusMark } from '../components/mark.ts';
import { type Column, titleCell } from '../components/table.ts';
import { timeAgo } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { count, counted, formatCountOrDash } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { formatAge, formatShortTime } from '../formatters/times.ts';
import type { PageContext } from '../page-context.ts';

type Issue = ListedIssueView;

/** Unresolved issues in `back` are shown as regressed, even if their substatus has changed since. */
export function issueColumns(
  context: PageContext,
  canAct: boolean,
  back: ReadonlySet<number> = new Set(),
): Record<'pick' | 'level' | 'issue' | 'hours' | 'events' | 'users' | 'seen' | 'state', Column<Issue>> {
  const stateOf = (issue: Issue): VNode =>
    issue.status === 'unresolved' && back.has(issue.issue_id) ? statusMark('regressed') : stateMark(issue);
  return {
    pick: { class: 'pickcol', cell: canAct ? box : () => null },
    level: { class: 'lv', cell: ({ level }) => iconMark(level) },
    issue: { name: 'Issue', row: (issue) => title(issue, stateOf(issue), context) },
    hours: {
      name: '24 h',
      class: 'd3',
      cell: ({ hours }) => sparkline({ values: hours, name: sparkName(hours) }),
    },
    events: { name: 'Events', class: 'r d5', cell: ({ events }) => count(events) },
    users: {
      name: 'Users',
      class: 'r d2',
      cell: (issue) => (issue.users === 0 ? formatCountOrDash(0) : usersOf(issue)),
    },
    seen: {
      name: 'Last seen',
      class: 'd5 seen',
      cell: ({ first_seen: first, last_seen: last }) => [
        timeAgo(last, context.nowMs),
        html`<small>${formatAge(context.nowMs - Date.parse(first))} old</small>`,
      ],
    },
    state: {
      name: 'State',
      class: 'd1',
      cell: (issue) => {
        const why = stateWhy(context, issue);
        return [stateOf(issue), why === null ? null : html`<small>${why}</small>`];
      },
    },
  };
}

function usersOf({ users, users_capped: isCapped }: Issue): string {
  return `${count(users)}${isCapped ? '+' : ''}`;
}

function title(issue: Issue, state: VNode, frame: PageContext): VNode {
  const { type, message, events, users } = issue;
  return titleCell(frame, {
    path: `/issues/${issue.issue_id}`,
    title: [
      type === null ? null : [html`<strong>${replaceInvisible(type)}</strong>`, ' '],
      replaceInvisible(message),
    ],
    place: placeOf(issue),
    folded: [
      ['f1', state],
      ['f5', [html`<b>${count(events)}</b>`, events === 1 ? ' event' : ' events']],
      ['f2', users === 0 ? null : [html`<b>${usersOf(issue)}</b>`, users === 1 ? ' user' : ' users']],
      ['f5', timeAgo(issue.last_seen, frame.nowMs)],
      ['f1', issue.assigned_to === null ? null : stateWhy(frame, issue)],
    ],
  });
}

function box({ issue_id: id }: Issue): VNode {
  return html`<input type="checkbox" name="issue[]" value=${id} aria-label="Select issue ${id}" />`;
}

function placeOf({ project, place }: Issue): Content[] {
  const code = (text: string): VNode => html`<code><bdi>${replaceInvisible(text)}</bdi></code>`;
  return [
    html`<span class="proj"><bdi>${replaceInvisible(project.name)}</bdi></span>`,
    ' ',
    place.function === null ? null : code(place.function),
    place.function === null ? null : ' in ',
    place.file === null ? null : code(place.file),
    place.text === null ? null : html`<bdi>${replaceInvisible(place.text)}</bdi>`,
  ];
}

function stateMark({ status, substatus }: Issue): VNode {
  if (status === 'unresolved' && substatus === 'ongoing') return html`<span class="dim">Ongoing</span>`;
  return statusMark((status === 'unresolved' ? (substatus ?? 'ongoing') : status) as IconName);
}

/** The assignee, else the resolution or ignore condition. */
function stateWhy({ nowMs }: PageContext, issue: Issue): Content {
  const { assigned_to: assignee, resolution, ignore } = issue;
  if (assignee !== null) return html`<bdi>${replaceInvisible(assignee.name ?? 'a former member')}</bdi>`;
  const named = (words: string, version: string | null): Content =>
    version === null ? null : [words, html`<bdi>${replaceInvisible(version)}</bdi>`];
  if (resolution?.in === 'release') return named('in ', resolution.release);
  if (resolution?.in === 'next_release') return 'in the next release';
  if (resolution !== null) return null;
  if (ignore?.until === 'date') return `until ${formatShortTime(Date.parse(ignore.date), nowMs)}`;
  if (ignore?.until === 'count') return `until ${counted(ignore.count, 'more event')}`;
  if (ignore?.until === 'users') return `until ${counted(ignore.users, 'more user')}`;
  if (ignore !== null) return null;
  return named('since ', issue.substatus === 'regressed' ? issue.regressed_in : issue.first_release);
}

function sparkName(hours: readonly number[]): string {
  const sum = hours.reduce((all, each) => all + each, 0);
  if (sum === 0) return 'No events in 24 hours';
  return `${counted(sum, 'event')} in 24 hours, ${count(hours.at(-1) ?? 0)} in the current hour`;
}
