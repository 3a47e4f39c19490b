import type { BrandImage, BrandImageKind, Component, StatusPage } from './status-pages.ts';

export interface StatusPageRecord extends StatusPage {
  readonly createdBy: string;
  /** Grows with each change. A change is refused when the version is not the one that was read. */
  readonly version: number;
}

export type ComponentChange = Omit<Component, 'id'> & { readonly id: number | null };

export type StatusPageChange = Pick<
  StatusPageRecord,
  'slug' | 'name' | 'hosts' | 'isPublic' | 'description' | 'shows' | 'language' | 'accent'
> & {
  readonly components: readonly ComponentChange[];
  /** Null removes an image; one that is not named stays. */
  readonly newImages: { readonly [Kind in BrandImageKind]?: BrandImage | null };
};

export type NewStatusPage = StatusPageChange &
  Pick<StatusPageRecord, 'projectId' | 'createdAtMs' | 'createdBy'> & {
    /** Whether a taken slug gets the first free number appended instead of an error. */
    readonly isSlugFree: boolean;
  };

export interface PublishedPage {
  readonly slug: string;
  readonly hosts: readonly string[];
}

/** A slug or host of another page is refused with 400; nothing is written. */
export interface StatusPageStore {
  listStatusPages(): Promise<readonly StatusPageRecord[]>;
  findStatusPage(slug: string): Promise<StatusPageRecord | null>;

  addStatusPage(page: NewStatusPage): Promise<StatusPageRecord>;
  countStatusPages(projectId: number | null): Promise<number>;
  listStatusPageRecords(projectId: number | null): Promise<readonly StatusPageRecord[]>;
  findStatusPageRecord(id: number): Promise<StatusPageRecord | null>;
  changeStatusPage(
    page: Pick<StatusPageRecord, 'id' | 'version'>,
    change: StatusPageChange,
  ): Promise<StatusPageRecord | null>;
  deleteStatusPage(id: number): Promise<StatusPageRecord | null>;
  findBrandImage(pageId: number, kind: BrandImageKind): Promise<BrandImage | null>;
  publishedPages(): Promise<readonly PublishedPage[]>;
}
