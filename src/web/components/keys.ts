// The keyboard shortcuts of the pages, as a part of the help and as a dialog. assets/js/keys.js acts on them.
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import type { PageContext } from '../page-context.ts';
import { closeDialogButton } from './dialog-forms.ts';
import { hiddenCaption } from './elements.ts';

type Rows = ReadonlyArray<readonly [keys: string, what: string]>;

const globalKeys: Rows = [
  ['/', 'Search'],
  ['Ctrl K', 'Search, from anywhere'],
  ['g o', 'Overview'],
  ['g i', 'Issues'],
  ['g r', 'Releases'],
  ['g l', 'Live tail'],
  ['t', 'Light, dark or system colours'],
  ['?', 'These keys'],
];

const listKeys: Rows = [
  ['j', 'Next row, or next issue'],
  ['k', 'Previous row, or previous issue'],
  ['e', 'Open the row; also o and Enter'],
  ['u', 'Back to the list'],
  ['[', 'Older event'],
  [']', 'Newer event'],
  ['space', 'Pause the live tail'],
];

/** On the issue list they are for the selected rows, or for the one with the focus. */
const issueKeys: Rows = [
  ['x', 'Select the row'],
  ['Shift x', 'Select up to here'],
  ['*', 'Select the page'],
  ['r', 'Resolve'],
  ['i', 'Ignore'],
  ['a', 'Assign'],
  ['m', 'Merge'],
  ['z', 'Undo'],
];

export function keyTables(): VNode[] {
  return [
    keyTable('Keys everywhere', globalKeys),
    keyTable('Keys in lists and events', listKeys),
    keyTable('Keys for issues', issueKeys),
  ];
}

function keyTable(caption: string, rows: Rows): VNode {
  return html`<table class="t keys2">
    ${hiddenCaption(caption)}
    <thead class="vh"><tr>${headerCell('Key')}${headerCell('Action')}</tr></thead>
    <tbody>
      ${rows.map(([pressed, action]) => html`<tr><td class="r">${kbds(pressed)}</td><td>${action}</td></tr>`)}
    </tbody>
  </table>`;
}

function headerCell(name: string): VNode {
  return html`<th scope="col">${name}</th>`;
}

function kbds(pressed: string): Content[] {
  return pressed.split(' ').flatMap((key) => [html`<kbd>${key}</kbd>`, ' ']);
}

/** Where single keys are turned off. The demo has no members, so its visitors' browsers remember it. */
export function keysNote(context: PageContext): VNode {
  if (context.demo !== undefined) {
    const isOn = html`<input type="checkbox" name="keys" checked />`;
    const browserNote = html`<span class="dim">(kept in this browser)</span>`;
    return html`<p class="ruled plainrule js"><label class="check">${isOn} Single keys are on ${browserNote}</label></p>`;
  }
  const settings = pageLink(context, { path: '/settings', query: { project: null } }, null, 'your settings');
  const sentence = context.hasShortcuts
    ? 'Single keys can be turned off in '
    : 'Single keys are off. Turn them on in ';
  return html`<p class="soft">${[sentence, settings, '.']}</p>`;
}

/** For the pages of issues, opened by `?`. */
export function keysDialog(context: PageContext): VNode {
  const id = 'd-keys';
  // The heading has the focus: the first link is at the end, and a low window would begin there.
  const title = el('h2', { id: `${id}-t`, tabindex: -1, autofocus: true }, 'Keyboard shortcuts');
  return html`<dialog id=${id} aria-labelledby="${id}-t">
    ${title}<div class="keysets">${keyTables()}</div>${keysNote(context)}
    <p class="acts end">${closeDialogButton(id, 'Close')}</p>
  </dialog>`;
}
