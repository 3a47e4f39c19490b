// The two status pages: what everybody sees, and what members see.

import type { Monitor, MonitorState } from '../../../core/store/uptime/monitors.ts';
import type { Component, ComponentState, StatusPage } from '../../../core/store/uptime/status-pages.ts';
import { companyName, home } from '../company.ts';
import { type ComponentRow, innerComponents, publicComponents } from './components.ts';

/** What a monitor makes of a component that it feeds; the worst of them counts. */
const weights: Readonly<Record<MonitorState, readonly [weight: number, state: ComponentState]>> = {
  down: [3, 'not_working'],
  degraded: [2, 'slow'],
  maintenance: [1, 'planned_work'],
  pending: [0, 'working'],
  paused: [0, 'working'],
  up: [0, 'working'],
};

function stateOf(row: ComponentRow, monitors: readonly Monitor[]): Component {
  const fed = monitors.filter(({ id }) => row.monitorIds.includes(id));
  const [worst] = fed.map(({ state }) => weights[state]).sort((one, other) => other[0] - one[0]);
  return { ...row, state: worst?.[1] ?? 'working' };
}

/** Both pages, made of the monitors as they stand. */
export function statusPagesOf(monitors: readonly Monitor[]): StatusPage[] {
  return [
    {
      id: 1,
      slug: 'harbour-pine',
      name: companyName,
      host: `status.${home}`,
      isPublic: true,
      shows: ['days', 'percent', 'feeds'],
      line: 'Opening hours of the showroom: weekdays 10:00 to 18:00.',
      components: publicComponents.map((row) => stateOf(row, monitors)),
      followers: { rss: 208, mail: 4 },
      createdAtMs: Date.UTC(2025, 10, 3, 10),
    },
    {
      id: 2,
      slug: 'inside',
      name: 'Inside',
      host: null,
      isPublic: false,
      shows: ['days', 'percent'],
      line: '',
      components: innerComponents.map((row) => stateOf(row, monitors)),
      followers: { rss: 0, mail: 4 },
      createdAtMs: Date.UTC(2025, 10, 5, 15),
    },
  ];
}
