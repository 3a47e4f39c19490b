// Each form carries the state that the user saw, so that of two conflicting actions the second is refused.
import type { VNode } from 'preact';
import type { IssueHeadModel } from '../../core/workspace/issue/head.ts';
import { type Content, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { askingDialog, opener } from '../parts/asking.ts';
import { actForm, menu, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { visible } from '../words/visible.ts';
import { deleteAsking, ignoreAsking, mergeAsking } from './asks.ts';
import { pathOf, seenFields } from './path.ts';

export function issueActs(model: IssueHeadModel, frame: Frame): Content {
  if (frame.visitor?.canAct !== true) return null;
  const isOpen = model.issue.status === 'unresolved';
  const canDelete = frame.visitor.canManage;
  const [merge, remove] = [mergeAsking(model), deleteAsking(model)];
  return [
    isOpen ? resolveForm(model, frame) : reopenForm(model, frame),
    model.issue.status === 'ignored' ? null : ignoreForm(model, frame),
    assignForm(model, frame),
    opener(frame, merge, { word: 'Merge…', class: 'btn' }),
    canDelete ? opener(frame, remove, { word: 'Delete…', class: 'btn danger' }) : null,
    askingDialog(frame, merge),
    // The dialog must be outside: its button is in a form, and forms cannot be nested.
    model.issue.status === 'ignored' ? null : askingDialog(frame, ignoreAsking(model)),
    canDelete ? askingDialog(frame, remove) : null,
  ];
}

function choice(name: string, value: string, word: Content, small: Content = null): VNode {
  const explained = small === null ? null : html`<span class="dim">${small}</span>`;
  return html`<button type="submit" name=${name} value=${value}>${word}${explained}</button>`;
}

function resolveForm(model: IssueHeadModel, frame: Frame): VNode | null {
  const newest = model.releases.at(-1)?.version ?? model.issue.last_release;
  const version = newest === null ? null : html`<bdi>${visible(newest)}</bdi>`;
  return actForm(
    frame,
    `${pathOf(model)}/resolve`,
    null,
    ...seenFields(model),
    html`<span class="joined">
      ${submit('Resolve', { class: 'btn primary' })}
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

function reopenForm(model: IssueHeadModel, frame: Frame): VNode | null {
  const form = [...seenFields(model), submit('Reopen', { class: 'btn primary' })];
  return actForm(frame, `${pathOf(model)}/reopen`, null, ...form);
}

function ignoreForm(model: IssueHeadModel, frame: Frame): VNode | null {
  const items = [
    choice('until', 'forever', 'Forever'),
    choice('until', '24-hours', 'For 24 hours'),
    choice('until', '7-days', 'For 7 days'),
    choice('until', '100-events', 'Until 100 more events'),
    choice('until', '10-users', 'Until 10 more users'),
    opener(frame, ignoreAsking(model), { word: 'Until…' }),
  ];
  const parts = menu({ id: 'm-ignore', word: 'Ignore' }, ...items);
  return actForm(frame, `${pathOf(model)}/ignore`, null, ...seenFields(model), ...parts);
}

function assignForm(model: IssueHeadModel, frame: Frame): VNode | null {
  const { members, issue } = model;
  const now = issue.assigned_to?.member_id ?? null;
  const you = members.find((member) => member.is_you);
  const others = members.filter((member) => !member.is_you);
  const items = [
    you === undefined
      ? null
      : choice('to', String(you.member_id), 'To me', now === you.member_id ? 'now' : null),
    ...others.map(({ member_id: id, name }) =>
      choice('to', String(id), html`<bdi>${visible(name)}</bdi>`, now === id ? 'now' : null),
    ),
    choice('to', 'nobody', 'Unassign', now === null ? 'now' : null),
  ];
  return actForm(
    frame,
    `${pathOf(model)}/assign`,
    null,
    ...menu({ id: 'm-assign', word: 'Assign' }, ...items),
  );
}
