import type { VNode } from 'preact';
import type { TagView } from '../../core/workspace/issue/tag-counts.ts';
import type { IssueTagsModel } from '../../core/workspace/issue/tags.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { empty, hiddenCaption, outside, section } from '../parts/layout.ts';
import { cell, columnHead, headRow } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { meter } from '../plots/meter.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { issuePage } from './head.ts';

const valuesShown = 10;

export function issueTagsPage(model: IssueTagsModel, frame: Frame): PageContent {
  const { tags } = model;
  if (tags.length === 0) {
    const why = 'Events of this issue have no tags. SDKs send tags such as browser or environment.';
    return issuePage(model, frame, 'tags', empty('No tags', why));
  }
  const parts = tags.map((tag, at) => tagPart(tag, `tag-${at}`, frame));
  return issuePage(model, frame, 'tags', html`<div class="cols even">${parts}</div>`);
}

function tagPart(tag: TagView, id: string, frame: Frame): VNode {
  const rest = tag.values.slice(valuesShown);
  const beside = html`<p class="small dim">
    ${counted(tag.events, 'event')}, ${counted(tag.values.length, 'value')}
  </p>`;
  return section(
    { id, title: outside(visible(tag.tag)), beside },
    valueTable(tag, tag.values.slice(0, valuesShown), frame),
    rest.length === 0
      ? null
      : html`<details>
        <summary>${counted(rest.length, 'more value')}</summary>${valueTable(tag, rest, frame)}
      </details>`,
  );
}

function valueTable(tag: TagView, values: TagView['values'], frame: Frame): Content {
  return el(
    'table',
    { class: 't tags' },
    hiddenCaption(`Values of ${visible(tag.tag)}, the most frequent first`),
    headRow(
      columnHead('Value'),
      columnHead('Distribution', 'bar'),
      columnHead('Share', 'r'),
      columnHead('Events', 'r'),
      columnHead('Last seen', 'd5'),
    ),
    el(
      'tbody',
      null,
      ...values.map(({ value, events, last_seen: seen }) => {
        const share = percent(events, tag.events);
        return html`<tr>
          <th scope="row">${outside(visible(value))}</th>
          ${cell(meter({ part: events, all: tag.events, name: `${visible(value)}: ${share}` }), 'bar')}
          ${cell(share, 'r')}${cell(count(events), 'r')}${cell(ago(seen, frame.nowMs), 'd5 soft')}
        </tr>`;
      }),
    ),
  );
}
