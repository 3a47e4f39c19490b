// Status pages as the store keeps them: types alone.
import type { EpochMs } from '../../reading/moments.ts';

export type ComponentState = 'working' | 'slow' | 'not_working' | 'planned_work';

export interface Component {
  readonly id: number;
  readonly name: string;
  readonly group: string;
  /** Monitors that feed it: it is as the worst of them. Empty where it is set by hand. */
  readonly monitorIds: readonly number[];
  readonly state: ComponentState;
}

/** What a page shows beside the states: bars of 90 days, uptime in percent, feeds to follow it by. */
export const statusParts = ['days', 'percent', 'feeds'] as const;
export type StatusPart = (typeof statusParts)[number];

export interface StatusPage {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  /** A host of its own; null where it has none. */
  readonly host: string | null;
  /** Whether anybody may see it, or members only. */
  readonly isPublic: boolean;
  /** A line below the title, for what stays; empty without one. */
  readonly line: string;
  readonly shows: readonly StatusPart[];
  /** In the order in which they stand. */
  readonly components: readonly Component[];
  readonly followers: { readonly rss: number; readonly mail: number };
  readonly createdAtMs: EpochMs;
}

export interface StatusPageStore {
  listStatusPages(): Promise<readonly StatusPage[]>;
  findStatusPage(slug: string): Promise<StatusPage | null>;
}
