// The two questions a domain check asks of the world, each answered within its bounds and never by a
// rejection.
import { performance } from 'node:perf_hooks';
import { failureOf, type OutboundCode, OutboundFailure } from './failure.ts';
import type { GuardedResponse, GuardOptions } from './fetch.ts';
import type { NameResolver, RecordResolver } from './resolver.ts';

export type ProbeAnswer<Found> =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly code: OutboundCode };

export interface ProbedPage {
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/**
 * `isCut`: a longer page is read so far, and not refused. `isEnough`: nothing after what came is of interest;
 * asked where a body may begin.
 */
interface PageLimits {
  readonly bytesMax: number;
  readonly accept: string;
  readonly isCut?: boolean;
  readonly isEnough?: (begun: Uint8Array) => boolean;
}

export interface ProberOptions extends Omit<GuardOptions, 'resolve'> {
  readonly resolver: NameResolver & RecordResolver;
  /** Milliseconds for one question, all of it. */
  readonly deadlineMs?: number;
  /** Questions under way at once in this process; further ones wait their turn. */
  readonly atOnceMax?: number;
}

/** Makes the prober of a process. `texts` and `page` resolve always; what failed is one word. */
export function createProber(options: ProberOptions) {
  const inTurn = createTurns(options.atOnceMax ?? 8);
  const deadlineMs = options.deadlineMs ?? 5000;
  return {
    texts: (name: string) => inTurn(() => answered(() => withinMs(options.resolver.texts(name), deadlineMs))),
    aliases: (name: string) =>
      inTurn(() => answered(() => withinMs(options.resolver.records(name, 'CNAME'), deadlineMs))),
    page: (host: string, path: string, limits: PageLimits) =>
      inTurn(() => answered(() => fetchPage(host, path, limits, options, deadlineMs))),
  };
}

async function answered<Found>(ask: () => Promise<Found>): Promise<ProbeAnswer<Found>> {
  try {
    return { ok: true, found: await ask() };
  } catch (error) {
    return { ok: false, code: failureOf(error, 'unreachable').code };
  }
}

/**
 * https first. Only where no TCP connection to port 443 came to be is http asked, within the same deadline: a
 * certificate that fails is a failure, never a reason to go without.
 */
async function fetchPage(
  host: string,
  path: string,
  limits: PageLimits,
  options: ProberOptions,
  deadlineMs: number,
): Promise<ProbedPage> {
  const startedMs = performance.now();
  // A client of its own for HTTP: loaded with the first check, so that no start waits for it.
  const { guardedFetch } = await import('./fetch.ts');
  // One look-up for both schemes: what was judged for one is what the other connects to.
  let addresses: Promise<readonly string[]> | undefined;
  const resolve = (name: string) => {
    addresses ??= options.resolver.addresses(name);
    return addresses;
  };
  const guard: GuardOptions = { ...options, resolve };
  const ask = (scheme: string) =>
    guardedFetch(
      {
        url: `${scheme}://${host}${path}`,
        accept: limits.accept,
        bodyBytesMax: limits.bytesMax,
        cutsBody: limits.isCut,
        isEnough: limits.isEnough,
        deadlineMs: Math.max(1, deadlineMs - (performance.now() - startedMs)),
      },
      guard,
    );
  try {
    return only200(await ask('https'));
  } catch (error) {
    if (!(error instanceof OutboundFailure && error.nothingListens)) throw error;
    return only200(await ask('http'));
  }
}

function only200(response: GuardedResponse): ProbedPage {
  if (response.status !== 200) throw new OutboundFailure(`status_${response.status}`);
  return { contentType: response.contentType, bytes: response.bytes };
}

async function withinMs<Found>(asked: Promise<Found>, limitMs: number): Promise<Found> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new OutboundFailure('timeout')), limitMs);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
    asked.catch(() => {});
  }
}

/** At most `atOnceMax` jobs at once; the others wait in the order they came. */
function createTurns(atOnceMax: number) {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await job();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
