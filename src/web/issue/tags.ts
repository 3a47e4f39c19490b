import type { IssueTagsModel, TagView } from '../../core/page-models/issue/head.ts';
import { meter } from '../charts/meter.ts';
import { emptyState, section } from '../components/elements.ts';
import { column, dataTable } from '../components/table.ts';
import { html, type VNode } from '../el.ts';
import { count, counted, percent, replaceInvisible, timeAgo, untrustedText } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { issuePage } from './head.ts';

const valuesShown = 10;

export function issueTagsPage(model: IssueTagsModel, context: PageContext): PageContent {
  const { tags } = model;
  if (tags.length === 0) {
    const description = 'Events of this issue have no tags. SDKs send tags such as browser or environment.';
    return issuePage(model, context, 'tags', emptyState('No tags', description));
  }
  const sections = tags.map((tag, at) => tagPart(tag, `tag-${at}`, context));
  return issuePage(model, context, 'tags', html`<div class="cols even">${sections}</div>`);
}

function tagPart(tag: TagView, id: string, context: PageContext): VNode {
  const rest = tag.values.slice(valuesShown);
  const aside = html`<p class="small dim">
    ${counted(tag.events, 'event')}, ${counted(tag.values.length, 'value')}
  </p>`;
  return section(
    { id, title: untrustedText(tag.tag), aside },
    valueTable(tag, tag.values.slice(0, valuesShown), context),
    rest.length === 0
      ? null
      : html`<details>
        <summary>${counted(rest.length, 'more value')}</summary>${valueTable(tag, rest, context)}
      </details>`,
  );
}

function valueTable(tag: TagView, values: TagView['values'], context: PageContext): VNode {
  return dataTable<TagView['values'][number]>(context, {
    caption: `Values of ${replaceInvisible(tag.tag)}, the most frequent first`,
    class: 't tags',
    columns: [
      { name: 'Value', row: ({ value }) => html`<th scope="row">${untrustedText(value)}</th>` },
      {
        name: 'Distribution',
        class: 'bar',
        cell: ({ value, events }) => {
          const name = `${replaceInvisible(value)}: ${percent(events, tag.events)}`;
          return meter({ part: events, all: tag.events, name });
        },
      },
      { name: 'Share', class: 'r', cell: ({ events }) => percent(events, tag.events) },
      { name: 'Events', class: 'r', cell: ({ events }) => count(events) },
      column('Last seen', 'd5', 'd5 soft', ({ last_seen: at }) => timeAgo(at, context.nowMs)),
    ],
    rows: values,
  });
}
