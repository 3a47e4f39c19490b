// Records what one server answers to the suite's requests, or to requests taken from elsewhere. No files
// here.
import type { RequestTemplate, Suite } from './check.ts';
import { startConversation } from './conversation.ts';
import { type RecordedExchange, recordLine } from './exchange.ts';
import { wholeSuite } from './suite/whole.ts';
import { type Target, targetMasks } from './target.ts';

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

/**
 * The suite's exchanges with one server, in the order of the suite; keys and the site's address are masked.
 */
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

/**
 * Recorded requests as a suite without checks: to be asked again, of any server, with its keys and its
 * address.
 */
export function suiteOfRecording(recorded: readonly RecordedExchange[]): Suite {
  return { requests: recorded.map(templateOf), checks: [] };
}

function templateOf({ id, request }: RecordedExchange): RequestTemplate {
  const body = request.body_base64 === undefined ? request.body : { base64: request.body_base64 };
  return {
    name: id,
    method: request.method,
    sitePath: belowSite(request.path),
    headers: request.headers.filter(([name]) => name.toLowerCase() !== 'user-agent'),
    literal: true,
    ...(body === undefined ? {} : { body }),
  };
}

/** The folder in which that site stood is not part of the request. */
function belowSite(path: string): string {
  const start = path.search(/\/wp-json(?:[/?]|$)|\/index\.php(?:[/?]|$)|\/\?/i);
  return start === -1 ? path : path.slice(start);
}
