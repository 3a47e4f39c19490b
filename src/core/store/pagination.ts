export interface OffsetWindow {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly total: number;
}

export interface TimeCursor {
  readonly atMs: number;
  readonly id: number;
}

/** Rows older than `after`, else newer than `before`, else the newest. */
export interface CursorWindow {
  readonly after: TimeCursor | null;
  readonly before: TimeCursor | null;
  readonly limit: number;
}

export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}
