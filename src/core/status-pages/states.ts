import type { MonitorState } from '../store/monitors.ts';
import type { ComponentState } from '../store/status-pages.ts';

/** Best to worst. */
const componentOrder: readonly ComponentState[] = ['working', 'planned_work', 'slow', 'not_working'];

const byMonitor: Readonly<Record<MonitorState, ComponentState>> = {
  down: 'not_working',
  degraded: 'slow',
  maintenance: 'planned_work',
  pending: 'working',
  paused: 'working',
  up: 'working',
};

export function worstState(states: readonly ComponentState[]): ComponentState {
  const worst = Math.max(0, ...states.map((state) => componentOrder.indexOf(state)));
  return componentOrder[worst] ?? 'working';
}

export function stateFromMonitors(monitors: readonly MonitorState[]): ComponentState {
  return worstState(monitors.map((state) => byMonitor[state]));
}
