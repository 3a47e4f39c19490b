import { slugOf } from '../ids.ts';

export const monitorsMax = 2_000;
export const usualTimeoutMs = 10_000;
export const usualGoal = 0.999;

export function pageSlugOf(name: string): string {
  return slugOf(name, 'monitor');
}
