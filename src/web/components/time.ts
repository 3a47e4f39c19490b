import type { VNode } from 'preact';
import { html } from '../el.ts';
import { formatAge, formatDateTime, formatFullTime, formatShortTime } from '../formatters/times.ts';

/** `4 min ago`, updated every minute by page.js. `at` is ISO 8601. */
export function timeAgo(at: string, nowMs: number): VNode {
  const atMs = Date.parse(at);
  return timeElement(at, `${formatAge(nowMs - atMs)} ago`, true);
}

/** `14:26`, `16 Nov`, `16 Nov 2025`. */
export function shortTime(at: string, nowMs: number): VNode {
  return timeElement(at, formatShortTime(Date.parse(at), nowMs), false);
}

/** `21 Nov 2026, 14:34:48 UTC`. */
export function fullTime(at: string): VNode {
  return timeElement(at, formatFullTime(Date.parse(at)), false);
}

export function timeElement(at: string, text: string, isAgo: boolean): VNode {
  return html`<time datetime=${at} title=${formatDateTime(Date.parse(at))} data-ago=${isAgo}>${text}</time>`;
}
