// What monitors are called on pages, and what is usual of them however they are made. Pure.
import { slugOf } from '../ids.ts';

export const monitorsMax = 2_000;
export const usualTimeoutMs = 10_000;
export const usualGoal = 0.999;

/** What its page is called; where that is taken, the store adds a number. */
export function pageSlugOf(name: string): string {
  return slugOf(name, 'monitor');
}
