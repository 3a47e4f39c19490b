import type { VNode } from 'preact';
import { html } from '../el.ts';
import { type IconName, icon } from './icons.ts';

export function statusMark(state: IconName, word = capitalize(state)): VNode {
  return html`<span class="mk ${state}">${icon(state)}${word}</span>`;
}

export function iconMark(state: IconName): VNode {
  return html`<span class="mk ${state}" title=${state}>${icon(state)}<span class="vh">${state}</span></span>`;
}

export function stateChange(from: string, to: IconName): VNode {
  return html`<span class="diff"><del>${from}</del> <ins>${statusMark(to)}</ins></span>`;
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
