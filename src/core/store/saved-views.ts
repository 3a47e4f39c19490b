import type { EpochMs } from '../parsing/timestamps.ts';
import type { IssueSort } from './issue-queries.ts';

export interface SavedView {
  readonly id: number;
  /** A member; 0 for the workspace token. */
  readonly ownerId: number;
  readonly name: string;
  readonly query: string;
  readonly sort: IssueSort;
  readonly isShared: boolean;
  readonly createdAtMs: EpochMs;
}

export interface PageSettings {
  readonly timeZone: string;
  /** Name of a built-in view, or the number of a saved one. */
  readonly defaultView: string;
  /** Whether single letters are keyboard shortcuts (WCAG 2.1.4). */
  readonly hasShortcuts: boolean;
}

export interface SavedViewStore {
  /** Own ones first, then those that others share; in the order in which they were made. */
  listSavedViews(ownerId: number): Promise<SavedView[]>;
  findSavedView(id: number): Promise<SavedView | null>;
  addSavedView(view: Omit<SavedView, 'id'>): Promise<SavedView>;
  changeSavedView(
    id: number,
    change: Partial<Pick<SavedView, 'name' | 'query' | 'sort' | 'isShared'>>,
  ): Promise<SavedView | null>;
  deleteSavedView(id: number): Promise<boolean>;
  findPageSettings(ownerId: number): Promise<PageSettings | null>;
  writePageSettings(ownerId: number, settings: PageSettings): Promise<void>;
}
