export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly total: number;
}

export interface Near {
  readonly atMs: number;
  readonly id: number;
}

/** Rows older than `after`, else newer than `before`, else the newest. */
export interface Slice {
  readonly after: Near | null;
  readonly before: Near | null;
  readonly limit: number;
}

export interface Sliced<Row> {
  readonly rows: readonly Row[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}
