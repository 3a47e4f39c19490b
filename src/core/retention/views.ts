// Retention as pages and the command line tell it.

import type { Deps } from '../deps.ts';
import { momentText } from '../reading/moments.ts';
import { keptSetting, stateSetting } from '../store/storage/setting-names.ts';
import { beginsAtOf, dueOf, type HeldBack, parseState } from './state.ts';

/** What would go and does not, and why. */
export interface RetentionNote {
  /** `first`: there never was retention. `clock`: the time jumped. `limits`: a setting was lowered. */
  readonly why: HeldBack;
  readonly events: number;
  readonly projects: number;
  /** When it begins by itself; null where somebody has to say yes. */
  readonly begins_at: string | null;
  readonly look: string;
  readonly act: string;
}

type Parts = { readonly store: Pick<Deps['store'], 'findSetting'>; readonly config: Deps['config'] };

/** What is held back, of one project or of all; null where nothing is. */
export async function retentionNote(
  { store, config }: Parts,
  projectId?: number,
): Promise<RetentionNote | null> {
  const { days, events, bytes } = config.retention;
  if (days + events + bytes === 0 || (await keepsAll(store))) return null;
  const state = parseState(await store.findSetting(stateSetting));
  if (state === null || state.heldBack === null) return null;
  const plans = state.plans.filter((plan) => projectId === undefined || plan.projectId === projectId);
  if (plans.length === 0) return null;
  const beginsAtMs = beginsAtOf(state);
  return {
    why: state.heldBack,
    events: dueOf(plans),
    projects: plans.length,
    begins_at: beginsAtMs === null ? null : momentText(beginsAtMs),
    look: 'notifier prune',
    act: 'notifier prune --yes',
  };
}

/** Whether this database is marked to keep everything. */
export async function keepsAll(store: Parts['store']): Promise<boolean> {
  return (await store.findSetting(keptSetting)) !== null;
}
