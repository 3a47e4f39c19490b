import type {
  brandImages,
  componentStates,
  StatusPageLanguage,
  statusParts,
} from '../../../../schemas/status-pages.ts';
import type { EpochMs } from '../../parsing/timestamps.ts';

export type ComponentState = (typeof componentStates)[number];

export interface Component {
  readonly id: number;
  readonly name: string;
  readonly group: string;
  /** The component has the worst state of these. Empty where its state is set by hand. */
  readonly monitorIds: readonly number[];
  readonly state: ComponentState;
}

/** 90-day bars, uptime percentage, incidents with public updates, feeds. */
export type StatusPart = (typeof statusParts)[number];

export type BrandImageKind = (typeof brandImages)[number];

export interface BrandImageInfo {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** In bytes. */
  readonly size: number;
}

export interface BrandImage extends BrandImageInfo {
  readonly bytes: Uint8Array;
}

export interface StatusPage {
  readonly id: number;
  readonly projectId: number | null;
  readonly slug: string;
  readonly name: string;
  /** The first is the canonical one. */
  readonly hosts: readonly string[];
  readonly isPublic: boolean;
  readonly description: string;
  readonly shows: readonly StatusPart[];
  readonly language: StatusPageLanguage;
  /** As `#rrggbb`. */
  readonly accent: string | null;
  readonly images: Readonly<Record<BrandImageKind, BrandImageInfo | null>>;
  readonly components: readonly Component[];
  readonly followers: { readonly rss: number; readonly mail: number } | null;
  readonly createdAtMs: EpochMs;
}
