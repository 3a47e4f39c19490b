// Runs the checks of monitors; never rejects.

import type { MonitorCheckResult } from '../core/ports/monitor-check-client.ts';
import type { DnsRecordType, RecordResolver } from './dns-resolver.ts';
import { type OutboundCode, OutboundFailure, toOutboundFailure } from './failure.ts';
import type { PageRequest, PageResult } from './safe-request.ts';
import type { OutboundAccess } from './ssrf-guard.ts';

const failureTexts: Partial<Record<OutboundCode, string>> = {
  nxdomain: 'the name does not exist',
  no_record: 'its name has no IP address',
  mismatch: 'DNS servers return different addresses',
  refused_address: 'a private address that is not in NOTIFIER_FETCH_ALLOW',
  tls: 'its certificate is not trusted',
  too_large: 'its response is too large',
  redirect: 'redirects too often, or from https to http',
  unreachable: 'cannot be reached',
  bad_response: 'its response is invalid',
};

const recordFailureTexts: typeof failureTexts = {
  no_record: 'the record does not exist',
  mismatch: 'DNS servers return different records',
  unreachable: 'its name cannot be resolved',
};
const tlsFailureTexts: typeof failureTexts = { tls: 'TLS failed' };

interface HostAndPort {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

export function createChecker(access: OutboundAccess & RecordResolver) {
  return {
    page: (request: PageRequest): Promise<MonitorCheckResult<PageResult>> =>
      runCheck(request.timeoutMs, async () => {
        const { requestPage: requestUrl } = await loadSafeRequest();
        return () => requestUrl(request, access);
      }),
    port: (request: HostAndPort) =>
      runCheck(request.timeoutMs, async () => {
        const { connectToPort } = await loadSafeRequest();
        return async () => {
          await connectToPort(request, access);
          return null;
        };
      }),
    records: ({ name, kind, timeoutMs }: RecordsRequest) =>
      runCheck(
        timeoutMs,
        async () => {
          const { withDeadline: within } = await import('./ssrf-guard.ts');
          const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax: 0 };
          return () =>
            within(bounds, (openSockets) =>
              openSockets.withinDeadline(resolveCheckedRecords(name, kind, access)),
            );
        },
        recordFailureTexts,
      ),
    certificate: (request: HostAndPort) =>
      runCheck(
        request.timeoutMs,
        async () => {
          const { inspectCertificate: readCertificate } = await import('./inspect-certificate.ts');
          return () => readCertificate(request, access);
        },
        tlsFailureTexts,
      ),
  };
}

interface RecordsRequest {
  readonly name: string;
  readonly kind: DnsRecordType;
  readonly timeoutMs: number;
}

/** Does not reveal private addresses of a name unless they are allowed. */
async function resolveCheckedRecords(
  name: string,
  kind: DnsRecordType,
  { records, allowed }: OutboundAccess & RecordResolver,
): Promise<readonly string[]> {
  const found = await records(name, kind);
  const areAddresses = kind === 'A' || kind === 'AAAA';
  if (areAddresses && !found.every((address) => allowed.mayReach(name, address))) {
    throw new OutboundFailure('refused_address');
  }
  return found;
}

/** The HTTP client is loaded with the first check, to start faster. */
function loadSafeRequest() {
  return import('./safe-request.ts');
}

/** Loading is not part of the measured time. */
async function runCheck<Found>(
  timeoutMs: number,
  load: () => Promise<() => Promise<Found>>,
  extraTexts: typeof failureTexts = {},
): Promise<MonitorCheckResult<Found>> {
  const check = await load();
  const startedMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - startedMs);
  try {
    const found = await check();
    return { ok: true, durationMs: tookMs(), found };
  } catch (error) {
    const { code } = toOutboundFailure(error, 'unreachable');
    const reason =
      code === 'timeout'
        ? `no response within ${timeoutMs / 1000} s`
        : (extraTexts[code] ?? failureTexts[code] ?? code);
    return { ok: false, durationMs: tookMs(), message: reason, isOurRefusal: code === 'refused_address' };
  }
}
