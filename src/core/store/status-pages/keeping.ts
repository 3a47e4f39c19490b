// What status pages are made of in the store, beside what pages look at (status-pages.ts): types alone.
import type { Component, StatusPage } from './status-pages.ts';

export interface KeptStatusPage extends StatusPage {
  /** Null for one of the workspace. */
  readonly projectId: number | null;
  readonly createdBy: string;
  /** Grows with each change: who changes it writes only onto what was read. */
  readonly version: number;
}

/** A part as it is written; without a number it is a new one. */
export type WrittenComponent = Omit<Component, 'id'> & { readonly id: number | null };

/** All of it is written. */
export type StatusPageChange = Pick<
  KeptStatusPage,
  'slug' | 'name' | 'hosts' | 'isPublic' | 'line' | 'shows'
> & { readonly components: readonly WrittenComponent[] };

export type NewStatusPage = StatusPageChange &
  Pick<KeptStatusPage, 'projectId' | 'createdAtMs' | 'createdBy'> & {
    /** Whether another slug will do where this one is taken: with the first number behind it that is free. */
    readonly isSlugFree: boolean;
  };

/** Where a page that everybody may see is found. */
export interface PublishedPage {
  readonly slug: string;
  readonly hosts: readonly string[];
}

/** A slug or a host that another page has is refused with 400, and nothing is written. */
export interface StatusPageStore {
  listStatusPages(): Promise<readonly StatusPage[]>;
  findStatusPage(slug: string): Promise<StatusPage | null>;

  addStatusPage(page: NewStatusPage): Promise<KeptStatusPage>;
  countStatusPages(projectId: number | null): Promise<number>;
  /** Those of a project, or of all where it is null, as they were made. */
  listKeptStatusPages(projectId: number | null): Promise<readonly KeptStatusPage[]>;
  findKeptStatusPage(id: number): Promise<KeptStatusPage | null>;
  /** Null where it is gone, or was changed since it was read. */
  changeStatusPage(
    page: Pick<KeptStatusPage, 'id' | 'version'>,
    change: StatusPageChange,
  ): Promise<KeptStatusPage | null>;
  deleteStatusPage(id: number): Promise<KeptStatusPage | null>;
  /** All that everybody may see. */
  publishedPages(): Promise<readonly PublishedPage[]>;
}
