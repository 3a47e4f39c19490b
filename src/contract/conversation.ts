// Sends the suite's requests to one target: each once, what it needs first, waiting where the server asks for
// it.
import type { RequestTemplate, Suite } from './check.ts';
import { type Answer, type Exchange, headerOf, valueAt } from './exchange.ts';
import { NoAnswer, sendRequest } from './send-request.ts';
import { placeholdersOf, requestOf, type Target, targetValues } from './target.ts';

/** A server that asks for more patience than this is `not observed: limited`. */
export const waitSecondsMax = 120;
/** Where a 429 says nothing of time, the first wait; it doubles. */
const silentWaitSeconds = 5;

/** What came of a request. */
export type Sent =
  | { readonly got: 'answer'; readonly exchange: Exchange }
  /**
   * The server asked for more patience than there is, or a request before this one gave no value to fill in.
   */
  | { readonly got: 'nothing'; readonly reason: string }
  | { readonly got: 'failure'; readonly reason: string };

export interface Conversation {
  /** What came of the request of that name; it is sent at most once. */
  ask(name: string): Promise<Sent>;
  /** Every answer so far, in the order in which they came. */
  exchanges(): readonly Exchange[];
  readonly values: ReadonlyMap<string, string>;
}

export interface ConversationOptions {
  readonly suite: Suite;
  readonly target: Target;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly onWait: (name: string, seconds: number) => void;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** What was said so far. */
interface Talk {
  readonly options: ConversationOptions;
  readonly templates: ReadonlyMap<string, RequestTemplate>;
  readonly values: Map<string, string>;
  readonly sent: Map<string, Sent>;
  readonly exchanges: Exchange[];
  /** Requests in a row that got no answer at all. */
  silences: number;
}

/**
 * After so many requests without an answer the server is taken to be gone: each more would wait for its own
 * time-out.
 */
const silencesMax = 3;

/** A conversation with nothing said yet. */
export function startConversation(options: ConversationOptions): Conversation {
  const talk: Talk = {
    options,
    templates: new Map(options.suite.requests.map((template) => [template.name, template])),
    values: targetValues(options.target),
    sent: new Map(),
    exchanges: [],
    silences: 0,
  };
  return { ask: (name) => ask(talk, name), exchanges: () => talk.exchanges, values: talk.values };
}

async function ask(talk: Talk, name: string): Promise<Sent> {
  const before = talk.sent.get(name);
  if (before !== undefined) return before;
  const template = talk.templates.get(name);
  if (template === undefined) throw new Error(`the suite has no request named ${name}`);
  const came = template.flood === undefined ? await askOnce(talk, template) : await flood(talk, template);
  talk.sent.set(name, came);
  return came;
}

async function askOnce(talk: Talk, template: RequestTemplate): Promise<Sent> {
  for (const each of template.after ?? []) await ask(talk, each);
  const missing = await firstMissing(talk, template);
  if (missing !== null) return missing;
  const came = await sendPatiently(talk, template);
  if (came.got === 'answer') capture(talk, template, came.exchange);
  return came;
}

/** Asks whoever captures the placeholders of this template; says so where one stays empty. */
async function firstMissing(talk: Talk, template: RequestTemplate): Promise<Sent | null> {
  for (const placeholder of placeholdersOf(template)) {
    if (talk.values.has(placeholder)) continue;
    const source = [...talk.templates.values()].find((each) =>
      Object.hasOwn(each.captures ?? {}, placeholder),
    );
    if (source === undefined) {
      throw new Error(`${template.name} needs ${placeholder}, which nothing captures`);
    }
    await ask(talk, source.name);
    if (!talk.values.has(placeholder)) {
      return { got: 'nothing', reason: `${source.name} gave no ${placeholder}` };
    }
  }
  return null;
}

/** Sends again after every 429, as long as the server asks for no more than `waitSecondsMax` in all. */
async function sendPatiently(talk: Talk, template: RequestTemplate): Promise<Sent> {
  const { options } = talk;
  let waited = 0;
  for (let attempt = 0; ; attempt += 1) {
    const came = await sendOnce(talk, template.name, template);
    if (came.got !== 'answer' || came.exchange.answer.status !== 429) return came;
    const seconds = secondsToWait(came.exchange.answer, attempt, options.now());
    if (waited + seconds > waitSecondsMax) {
      return { got: 'nothing', reason: `limited (the server asks for ${seconds} more seconds)` };
    }
    waited += seconds;
    options.onWait(template.name, seconds);
    await options.sleep(seconds * 1000);
  }
}

async function sendOnce(talk: Talk, name: string, template: RequestTemplate): Promise<Sent> {
  if (talk.silences >= silencesMax) return { got: 'failure', reason: 'the server no longer answers' };
  try {
    const exchange = await sendRequest(name, requestOf(template, talk.options.target, talk.values));
    talk.silences = 0;
    talk.exchanges.push(exchange);
    talk.options.onExchange?.(exchange);
    return { got: 'answer', exchange };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    talk.silences += 1;
    return { got: 'failure', reason: error.message };
  }
}

/** Repeats each named request until one answer is 429; the last answer is what the flood got. */
async function flood(talk: Talk, template: RequestTemplate): Promise<Sent> {
  let last: Sent = { got: 'nothing', reason: 'nothing to repeat' };
  for (const { request, requestsMax } of template.flood ?? []) {
    const first = await ask(talk, request);
    const source = talk.templates.get(request);
    if (source === undefined || first.got === 'nothing') continue;
    for (let count = 0; count < requestsMax; count += 1) {
      last = await sendOnce(talk, template.name, source);
      if (last.got === 'failure') return last;
      if (last.got === 'answer' && last.exchange.answer.status === 429) return last;
    }
  }
  return last;
}

function capture(talk: Talk, template: RequestTemplate, exchange: Exchange): void {
  const { status, json } = exchange.answer;
  if (status < 200 || status >= 300) return;
  for (const [name, paths] of Object.entries(template.captures ?? {})) {
    const found = paths.map((path) => valueAt(json, path)).find(isIdentifier);
    if (found !== undefined) talk.values.set(name, String(found));
  }
}

/** What may stand in a path: a positive number, or a word of letters, digits, `_`, `-`, `.` and `~`. */
function isIdentifier(value: unknown): value is string | number {
  return Number.isInteger(value) || (typeof value === 'string' && /^[\w.~-]{1,200}$/.test(value));
}

/**
 * Seconds to wait before the request is sent again: `Retry-After` as seconds or date, `data.retry_after`,
 * `RateLimit`'s `t`, in this order; doubling from five seconds where none of them speaks. `attempt` counts
 * from 0.
 */
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
  return silentWaitSeconds * 2 ** attempt;
}
