import type { IssueMergeModel } from '../../core/page-models/issue/merge.ts';
import { actionForm, queryForm, searchField, submitButton } from '../components/controls.ts';
import { emptyState, pageHead, section, visuallyHidden } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { column, dataTable, titleCell } from '../components/table.ts';
import { type Content, html, type VNode } from '../el.ts';
import { count, counted, replaceInvisible, timeAgo, untrustedText } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { issueSubpage } from './head.ts';
import { issuePath } from './issue-path.ts';
import { issueStateIcon, mistakeLines, sharedTraitsText } from './sentences.ts';

type Row = NonNullable<IssueMergeModel['found']>[number] & Partial<IssueMergeModel['similar'][number]>;

export function mergePage(model: IssueMergeModel, context: PageContext): PageContent {
  const { issue } = model;
  const title = `Merge into #${issue.issue_id}`;
  const main = html`<div class="narrow2">
    ${pageHead({ above: untrustedText(issue.title), title })}
    <p class="lede">The events of the issue that you choose become part of this issue. You can undo this.</p>
    ${searchForm(model, context)}
    <div id="merge-found">${candidates(model, context)}</div>
  </div>`;
  return issueSubpage(model, title, main);
}

/** search.js shows what is found while somebody types. */
function searchForm(model: IssueMergeModel, context: PageContext): VNode {
  const [label, hint] = ['Search issues of this project', 'Title, number or address of an issue'];
  return queryForm(
    context,
    { path: `${issuePath(model)}/merge`, label: 'Issues to merge' },
    searchField('merge-q', label, hint, model.q, { 'data-found': 'merge-found' }),
    submitButton('Search'),
  );
}

function candidates(model: IssueMergeModel, context: PageContext): Content {
  const { issue, q, found, similar, mistakes, has_more: hasMore } = model;
  const project = untrustedText(issue.project.name);
  const mistakeList = mistakeLines(mistakes);
  if (found === null) {
    return similar.length === 0
      ? emptyState('No similar issues', ['Search for an issue of ', project, '.'])
      : section({ id: 's-found', title: 'Similar issues' }, candidateTable(similar, model, context));
  }
  if (found.length === 0) {
    const description = ['No other issue of ', project, ' matches ', html`<q>${untrustedText(q)}</q>.`];
    return [mistakeList, emptyState('No issues found', description)];
  }
  const title = hasMore
    ? `The latest ${counted(found.length, 'issue')} found`
    : `${counted(found.length, 'issue')} found`;
  return section({ id: 's-found', title }, mistakeList, candidateTable(found, model, context));
}

function candidateTable(rows: readonly Row[], model: IssueMergeModel, context: PageContext): VNode | null {
  const table = dataTable<Row>(context, {
    caption: 'Issues that can be merged into this one',
    columns: [
      {
        name: 'Issue',
        row: (each) =>
          titleCell(context, {
            path: `/issues/${each.issue_id}`,
            title: replaceInvisible(each.title),
            subtitle: [`#${each.issue_id} `, untrustedText(each.culprit), alikeText(each)],
            folded: [
              ['f2', counted(each.events, 'event')],
              ['f1', timeAgo(each.last_seen, context.nowMs)],
            ],
          }),
      },
      column('State', 'd3 w9', 'd3', ({ status, substatus }) =>
        statusMark(issueStateIcon(status, substatus)),
      ),
      column('Events', 'r d2 w7', 'r d2', ({ events }) => count(events)),
      column('Last seen', 'd1 w8', 'd1 soft', ({ last_seen: at }) => timeAgo(at, context.nowMs)),
      { class: 'r w6', cell: ({ issue_id: id }) => mergeButton(id) },
    ],
    rows,
  });
  return actionForm(context, `${issuePath(model)}/merge`, null, table);
}

function alikeText({ alike: similarity, shared = [] }: Row): Content {
  if (similarity === undefined) return null;
  return html`<span class="dim">, ${Math.round(similarity * 100)}% alike: ${sharedTraitsText(shared)}</span>`;
}

function mergeButton(id: number): VNode {
  const word = ['Merge', visuallyHidden(` #${id}`)];
  return submitButton(word, { class: 'btn small', name: 'merge[]', value: id });
}
