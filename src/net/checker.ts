// Runs the checks of monitors; never rejects.

import type {
  DnsRecordType,
  MonitorCheckClient,
  MonitorCheckResult,
} from '../core/ports/monitor-check-client.ts';
import type { RecordResolver } from './dns-resolver.ts';
import { type OutboundCode, OutboundFailure, toOutboundFailure } from './failure.ts';
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

export function createChecker(access: OutboundAccess & RecordResolver): MonitorCheckClient {
  return {
    async page(request) {
      const { requestPage } = await loadSafeRequest();
      return runCheck(request.timeoutMs, () => requestPage(request, access));
    },
    async port(request) {
      const { connectToPort } = await loadSafeRequest();
      return runCheck(request.timeoutMs, () => connectToPort(request, access));
    },
    async records({ name, kind, timeoutMs }) {
      const { withDeadline } = await import('./ssrf-guard.ts');
      const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax: 0 };
      const check = () =>
        withDeadline(bounds, ({ withinDeadline }) =>
          withinDeadline(resolveCheckedRecords(name, kind, access)),
        );
      return runCheck(timeoutMs, check, recordFailureTexts);
    },
    async certificate(request) {
      const { inspectCertificate } = await import('./inspect-certificate.ts');
      return runCheck(request.timeoutMs, () => inspectCertificate(request, access), tlsFailureTexts);
    },
  };
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

/** Load what `check` needs before: that is not part of the measured time. */
async function runCheck<Found>(
  timeoutMs: number,
  check: () => Promise<Found>,
  extraTexts: typeof failureTexts = {},
): Promise<MonitorCheckResult<Found>> {
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
