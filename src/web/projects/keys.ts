import type { KeyRowView, ProjectModel } from '../../core/page-models/projects/project.ts';
import { copyButton } from '../components/controls.ts';
import { dialogButton, formDialog } from '../components/dialog-forms.ts';
import { bidiIsolated, emptyState, hiddenCaption, section } from '../components/elements.ts';
import { type IconName, iconMark, statusMark } from '../components/icons.ts';
import { cell, columnHeader, headerRow } from '../components/table.ts';
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
  const heads = [
    html`<td class="lv"></td>`,
    columnHeader('Key'),
    columnHeader('Last used', 'd2 w8'),
    columnHeader('State', 'd1 w9'),
    mayManage ? html`<td class="r w7"></td>` : null,
  ];
  const rows = keys.map((key, at) =>
    keyRow(key, context, {
      path,
      mayManage,
      isNew: newKey?.key_id === key.key_id,
      hasDialog: at < dialogsMax,
    }),
  );
  const table = html`<table class="t list keylist">
    ${hiddenCaption('Keys of this project')}${headerRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
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

interface KeyRowOptions {
  readonly path: string;
  readonly mayManage: boolean;
  readonly isNew: boolean;
  readonly hasDialog: boolean;
}

function keyRow(key: KeyRowView, context: PageContext, options: KeyRowOptions): VNode {
  const { mayManage, isNew } = options;
  const { last_used_at: used, state } = key;
  const shape = isNew ? 'new' : shapes[state];
  const word = keyStateText(key, context.nowMs);
  const usedWords = used === null ? html`<span class="dim">never</span>` : timeAgo(used, context.nowMs);
  const isOpen = state === 'live' || state === 'ending';
  return html`<tr>
    ${cell(iconMark(shape, word), 'lv')}
    <th scope="row">
      <span class="cell"><code>${shortKey(key.key)}</code></span><span class="cul">${scopeText(key)}</span>
      <span class="fold">
        <span class="f2">${usedWords}</span><span class="f1">${statusMark(shape, word)}</span>
      </span>
    </th>
    ${cell([usedWords, html`<small>created ${shortTime(key.created_at, context.nowMs)}</small>`], 'd2')}
    ${cell([statusMark(shape, word), html`<small>${state === 'live' ? 'no expiry' : null}</small>`], 'd1')}
    ${mayManage ? cell(isOpen ? keyChange(key, context, options) : null, 'r nowrap') : null}
  </tr>`;
}

function keyChange(key: KeyRowView, context: PageContext, { path, hasDialog }: KeyRowOptions): Content {
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
