import type { VNode } from 'preact';
import type { IssueKeyView, IssueSplitModel } from '../../core/workspace/issue/split.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, submit } from '../parts/controls.ts';
import { hidden, hiddenCaption, outside, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { crumbsOf } from './head.ts';
import { pathOf } from './path.ts';

export function splitPage(model: IssueSplitModel, frame: Frame): PageContent {
  const path = pathOf(model);
  const { issue, keys } = model;
  const title = `Split #${issue.issue_id}`;
  return {
    title,
    crumbs: [...crumbsOf(model).slice(0, 2), { name: `#${issue.issue_id}`, path }],
    main: html`<div class="narrow2">
      ${pageHead({ above: outside(visible(issue.title)), title })}
      <p class="lede">${lede(model)}</p>
      ${model.is_splitting ? html`<p class="note">${onTheWay}</p>` : null}
      ${keys.length > 1 ? choosing(model, frame) : byTheSender()}
    </div>`,
  };
}

const onTheWay = 'Events of an earlier split are still being moved. Counts change until that is done.';

function lede({ keys }: IssueSplitModel): Content {
  if (keys.length === 0) return 'This issue has no fingerprint, so it cannot be split.';
  if (keys.length === 1) {
    return 'All its events have the same fingerprint, so it cannot be split here. The SDK can tell them apart:';
  }
  return `Its events have ${count(keys.length)} fingerprints. Those you select become a new issue, together with future events. You can undo this.`;
}

function choosing(model: IssueSplitModel, frame: Frame): Content {
  const path = pathOf(model);
  const mayChoose = frame.visitor?.canAct === true;
  const heads = [
    mayChoose ? html`<td class="pickcol"></td>` : null,
    columnHead('Latest event with this fingerprint'),
    columnHead(model.looked_at_all ? 'Events stored' : `Of the latest ${count(model.looked)}`, 'r w8'),
    columnHead('Last seen', 'd3 w8'),
  ];
  const table = html`<table class="t list">
    ${hiddenCaption('Fingerprints of this issue, most events first')}${headRow(...heads)}
    <tbody>${model.keys.map((key, at) => keyRow(key, at, { model, frame, mayChoose }))}</tbody>
  </table>`;
  if (!mayChoose) return table;
  return actForm(
    frame,
    `${path}/split`,
    { class: 'stack space' },
    table,
    html`<p class="acts">
      ${submit('Split selected', { class: 'btn primary' })}
      ${pageLink(frame, { path }, { class: 'btn' }, 'Cancel')}
    </p>`,
  );
}

interface KeyPlace {
  readonly model: IssueSplitModel;
  readonly frame: Frame;
  readonly mayChoose: boolean;
}

function keyRow(key: IssueKeyView, at: number, { model, frame, mayChoose }: KeyPlace): VNode {
  const { newest_event_id: newest, last_seen: seen } = key;
  const title = visible(key.title) || '(no title)';
  const text = html`<span class="ttl">${outside(title)}</span>`;
  const to = { path: `${pathOf(model)}/events/${newest}` };
  const box = html`<input
    type="checkbox" id="k-${at}" name="hash[]" value=${key.hash}
    disabled=${newest === null && key.issue_id === model.issue.issue_id}
  />`;
  const label = html`<label class="vh" for="k-${at}">Select fingerprint ${key.hash.slice(0, 12)}</label>`;
  const last = seen === null ? 'not stored' : ago(seen, frame.nowMs);
  return el(
    'tr',
    null,
    mayChoose ? html`<td class="pickcol">${label}${box}</td>` : null,
    el(
      'th',
      { scope: 'row' },
      newest === null
        ? html`<span class="cell">${text}</span>`
        : pageLink(frame, to, { class: 'cell' }, text),
      html`<span class="cul">
        <code>${key.algorithm} ${key.hash.slice(0, 12)}</code>, since ${shortTime(key.since, frame.nowMs)}
        ${key.issue_id === model.issue.issue_id ? null : `, merged in as #${key.issue_id}`}
      </span>`,
      html`<span class="fold"><span class="f4">${last}</span></span>`,
    ),
    cell([count(key.events), hidden(` ${key.events === 1 ? 'event' : 'events'}`)], 'r'),
    cell(last, 'd3 soft'),
  );
}

const browser = `Sentry.withScope((scope) => {
  scope.setFingerprint(['{{ default }}', shop.country]);
  Sentry.captureException(error);
});`;

function byTheSender(): Content {
  return [
    html`<pre class="snip" tabindex="0" role="group" aria-label="Telling events apart where they are sent">
      <code>${browser}</code>
    </pre>`,
    el(
      'p',
      { class: 'hint' },
      html`<code>${'{{ default }}'}</code>`,
      ' stands for the default grouping; what follows it tells events apart. Earlier events stay in this issue.',
    ),
  ];
}

export function splitWay(model: Pick<IssueSplitModel, 'issue' | 'merges'>, frame: Frame): Content {
  const standing = model.merges.filter((merge) => merge.undone_at === null).length;
  return [
    standing === 0 ? null : `${counted(standing, 'merge')} made it one. `,
    pageLink(frame, { path: `${pathOf(model)}/split` }, null, 'Not the same? Split this issue'),
  ];
}
