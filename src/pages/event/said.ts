// Single texts of an event: isolated, visible, cut where they are long, with the rest one press away.
import type { VNode } from 'preact';
import { cutText } from '../../core/reading/cut-text.ts';
import { removed, shownValue } from '../../core/workspace/issue/payload.ts';
import { type Content, el } from '../el.ts';
import { count } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { type Room, takes } from './room.ts';

const linesShown = 6;
const charactersShown = 600;
const valueShown = 300;

/** A text from outside in the direction that it has. */
export function said(text: string): VNode {
  return el('bdi', null, visible(text));
}

/** What a machine said. */
export function code(text: string): VNode {
  return el('code', null, said(text));
}

/** A message: six lines of it, and all of it when asked. */
export function message(text: string, room: Room): Content {
  if (text === '') return null;
  const shown = visible(text);
  const start = cutText(shown.split('\n').slice(0, linesShown).join('\n'), charactersShown);
  takes(room, start.length);
  if (start === shown) return el('p', { class: 'said' }, el('bdi', null, shown));
  const length = count([...shown].length);
  const beginning = el('p', { class: 'said' }, el('bdi', null, `${start}…`));
  if (!takes(room, shown.length)) {
    return [beginning, el('p', { class: 'hint' }, `${length} characters in all.`)];
  }
  return [
    beginning,
    el(
      'details',
      null,
      el('summary', null, `All ${length} characters`),
      el('pre', { class: 'snip' }, el('bdi', null, shown)),
    ),
  ];
}

/** A value of any kind, as code; one that was removed before storing says so. */
export function value(sent: unknown, room: Room): VNode {
  if (sent === removed) return el('span', { class: 'dim' }, 'removed before storing');
  const text = shownValue(sent);
  const start = cutText(text, valueShown);
  if (!takes(room, start.length)) return el('span', { class: 'dim' }, 'left out here');
  if (start === text) return code(text);
  if (!takes(room, text.length)) return code(`${start}…`);
  return el(
    'details',
    null,
    el('summary', null, code(`${start}…`)),
    el('pre', { class: 'snip' }, said(indented(sent, text))),
  );
}

function indented(sent: unknown, text: string): string {
  return typeof sent === 'string' ? text : (JSON.stringify(sent, null, 2) ?? text);
}
