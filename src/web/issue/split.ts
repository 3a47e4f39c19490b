import type { IssueHashView } from '../../../schemas/issues.ts';
import type { IssueSplitModel } from '../../core/page-models/issue/split.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, codeBlock, hiddenCaption, pageHead, visuallyHidden } from '../components/elements.ts';
import { cell, columnHeader, headerRow } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { count, counted, replaceInvisible, shortTime, timeAgo, untrustedText } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { issueBreadcrumbs } from './head.ts';
import { issuePath } from './issue-path.ts';

export function splitPage(model: IssueSplitModel, context: PageContext): PageContent {
  const path = issuePath(model);
  const { issue, keys } = model;
  const title = `Split #${issue.issue_id}`;
  return {
    title,
    breadcrumbs: [...issueBreadcrumbs(model).slice(0, 2), { name: `#${issue.issue_id}`, path }],
    main: html`<div class="narrow2">
      ${pageHead({ above: untrustedText(issue.title), title })}
      <p class="lede">${introText(model)}</p>
      ${model.is_splitting ? html`<p class="note">${movingEventsNote}</p>` : null}
      ${keys.length > 1 ? choosing(model, context) : fingerprintHelp()}
    </div>`,
  };
}

const movingEventsNote =
  'Events of an earlier split are still being moved. Counts change until that is done.';

function introText({ keys }: IssueSplitModel): Content {
  if (keys.length === 0) return 'This issue has no fingerprint, so it cannot be split.';
  if (keys.length === 1) {
    return 'All its events have the same fingerprint, so it cannot be split here. The SDK can tell them apart:';
  }
  return `Its events have ${count(keys.length)} fingerprints. Those you select become a new issue, together with future events. You can undo this.`;
}

function choosing(model: IssueSplitModel, context: PageContext): Content {
  const path = issuePath(model);
  const mayChoose = context.currentUser?.canAct === true;
  const heads = [
    mayChoose ? html`<td class="pickcol"></td>` : null,
    columnHeader('Latest event with this fingerprint'),
    columnHeader(model.looked_at_all ? 'Events stored' : `Of the latest ${count(model.looked)}`, 'r w8'),
    columnHeader('Last seen', 'd3 w8'),
  ];
  const table = html`<table class="t list">
    ${hiddenCaption('Fingerprints of this issue, most events first')}${headerRow(...heads)}
    <tbody>${model.keys.map((key, at) => keyRow(key, at, { model, context, mayChoose }))}</tbody>
  </table>`;
  if (!mayChoose) return table;
  return actionForm(
    context,
    `${path}/split`,
    { class: 'stack space' },
    table,
    html`<p class="acts">
      ${submitButton('Split selected', { class: 'btn primary' })}
      ${pageLink(context, path, { class: 'btn' }, 'Cancel')}
    </p>`,
  );
}

interface KeyPlace {
  readonly model: IssueSplitModel;
  readonly context: PageContext;
  readonly mayChoose: boolean;
}

function keyRow(key: IssueHashView, at: number, { model, context, mayChoose }: KeyPlace): VNode {
  const { newest_event_id: newest, last_seen: seen } = key;
  const title = replaceInvisible(key.title) || '(no title)';
  const text = html`<span class="ttl">${bidiIsolated(title)}</span>`;
  const to = { path: `${issuePath(model)}/events/${newest}` };
  const box = html`<input
    type="checkbox" id="k-${at}" name="hash[]" value=${key.hash}
    disabled=${newest === null && key.issue_id === model.issue.issue_id}
  />`;
  const label = html`<label class="vh" for="k-${at}">Select fingerprint ${key.hash.slice(0, 12)}</label>`;
  const last = seen === null ? 'not stored' : timeAgo(seen, context.nowMs);
  return html`<tr>
    ${mayChoose ? html`<td class="pickcol">${label}${box}</td>` : null}
    <th scope="row">
      ${
        newest === null
          ? html`<span class="cell">${text}</span>`
          : pageLink(context, to, { class: 'cell' }, text)
      }
      <span class="cul">
        <code>${key.algorithm} ${key.hash.slice(0, 12)}</code>, since ${shortTime(key.since, context.nowMs)}
        ${key.issue_id === model.issue.issue_id ? null : `, merged in as #${key.issue_id}`}
      </span>
      <span class="fold"><span class="f4">${last}</span></span>
    </th>
    ${cell([count(key.events), visuallyHidden(` ${key.events === 1 ? 'event' : 'events'}`)], 'r')}
    ${cell(last, 'd3 soft')}
  </tr>`;
}

const browser = `Sentry.withScope((scope) => {
  scope.setFingerprint(['{{ default }}', shop.country]);
  Sentry.captureException(error);
});`;

function fingerprintHelp(): Content {
  return [
    codeBlock('Telling events apart where they are sent', browser, 'snip'),
    el(
      'p',
      { class: 'hint' },
      html`<code>${'{{ default }}'}</code>`,
      ' stands for the default grouping; what follows it tells events apart. Earlier events stay in this issue.',
    ),
  ];
}

export function splitLink(model: Pick<IssueSplitModel, 'issue' | 'merges'>, context: PageContext): Content {
  const activeMerges = model.merges.filter((merge) => merge.undone_at === null).length;
  return [
    activeMerges === 0 ? null : `${counted(activeMerges, 'merge')} made it one. `,
    pageLink(context, `${issuePath(model)}/split`, null, 'Not the same? Split this issue'),
  ];
}
