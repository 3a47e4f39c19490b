import type { VNode } from 'preact';
import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import { field } from '../components/controls.ts';
import type { DialogForm } from '../components/dialog-forms.ts';
import { externalLink } from '../components/link.ts';
import { html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { issuePath, seenStateFields } from './issue-path.ts';

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
