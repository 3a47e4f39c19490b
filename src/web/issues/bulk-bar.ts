// The bar at the foot of the issue list: what was done, with Undo, and what can be done with the selected issues.
import type { BulkQuestion } from '../../core/page-models/issues/bulk-actions.ts';
import type { BulkOptionsView, IssuesModel } from '../../core/page-models/issues/list.ts';
import { actionForm, choiceButton, hiddenFields, menu, submitButton } from '../components/controls.ts';
import { formPage } from '../components/dialog-forms.ts';
import { avatarWithName, capitalize, icon, statusMark } from '../components/icons.ts';
import { type Attributes, type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatTimeOfDay, twoDigits, untrustedText } from '../formatters.ts';
import { noticeText } from '../layout/notices.ts';
import { type PageContent, type PageContext, type QueryParams, queryEntries } from '../page-context.ts';
import { issuesQueryParams } from './query.ts';

const path = '/issues';
const undoId = 'undo';
/** As many as the search of the page answers. */
const selectableMax = 1_000;

type Undo = BulkOptionsView['undo'];

/** The search, for an action on all that match it. */
export function bulkFields({ filters, bulk }: IssuesModel): VNode[] {
  const { view, query, range, environment, sort } = issuesQueryParams(filters);
  const all = bulk.selected === 'all' ? 'yes' : null;
  return hiddenFields(queryEntries({ view, query, range, environment, sort, all }));
}

export function bulkBar(context: PageContext, model: IssuesModel): VNode {
  const { filters, bulk } = model;
  const latest = model.newest_release;
  const version = latest === null ? null : untrustedText(latest);
  const [resolveId, ignoreId, assignId] = ['m-bulk-resolve', 'm-bulk-ignore', 'm-bulk-assign'];
  return html`<div class="footbar">
    ${undoLine(context, bulk.undo)}
    <div class="bulk">
      ${selectionLine(context, model, issuesQueryParams(filters))}
      <span class="joined">
        ${choice('resolve', 'Resolve', { class: 'btn', 'data-key': 'r' })}
        <button class="btn" type="button" popovertarget=${resolveId} aria-label="More ways to resolve">
          ${icon('caret')}
        </button>
      </span>
      <div class="menu" id=${resolveId} popover="auto">
        ${choice('resolve next_release', 'In the next release')}
        ${latest === null ? null : choice(`resolve release ${latest}`, ['In ', version], {}, 'newest')}
        ${choice('reopen', 'Reopen')}
      </div>
      ${menu(
        { id: ignoreId, word: 'Ignore', attributes: { 'data-key': 'i' } },
        choice('ignore forever', 'Forever'),
        choice('ignore 24-hours', 'For 24 hours'),
        choice('ignore 7-days', 'For 7 days'),
        choice('ignore 100-events', 'Until 100 more events'),
      )}
      ${menu({ id: assignId, word: 'Assign', attributes: { 'data-key': 'a' } }, ...assignees(bulk))}
      ${choice('merge', 'Merge…', { class: 'btn', 'data-key': 'm' })}
    </div>
  </div>`;
}

function choice(value: string, word: Content, attributes: Attributes = {}, small: Content = null): VNode {
  return choiceButton('do', value, word, small, attributes);
}

function assignees({ members, teams }: BulkOptionsView): VNode[] {
  const you = members.filter((member) => member.is_you);
  const others = members.filter((member) => !member.is_you);
  return [
    ...you.map(({ member_id: id }) => choice(`assign ${id}`, 'To me')),
    ...teams.map(({ name }) => choice(`assign ${name}`, avatarWithName(name, 'team'))),
    ...others.map(({ member_id: id, name }) => choice(`assign ${id}`, avatarWithName(name, 'member'))),
    choice('assign nobody', 'Unassign'),
  ];
}

/** Without script nothing counts the boxes; the links select by the address. */
function selectionLine(context: PageContext, model: IssuesModel, query: QueryParams): VNode {
  const { total, issues, bulk } = model;
  const { after, before, at } = Object.fromEntries(context.query);
  const currentQuery = { ...query, after, before, at };
  const link = (word: string, to: QueryParams): VNode => pageLink(context, { path, query: to }, null, word);
  const onPage = link(`Select all ${count(issues.length)} on this page`, {
    ...currentQuery,
    selected: 'page',
  });
  const more = total > issues.length;
  const all =
    total > selectableMax
      ? `the ${count(selectableMax)} of ${count(total)} that were seen last`
      : `all ${count(total)} that match`;
  const clear = pageLink(context, { path, query: currentQuery }, { 'data-select': 'none' }, 'Clear');
  if (bulk.selected === 'all') {
    const sentence = `${capitalize(all)} are selected`;
    const less = link('Select only this page', { ...currentQuery, selected: 'page' });
    return html`<span class="count"><strong>${sentence}</strong>${[' · ', less, ' · ', clear]}</span>`;
  }
  const selected = bulk.selected === 'page' ? `${count(issues.length)} selected` : 'Selected issues';
  const links = [
    bulk.selected === 'page' ? null : html`<span class="nojs">${[onPage, ' · ']}</span>`,
    more ? [link(`Select ${all}`, { ...query, selected: 'all' }), ' · '] : null,
    clear,
  ];
  return html`<span class="count"><strong data-selected>${selected}</strong>${[' · ', ...links]}</span>`;
}

/** Where there is no list any more. */
export function undoBar(context: PageContext, undo: Undo): VNode | null {
  const line = undoLine(context, undo);
  return line === null ? null : html`<div class="footbar">${line}</div>`;
}

/** Forms cannot be nested: the button is in the one of the list. */
export function undoForm(context: PageContext, undo: Undo): VNode | null {
  return undo === null ? null : actionForm(context, `/issues/bulk/${undo.bulk_id}/undo`, { id: undoId });
}

function undoLine(context: PageContext, undo: Undo): VNode | null {
  if (undo === null) return null;
  const ownNotice = isNoticeOf(context.notice, undo) ? noticeText(context.notice ?? '') : null;
  const done = undo.action === 'unresolved' ? 'reopened' : undo.action;
  const sentence = done === 'merged' ? 'Issues merged' : `${counted(undo.issues, 'issue')} ${done}`;
  const untilMs = Date.parse(undo.until);
  const seconds = twoDigits(new Date(untilMs).getUTCSeconds());
  const button = { class: 'btn small', form: undoId, 'data-key': 'z' };
  return html`<p class="undo" role="status">
    ${statusMark('resolved', ownNotice ?? sentence)} ${submitButton(['Undo', html`<kbd class="js">z</kbd>`], button)}
    <span class="dim small">until ${formatTimeOfDay(untilMs)}:${seconds}</span>
  </p>`;
}

export function isNoticeOf(notice: string | null, undo: Undo): boolean {
  if (undo === null || notice === null) return false;
  const prefix = `issues-${undo.action}.`;
  return undo.action === 'merged' ? notice.startsWith(prefix) : notice.startsWith(`${prefix}${undo.issues}.`);
}

const shownMax = 20;

/** Before an action on all that match, and before a merge. */
export function bulkQuestionPage(question: BulkQuestion, context: PageContext): PageContent {
  const { form, verb, count: number, matching, issues } = question;
  const verbText = verb === 'assign' && form.do === 'assign nobody' ? 'Unassign' : capitalize(verb);
  const [into] = issues;
  const title = `${verbText} ${counted(number, 'issue')}?`;
  const cut =
    matching > number ? `${count(matching)} match; the ${count(number)} that were seen last are meant. ` : '';
  const description =
    into === undefined
      ? `${cut}You can undo this for a minute.`
      : `They become part of #${into.issue_id}, which was seen first. You can undo this.`;
  const { issue: ids, ...search } = form;
  const others = issues.length - shownMax;
  const list =
    into === undefined
      ? null
      : html`<ul class="ruled">
        ${issues
          .slice(0, shownMax)
          .map(
            ({ issue_id: id, type, message }) =>
              html`<li>#${id} ${untrustedText(type === null ? message : `${type}: ${message}`)}</li>`,
          )}
        ${others > 0 ? html`<li>and ${count(others)} more</li>` : null}
      </ul>`;
  return formPage(context, {
    title,
    breadcrumbs: [{ name: 'Issues', path }],
    description,
    action: '/issues/bulk',
    fields: [list, hiddenFields(queryEntries({ ...search, sure: 'yes', 'issue[]': ids.map(String) }))],
    verb: `${verbText} ${counted(number, 'issue')}`,
  });
}
