import type { ListedIssueView } from '../../core/page-models/issues/list.ts';
import { sparkline } from '../charts/sparkline.ts';
import { avatar, type IconName, iconMark, statusMark } from '../components/icons.ts';
import { type Column, titleCell } from '../components/table.ts';
import { type Content, html, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatAge,
  formatCountOrDash,
  formatShortTime,
  replaceInvisible,
  timeAgo,
  untrustedCode,
  untrustedText,
} from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

type Issue = ListedIssueView;
type Name = 'pick' | 'level' | 'issue' | 'trend' | 'events' | 'users' | 'seen' | 'assignee';

/** Unresolved issues in `back` are shown as regressed, even if their substatus has changed since. */
export function issueColumns(
  context: PageContext,
  canAct: boolean,
  back: ReadonlySet<number> = new Set(),
  selected: 'page' | 'all' | null = null,
): Record<Name, Column<Issue>> {
  const stateOf = (issue: Issue): Content =>
    issue.status === 'unresolved' && back.has(issue.issue_id) ? statusMark('regressed') : stateMark(issue);
  return {
    pick: {
      name: pageBox(selected),
      class: 'pickcol',
      cell: canAct ? (issue) => box(issue, selected) : () => null,
    },
    level: { class: 'lv', cell: ({ level }) => iconMark(level) },
    issue: { name: 'Issue', row: (issue) => title(issue, stateOf(issue), context) },
    trend: {
      name: 'Trend',
      class: 'd1 trendcol',
      cell: ({ trend, trend_step_hours: hours }) =>
        sparkline({ values: trend, name: sparkName(trend, hours) }),
    },
    events: { name: 'Events', class: 'r d5', cell: ({ events_in_range: events }) => count(events) },
    users: {
      name: 'All users',
      class: 'r d2',
      cell: (issue) => (issue.users === 0 ? formatCountOrDash(0) : usersOf(issue)),
    },
    seen: {
      name: 'Last seen',
      class: 'seen d5',
      cell: (issue) => [
        timeAgo(issue.last_seen, context.nowMs),
        html`<small>${seenNote(context, issue, stateOf(issue))}</small>`,
      ],
    },
    assignee: {
      name: 'Assignee',
      class: 'd3',
      cell: ({ assigned_to: to }) => assigneeAvatar(to),
    },
  };
}

function usersOf({ users, users_capped: isCapped }: Issue): string {
  return `${count(users)}${isCapped ? '+' : ''}`;
}

function title(issue: Issue, state: Content, context: PageContext): VNode {
  const { type, message, events_in_range: events, users } = issue;
  return titleCell(context, {
    path: `/issues/${issue.issue_id}`,
    title: [
      type === null ? null : [html`<strong>${replaceInvisible(type)}</strong>`, ' '],
      replaceInvisible(message),
    ],
    subtitle: locationOf(issue),
    folded: [
      ['f5', [state, state === null ? null : ' ', timeAgo(issue.last_seen, context.nowMs)]],
      ['f2', users === 0 ? 'no users' : [usersOf(issue), users === 1 ? ' user' : ' users']],
      ['f5', counted(events, 'event')],
    ],
  });
}

function assigneeAvatar(to: Issue['assigned_to']): VNode {
  if (to === null) return avatar(null);
  const isTeam = to.team_id !== null;
  return avatar(to.name ?? (isTeam ? 'Deleted team' : 'Former member'), isTeam ? 'team' : 'member');
}

/** Where all that match are selected, no row can be taken out. */
function box({ issue_id: id, title: name }: Issue, selected: 'page' | 'all' | null): VNode {
  const label = `Select ${replaceInvisible(name).slice(0, 60)}`;
  const state = { checked: selected !== null, disabled: selected === 'all' };
  return html`<input type="checkbox" name="issue[]" value=${id} aria-label=${label} ...${state} />`;
}

function pageBox(selected: 'page' | 'all' | null): VNode {
  const state = { checked: selected !== null, disabled: selected === 'all' };
  return html`<input class="js" type="checkbox" data-select="page" aria-label="Select all on this page" ...${state} />`;
}

/** Function in file, project, transaction. */
function locationOf({ project, place: location }: Issue): Content[] {
  const others = [location.text, project.name, location.transaction]
    .filter((text) => text !== null)
    .map((text) => untrustedText(text));
  const hasCode = (location.function ?? location.file) !== null;
  return [
    location.function === null ? null : untrustedCode(location.function),
    location.function === null || location.file === null ? null : ' in ',
    location.file === null ? null : untrustedCode(location.file),
    html`<span class="dim">
      ${others.map((text, index) => [index === 0 ? (hasCode ? ' · ' : null) : ' · ', text])}
    </span>`,
  ];
}

/** Null for an ongoing issue, which is the usual state. */
function stateMark({ status, substatus }: Issue): Content {
  if (status === 'unresolved' && (substatus ?? 'ongoing') === 'ongoing') return null;
  return statusMark((status === 'unresolved' ? substatus : status) as IconName);
}

/** `New, 3 h`, `Regressed in 4.2.0`, `Resolved in the next release`, `63 d old`. */
function seenNote(context: PageContext, issue: Issue, state: Content): Content {
  const age = formatAge(context.nowMs - Date.parse(issue.first_seen));
  if (state === null) return `${age} old`;
  if (issue.status === 'unresolved') return [state, `, ${age}`];
  const reason = stateReason(context, issue);
  return reason === null ? state : [state, ' ', reason];
}

function stateReason({ nowMs }: PageContext, { resolution, ignore }: Issue): Content {
  const named = (words: string, version: string | null): Content =>
    version === null ? null : [words, untrustedText(version)];
  if (resolution?.in === 'release') return named('in ', resolution.release);
  if (resolution?.in === 'next_release') return 'in next release';
  if (ignore?.until === 'date') return `until ${formatShortTime(Date.parse(ignore.date), nowMs)}`;
  if (ignore?.until === 'count') return `until ${counted(ignore.count, 'more event')}`;
  if (ignore?.until === 'users') return `until ${counted(ignore.users, 'more user')}`;
  return null;
}

function sparkName(trend: readonly number[], stepHours: number): string {
  const sum = trend.reduce((all, each) => all + each, 0);
  const span = spanText(trend.length * stepHours);
  if (sum === 0) return `No events in ${span}`;
  const step = stepHours === 1 ? 'hour' : `${stepHours} h`;
  return `${counted(sum, 'event')} in ${span}, ${count(trend.at(-1) ?? 0)} in the last ${step}`;
}

function spanText(hours: number): string {
  return hours > 48 ? `${Math.round(hours / 24)} days` : `${hours} hours`;
}
