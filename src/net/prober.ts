// DNS and HTTP requests of domain verification; never reject.
import { performance } from 'node:perf_hooks';
import type { NameResolver, RecordResolver } from './dns-resolver.ts';
import { type OutboundCode, OutboundFailure, toOutboundFailure } from './failure.ts';
import type { SafeFetchOptions, SafeFetchResponse } from './safe-fetch.ts';

export type ProbeAnswer<Found> =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly code: OutboundCode };

export interface ProbedPage {
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/** `isCut` truncates a longer page instead of failing; `isEnough` see `SafeFetchRequest`. */
interface PageLimits {
  readonly bytesMax: number;
  readonly accept: string;
  readonly isCut?: boolean;
  readonly isEnough?: (received: Uint8Array) => boolean;
}

export interface ProberOptions extends Omit<SafeFetchOptions, 'resolve'> {
  readonly resolver: NameResolver & RecordResolver;
  readonly deadlineMs?: number;
  /** Concurrent requests in this process; further ones are queued. */
  readonly atOnceMax?: number;
}

export function createProber(options: ProberOptions) {
  const runQueued = createQueue(options.atOnceMax ?? 8);
  const deadlineMs = options.deadlineMs ?? 5000;
  return {
    texts: (name: string) =>
      runQueued(() => toProbeAnswer(() => withinMs(options.resolver.texts(name), deadlineMs))),
    aliases: (name: string) =>
      runQueued(() => toProbeAnswer(() => withinMs(options.resolver.records(name, 'CNAME'), deadlineMs))),
    page: (host: string, path: string, limits: PageLimits) =>
      runQueued(() => toProbeAnswer(() => fetchPage(host, path, limits, options, deadlineMs))),
  };
}

async function toProbeAnswer<Found>(probe: () => Promise<Found>): Promise<ProbeAnswer<Found>> {
  try {
    return { ok: true, found: await probe() };
  } catch (error) {
    return { ok: false, code: toOutboundFailure(error, 'unreachable').code };
  }
}

/** Tries https, and http only if no TCP connection to port 443 was made: never after a certificate error. */
async function fetchPage(
  host: string,
  path: string,
  limits: PageLimits,
  options: ProberOptions,
  deadlineMs: number,
): Promise<ProbedPage> {
  const startedMs = performance.now();
  const { safeFetch: guardedFetch } = await import('./safe-fetch.ts');
  let addresses: Promise<readonly string[]> | undefined;
  const resolve = (name: string) => {
    addresses ??= options.resolver.addresses(name);
    return addresses;
  };
  const guard: SafeFetchOptions = { ...options, resolve };
  const fetchWith = (scheme: string) =>
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
    return requireStatus200(await fetchWith('https'));
  } catch (error) {
    if (!(error instanceof OutboundFailure && error.nothingListens)) throw error;
    return requireStatus200(await fetchWith('http'));
  }
}

function requireStatus200(response: SafeFetchResponse): ProbedPage {
  if (response.status !== 200) throw new OutboundFailure(`status_${response.status}`);
  return { contentType: response.contentType, bytes: response.bytes };
}

async function withinMs<Found>(promise: Promise<Found>, limitMs: number): Promise<Found> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new OutboundFailure('timeout')), limitMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}

/** Semaphore with a FIFO queue. */
function createQueue(atOnceMax: number) {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await job();
    } finally {
      // Hands the slot over directly, so that no other job can take it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
