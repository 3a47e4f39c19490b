import type { VNode } from 'preact';
import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import { field } from '../components/controls.ts';
import type { DialogForm } from '../components/dialog-forms.ts';
import { bidiIsolated } from '../components/elements.ts';
import { externalLink } from '../components/link.ts';
import { html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { issuePath, seenStateFields } from './issue-path.ts';
import { sharedTraitsText } from './sentences.ts';

export function mergeDialogForm(model: IssueHeadModel): DialogForm {
  const { similar } = model;
  const choices = similar.map(
    (each) =>
      html`<label>
        <input type="checkbox" name="merge[]" value=${each.issue_id} />
        <span>
          ${bidiIsolated(replaceInvisible(each.title))}
          <small class="dim">
            #${each.issue_id}, ${Math.round(each.alike * 100)}% alike: ${sharedTraitsText(each.shared)}
          </small>
        </span>
      </label>`,
  );
  const number = field(
    {
      id: 'merge-id',
      label: choices.length === 0 ? 'Issue number' : 'Or enter an issue number',
      hint: 'An issue of the same project.',
    },
    { name: 'issue_id', inputmode: 'numeric', pattern: '#?[0-9]+', autocomplete: 'off' },
  );
  return {
    ...placed(model, 'merge'),
    title: `Merge into #${model.issue.issue_id}`,
    why: 'The events of the issues you select become part of this issue. You can undo this.',
    fields: [
      choices.length === 0
        ? null
        : html`<fieldset class="choose"><legend>Similar issues</legend>${choices}</fieldset>`,
      number,
    ],
    verb: 'Merge',
  };
}

export function linkDialogForm(model: IssueHeadModel): DialogForm {
  const { new_link_url: form } = model;
  const create =
    form === null
      ? null
      : html`<p>${externalLink(form, 'Open a new issue in the repository')}, filled in. Then paste its URL.</p>`;
  return {
    ...placed(model, 'links'),
    title: `Link #${model.issue.issue_id} to a tracker issue`,
    fields: [
      create,
      field(
        {
          id: 'link-url',
          label: 'URL',
          hint: 'Of an issue in GitHub, GitLab, Jira, Linear or another tracker.',
        },
        { name: 'link', type: 'url', required: true, maxlength: 2_048, autocomplete: 'off' },
      ),
    ],
    verb: 'Link issue',
  };
}

export function ignoreDialogForm(model: IssueHeadModel): DialogForm {
  const one = (value: string, name: string, checked: boolean): VNode =>
    html`<label>
      <input type="radio" name="until" value=${value} checked=${checked} /><span>${name}</span>
    </label>`;
  const windows = [
    ['', 'any time'],
    ['3600', '1 hour'],
    ['86400', '24 hours'],
    ['604800', '7 days'],
  ] as const;
  return {
    ...placed(model, 'ignore'),
    title: `Ignore #${model.issue.issue_id} until`,
    why: 'It is hidden from unresolved issues until then. Its events are still stored and counted.',
    fields: [
      ...seenStateFields(model),
      html`<fieldset class="choose">
        <legend>Until</legend>${one('count', 'a number of events', true)}
        ${one('users', 'a number of users', false)}${one('date', 'a date', false)}
        ${one('forever', 'forever', false)}
      </fieldset>`,
      field({ id: 'i-count', label: 'Events' }, { name: 'count', inputmode: 'numeric', autocomplete: 'off' }),
      html`<div class="field">
        <label for="i-window">Within</label>
        <select id="i-window" name="window">
          ${windows.map(([value, name]) => html`<option value=${value}>${name}</option>`)}
        </select>
      </div>`,
      field({ id: 'i-users', label: 'Users' }, { name: 'users', inputmode: 'numeric', autocomplete: 'off' }),
      field(
        { id: 'i-date', label: 'Date', hint: 'The day starts at midnight UTC.' },
        { name: 'date', type: 'date' },
      ),
    ],
    verb: 'Ignore',
  };
}

export function deleteDialogForm(model: IssueHeadModel): DialogForm {
  const { issue, merges, stored, reports } = model;
  const merged = new Set(merges.filter((each) => each.undone_at === null).flatMap((each) => each.issue_ids))
    .size;
  const events = `${counted(issue.events, 'event')}, ${count(stored.events)}${stored.capped ? ' or more' : ''} of them stored`;
  return {
    ...placed(model, 'delete'),
    title: `Delete #${issue.issue_id}`,
    why: 'This cannot be undone. The next event of the same error creates a new issue.',
    fields: [
      html`<ul class="ruled">
        <li>Deleted: ${events}, its history and its comments</li>
        ${merged === 0 ? null : html`<li>Also ${counted(merged, 'issue')} that were merged into it</li>`}
        <li>
          Kept: ${reports.count === 0 ? 'user feedback' : counted(reports.count, 'report')}
          , and the audit log
        </li>
      </ul>`,
      html`<label class="check">
        <input type="checkbox" name="sure" value="yes" required />Delete issue and its events
      </label>`,
    ],
    verb: 'Delete',
    weight: 'danger',
  };
}

function placed(model: IssueHeadModel, act: string): Pick<DialogForm, 'id' | 'path' | 'act'> {
  const path = `${issuePath(model)}/${act}`;
  return { id: `d-${act}`, path, act: path };
}
