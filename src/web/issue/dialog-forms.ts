import { z } from 'zod';
import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import type { DialogForm } from '../components/dialog-forms.ts';
import {
  defineForm,
  enteredFields,
  type FormEntry,
  radioField,
  requiredTextField,
  selectField,
  textField,
} from '../components/form.ts';
import { externalLink, html } from '../el.ts';
import { count, counted } from '../formatters.ts';
import { issuePath, seenStateFields } from './issue-path.ts';

const linkForm = defineForm({
  link: requiredTextField('URL', 'Enter a URL.', {
    id: 'link-url',
    hint: 'Of an issue in GitHub, GitLab, Jira, Linear or another tracker.',
    attributes: { type: 'url', maxlength: 2_048 },
  }),
});

const numeric = { inputmode: 'numeric' };
const windows = [
  { value: '', name: 'any time' },
  { value: '3600', name: '1 hour' },
  { value: '86400', name: '24 hours' },
  { value: '604800', name: '7 days' },
];

const ignoreForm = defineForm({
  until: radioField('Until', z.string(), [
    ['count', 'a number of events', ''],
    ['users', 'a number of users', ''],
    ['date', 'a date', ''],
    ['forever', 'forever', ''],
  ]),
  count: textField('Events', { id: 'i-count', attributes: numeric }),
  window: selectField('Within', z.string(), { id: 'i-window', choices: windows }),
  users: textField('Users', { id: 'i-users', attributes: numeric }),
  date: textField('Date', {
    id: 'i-date',
    hint: 'The day starts at midnight UTC.',
    attributes: { type: 'date', autocomplete: null },
  }),
});

export function linkDialogForm(model: IssueHeadModel, entry?: FormEntry): DialogForm {
  const { new_link_url: form } = model;
  const create =
    form === null
      ? null
      : html`<p>${externalLink(form, 'Open a new issue in the repository')}, filled in. Then paste its URL.</p>`;
  return {
    ...pathsOf(model, 'links'),
    title: `Link #${model.issue.issue_id} to a tracker issue`,
    fields: [create, ...enteredFields(linkForm, entry)],
    verb: 'Link issue',
  };
}

export function ignoreDialogForm(model: IssueHeadModel, entry?: FormEntry): DialogForm {
  return {
    ...pathsOf(model, 'ignore'),
    title: `Ignore #${model.issue.issue_id} until`,
    description: 'It is hidden from unresolved issues until then. Its events are still stored and counted.',
    fields: [...seenStateFields(model), ...enteredFields(ignoreForm, entry, { values: { until: 'count' } })],
    verb: 'Ignore',
  };
}

export function deleteDialogForm(model: IssueHeadModel): DialogForm {
  const { issue, merges, stored, reports } = model;
  const merged = new Set(merges.filter((each) => each.undone_at === null).flatMap((each) => each.issue_ids))
    .size;
  const events = `${counted(issue.events, 'event')}, ${count(stored.events)}${stored.capped ? ' or more' : ''} of them stored`;
  return {
    ...pathsOf(model, 'delete'),
    title: `Delete #${issue.issue_id}`,
    description: 'This cannot be undone. The next event of the same error creates a new issue.',
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

function pathsOf(model: IssueHeadModel, verb: string): Pick<DialogForm, 'id' | 'path' | 'action'> {
  const path = `${issuePath(model)}/${verb}`;
  return { id: `d-${verb}`, path, action: path };
}
