import { quoted } from '../../core/page-models/issues/filters.ts';
import { nameOfIdentity } from '../../core/page-models/mask-user.ts';
import type { UserModel, UsersModel } from '../../core/page-models/users/user.ts';
import { histogram } from '../charts/histogram.ts';
import { copyButton, field, menu } from '../components/controls.ts';
import { type DialogForm, dialogButton, formDialog, formPage } from '../components/dialog-forms.ts';
import {
  bidiIsolated,
  dash,
  nameValueList,
  noneText,
  pageHead,
  plainSection,
  section,
} from '../components/elements.ts';
import type { FormEntry } from '../components/form.ts';
import { type IconName, icon, iconMark, statusMark } from '../components/icons.ts';
import { dataTable, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatDate,
  replaceInvisible,
  shortTime,
  timeAgo,
  untrustedText,
} from '../formatters.ts';
import { type PageContent, type PageContext, pageUrl } from '../page-context.ts';

const userBreadcrumbs = [{ name: 'Users', path: '/users' }];
const revealQuestion = 'Show this e-mail address? This is written to the audit log.';
const erasedWords =
  'This removes the id, e-mail, name and address from events, tags and feedback. Counts stay. This cannot be undone.';

export function usersPage({ filters, matches, user }: UsersModel, context: PageContext): PageContent {
  if (user !== null) return detailPage(user, context, { query: filters.query });
  const search = findForm(context, filters.query ?? '');
  return {
    title: 'Users',
    main: [
      pageHead({ title: 'Users' }),
      search,
      html`<p class="qsay soft">${matchesText(filters.query, matches.length)}</p>`,
      matches.length === 0 ? null : matchTable(matches, context),
    ],
  };
}

/** `email` is set only in the response to "Reveal". */
export function userPage(model: UserModel, context: PageContext, email: string | null = null): PageContent {
  return detailPage(model, context, { email });
}

function matchesText(query: string | null, matches: number): string {
  if (query === null) return 'Type the whole address, or the id that your application sends.';
  if (matches === 0) return 'No user matches. Type the whole address, or the id that your application sends.';
  const hint = 'Addresses are stored masked, so type the whole e-mail address.';
  return matches === 1 ? `1 user matches. ${hint}` : `${count(matches)} users match. ${hint}`;
}

function findForm(context: PageContext, query: string): VNode {
  return html`<form class="qrow" method="get" action=${pageUrl(context, '/users')} role="search" aria-label="Users">
    <div class="qwrap"><div class="qbox">
      <label class="vh" for="uq">Find a user by id, e-mail, user name or IP address</label>${icon('search')}
      <input id="uq" name="query" type="text" value=${query} maxlength="300" spellcheck="false" autocomplete="off" />
    </div></div>
    <button class="btn" type="submit">Find user</button>
  </form>`;
}

function matchTable(matches: UsersModel['matches'], context: PageContext): VNode {
  return dataTable(context, {
    caption: 'Users that match',
    rows: matches,
    columns: [
      {
        name: 'User',
        row: (user) =>
          titleCell(context, {
            path: `/users/${user.user_hash}`,
            title: replaceInvisible(nameOfIdentity(user) ?? ''),
            subtitle: [user.email, user.username, user.name].filter((each) => each !== null).join(', '),
            folded: [['f5', counted(user.events, 'event')]],
          }),
      },
      { name: 'Events', class: 'r d5', cell: ({ events }) => count(events) },
      {
        name: 'Last seen',
        class: 'seen',
        cell: ({ last_seen: at }) => (at === null ? dash() : timeAgo(at, context.nowMs)),
      },
    ],
  });
}

function detailPage(
  user: UserModel,
  context: PageContext,
  { query = null, email = null }: { readonly query?: string | null; readonly email?: string | null },
): PageContent {
  // Forms must return to this page, also from a search and in the response to an action.
  const pageContext = { ...context, path: `/users/${user.user_hash}` };
  const title = `User ${replaceInvisible(user.shown_name)}`;
  return {
    title,
    breadcrumbs: userBreadcrumbs,
    main: [
      pageHead({
        title: bidiIsolated(title),
        below: lastSeenText(user, pageContext),
        actions: headActions(user, pageContext),
      }),
      findForm(pageContext, query ?? ''),
      query === null ? null : html`<p class="qsay soft">${matchesText(query, 1)}</p>`,
      user.is_erasing ? html`<p class="note">The data of this user is being erased.</p>` : null,
      html`<div class="cols space">
        <div>${issues(user, pageContext)}${events(user, pageContext)}${feedback(user, pageContext)}</div>
        <div>${identitySection(user, pageContext, email)}${days(user, pageContext)}${seenWith(user)}</div>
      </div>`,
    ],
  };
}

function lastSeenText({ recent, latest_events: [newest], last_seen: at }: UserModel, context: PageContext) {
  const open = recent.unresolved === 0 ? 'none' : count(recent.unresolved);
  const seen =
    recent.issues === 0
      ? 'No issues in 30 days.'
      : `${counted(recent.issues, 'issue')} in 30 days, ${open} of them unresolved.`;
  if (at === null || newest === undefined) return html`<span class="soft">${seen}</span>`;
  const projectText = [' in ', untrustedText(newest.project)];
  const release = newest.release === null ? null : [' ', untrustedText(newest.release)];
  return html`<span class="soft">${seen} Last error ${timeAgo(at, context.nowMs)}${projectText}${release}.</span>`;
}

function headActions(user: UserModel, context: PageContext): Content {
  const canManage = context.currentUser?.canManage === true || context.demo !== undefined;
  const path = `/users/${user.user_hash}`;
  const search =
    user.id === null || user.id.includes('@')
      ? null
      : pageLink(
          context,
          { path: '/issues', query: { query: `user.id:${quoted(user.id)}`, range: '90d' } },
          { class: 'btn' },
          'Open in issue search',
        );
  const form = eraseForm(user);
  return [
    search,
    canManage
      ? menu(
          { id: 'm-user', word: 'More' },
          context.demo === undefined
            ? [pageLink(context, `${path}/export`, null, 'Export user data'), html`<hr />`]
            : null,
          dialogButton(context, form, { word: 'Erase user data…', class: 'danger' }),
        )
      : null,
    canManage ? formDialog(context, form) : null,
  ];
}

function eraseForm({ user_hash: hash, id, username, email }: UserModel, entry?: FormEntry): DialogForm {
  const path = `/users/${hash}/erase`;
  const isShown = id !== null && !id.includes('@');
  const identifierKind =
    id !== null ? 'id' : username !== null ? 'user name' : email !== null ? 'e-mail address' : 'key';
  const word = isShown ? id : id === null && username === null && email === null ? hash : null;
  const label =
    word === null
      ? `To confirm, enter the whole ${identifierKind}`
      : [`To confirm, enter the ${identifierKind}: `, html`<b>${bidiIsolated(word)}</b>`];
  return {
    id: 'd-erase',
    path,
    action: path,
    title: 'Erase user data',
    description: erasedWords,
    fields: [
      field(
        { id: 'erase-word', label, error: entry?.errors['typed'] },
        {
          ...{ name: 'typed', value: String(entry?.values['typed'] ?? ''), autofocus: entry !== undefined },
          ...{ type: 'text', required: true, maxlength: 300, autocomplete: 'off' },
        },
      ),
    ],
    verb: 'Erase user data',
    weight: 'danger',
  };
}

const breadcrumbsOf = ({ shown_name: name, user_hash: hash }: UserModel) => [
  ...userBreadcrumbs,
  { name, path: `/users/${hash}` },
];

export function eraseUserPage(user: UserModel, context: PageContext, entry?: FormEntry): PageContent {
  const page = { ...eraseForm(user, entry), title: 'Erase user data', breadcrumbs: breadcrumbsOf(user) };
  return formPage(context, page, 'danger');
}

type IssueRow = UserModel['issues'][number];

function issues(user: UserModel, context: PageContext): VNode {
  const title = 'Issues this user saw';
  if (user.issues.length === 0) {
    return plainSection('u-i', title, html`<p class="soft">No stored issue has an event of this user.</p>`);
  }
  const more = user.issues_total - user.issues.length;
  return plainSection(
    'u-i',
    title,
    dataTable<IssueRow>(context, {
      caption: title,
      class: 't list issues usr',
      rows: user.issues,
      columns: [
        { class: 'lv', cell: ({ level }) => iconMark(level) },
        { name: 'Issue', row: (issue) => issueTitle(issue, context) },
        { name: 'Their events', class: 'r d5 w6', cell: ({ user_events: events }) => count(events) },
        {
          name: 'All users',
          class: 'r d2',
          cell: ({ users, users_capped: isCapped }) => `${count(users)}${isCapped ? '+' : ''}`,
        },
        {
          name: 'Last seen',
          class: 'seen d5',
          cell: (issue) => [lastSeen(issue, context), html`<small>${stateMark(issue)}</small>`],
        },
      ],
    }),
    more > 0 ? html`<p class="small dim">${count(more)} more are in the API.</p>` : null,
  );
}

function issueTitle(issue: IssueRow, context: PageContext): VNode {
  const { type, message, place: location } = issue;
  const code = (text: string): VNode => html`<code><bdi>${replaceInvisible(text)}</bdi></code>`;
  return titleCell(context, {
    path: `/issues/${issue.issue_id}`,
    title: [
      type === null ? null : [html`<strong>${replaceInvisible(type)}</strong>`, ' '],
      replaceInvisible(message),
    ],
    subtitle: [
      location.function === null ? null : code(location.function),
      location.function === null || location.file === null ? null : ' in ',
      location.file === null ? null : code(location.file),
      location.text === null ? null : untrustedText(location.text),
    ],
    folded: [
      ['f5', [counted(issue.user_events, 'event'), ', ', lastSeen(issue, context)]],
      ['f5', stateMark(issue)],
    ],
  });
}

function lastSeen({ user_last_seen: at }: IssueRow, { nowMs }: PageContext): Content {
  return at === null ? dash() : timeAgo(at, nowMs);
}

function stateMark({ status, substatus }: IssueRow): VNode {
  const state = status === 'unresolved' ? (substatus ?? 'ongoing') : status;
  return statusMark(state as IconName);
}

function events(user: UserModel, context: PageContext): VNode | null {
  if (user.latest_events.length === 0) return null;
  const text = (value: string | null): Content => (value === null ? dash() : untrustedText(value));
  const table = dataTable<UserModel['latest_events'][number]>(context, {
    caption: 'Latest events',
    class: 't mini',
    rows: user.latest_events,
    columns: [
      { name: 'Time', class: 'w9', cell: ({ received }) => shortTime(received, context.nowMs) },
      {
        name: 'Event',
        row: (event) =>
          html`<th scope="row">
            ${pageLink(
              context,
              `/issues/${event.issue_id}/events/${event.event_id}`,
              null,
              html`<strong>${replaceInvisible(event.type ?? event.message)}</strong>`,
            )} <code class="soft"><bdi>${replaceInvisible(event.culprit)}</bdi></code>
          </th>`,
      },
      {
        name: 'Release',
        class: 'd2 w10b soft',
        cell: ({ release, project }) => text(release && `${project} ${release}`),
      },
      { name: 'Browser', class: 'd3 w9 soft', cell: ({ browser }) => text(browser) },
    ],
  });
  const shown = `${counted(user.events, 'event')}${user.events_capped ? ' or more' : ''}`;
  return section(
    { id: 'u-e', title: 'Latest events', aside: html`<span class="small dim">of ${shown}</span>` },
    table,
  );
}

function feedback(user: UserModel, context: PageContext): VNode | null {
  if (user.feedback.length === 0) return null;
  const lines = user.feedback.map(
    (each) => html`<li>
      ${shortTime(each.created_at, context.nowMs)}
      <div>
        <p>“${untrustedText(each.message)}”</p>
        <p class="small dim">
          ${each.issue_id === null ? null : ['With ', pageLink(context, `/issues/${each.issue_id}`, null, `#${each.issue_id}`), '. ']}
          ${pageLink(context, `/feedback/${each.feedback_id}`, null, 'Open feedback')}
        </p>
      </div>
    </li>`,
  );
  return section({ id: 'u-f', title: 'Feedback from this user' }, html`<ol class="log">${lines}</ol>`);
}

function identitySection(user: UserModel, context: PageContext, revealed: string | null): VNode {
  const code = (value: string | null): Content =>
    value === null ? noneText('not stored') : html`<code>${untrustedText(value)}</code>`;
  const canReveal =
    (context.currentUser?.canManage === true || context.demo !== undefined) && revealed === null;
  const form = revealForm(user);
  const reveal =
    user.email !== null && canReveal
      ? dialogButton(context, form, { word: 'Reveal…', class: 'link small' })
      : null;
  const date = (at: string | null): Content =>
    at === null ? noneText('not stored') : formatDate(Date.parse(at));
  return plainSection(
    'u-w',
    'User details',
    nameValueList([
      [
        'ID',
        user.id === null
          ? noneText('not stored')
          : [html`<code id="u-id">${untrustedText(user.id)}</code>`, ' ', copyButton('u-id', 'the id')],
      ],
      ['E-mail', [code(revealed ?? user.email), ' ', reveal]],
      ['User name', code(user.username ?? user.name)],
      ['IP address', code(user.ip_address)],
      ['First seen', date(user.first_seen)],
      [
        'Last seen',
        user.last_seen === null ? noneText('not stored') : timeAgo(user.last_seen, context.nowMs),
      ],
    ]),
    revealed === null ? null : html`<p class="hint">Shown once and recorded in the audit log.</p>`,
    reveal === null ? null : formDialog(context, form),
  );
}

function revealForm({ user_hash: hash }: UserModel): DialogForm {
  const path = `/users/${hash}/email`;
  const title = 'Reveal e-mail address';
  return {
    id: 'd-reveal',
    path,
    action: path,
    title,
    description: revealQuestion,
    fields: [],
    verb: 'Reveal',
  };
}

export function revealPage(user: UserModel, context: PageContext): PageContent {
  return formPage(context, {
    ...revealForm(user),
    title: 'Reveal e-mail address',
    breadcrumbs: breadcrumbsOf(user),
  });
}

function days({ days: all, recent }: UserModel, context: PageContext): VNode {
  const bars = all.map(({ from, events: each }) => ({
    fromMs: Date.parse(from),
    toMs: Date.parse(from) + 86_400_000,
    counts: { error: each },
  }));
  return section(
    { id: 'u-c', title: `${counted(recent.events, 'event')} in 30 days` },
    histogram(context, {
      bars,
      stacks: [{ key: 'error', name: 'events', fill: 'error' }],
      finding: 'Events a day (UTC)',
      height: 80,
    }),
  );
}

function seenWith({ seen_with: seen, projects }: UserModel): VNode | null {
  if (seen.of_events === 0) return null;
  const values = (of: ReadonlyArray<{ readonly value: string; readonly events: number }>): Content =>
    of.map(({ value, events: each }, at) => [
      at === 0 ? null : ', ',
      untrustedText(value),
      ' ',
      html`<span class="dim">${count(each)}</span>`,
    ]);
  const row = (name: string, of: Parameters<typeof values>[0]): [string, Content] => [
    name,
    of.length === 0 ? null : values(of),
  ];
  return section(
    {
      id: 'u-d',
      title: 'Seen with',
      aside: html`<span class="small dim">newest ${counted(seen.of_events, 'event')}</span>`,
    },
    nameValueList([
      row('Browser', seen.browser),
      row('OS', seen.os),
      row('Release', seen.release),
      row('Environment', seen.environment),
      row(
        'Project',
        projects.map(({ name: value, events: each }) => ({ value, events: each })),
      ),
    ]),
  );
}
