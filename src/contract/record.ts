// Records what one server answers to the suite's requests, or to requests taken from elsewhere. No files here.
import type { Suite } from './check.ts';
import { startConversation } from './conversation.ts';
import { type Exchange, type RecordedExchange, recordLine } from './exchange.ts';
import { sendRequest } from './send-request.ts';
import { wholeSuite } from './suite/whole.ts';
import { filled, type Target, targetMasks, targetValues } from './target.ts';

export interface RecordOptions {
  readonly target: Target;
  /** Whether the rate limits are reached on purpose, so that a 429 is in the recording. */
  readonly expectLimits: boolean;
  /** Names of the requests to record; all where it is absent. */
  readonly only?: ReadonlySet<string>;
  readonly suite?: Suite;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly onWait?: (name: string, seconds: number) => void;
  readonly onExchange?: (name: string, done: number, all: number) => void;
}

/** The suite's exchanges with one server, in the order of the suite; keys and the site's address are masked. */
export async function recordSuite(options: RecordOptions): Promise<RecordedExchange[]> {
  const suite = options.suite ?? wholeSuite;
  const wanted = suite.requests
    .filter((request) => options.expectLimits || request.flood === undefined)
    .filter((request) => options.only === undefined || options.only.has(request.name))
    .toSorted((a, b) => Number(a.flood !== undefined) - Number(b.flood !== undefined));
  const conversation = startConversation({
    suite,
    target: options.target,
    sleep: options.sleep,
    now: options.now,
    onWait: options.onWait ?? (() => {}),
  });
  const recorded: RecordedExchange[] = [];
  for (const [index, request] of wanted.entries()) {
    const sent = await conversation.ask(request.name);
    options.onExchange?.(request.name, index + 1, wanted.length);
    if (sent.got === 'answer') {
      recorded.push(recordLine({ ...sent.exchange, name: request.name }, targetMasks(options.target)));
    }
  }
  return recorded;
}

/** Sends recorded requests as they are, keys and address of this target filled in, and records its answers. */
export async function recordAgain(
  requests: readonly RecordedExchange[],
  target: Target,
  onExchange?: (name: string, done: number, all: number) => void,
): Promise<RecordedExchange[]> {
  const values = targetValues(target);
  values.set('site', target.siteUrl.href.replace(/\/$/, ''));
  const recorded: RecordedExchange[] = [];
  for (const [index, { id, request }] of requests.entries()) {
    const text = request.body_base64 === undefined ? filled(request.body ?? '', values) : null;
    const body = text === null ? Buffer.from(request.body_base64 ?? '', 'base64') : Buffer.from(text);
    const exchange: Exchange = await sendRequest(id, {
      method: request.method,
      url: target.siteUrl,
      target: filled(request.path, values),
      headers: request.headers.map(([name, value]) => [name, filled(value, values)] as const),
      body,
    });
    recorded.push(recordLine(exchange, targetMasks(target)));
    onExchange?.(id, index + 1, requests.length);
  }
  return recorded;
}
