import { createSlug } from '../ids.ts';

export const monitorsMax = 2_000;
export const defaultTimeoutMs = 10_000;
export const defaultSloTarget = 0.999;

export function monitorPageSlug(name: string): string {
  return createSlug(name, 'monitor');
}
