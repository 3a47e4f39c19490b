import type { IssueTagsModel, TagView } from '../../core/page-models/issue/head.ts';
import { meter } from '../charts/meter.ts';
import { emptyState, hiddenCaption, section } from '../components/elements.ts';
import { cell, columnHeader, headerRow } from '../components/table.ts';
import { type Content, el, html, type VNode } from '../el.ts';
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

function valueTable(tag: TagView, values: TagView['values'], context: PageContext): Content {
  return el(
    'table',
    { class: 't tags' },
    hiddenCaption(`Values of ${replaceInvisible(tag.tag)}, the most frequent first`),
    headerRow(
      columnHeader('Value'),
      columnHeader('Distribution', 'bar'),
      columnHeader('Share', 'r'),
      columnHeader('Events', 'r'),
      columnHeader('Last seen', 'd5'),
    ),
    el(
      'tbody',
      null,
      ...values.map(({ value, events, last_seen: seen }) => {
        const share = percent(events, tag.events);
        return html`<tr>
          <th scope="row">${untrustedText(value)}</th>
          ${cell(meter({ part: events, all: tag.events, name: `${replaceInvisible(value)}: ${share}` }), 'bar')}
          ${cell(share, 'r')}${cell(count(events), 'r')}${cell(timeAgo(seen, context.nowMs), 'd5 soft')}
        </tr>`;
      }),
    ),
  );
}
