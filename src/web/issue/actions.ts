// Each form carries the state that the user saw, so that of two conflicting actions the second is refused.
import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import { actionForm, menu, submitButton } from '../components/controls.ts';
import { dialogButton, formDialog } from '../components/dialog-forms.ts';
import { visuallyHidden } from '../components/elements.ts';
import { avatarMark, icon } from '../components/icons.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { replaceInvisible, untrustedText } from '../formatters.ts';
import { type PageContext, pageUrl } from '../page-context.ts';
import { deleteDialogForm, ignoreDialogForm, linkDialogForm } from './dialog-forms.ts';
import { issuePath, seenStateFields } from './issue-path.ts';

export function issueActions(model: IssueHeadModel, context: PageContext): Content {
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

function choice(name: string, value: string, word: Content, small: Content = null): VNode {
  const explained = small === null ? null : html`<span class="dim">${small}</span>`;
  return html`<button type="submit" name=${name} value=${value}>${word}${explained}</button>`;
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
      ${choice('in', 'next_release', 'In the next release', version === null ? null : ['after ', version])}
      ${newest === null ? null : choice('release', newest, ['In ', version], 'newest')}
      ${choice('in', 'now', 'Now')}
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
    choice('until', 'forever', 'Forever'),
    choice('until', '24-hours', 'For 24 hours'),
    choice('until', '7-days', 'For 7 days'),
    choice('until', '100-events', 'Until 100 more events'),
    choice('until', '10-users', 'Until 10 more users'),
    dialogButton(context, ignoreDialogForm(model), { word: 'Until…' }),
  ];
  const menuContent = menu({ id: 'm-ignore', word: 'Ignore', attributes: { 'data-key': 'i' } }, ...items);
  return actionForm(context, `${issuePath(model)}/ignore`, null, ...seenStateFields(model), ...menuContent);
}

function assignForm(model: IssueHeadModel, context: PageContext): VNode | null {
  const { members, teams, suggested, issue } = model;
  const now = issue.assigned_to;
  const item = (value: string, kind: 'member' | 'team', name: string, reason: string | null): VNode =>
    choice(
      'to',
      value,
      html`<span>${avatarMark(name, kind)} <bdi>${replaceInvisible(name)}</bdi></span>`,
      reason,
    );
  const nowIf = (is: boolean): string | null => (is ? 'now' : null);
  const you = members.find((member) => member.is_you);
  const others = members.filter((member) => !member.is_you);
  const items = [
    you === undefined
      ? null
      : choice('to', String(you.member_id), 'To me', now?.member_id === you.member_id ? 'now' : null),
    ...suggested.map(({ member_id: id, name, why: reason }) =>
      item(id === null ? name : String(id), id === null ? 'team' : 'member', name, `suggested: ${reason}`),
    ),
    ...teams.map(({ team_id: id, name }) => item(name, 'team', name, nowIf(now?.team_id === id))),
    ...others.map(({ member_id: id, name }) =>
      item(String(id), 'member', name, nowIf(now?.member_id === id)),
    ),
    now === null ? null : choice('to', 'nobody', 'Unassign'),
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
