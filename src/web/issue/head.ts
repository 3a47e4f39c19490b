import { type IssueHeadModel, spanOfDay } from '../../core/page-models/issue/head.ts';
import { dayMs, slotEventCountMax, slotMs } from '../../core/parsing/durations.ts';
import { type Histogram, histogram } from '../charts/histogram.ts';
import { actionForm, choiceButton, menu, submitButton } from '../components/controls.ts';
import { dialogButton, formDialog } from '../components/dialog-forms.ts';
import { bidiIsolated, type Fact, facts, pageHead, tabs, visuallyHidden } from '../components/elements.ts';
import { avatarMark, avatarWithName, capitalize, icon, statusMark } from '../components/icons.ts';
import { keysDialog } from '../components/keys.ts';
import { type Content, externalLink, html, pageLink, type VNode } from '../el.ts';
import { count, counted, replaceInvisible, span, timeAgo, untrustedText } from '../formatters.ts';
import { linkedIncident } from '../incidents/linked-incidents.ts';
import { type PageContent, type PageContext, pageUrl, samePage } from '../page-context.ts';
import { deleteDialogForm, ignoreDialogForm, linkDialogForm } from './dialog-forms.ts';
import { issuePath, seenStateFields } from './issue-path.ts';
import { releaseLink, stateSentence } from './sentences.ts';

type IssuePageTab = 'event' | 'events' | 'users' | 'tags' | 'activity' | 'similar';

/** `how` is what the event says of its handling, such as `unhandled`. */
export function issuePage(
  model: IssueHeadModel & { readonly handledText?: string },
  context: PageContext,
  tab: IssuePageTab,
  ...content: Content[]
): PageContent {
  const { issue } = model;
  return {
    title: replaceInvisible(issue.title) || `Issue ${issue.issue_id}`,
    breadcrumbs: issueBreadcrumbs(model, null),
    main: html`<div class="issue">
      ${issueHead(model, context)}${model.asked_id === issue.issue_id ? null : mergedNote(model)}
      <div class="sumline">${issueFacts(model, context)}${compactPlot(model, context)}</div>
      ${moreFacts(model, context)}${issueTabs(model, context, tab)}${content}${keysDialog(context)}
    </div>`,
  };
}

/** A page of its own below the issue, such as a form. */
export function issueSubpage(model: IssueHeadModel, title: string, main: VNode): PageContent {
  return { title, breadcrumbs: issueBreadcrumbs(model, issuePath(model)), main };
}

function issueBreadcrumbs({ issue }: IssueHeadModel, path: string | null) {
  return [
    { name: 'Issues', path: '/issues' },
    { name: issue.project.name, path: `/projects/${issue.project.project_id}` },
    { name: `#${issue.issue_id}`, path },
  ];
}

function issueHead(model: IssueHeadModel & { readonly handledText?: string }, context: PageContext): VNode {
  const { issue, handledText = '' } = model;
  const actions = issueActions(model, context);
  return pageHead({
    title: titleOf(model),
    below: culprit(issue.culprit),
    states: [
      html`<span>${statusMark(issue.level)}${handledText === '' ? null : html`<span class="soft">, ${handledText}</span>`}</span>`,
      html`<span>${stateSentence(model, context)}</span>`,
    ],
    ...(actions === null ? {} : { actions }),
  });
}

function titleOf({ issue }: IssueHeadModel): Content {
  const hasType = issue.grouping.source === 'stacktrace' || issue.grouping.source === 'exception';
  const [, type, text] = (hasType ? /^(\S{1,80}?): (.+)$/s.exec(issue.title) : null) ?? [];
  if (type === undefined || text === undefined) {
    return html`<bdi>${replaceInvisible(issue.title) || '(no title)'}</bdi>`;
  }
  return [breakable(replaceInvisible(type)), ' ', html`<bdi class="msg">${replaceInvisible(text)}</bdi>`];
}

/** Allows line breaks between parts of a name: `System.`, `ActiveRecord::`, `App\\`. */
function breakable(name: string): VNode {
  const segments = name.split(/(?<=[.\\]|::)(?=\w)/);
  return bidiIsolated(segments.flatMap((part, at) => (at === 0 ? [part] : [html`<wbr />`, part])));
}

function culprit(text: string): Content {
  if (text === '') return html`<span class="dim">Unknown location</span>`;
  const [, name, file] = /^(.+) \(([^()]+)\)$/s.exec(text) ?? [];
  if (name === undefined || file === undefined) return html`<code>${untrustedText(text)}</code>`;
  return [html`<code>${untrustedText(name)}</code>`, ' in ', html`<code>${untrustedText(file)}</code>`];
}

function mergedNote({ asked_id: requestedId }: IssueHeadModel): VNode {
  return html`<p class="note">#${requestedId} was merged into this issue.</p>`;
}

function issueFacts(model: IssueHeadModel, context: PageContext): VNode {
  const { issue } = model;
  const { nowMs } = context;
  const users = `${count(issue.users)}${issue.users_capped ? ' or more' : ''}`;
  const each =
    issue.users === 0 ? 'no user data' : `${counted(Math.round(issue.events / issue.users), 'event')} each`;
  const seenIn = (version: string | null): Content =>
    version === null ? null : ['in ', releaseLink(model, version, context)];
  const rows: Fact[] = [
    ['Events', count(issue.events), `${count(model.days.at(-1)?.events ?? 0)} today`],
    ['Users', users, each],
    ['Last seen', timeAgo(issue.last_seen, nowMs), seenIn(issue.last_release)],
    ['First seen', timeAgo(issue.first_seen, nowMs), seenIn(issue.first_release)],
  ];
  return facts(rows);
}

function moreFacts(model: IssueHeadModel, context: PageContext): VNode {
  const { reports, issue } = model;
  const { nowMs } = context;
  const rows: Array<readonly [name: string, value: Content]> = [];
  const to = issue.assigned_to;
  // Who may assign sees the assignee on the button.
  if (context.currentUser?.canAct !== true && to !== null) {
    rows.push(['Assignee', untrustedText(to.name ?? 'Former member')]);
  }
  rows.push(['Suspect commit', suspectCommit(model, context)], ...linkedIssues(model, context));
  if (reports.count > 0) {
    const newest = reports.newest === null ? null : [', newest ', timeAgo(reports.newest, nowMs)];
    rows.push(['Feedback', [counted(reports.count, 'report'), newest]]);
  }
  for (const each of model.incidents ?? []) rows.push(['Incident', linkedIncident(each, context)]);
  return html`<dl class="meta2">
    ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

function suspectCommit({ suspect_commit: commit }: IssueHeadModel, context: PageContext): Content {
  if (commit === null) {
    const helpLink = pageLink(context, { path: '/help', hash: 'commits' }, null, 'How');
    return html`<span class="dim">No suspect commit. Send commits with the release.</span> ${helpLink}`;
  }
  const { commit_id: id, message, author, release, url } = commit;
  const words = [html`<code>${replaceInvisible(id.slice(0, 7))}</code>`, ' ', untrustedText(message)];
  const by = author === null ? null : [' by ', untrustedText(author)];
  const of = html`<span class="soft">${by}, in <bdi>${replaceInvisible(release)}</bdi></span>`;
  return [url === null ? words : externalLink(url, ...words), ' ', of];
}

function linkedIssues(model: IssueHeadModel, context: PageContext): Array<readonly [string, Content]> {
  return model.links.map(({ link_id: id, url, label, service }) => {
    const path = `${issuePath(model)}/links/${id}/remove`;
    const words = [icon('out'), ' ', externalLink(url, untrustedText(label))];
    const remove =
      context.currentUser?.canAct === true
        ? actionForm(
            context,
            path,
            { class: 'inline' },
            submitButton(['Remove', visuallyHidden(` the link to ${label}`)], { class: 'link' }),
          )
        : null;
    return ['Linked issue', [...words, ' ', html`<span class="soft">${service}</span> `, remove]] as const;
  });
}

function compactPlot(model: IssueHeadModel, context: PageContext): VNode {
  return histogram(context, { ...plotOf(model), height: 72, isCompact: true });
}

export function eventsChart(model: IssueHeadModel, context: PageContext): VNode {
  return histogram(context, {
    ...plotOf(model),
    aside: rangeTabs(context, model.slots !== undefined),
    height: 108,
  });
}

function plotOf(model: IssueHeadModel): Histogram {
  const { days, slots, issue } = model;
  const counts =
    slots === undefined
      ? days.map(({ day, events }) => ({ fromMs: Date.parse(day), ms: dayMs, events }))
      : slots.map(({ at, events }) => ({ fromMs: Date.parse(at), ms: slotMs, events }));
  const fill = issue.level === 'debug' ? 'info' : issue.level;
  return {
    bars: counts.map(({ fromMs, ms, events }) => ({ fromMs, toMs: fromMs + ms, counts: { error: events } })),
    stacks: [{ key: 'error', name: 'events', fill }],
    markers: model.releases.map(({ version, at }) => ({
      atMs: Date.parse(at),
      name: replaceInvisible(version),
    })),
    finding: trendText(model),
  };
}

function trendText({ days, slots }: IssueHeadModel): Content {
  const all = (slots ?? days).reduce((sum, { events }) => sum + events, 0);
  const amount = html`<b>${counted(all, 'event')}</b>`;
  if (slots === undefined) return [amount, ' in 30 days'];
  const ms = slots.length * slotMs;
  if (ms === dayMs) return [amount, ' in 24 h'];
  const orMore = slots.some(({ events }) => events > slotEventCountMax) ? ' or more' : '';
  return [amount, `${orMore} in ${span(ms)}; a whole day has too many to be counted`];
}

function rangeTabs(context: PageContext, isDay: boolean): VNode {
  const choice = (value: string | null, words: string, isChosen: boolean): VNode => {
    const attributes = { class: 'btn small', 'aria-current': isChosen ? 'page' : null };
    return pageLink(context, samePage(context, { span: value }), attributes, words);
  };
  return html`<nav class="joined" aria-label="Range">
    ${choice(spanOfDay, '24 h', isDay)}${choice(null, '30 d', !isDay)}
  </nav>`;
}

function issueTabs(model: IssueHeadModel, context: PageContext, current: IssuePageTab): VNode {
  const path = issuePath(model);
  const query = { span: model.slots === undefined ? null : spanOfDay };
  const { issue, stored, similar } = model;
  const tab = (key: Exclude<IssuePageTab, 'event'>, total: number, isCapped = false) => ({
    name: capitalize(key),
    path: `${path}/${key}`,
    query,
    count: `${count(total)}${isCapped ? '+' : ''}`,
    isCurrent: current === key,
  });
  return tabs(context, `Issue ${issue.issue_id}`, [
    { name: 'Event', path, query, isCurrent: current === 'event' },
    tab('events', stored.events, stored.capped),
    tab('users', issue.users, issue.users_capped),
    tab('tags', model.tag_count),
    tab('activity', model.history_entries),
    tab('similar', similar.length),
  ]);
}

// Each form carries the state that the user saw, so that of two conflicting actions the second is refused.

function issueActions(model: IssueHeadModel, context: PageContext): Content {
  const canAct = context.currentUser?.canAct === true;
  const canDelete = context.currentUser?.canManage === true;
  if (!canAct) return moreMenu(model, context, [], null);
  const { status } = model.issue;
  const [link, remove] = [linkDialogForm(model), deleteDialogForm(model)];
  return [
    status === 'resolved' ? null : resolveForm(model, context),
    status === 'unresolved' ? null : reopenForm(model, context),
    status === 'ignored' ? null : ignoreForm(model, context),
    assignForm(model, context),
    ...moreMenu(
      model,
      context,
      [
        pageLink(context, `${issuePath(model)}/merge`, { 'data-key': 'm' }, 'Merge…'),
        dialogButton(context, link, { word: 'Link tracker issue…' }),
      ],
      canDelete ? dialogButton(context, remove, { word: 'Delete issue…', class: 'danger' }) : null,
    ),
    formDialog(context, link),
    // The dialog must be outside: its button is in a form, and forms cannot be nested.
    status === 'ignored' ? null : formDialog(context, ignoreDialogForm(model)),
    canDelete ? formDialog(context, remove) : null,
  ];
}

function moreMenu(model: IssueHeadModel, context: PageContext, first: readonly Content[], remove: Content) {
  const path = issuePath(model);
  const markdown = pageUrl(context, `${path}.md`);
  return menu(
    { id: 'm-more', word: 'More' },
    ...first,
    html`<button class="js" type="button" data-copy=${pageUrl(context, path)}>Copy link</button>`,
    html`<button class="js" type="button" data-copy-from=${markdown}>Copy as Markdown</button>`,
    pageLink(context, `${path}.md`, { download: true }, 'Download as Markdown'),
    ...(remove === null ? [] : [html`<hr />`, remove]),
  );
}

function resolveForm(model: IssueHeadModel, context: PageContext): VNode | null {
  const newest = model.releases.at(-1)?.version ?? model.issue.last_release;
  const version = newest === null ? null : untrustedText(newest);
  return actionForm(
    context,
    `${issuePath(model)}/resolve`,
    null,
    ...seenStateFields(model),
    html`<span class="joined">
      ${submitButton('Resolve', { class: 'btn primary', 'data-key': 'r' })}
      <button class="btn primary" type="button" popovertarget="m-resolve" aria-label="More ways to resolve">
        ${icon('caret')}
      </button>
    </span>`,
    html`<div class="menu" id="m-resolve" popover="auto">
      ${choiceButton('in', 'next_release', 'In the next release', version === null ? null : ['after ', version])}
      ${newest === null ? null : choiceButton('release', newest, ['In ', version], 'newest')}
      ${choiceButton('in', 'now', 'Now')}
    </div>`,
  );
}

function reopenForm(model: IssueHeadModel, context: PageContext): VNode | null {
  const attributes =
    model.issue.status === 'ignored' ? { class: 'btn' } : { class: 'btn primary', 'data-key': 'r' };
  const form = [...seenStateFields(model), submitButton('Reopen', attributes)];
  return actionForm(context, `${issuePath(model)}/reopen`, null, ...form);
}

function ignoreForm(model: IssueHeadModel, context: PageContext): VNode | null {
  const items = [
    choiceButton('until', 'forever', 'Forever'),
    choiceButton('until', '24-hours', 'For 24 hours'),
    choiceButton('until', '7-days', 'For 7 days'),
    choiceButton('until', '100-events', 'Until 100 more events'),
    choiceButton('until', '10-users', 'Until 10 more users'),
    dialogButton(context, ignoreDialogForm(model), { word: 'Until…' }),
  ];
  const menuContent = menu({ id: 'm-ignore', word: 'Ignore', attributes: { 'data-key': 'i' } }, ...items);
  return actionForm(context, `${issuePath(model)}/ignore`, null, ...seenStateFields(model), ...menuContent);
}

function assignForm(model: IssueHeadModel, context: PageContext): VNode | null {
  const { members, teams, suggested, issue } = model;
  const now = issue.assigned_to;
  const item = (value: string, kind: 'member' | 'team', name: string, reason: string | null): VNode =>
    choiceButton('to', value, avatarWithName(name, kind), reason);
  const nowIf = (is: boolean): string | null => (is ? 'now' : null);
  const you = members.find((member) => member.is_you);
  const others = members.filter((member) => !member.is_you);
  const items = [
    you === undefined
      ? null
      : choiceButton('to', String(you.member_id), 'To me', now?.member_id === you.member_id ? 'now' : null),
    ...suggested.map(({ member_id: id, name, why: reason }) =>
      item(id === null ? name : String(id), id === null ? 'team' : 'member', name, `suggested: ${reason}`),
    ),
    ...teams.map(({ team_id: id, name }) => item(name, 'team', name, nowIf(now?.team_id === id))),
    ...others.map(({ member_id: id, name }) =>
      item(String(id), 'member', name, nowIf(now?.member_id === id)),
    ),
    now === null ? null : choiceButton('to', 'nobody', 'Unassign'),
  ];
  return actionForm(
    context,
    `${issuePath(model)}/assign`,
    null,
    ...menu({ id: 'm-assign', word: assigneeText(now), attributes: { 'data-key': 'a' } }, ...items),
  );
}

function assigneeText(now: IssueHeadModel['issue']['assigned_to']): Content {
  if (now === null) return [avatarMark(null), 'Assign'];
  const name = now.name ?? (now.team_id === null ? 'Former member' : 'Deleted team');
  const kind = now.team_id === null ? 'member' : 'team';
  return [avatarMark(name, kind), visuallyHidden('Assignee: '), untrustedText(name)];
}
