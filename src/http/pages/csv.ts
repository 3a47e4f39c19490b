export type CsvColumn<Row> = readonly [name: string, value: (row: Row) => unknown];

export async function toCsv<Row>(
  columns: ReadonlyArray<CsvColumn<Row>>,
  rows: AsyncIterable<Row>,
): Promise<{ readonly text: string; readonly rows: number }> {
  const lines = [columns.map(([name]) => name).join(',')];
  for await (const row of rows) lines.push(columns.map(([, value]) => cell(value(row))).join(','));
  return { text: `${lines.join('\r\n')}\r\n`, rows: lines.length - 1 };
}

/** An apostrophe stops spreadsheets from running a cell as a formula. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
