import type { VNode } from 'preact';
import { html } from '../el.ts';
import { icon, type Shape } from './icons.ts';

export function mark(state: Shape, word = capitalized(state)): VNode {
  return html`<span class="mk ${state}">${icon(state)}${word}</span>`;
}

/** The icon with a visually hidden word. */
export function shapeMark(state: Shape): VNode {
  return html`<span class="mk ${state}" title=${state}>${icon(state)}<span class="vh">${state}</span></span>`;
}

export function changeOfState(from: string, to: Shape): VNode {
  return html`<span class="diff"><del>${from}</del> <ins>${mark(to)}</ins></span>`;
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
