import type { KeyRowView, ProjectModel } from '../../core/page-models/projects/project.ts';
import { copyButton } from '../components/controls.ts';
import { dialogButton, formDialog } from '../components/dialog-forms.ts';
import { bidiIsolated, emptyState, noneText, section } from '../components/elements.ts';
import { type IconName, iconMark, statusMark } from '../components/icons.ts';
import { column, dataTable, rowHeader } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { counted, formatAge, formatShortTime, shortTime, timeAgo } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';
import { keyDialog, newKeyDialogForm } from './key-forms.ts';

export interface CreatedKeyView {
  readonly key_id: number;
  readonly kind: 'public' | 'secret';
  readonly text: string;
}

export function newKeyNotice({ kind, text }: CreatedKeyView): VNode {
  const isSecret = kind === 'secret';
  const ending = isSecret ? ', shown only once. Only its hash is stored.' : '. It may be published in pages.';
  return html`<div class="once" role="status">
    <p>${statusMark('new', `New ${kind} key`)}${ending}</p>
    <p class="line"><code id="k-new">${text}</code> ${copyButton('k-new', 'the new key')}</p>
  </div>`;
}

export function keySection(
  { project, keys }: ProjectModel,
  context: PageContext,
  newKey: CreatedKeyView | null,
): VNode {
  const mayManage = context.currentUser?.canManage === true;
  const path = `/projects/${project.project_id}/keys`;
  const form = newKeyDialogForm(project);
  const make = [
    html`<span class="acts">${dialogButton(context, form, { word: 'New key…', class: 'btn small' })}</span>`,
    formDialog(context, form),
  ];
  const stateOf = (key: KeyRowView): readonly [IconName, string] => [
    newKey?.key_id === key.key_id ? 'new' : shapes[key.state],
    keyStateText(key, context.nowMs),
  ];
  const lastUsed = ({ last_used_at: at }: KeyRowView): VNode =>
    at === null ? noneText('never') : timeAgo(at, context.nowMs);
  const table = dataTable<KeyRowView>(context, {
    caption: 'Keys of this project',
    class: 't list keylist',
    rows: keys,
    columns: [
      { class: 'lv', cell: (key) => iconMark(...stateOf(key)) },
      {
        name: 'Key',
        row: (key) =>
          rowHeader(html`<span class="cell"><code>${shortKey(key.key)}</code></span>`, scopeText(key), [
            ['f2', lastUsed(key)],
            ['f1', statusMark(...stateOf(key))],
          ]),
      },
      column('Last used', 'd2 w8', 'd2', (key) => [
        lastUsed(key),
        html`<small>created ${shortTime(key.created_at, context.nowMs)}</small>`,
      ]),
      column('State', 'd1 w9', 'd1', (key) => [
        statusMark(...stateOf(key)),
        html`<small>${key.state === 'live' ? 'no expiry' : null}</small>`,
      ]),
      mayManage
        ? {
            head: 'r w7',
            class: 'r nowrap',
            cell: (key) => keyChange(key, context, path, keys.indexOf(key) < dialogsMax),
          }
        : null,
    ],
  });
  const noKeys = emptyState('No keys', 'Without a key nothing can be sent to this project or read from it.');
  return section(
    { id: 'p-keys', title: 'Keys', aside: mayManage ? make : null },
    keys.length === 0 ? noKeys : table,
    el(
      'p',
      { class: 'hint legend' },
      'Rotating a key creates a new one at once; the old one stays valid for as long as you choose. Revoking a key cannot be undone.',
    ),
  );
}

/** Later keys link to their pages instead of a dialog, to keep the page small. */
const dialogsMax = 20;

const shapes: Readonly<Record<KeyRowView['state'], IconName>> = {
  live: 'up',
  ending: 'pending',
  expired: 'skipped',
  revoked: 'skipped',
};

function keyChange(key: KeyRowView, context: PageContext, path: string, hasDialog: boolean): Content {
  if (key.state !== 'live' && key.state !== 'ending') return null;
  const keyPath = `${path}/${key.key_id}`;
  const control = { word: 'Manage…', label: `Manage… key ${key.key_id}`, class: 'small' };
  if (!hasDialog) {
    return pageLink(context, keyPath, { class: control.class, 'aria-label': control.label }, control.word);
  }
  const { box, ...at } = keyDialog(key, keyPath, context);
  return [...dialogButton(context, at, { ...control, class: 'btn small' }), box];
}

export function keyStateText(key: KeyRowView, nowMs: number): string {
  const { state, expires_at: expires, revoked_at: revoked } = key;
  if (state === 'live') return 'Active';
  if (state === 'ending' && expires !== null) return `Expires in ${formatAge(Date.parse(expires) - nowMs)}`;
  const at = state === 'revoked' ? revoked : expires;
  const word = state === 'revoked' ? 'Revoked' : 'Expired';
  return at === null ? word : `${word} ${formatShortTime(Date.parse(at), nowMs)}`;
}

/** Public keys are shortened here; the snippets show them in full. Secret keys are masked already. */
function shortKey(key: string): string {
  return key.length > 28 ? `${key.slice(0, 15)}…${key.slice(-4)}` : key;
}

function scopeText({ kind, label, imported, scopes, allowed_origins: origins }: KeyRowView): Content {
  const from = origins.length === 0 ? '' : ` from ${counted(origins.length, 'origin')}`;
  const may = kind === 'public' ? 'sends events and reports' : scopes.join(', ');
  return [
    `${kind}: ${may}${from}`,
    imported ? ', adopted' : null,
    label === '' ? null : [', “', bidiIsolated(label), '”'],
  ];
}
