// The history of an issue: what was done and what was written, the newest first, and the form to write more.
import type { VNode } from 'preact';
import type { IssueHeadModel } from '../../core/workspace/issue/head.ts';
import type { HistoryEntryView, HistoryModel } from '../../core/workspace/issue/history.ts';
import { type Content, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { actForm, submit } from '../parts/controls.ts';
import { hidden, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { shortTime } from '../parts/time.ts';
import { visible } from '../words/visible.ts';
import { pathOf } from './path.ts';
import { actSentence, issueLink } from './words.ts';

/** The history with its form; `isShort` is the beginning of it, on the page of an event. */
export function logPart(model: IssueHeadModel, history: HistoryModel, frame: Frame, isShort: boolean): VNode {
  const path = `${pathOf(model)}/activity`;
  const rest = history.older;
  const more = isShort ? { path } : { path, query: { before: rest } };
  const beside =
    isShort && rest !== null
      ? html`<p class="small">${pageLink(frame, { path }, null, 'All of it')}</p>`
      : null;
  return section(
    { id: 's-act', title: 'Activity', beside },
    isShort ? null : sayForm(model, frame),
    html`<ol class="log">${history.entries.map((entry) => entryItem(entry, model, frame))}</ol>`,
    isShort || rest === null
      ? null
      : html`<p class="after">${pageLink(frame, more, { rel: 'next' }, 'Older')}</p>`,
    isShort ? sayForm(model, frame) : null,
  );
}

function entryItem(entry: HistoryEntryView, model: IssueHeadModel, frame: Frame): VNode {
  const time = shortTime(entry.at, frame.nowMs);
  if (entry.entry === 'act') {
    const undo = undoForm(entry, model, frame) ?? undoSplitForm(entry, model, frame);
    return html`<li>${time}<div><p>${actSentence(entry, model, frame)}</p>${undo}</div></li>`;
  }
  const remove = entry.may_remove
    ? actForm(
        frame,
        `${pathOf(model)}/comments/${entry.comment_id}/remove`,
        { class: 'under' },
        submit(['Remove', hidden(` the comment of ${entry.author}`)], { class: 'btn small' }),
      )
    : null;
  return html`<li id="comment-${entry.comment_id}">
    ${time}
    <div><p><b><bdi>${visible(entry.author)}</bdi></b></p>${paragraphs(entry.body, frame)}${remove}</div>
  </li>`;
}

/** What somebody wrote, a paragraph where they left a line empty, with numbers of issues as links. */
function paragraphs(body: string, frame: Frame): VNode[] {
  return visible(body)
    .split(/\n{2,}/)
    .map((text) => html`<p class="said"><bdi>${linked(text, frame)}</bdi></p>`);
}

function linked(text: string, frame: Frame): Content[] {
  // Neither within a word nor within an address.
  return text.split(/(?<![\p{L}\p{N}/#&])(#[1-9]\d{0,14})(?![\p{L}\p{N}])/u).map((piece, at) => {
    return at % 2 === 1 ? issueLink(Number(piece.slice(1)), frame) : piece;
  });
}

/** A merge that stands can be undone where it is told of. */
function undoForm(
  entry: Extract<HistoryEntryView, { entry: 'act' }>,
  model: IssueHeadModel,
  frame: Frame,
): VNode | null {
  const { merge_id: mergeId } = entry.detail as { readonly merge_id?: unknown };
  const stands = model.merges.some((merge) => merge.merge_id === mergeId && merge.undone_at === null);
  if (entry.kind !== 'merged' || !stands || frame.visitor?.canAct !== true) return null;
  return undoMergeForm(Number(mergeId), model, frame);
}

/** A split that stands is undone by merging the two: what was taken out is there as it is, on either page. */
function undoSplitForm(
  { kind, at, detail }: Extract<HistoryEntryView, { entry: 'act' }>,
  model: IssueHeadModel,
  frame: Frame,
): VNode | null {
  const { into, from } = detail as { readonly into?: unknown; readonly from?: unknown };
  const own = model.issue.issue_id;
  const [home, part] = typeof into === 'number' ? [own, into] : [from, own];
  if (kind !== 'split' || typeof home !== 'number' || frame.visitor?.canAct !== true) return null;
  const isOver = model.merges.some(
    (merge) => merge.undone_at === null && merge.issue_ids.includes(part) && merge.at >= at,
  );
  if (isOver) return null;
  return actForm(
    frame,
    `/issues/${home}/merge`,
    { class: 'under' },
    html`<input type="hidden" name="issue_id" value=${part} />`,
    submit('Undo the split', { class: 'btn small' }),
  );
}

/** Takes a merge apart again. */
function undoMergeForm(mergeId: number, model: IssueHeadModel, frame: Frame): VNode | null {
  return actForm(
    frame,
    `${pathOf(model)}/undo-merge`,
    { class: 'under' },
    html`<input type="hidden" name="merge_id" value=${mergeId} />`,
    submit('Undo the merge', { class: 'btn small' }),
  );
}

function sayForm(model: IssueHeadModel, frame: Frame): VNode | null {
  if (frame.visitor?.canAct !== true) return null;
  const text = { id: 'say', name: 'text', rows: 2, required: true, maxlength: 10_000 };
  return actForm(
    frame,
    `${pathOf(model)}/comments`,
    { class: 'say' },
    html`<label class="vh" for="say">Comment</label>`,
    html`<textarea ...${text} placeholder="What you found, what you will do"></textarea>`,
    html`<div class="saybar">
      <span class="small dim">Links to issues by their number, such as #1</span>${submit('Comment')}
    </div>`,
  );
}
