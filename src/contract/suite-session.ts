// Sends the suite's requests to a server, each once and after those it depends on; waits after a 429.
import type { RequestTemplate, Suite } from './check-types.ts';
import { type Answer, type Exchange, headerOf, valueAt } from './exchange.ts';
import { NoResponseError, sendRequest } from './send-request.ts';
import { buildRequest, placeholdersOf, type Target, targetValues } from './target.ts';

/** Servers that require longer waits are `not observed: limited`. */
export const waitSecondsMax = 120;
/** First wait after a 429 without a time; it doubles. */
const defaultWaitSeconds = 5;

export type SendResult =
  | { readonly got: 'answer'; readonly exchange: Exchange }
  /** Limited for too long, or a placeholder has no value. */
  | { readonly got: 'nothing'; readonly reason: string }
  | { readonly got: 'failure'; readonly reason: string };

export interface SuiteSession {
  /** Sends the request on the first call. */
  send(name: string): Promise<SendResult>;
  exchanges(): readonly Exchange[];
  readonly values: ReadonlyMap<string, string>;
}

export interface SuiteSessionOptions {
  readonly suite: Suite;
  readonly target: Target;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly onWait: (name: string, seconds: number) => void;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

interface SessionState {
  readonly options: SuiteSessionOptions;
  readonly templates: ReadonlyMap<string, RequestTemplate>;
  readonly values: Map<string, string>;
  readonly sent: Map<string, SendResult>;
  readonly exchanges: Exchange[];
  unanswered: number;
}

/** Then the server counts as down: each further request would take its whole timeout. */
const unansweredMax = 3;

export function startSuiteSession(options: SuiteSessionOptions): SuiteSession {
  const session: SessionState = {
    options,
    templates: new Map(options.suite.requests.map((template) => [template.name, template])),
    values: targetValues(options.target),
    sent: new Map(),
    exchanges: [],
    unanswered: 0,
  };
  return {
    send: (name) => sendByName(session, name),
    exchanges: () => session.exchanges,
    values: session.values,
  };
}

async function sendByName(session: SessionState, name: string): Promise<SendResult> {
  const before = session.sent.get(name);
  if (before !== undefined) return before;
  const template = session.templates.get(name);
  if (template === undefined) throw new Error(`the suite has no request named ${name}`);
  const result =
    template.flood === undefined ? await requestOnce(session, template) : await flood(session, template);
  session.sent.set(name, result);
  return result;
}

async function requestOnce(session: SessionState, template: RequestTemplate): Promise<SendResult> {
  for (const each of template.after ?? []) await sendByName(session, each);
  const missing = await findMissingCapture(session, template);
  if (missing !== null) return missing;
  const result = await sendWithRetries(session, template);
  if (result.got === 'answer') capture(session, template, result.exchange);
  return result;
}

async function findMissingCapture(
  session: SessionState,
  template: RequestTemplate,
): Promise<SendResult | null> {
  for (const placeholder of placeholdersOf(template)) {
    if (session.values.has(placeholder)) continue;
    const source = [...session.templates.values()].find((each) =>
      Object.hasOwn(each.captures ?? {}, placeholder),
    );
    if (source === undefined) {
      throw new Error(`${template.name} needs ${placeholder}, which nothing captures`);
    }
    await sendByName(session, source.name);
    if (!session.values.has(placeholder)) {
      return { got: 'nothing', reason: `${source.name} gave no ${placeholder}` };
    }
  }
  return null;
}

/** Retries after 429, for `waitSecondsMax` in total. */
async function sendWithRetries(session: SessionState, template: RequestTemplate): Promise<SendResult> {
  const { options } = session;
  let waited = 0;
  for (let attempt = 0; ; attempt += 1) {
    const result = await sendOnce(session, template.name, template);
    if (result.got !== 'answer' || result.exchange.answer.status !== 429) return result;
    const seconds = secondsToWait(result.exchange.answer, attempt, options.now());
    if (waited + seconds > waitSecondsMax) {
      return { got: 'nothing', reason: `limited (the server asks for ${seconds} more seconds)` };
    }
    waited += seconds;
    options.onWait(template.name, seconds);
    await options.sleep(seconds * 1000);
  }
}

async function sendOnce(session: SessionState, name: string, template: RequestTemplate): Promise<SendResult> {
  if (session.unanswered >= unansweredMax) return { got: 'failure', reason: 'the server no longer answers' };
  try {
    const exchange = await sendRequest(name, buildRequest(template, session.options.target, session.values));
    session.unanswered = 0;
    session.exchanges.push(exchange);
    session.options.onExchange?.(exchange);
    return { got: 'answer', exchange };
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error;
    session.unanswered += 1;
    return { got: 'failure', reason: error.message };
  }
}

async function flood(session: SessionState, template: RequestTemplate): Promise<SendResult> {
  let last: SendResult = { got: 'nothing', reason: 'nothing to repeat' };
  for (const { request, requestsMax } of template.flood ?? []) {
    const first = await sendByName(session, request);
    const source = session.templates.get(request);
    if (source === undefined || first.got === 'nothing') continue;
    for (let count = 0; count < requestsMax; count += 1) {
      last = await sendOnce(session, template.name, source);
      if (last.got === 'failure') return last;
      if (last.got === 'answer' && last.exchange.answer.status === 429) return last;
    }
  }
  return last;
}

function capture(session: SessionState, template: RequestTemplate, exchange: Exchange): void {
  const { status, json } = exchange.answer;
  if (status < 200 || status >= 300) return;
  for (const [name, paths] of Object.entries(template.captures ?? {})) {
    const found = paths.map((path) => valueAt(json, path)).find(isIdentifier);
    if (found !== undefined) session.values.set(name, String(found));
  }
}

function isIdentifier(value: unknown): value is string | number {
  return Number.isInteger(value) || (typeof value === 'string' && /^[\w.~-]{1,200}$/.test(value));
}

/** From `Retry-After`, `data.retry_after` or `RateLimit`'s `t`; else 5 s, doubled per attempt (from 0). */
export function secondsToWait(answer: Answer, attempt: number, nowMs: number): number {
  const header = headerOf(answer, 'Retry-After');
  if (header !== null) {
    const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
    if (Number.isFinite(seconds)) return Math.max(1, Math.ceil(seconds));
  }
  const member = valueAt(answer.json, 'data.retry_after');
  if (typeof member === 'number' && Number.isFinite(member)) return Math.max(1, Math.ceil(member));
  const draft = /\bt=(\d+)/.exec(headerOf(answer, 'RateLimit') ?? '')?.[1];
  if (draft !== undefined) return Math.max(1, Number(draft));
  return defaultWaitSeconds * 2 ** attempt;
}
