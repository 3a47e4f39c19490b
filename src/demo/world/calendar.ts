// The calendar of the demo, all of it UTC: weeks begin on Monday and are counted, so that what belongs to a
// week is found by its number whatever the time is.
import { dayMs, hourMs, minuteMs } from '../../core/reading/spans.ts';

export const weekMs = 7 * dayMs;
export const fiveMinutesMs = 5 * minuteMs;

/** Monday, 3 January 2000. */
const firstMondayMs = Date.UTC(2000, 0, 3);

/** The number of the week that a moment lies in. */
export function weekOf(atMs: number): number {
  return Math.floor((atMs - firstMondayMs) / weekMs);
}

/** When a week begins. */
export function weekStartMs(week: number): number {
  return firstMondayMs + week * weekMs;
}

/** A moment of a week: `day` 0 is Monday. */
export function momentOf(week: number, day: number, hours: number, minutes: number): number {
  return weekStartMs(week) + day * dayMs + hours * hourMs + minutes * minuteMs;
}

/** The beginning of the slice of `stepMs` that a moment lies in; steps divide a day. */
export function floorTo(atMs: number, stepMs: number): number {
  return atMs - (((atMs % stepMs) + stepMs) % stepMs);
}

/** The time that the demo stands at: built once in five minutes. */
export function demoTime(nowMs: number): number {
  return floorTo(nowMs, fiveMinutesMs);
}

/** 0 is Monday. */
export function weekdayOf(atMs: number): number {
  return (((Math.floor(atMs / dayMs) + 3) % 7) + 7) % 7;
}
