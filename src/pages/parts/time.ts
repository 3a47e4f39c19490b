// Moments on a page: relative or short as text, whole where somebody points at it, exact for machines.
import type { VNode } from 'preact';
import { html } from '../el.ts';
import { distance, fullMoment, shortMoment } from '../words/times.ts';

/** `4 min ago`; the script of the page says it anew each minute. `at` is ISO 8601. */
export function ago(at: string, nowMs: number): VNode {
  const atMs = Date.parse(at);
  return moment(at, `${distance(nowMs - atMs)} ago`, true);
}

/** As a log says it: `14:26`, `16 Nov`, `16 Nov 2025`. */
export function shortTime(at: string, nowMs: number): VNode {
  return moment(at, shortMoment(Date.parse(at), nowMs), false);
}

/** In full: `21 Nov 2026, 14:34:48 UTC`. */
export function fullTime(at: string): VNode {
  return moment(at, fullMoment(Date.parse(at)), false);
}

/** A moment said in `text`. */
export function moment(at: string, text: string, isAgo: boolean): VNode {
  return html`<time datetime=${at} title=${fullMoment(Date.parse(at))} data-ago=${isAgo}>${text}</time>`;
}
