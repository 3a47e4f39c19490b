// Pages that ask before something is done with an issue, and the one that says that somebody was faster.
import type { VNode } from 'preact';
import type { IssueHeadModel } from '../../core/workspace/issue/head.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, field, submit } from '../parts/controls.ts';
import { outside, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { count, counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { pathOf, seenFields } from './acts.ts';
import { crumbsOf } from './head.ts';
import { sharedWords } from './tabs.ts';
import { stateSentence } from './words.ts';

/** `/issues/{id}/merge`: which others are the same. */
export function mergePage(model: IssueHeadModel, frame: Frame): PageContent {
  const { similar } = model;
  const choices = similar.map((each) =>
    el(
      'label',
      null,
      el('input', { type: 'checkbox', name: 'merge[]', value: each.issue_id }),
      el(
        'span',
        null,
        outside(visible(each.title)),
        el(
          'small',
          { class: 'dim' },
          `#${each.issue_id}, ${Math.round(each.alike * 100)}% alike: ${sharedWords(each.shared)}`,
        ),
      ),
    ),
  );
  const number = field(
    { id: 'merge-id', label: 'Or an issue by its number', hint: 'Of the same project.' },
    { name: 'issue_id', inputmode: 'numeric', pattern: '#?[0-9]+', autocomplete: 'off' },
  );
  return asking(model, frame, {
    title: `Merge into #${model.issue.issue_id}`,
    why: 'Events of the issues that you choose are filed under this one from now on. You can undo it.',
    act: 'merge',
    fields: [
      choices.length === 0
        ? null
        : el('fieldset', { class: 'choose' }, el('legend', null, 'Similar issues'), ...choices),
      number,
    ],
    verb: submit('Merge', { class: 'btn primary' }),
  });
}

/** `/issues/{id}/ignore`: until what. */
export function ignorePage(model: IssueHeadModel, frame: Frame): PageContent {
  const one = (value: string, name: string, checked: boolean): VNode =>
    el('label', null, el('input', { type: 'radio', name: 'until', value, checked }), el('span', null, name));
  const windows = [
    ['', 'any time'],
    ['3600', '1 hour'],
    ['86400', '24 hours'],
    ['604800', '7 days'],
  ] as const;
  return asking(model, frame, {
    title: `Ignore #${model.issue.issue_id} until`,
    why: 'It stays out of the open issues until then; its events are still taken and counted.',
    act: 'ignore',
    fields: [
      ...seenFields(model),
      el(
        'fieldset',
        { class: 'choose' },
        el('legend', null, 'Until'),
        one('count', 'so many more events', true),
        one('users', 'so many more users', false),
        one('date', 'a date', false),
        one('forever', 'for ever', false),
      ),
      field({ id: 'i-count', label: 'Events' }, { name: 'count', inputmode: 'numeric', autocomplete: 'off' }),
      el(
        'div',
        { class: 'field' },
        el('label', { for: 'i-window' }, 'Within'),
        el(
          'select',
          { id: 'i-window', name: 'window' },
          ...windows.map(([value, name]) => el('option', { value }, name)),
        ),
      ),
      field({ id: 'i-users', label: 'Users' }, { name: 'users', inputmode: 'numeric', autocomplete: 'off' }),
      field(
        { id: 'i-date', label: 'Date', hint: 'The day begins at midnight UTC.' },
        { name: 'date', type: 'date' },
      ),
    ],
    verb: submit('Ignore', { class: 'btn primary' }),
  });
}

/** `/issues/{id}/delete`: what goes, and what stays. */
export function deletePage(model: IssueHeadModel, frame: Frame): PageContent {
  const { issue, merges, stored, reports } = model;
  const merged = new Set(merges.filter((each) => each.undone_at === null).flatMap((each) => each.issue_ids))
    .size;
  const events = `${counted(issue.events, 'event')}, ${count(stored.events)}${stored.capped ? ' or more' : ''} of them stored`;
  return asking(model, frame, {
    title: `Delete #${issue.issue_id}`,
    why: 'This cannot be undone. The next event of the same error makes a new issue.',
    act: 'delete',
    fields: [
      el(
        'ul',
        { class: 'ruled' },
        el('li', null, `What goes: ${events}, its history and its comments`),
        merged === 0 ? null : el('li', null, `Also ${counted(merged, 'issue')} that were merged into it`),
        el(
          'li',
          null,
          `What stays: ${reports.count === 0 ? 'reports of visitors' : counted(reports.count, 'report')}, and the audit history`,
        ),
      ),
      el(
        'label',
        { class: 'check' },
        el('input', { type: 'checkbox', name: 'sure', value: 'yes', required: true }),
        'Delete it with all of that',
      ),
    ],
    verb: submit('Delete', { class: 'btn danger' }),
  });
}

interface Asking {
  readonly title: string;
  readonly why: string;
  /** The last part of the address that the form is posted to. */
  readonly act: string;
  readonly fields: readonly Content[];
  readonly verb: VNode;
}

function asking(model: IssueHeadModel, frame: Frame, { title, why, act, fields, verb }: Asking): PageContent {
  const path = pathOf(model);
  return {
    title,
    crumbs: [...crumbsOf(model).slice(0, 2), { name: `#${model.issue.issue_id}`, path }],
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ above: outside(visible(model.issue.title)), title }),
      el('p', { class: 'lede' }, why),
      actForm(
        frame,
        `${path}/${act}`,
        { class: 'stack space' },
        ...fields,
        el('p', { class: 'acts' }, verb, pageLink(frame, { path }, { class: 'btn' }, 'Cancel')),
      ),
    ),
  };
}

/** Somebody was faster: how it stands now, who did it, and that nothing was changed. */
export function overtakenPage(model: IssueHeadModel, frame: Frame): PageContent {
  const path = pathOf(model);
  return {
    title: 'Somebody was faster',
    crumbs: [...crumbsOf(model).slice(0, 2), { name: `#${model.issue.issue_id}`, path }],
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ above: outside(visible(model.issue.title)), title: 'Somebody was faster' }),
      el('p', { class: 'bulletin' }, 'The issue changed after you opened its page, so nothing was done.'),
      stateSentence(model, frame),
      el('p', null, pageLink(frame, { path }, { class: 'btn primary' }, 'Look at it again')),
    ),
  };
}
