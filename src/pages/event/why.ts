// Why the events of an issue are one: what they share, from the parts that they were grouped by. A part is
// shown from its data, never read from its text: source may hold any sign that the text puts between frames.
import type { VNode } from 'preact';
import type { EventShown } from '../../core/workspace/issue/event.ts';
import { type Content, el } from '../el.ts';
import { copyButton } from '../parts/controls.ts';
import { columnPart } from './part.ts';
import { said } from './said.ts';

type Part = NonNullable<EventShown['grouping_parts']>[number];
type Frame = Extract<Part, { kind: 'frames' }>['frames'][number];

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
export function whyPart({ event, hash, grouping_parts: known }: EventShown, split: Content): VNode {
  const { algorithm, source, parts, notes } = event.grouping;
  // Causes come first in a grouping, and last on the page.
  const all = known ?? parts.map((text): Part => ({ kind: 'text', text }));
  const chain = source === 'stacktrace' ? all.toReversed() : all;
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

function partOf(part: Part, source: string): VNode {
  if (part.kind === 'text') {
    const text = said(cut(part.text));
    return el('li', null, source === 'stacktrace' ? el('strong', null, text) : el('code', null, text));
  }
  const beside = [part.message, part.codes.join(' ')].filter((text) => text !== '');
  return el(
    'li',
    null,
    part.type === null ? null : el('strong', null, said(part.type)),
    el('ol', null, ...part.frames.map(frameOf)),
    ...beside.map((text) => el('code', { class: 'dim' }, said(cut(text)))),
  );
}

function frameOf({ file, function: name, lines }: Frame): VNode {
  return el(
    'li',
    null,
    el('code', null, said(name || '(anonymous)')),
    ' ',
    el('code', { class: 'dim' }, said(file || '(no file)')),
    ...lines.flatMap((line) => [el('br', null), el('code', { class: 'dim' }, said(cut(line)))]),
  );
}

function cut(text: string): string {
  return text.length <= textShown ? text : `${text.slice(0, textShown).toWellFormed()}…`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
