import type { Deps } from '../deps.ts';
import { momentText } from '../reading/moments.ts';
import { keptSetting, stateSetting } from '../store/storage/setting-names.ts';
import { beginsAtOf, dueOf, type HeldBack, parseState } from './state.ts';

export interface RetentionNote {
  /** `first`: no removal yet in this database. `clock`: the clock jumped. `limits`: a setting was lowered. */
  readonly why: HeldBack;
  readonly events: number;
  readonly projects: number;
  /** When removal starts without confirmation; null if an operator has to confirm. */
  readonly begins_at: string | null;
  readonly look: string;
  readonly act: string;
}

type Parts = { readonly store: Pick<Deps['store'], 'findSetting'>; readonly config: Deps['config'] };

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

export async function keepsAll(store: Parts['store']): Promise<boolean> {
  return (await store.findSetting(keptSetting)) !== null;
}
