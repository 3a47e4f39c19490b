// The two status pages: what everybody sees, and what members see.

import { stateFedBy } from '../../../core/status-pages/states.ts';
import type { Monitor } from '../../../core/store/monitors/monitors.ts';
import type { Component, StatusPage } from '../../../core/store/status-pages/status-pages.ts';
import { companyName, home } from '../company.ts';
import { type ComponentRow, innerComponents, publicComponents } from './components.ts';

function stateOf(row: ComponentRow, monitors: readonly Monitor[]): Component {
  const fed = monitors.filter(({ id }) => row.monitorIds.includes(id));
  return { ...row, state: stateFedBy(fed.map(({ state }) => state)) };
}

/** Both pages, made of the monitors as they stand. */
export function statusPagesOf(monitors: readonly Monitor[]): StatusPage[] {
  return [
    {
      id: 1,
      slug: 'harbour-pine',
      name: companyName,
      hosts: [`status.${home}`],
      isPublic: true,
      shows: ['days', 'percent', 'incidents', 'feeds'],
      line: 'Opening hours of the showroom: weekdays 10:00 to 18:00.',
      components: publicComponents.map((row) => stateOf(row, monitors)),
      followers: { rss: 208, mail: 4 },
      createdAtMs: Date.UTC(2025, 10, 3, 10),
    },
    {
      id: 2,
      slug: 'inside',
      name: 'Inside',
      hosts: [],
      isPublic: false,
      shows: ['days', 'percent', 'incidents'],
      line: '',
      components: innerComponents.map((row) => stateOf(row, monitors)),
      followers: { rss: 0, mail: 4 },
      createdAtMs: Date.UTC(2025, 10, 5, 15),
    },
  ];
}
