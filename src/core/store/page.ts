// A page of rows, whatever they are rows of.

export interface Page<Row> {
  readonly rows: Row[];
  readonly total: number;
}
