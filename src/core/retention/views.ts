import type { Deps } from '../deps.ts';
import { commandName } from '../parsing/command-name.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { retentionDisabledSetting, retentionStateSetting } from '../store/setting-names.ts';
import { countEventsToRemove, parseRetentionState, startsAtMs } from './state.ts';

type ServiceDeps = { readonly store: Pick<Deps['store'], 'findSetting'>; readonly config: Deps['config'] };

export async function findRetentionNote({ store, config }: ServiceDeps, projectId?: number) {
  const { days, events, bytes } = config.retention;
  if (days + events + bytes === 0 || (await isRetentionDisabled(store))) return null;
  const state = parseRetentionState(await store.findSetting(retentionStateSetting));
  if (state === null || state.heldBack === null) return null;
  const plans = state.plans.filter((plan) => projectId === undefined || plan.projectId === projectId);
  if (plans.length === 0) return null;
  const beginsAtMs = startsAtMs(state);
  return {
    /** `first`: no removal yet in this database. `clock`: the clock jumped. `limits`: a setting was lowered. */
    why: state.heldBack,
    events: countEventsToRemove(plans),
    projects: plans.length,
    /** When removal starts without confirmation; null if an operator has to confirm. */
    begins_at: beginsAtMs === null ? null : formatTime(beginsAtMs),
    look: `${commandName} prune`,
    act: `${commandName} prune --yes`,
  };
}

export async function isRetentionDisabled(store: ServiceDeps['store']): Promise<boolean> {
  return (await store.findSetting(retentionDisabledSetting)) !== null;
}
