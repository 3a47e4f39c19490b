// Lists a page at a time, whatever they are lists of: types alone.

/** Which rows of a list are asked for: `limit` of them after the first `offset`. */
export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
}

/** Those rows, and how many there are in all. */
export interface Page<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** A place in a list whose newest stand first. */
export interface Near {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly id: number;
}

/** Rows beside a place: those older than `after`, else those newer than `before`, else the newest. */
export interface Slice {
  readonly after: Near | null;
  readonly before: Near | null;
  readonly limit: number;
}

/** Such rows, the newest first, and whether there are more at either end. */
export interface Sliced<Row> {
  readonly rows: readonly Row[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}
