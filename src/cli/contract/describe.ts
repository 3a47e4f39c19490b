// `contract describe`: the routes, methods and arguments that another server publishes, beside ours.
import { headerOf } from '../../contract/exchange.ts';
import {
  diffIndexes,
  type IndexDifference,
  type IndexRoute,
  readIndex,
} from '../../contract/namespace-index.ts';
import { sendRequest } from '../../contract/send-request.ts';
import { CommandFailure, exitCodes, printable, table, UsageError } from '../command.ts';
import { type ContractIo, type ContractWords, printOrWrite, siteUrlOf } from './words.ts';

/** Prints where the two differ; always 0 once both could be read. */
export async function contractDescribe(words: ContractWords, io: ContractIo): Promise<number> {
  const format = words.values.format ?? 'table';
  if (format !== 'table' && format !== 'json') throw new UsageError('--format is table or json here.');
  const site = siteUrlOf(words.values.url, io);
  const there = readIndex(await indexAt(site));
  if (there === null) throw new CommandFailure(`${site.href} answered no namespace index.`);
  const here =
    words.values.against === undefined
      ? await ourIndex()
      : await indexAt(siteUrlOf(words.values.against, io));
  const differences = diffIndexes(there, readIndex(here) ?? []);
  const text =
    format === 'json'
      ? `${JSON.stringify({ routes: there, differences }, null, 2)}\n`
      : asTable(there, differences);
  await printOrWrite(text, words.values.out, io);
  return exitCodes.fine;
}

/** The whole program is loaded only where it is asked for. */
async function ourIndex(): Promise<unknown> {
  const { ownIndex } = await import('./own-index.ts');
  return ownIndex();
}

/** The JSON of a site's namespace index. Throws CommandFailure where it gives none. */
export async function indexAt(siteUrl: URL): Promise<unknown> {
  const { answer } = await sendRequest('namespace-index', {
    method: 'GET',
    url: siteUrl,
    target: `${siteUrl.pathname.replace(/\/$/, '')}/wp-json/notifier/v1`,
    headers: [],
    body: Buffer.alloc(0),
  });
  if (answer.status === 200 && answer.json !== undefined) return answer.json;
  const type = headerOf(answer, 'Content-Type') ?? 'no type';
  throw new CommandFailure(
    `The namespace index of ${siteUrl.href} is ${answer.status} (${printable(type)}).`,
  );
}

function asTable(there: readonly IndexRoute[], differences: readonly IndexDifference[]): string {
  const heading = `${there.length} routes are published there.`;
  if (differences.length === 0) return `${heading} Ours are the same.\n`;
  const missing = differences.filter((each) => each.argument === '');
  const rows = differences.filter((each) => each.argument !== '');
  const listed = (title: string, list: readonly IndexDifference[]) =>
    list.length === 0 ? '' : `${title}\n${list.map((each) => `  ${printable(each.route)}`).join('\n')}\n\n`;
  const args = table(
    ['Route', 'Argument', 'Keyword', 'There', 'Here'],
    rows.map((each) => [each.route, each.argument, each.keyword, each.there || null, each.here || null]),
  );
  return [
    `${heading}\n\n`,
    listed(
      'They have, and we lack:',
      missing.filter((each) => each.here === ''),
    ),
    listed(
      'We have, and they lack:',
      missing.filter((each) => each.there === ''),
    ),
    rows.length === 0 ? '' : `${args}\n`,
  ].join('');
}
