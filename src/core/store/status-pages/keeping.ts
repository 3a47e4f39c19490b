import type { Component, StatusPage } from './status-pages.ts';

export interface KeptStatusPage extends StatusPage {
  readonly projectId: number | null;
  readonly createdBy: string;
  /** Grows with each change. A change is refused when the version is not the one that was read. */
  readonly version: number;
}

export type WrittenComponent = Omit<Component, 'id'> & { readonly id: number | null };

export type StatusPageChange = Pick<
  KeptStatusPage,
  'slug' | 'name' | 'hosts' | 'isPublic' | 'line' | 'shows'
> & { readonly components: readonly WrittenComponent[] };

export type NewStatusPage = StatusPageChange &
  Pick<KeptStatusPage, 'projectId' | 'createdAtMs' | 'createdBy'> & {
    /** Whether a taken slug gets the first free number appended instead of an error. */
    readonly isSlugFree: boolean;
  };

export interface PublishedPage {
  readonly slug: string;
  readonly hosts: readonly string[];
}

/** A slug or host of another page is refused with 400; nothing is written. */
export interface StatusPageStore {
  listStatusPages(): Promise<readonly StatusPage[]>;
  findStatusPage(slug: string): Promise<StatusPage | null>;

  addStatusPage(page: NewStatusPage): Promise<KeptStatusPage>;
  countStatusPages(projectId: number | null): Promise<number>;
  listKeptStatusPages(projectId: number | null): Promise<readonly KeptStatusPage[]>;
  findKeptStatusPage(id: number): Promise<KeptStatusPage | null>;
  changeStatusPage(
    page: Pick<KeptStatusPage, 'id' | 'version'>,
    change: StatusPageChange,
  ): Promise<KeptStatusPage | null>;
  deleteStatusPage(id: number): Promise<KeptStatusPage | null>;
  publishedPages(): Promise<readonly PublishedPage[]>;
}
