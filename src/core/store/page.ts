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
