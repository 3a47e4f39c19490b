// Status pages as the store keeps them: types alone.
import type { componentStates, statusParts } from '../../../../schemas/status-pages.ts';
import type { EpochMs } from '../../reading/moments.ts';

export type ComponentState = (typeof componentStates)[number];

export interface Component {
  readonly id: number;
  readonly name: string;
  readonly group: string;
  /** Monitors that feed it: it is as the worst of them. Empty where it is set by hand. */
  readonly monitorIds: readonly number[];
  readonly state: ComponentState;
}

/** Bars of 90 days, uptime in percent, incidents with what was said to everybody, feeds to follow it by. */
export type StatusPart = (typeof statusParts)[number];

export interface StatusPage {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  /** Hosts of its own, the first the one that it is known by. */
  readonly hosts: readonly string[];
  /** Whether anybody may see it, or members only. */
  readonly isPublic: boolean;
  /** A line below the title, for what stays; empty without one. */
  readonly line: string;
  readonly shows: readonly StatusPart[];
  /** In the order in which they stand. */
  readonly components: readonly Component[];
  /** Null where nobody counts them. */
  readonly followers: { readonly rss: number; readonly mail: number } | null;
  readonly createdAtMs: EpochMs;
}
