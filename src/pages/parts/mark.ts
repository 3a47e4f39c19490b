// Marks: a state as a shape and a word.
import type { VNode } from 'preact';
import { html } from '../el.ts';
import { icon, type Shape } from './icons.ts';

/** A state whose shape and word have one name: `Regressed` beside its arrow. */
export function mark(state: Shape, word = capitalized(state)): VNode {
  return html`<span class="mk ${state}">${icon(state)}${word}</span>`;
}

/** The shape alone, where a column of words would say the same again; the word is still read. */
export function shapeMark(state: Shape): VNode {
  return html`<span class="mk ${state}" title=${state}>${icon(state)}<span class="vh">${state}</span></span>`;
}

/** A change of state: what it was, struck out, and what it is. */
export function changeOfState(from: string, to: Shape): VNode {
  return html`<span class="diff"><del>${from}</del> <ins>${mark(to)}</ins></span>`;
}

/** With a capital at its beginning. */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
