// Records a server's answers to the suite's requests, or to those of another recording.
import type { RequestTemplate, Suite } from './check-types.ts';
import { type RecordedExchange, toRecordedExchange } from './exchange.ts';
import { wholeSuite } from './suite/whole.ts';
import { startSuiteSession } from './suite-session.ts';
import { type Target, targetMasks } from './target.ts';

export interface RecordOptions {
  readonly target: Target;
  /** Exceed rate limits on purpose, to record a 429. */
  readonly expectLimits: boolean;
  readonly only?: ReadonlySet<string>;
  readonly suite?: Suite;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly onWait?: (name: string, seconds: number) => void;
  readonly onExchange?: (name: string, done: number, all: number) => void;
}

/** In the order of the suite, with keys and site masked. */
export async function recordSuite(options: RecordOptions): Promise<RecordedExchange[]> {
  const suite = options.suite ?? wholeSuite;
  const requests = suite.requests
    .filter((request) => options.expectLimits || request.flood === undefined)
    .filter((request) => options.only === undefined || options.only.has(request.name))
    .toSorted((a, b) => Number(a.flood !== undefined) - Number(b.flood !== undefined));
  const session = startSuiteSession({
    suite,
    target: options.target,
    sleep: options.sleep,
    now: options.now,
    onWait: options.onWait ?? (() => {}),
  });
  const recorded: RecordedExchange[] = [];
  for (const [index, request] of requests.entries()) {
    const result = await session.send(request.name);
    options.onExchange?.(request.name, index + 1, requests.length);
    if (result.got === 'answer') {
      recorded.push(
        toRecordedExchange({ ...result.exchange, name: request.name }, targetMasks(options.target)),
      );
    }
  }
  return recorded;
}

/** Makes a suite of recorded requests, to send them to another server. */
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

function belowSite(path: string): string {
  const start = path.search(/\/wp-json(?:[/?]|$)|\/index\.php(?:[/?]|$)|\/\?/i);
  return start === -1 ? path : path.slice(start);
}
