// Why the events of an issue are one: what they share, from the parts that they were grouped by, in words.
import type { VNode } from 'preact';
import type { EventShown } from '../../core/workspace/issue/event.ts';
import { type Content, el } from '../el.ts';
import { copyButton } from '../parts/controls.ts';
import { columnPart } from './part.ts';
import { said } from './said.ts';

const partsShown = 12;
const textShown = 160;

/** What each source of a grouping means. */
const sentences: Readonly<Record<string, string>> = {
  stacktrace: 'The same exception, broken in the same place:',
  exception: 'The same type and the same message, as no stack could be used:',
  message: 'The same message, but for what varies in it:',
  template: 'The same message before its values were filled in:',
  thread: 'The same stack of a thread:',
  fingerprint: 'The sender’s own fingerprint, which wins over every rule:',
  'fingerprint+default': 'The sender’s own fingerprint beside what the rules found:',
  empty: 'They say nothing that tells them apart: one issue for each platform.',
};

/** The part of an event's page; `split` is the way to take apart what was merged. */
export function whyPart({ event, hash }: EventShown, split: Content): VNode {
  const { algorithm, source, parts, notes } = event.grouping;
  // Causes come first in a grouping, and last on the page.
  const chain = source === 'stacktrace' ? parts.toReversed() : parts;
  const first = chain.slice(0, partsShown);
  return columnPart(
    { name: 'whypart', id: 's-why', title: 'Why these are one issue' },
    el(
      'div',
      { class: 'why' },
      el('p', null, sentenceOf(source, parts.length)),
      source === 'empty' ? null : el('ol', null, ...first.map((part) => partOf(part, source))),
      el(
        'ul',
        null,
        ...notes.map((note) => el('li', null, said(capital(note)))),
        el('li', null, 'Line numbers, release, address and user are never used'),
      ),
      el(
        'p',
        { class: 'small' },
        el('code', { id: 'why-hash' }, `${algorithm} ${hash.slice(0, 12)}`),
        ' ',
        copyButton('why-hash', 'the hash'),
      ),
      split === null ? null : el('p', { class: 'small' }, split),
    ),
  );
}

function sentenceOf(source: string, parts: number): string {
  if (source === 'stacktrace' && parts > 1) return 'The same chain of exceptions, broken in the same places:';
  return sentences[source] ?? 'The same by the rules of this project:';
}

function partOf(part: string, source: string): VNode {
  const at = part.indexOf(' @ ');
  if (source !== 'stacktrace' && source !== 'fingerprint+default') return el('li', null, plain(part, source));
  if (at === -1) return el('li', null, el('strong', null, said(cut(part))));
  return el(
    'li',
    null,
    el('strong', null, said(part.slice(0, at))),
    el('ol', null, ...framesOf(part.slice(at + 3))),
  );
}

function plain(part: string, source: string): Content {
  return source === 'thread' ? el('ol', null, ...framesOf(part)) : el('code', null, said(cut(part)));
}

/** `file · function · line`; a line of source may hold the sign between two frames. */
function framesOf(text: string): VNode[] {
  const frames: string[] = [];
  for (const piece of text.split(' < ')) {
    if (frames.length > 0 && !piece.includes(' · ')) frames.push(`${frames.pop() ?? ''} < ${piece}`);
    else frames.push(piece);
  }
  return frames.map((frame) => {
    const [file = '', name, ...line] = frame.split(' · ');
    if (name === undefined) return el('li', null, el('code', null, said(cut(file))));
    return el(
      'li',
      null,
      el('code', null, said(name)),
      ' ',
      el('code', { class: 'dim' }, said(file)),
      line.length === 0 ? null : [el('br', null), el('code', { class: 'dim' }, said(cut(line.join(' · '))))],
    );
  });
}

function cut(text: string): string {
  return text.length <= textShown ? text : `${text.slice(0, textShown).toWellFormed()}…`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
