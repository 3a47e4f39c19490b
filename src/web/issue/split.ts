import type { IssueHashView } from '../../../schemas/issues.ts';
import type { IssueSplitModel } from '../../core/page-models/issue/split.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, codeBlock, pageHead, visuallyHidden } from '../components/elements.ts';
import { column, dataTable, rowHeader } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { count, counted, replaceInvisible, shortTime, timeAgo, untrustedText } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { issueSubpage } from './head.ts';
import { issuePath } from './issue-path.ts';

export function splitPage(model: IssueSplitModel, context: PageContext): PageContent {
  const { issue, keys } = model;
  const title = `Split #${issue.issue_id}`;
  const main = html`<div class="narrow2">
    ${pageHead({ above: untrustedText(issue.title), title })}
    <p class="lede">${introText(model)}</p>
    ${model.is_splitting ? html`<p class="note">${movingEventsNote}</p>` : null}
    ${keys.length > 1 ? choosing(model, context) : fingerprintHelp()}
  </div>`;
  return issueSubpage(model, title, main);
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
  const eventsTitle = model.looked_at_all ? 'Events stored' : `Of the latest ${count(model.looked)}`;
  const table = dataTable<IssueHashView>(context, {
    caption: 'Fingerprints of this issue, most events first',
    columns: [
      mayChoose ? { class: 'pickcol', cell: (key) => selectBox(key, model) } : null,
      { name: 'Latest event with this fingerprint', row: (key) => keyHeader(key, model, context) },
      column(eventsTitle, 'r w8', 'r', ({ events }) => [
        count(events),
        visuallyHidden(` ${events === 1 ? 'event' : 'events'}`),
      ]),
      column('Last seen', 'd3 w8', 'd3 soft', (key) => lastSeen(key, context)),
    ],
    rows: model.keys,
  });
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

function selectBox(key: IssueHashView, { keys, issue }: IssueSplitModel): Content {
  const id = `k-${keys.indexOf(key)}`;
  const isDisabled = key.newest_event_id === null && key.issue_id === issue.issue_id;
  return [
    html`<label class="vh" for=${id}>Select fingerprint ${key.hash.slice(0, 12)}</label>`,
    html`<input type="checkbox" id=${id} name="hash[]" value=${key.hash} disabled=${isDisabled} />`,
  ];
}

function lastSeen({ last_seen: seen }: IssueHashView, context: PageContext): Content {
  return seen === null ? 'not stored' : timeAgo(seen, context.nowMs);
}

function keyHeader(key: IssueHashView, model: IssueSplitModel, context: PageContext): VNode {
  const newest = key.newest_event_id;
  const text = html`<span class="ttl">${bidiIsolated(replaceInvisible(key.title) || '(no title)')}</span>`;
  const path = `${issuePath(model)}/events/${newest}`;
  return rowHeader(
    newest === null
      ? html`<span class="cell">${text}</span>`
      : pageLink(context, path, { class: 'cell' }, text),
    [
      html`<code>${key.algorithm} ${key.hash.slice(0, 12)}</code>`,
      ', since ',
      shortTime(key.since, context.nowMs),
      key.issue_id === model.issue.issue_id ? null : `, merged in as #${key.issue_id}`,
    ],
    [['f4', lastSeen(key, context)]],
  );
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
