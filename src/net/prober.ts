// DNS and HTTP requests of domain verification; never reject.
import { performance } from 'node:perf_hooks';
import { createConcurrencyLimit } from '../core/concurrency-limit.ts';
import type { DomainCheckClient, FetchedPage, ProbeResult } from '../core/ports/domain-check-client.ts';
import type { NameResolver, RecordResolver } from './dns-resolver.ts';
import { OutboundFailure, toOutboundFailure, withinMs } from './failure.ts';
import type { SafeFetchOptions, SafeFetchResponse } from './safe-fetch.ts';

export interface ProberOptions extends Omit<SafeFetchOptions, 'resolve'> {
  readonly resolver: NameResolver & RecordResolver;
  readonly deadlineMs?: number;
  /** Concurrent requests in this process; further ones are queued. */
  readonly atOnceMax?: number;
}

export function createProber(options: ProberOptions): DomainCheckClient {
  const { resolver, atOnceMax = 8, deadlineMs = 5000 } = options;
  const busy = () => new OutboundFailure('unreachable');
  const queue = createConcurrencyLimit({ atOnceMax, waitingMax: Number.POSITIVE_INFINITY, refusal: busy });
  const probe = <Found>(job: () => Promise<Found>): Promise<ProbeResult<Found>> =>
    queue.run(async () => {
      try {
        return { ok: true, found: await job() };
      } catch (error) {
        return { ok: false, code: toOutboundFailure(error, 'unreachable').code };
      }
    });
  const inTime = <Found>(work: Promise<Found>): Promise<Found> =>
    withinMs(work, deadlineMs, new OutboundFailure('timeout'));
  return {
    texts: (name) => probe(() => inTime(resolver.texts(name))),
    aliases: (name) => probe(() => inTime(resolver.records(name, 'CNAME'))),
    page: (host, path, limits) => probe(() => fetchPage(host, path, limits, options, deadlineMs)),
  };
}

/** Tries https, and http only if no TCP connection to port 443 was made: never after a certificate error. */
async function fetchPage(
  host: string,
  path: string,
  limits: Parameters<DomainCheckClient['page']>[2],
  options: ProberOptions,
  deadlineMs: number,
): Promise<FetchedPage> {
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

function requireStatus200(response: SafeFetchResponse): FetchedPage {
  if (response.status !== 200) throw new OutboundFailure(`status_${response.status}`);
  return { contentType: response.contentType, bytes: response.bytes };
}
