import type { VNode } from 'preact';
import { html } from '../el.ts';
import { distance, fullMoment, shortMoment } from '../words/times.ts';

/** `4 min ago`, updated every minute by page.js. `at` is ISO 8601. */
export function ago(at: string, nowMs: number): VNode {
  const atMs = Date.parse(at);
  return moment(at, `${distance(nowMs - atMs)} ago`, true);
}

/** `14:26`, `16 Nov`, `16 Nov 2025`. */
export function shortTime(at: string, nowMs: number): VNode {
  return moment(at, shortMoment(Date.parse(at), nowMs), false);
}

/** `21 Nov 2026, 14:34:48 UTC`. */
export function fullTime(at: string): VNode {
  return moment(at, fullMoment(Date.parse(at)), false);
}

export function moment(at: string, text: string, isAgo: boolean): VNode {
  return html`<time datetime=${at} title=${fullMoment(Date.parse(at))} data-ago=${isAgo}>${text}</time>`;
}
