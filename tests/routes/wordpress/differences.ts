// Sends the rows of the tables to a server and says how the answers differ.
import { type Answer, type Exchange, send } from '../../wordpress/exchanges.ts';
import { type Header, headersOf, type Row } from './expectations.ts';

/** Of the connection or the moment. */
const ignored = new Set(['Date', 'Connection', 'Keep-Alive', 'Content-Length', 'Transfer-Encoding']);

/** Sends one row to a port of this machine. */
export function ask(port: number, { name, method, path, headers = [], sent }: Row): Promise<Answer> {
  const request = { method, path, headers, ...(sent === undefined ? {} : { body: sent }) };
  const exchange: Exchange = { id: name, request, response: { status: 0, headers: [] } };
  return send(port, exchange);
}

/**
 * Sends every row and says how the answers differ. `root` is the public address of `/wp-json/`; `own` takes
 * out of the headers what others put there.
 */
export async function differencesOf(
  port: number,
  rows: readonly Row[],
  root: string,
  own: (headers: Answer['headers']) => Answer['headers'] = (headers) => headers,
): Promise<string[]> {
  const different: string[] = [];
  for (const row of rows) {
    const answer = await ask(port, row);
    const wrong = [
      unlike('status', String(answer.status), String(row.status)),
      unlike('headers', shown(own(answer.headers)), shown(headersOf(row, root))),
      wrongBody(answer.body.toString('utf8'), row, root),
    ].filter((each) => each !== null);
    if (wrong.length > 0) different.push(`${row.name}\n${wrong.join('\n')}`);
  }
  return different;
}

function wrongBody(body: string, row: Row, root: string): string | null {
  if (typeof row.body === 'string') {
    return unlike('body', body, row.body.replace('{root}', root.replaceAll('/', '\\/')));
  }
  const wrong = row.body(body);
  return wrong === null ? null : `  body: ${wrong}`;
}

function shown(headers: readonly Header[] | Answer['headers']): string {
  return JSON.stringify(headers.filter(([name]) => !ignored.has(name)));
}

function unlike(what: string, ours: string, expected: string): string | null {
  return ours === expected ? null : `  ${what}\n    ours     ${ours}\n    expected ${expected}`;
}
