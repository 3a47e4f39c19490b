// Runs the checks of monitors; never rejects.

import type { RecordKind, RecordResolver } from './dns-resolver.ts';
import { type OutboundCode, OutboundFailure, toOutboundFailure } from './failure.ts';
import type { PageRequest, PageResult } from './safe-request.ts';
import type { OutboundAccess } from './ssrf-guard.ts';

type Answer<Found> =
  | { readonly ok: true; readonly durationMs: number; readonly found: Found }
  | {
      readonly ok: false;
      readonly durationMs: number;
      readonly message: string;
      readonly isOurRefusal: boolean;
    };

const words: Partial<Record<OutboundCode, string>> = {
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

const wordsOfRecords: typeof words = {
  no_record: 'the record does not exist',
  mismatch: 'DNS servers return different records',
  unreachable: 'its name cannot be resolved',
};
const wordsOfTls: typeof words = { tls: 'TLS failed' };

interface Place {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

export function createChecker(access: OutboundAccess & RecordResolver) {
  return {
    page: (question: PageRequest): Promise<Answer<PageResult>> =>
      answered(question.timeoutMs, async () => {
        const { requestPage: requestUrl } = await asking();
        return () => requestUrl(question, access);
      }),
    port: (question: Place) =>
      answered(question.timeoutMs, async () => {
        const { connectToPort } = await asking();
        return async () => {
          await connectToPort(question, access);
          return null;
        };
      }),
    records: ({ name, kind, timeoutMs }: RecordsQuestion) =>
      answered(
        timeoutMs,
        async () => {
          const { withDeadline: within } = await import('./ssrf-guard.ts');
          const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax: 0 };
          return () => within(bounds, (held) => held.inTime(judgedRecords(name, kind, access)));
        },
        wordsOfRecords,
      ),
    certificate: (question: Place) =>
      answered(
        question.timeoutMs,
        async () => {
          const { inspectCertificate: readCertificate } = await import('./inspect-certificate.ts');
          return () => readCertificate(question, access);
        },
        wordsOfTls,
      ),
  };
}

interface RecordsQuestion {
  readonly name: string;
  readonly kind: RecordKind;
  readonly timeoutMs: number;
}

/** Does not reveal private addresses of a name unless they are allowed. */
async function judgedRecords(
  name: string,
  kind: RecordKind,
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
function asking() {
  return import('./safe-request.ts');
}

/** Loading is not part of the measured time. */
async function answered<Found>(
  timeoutMs: number,
  load: () => Promise<() => Promise<Found>>,
  ownWords: typeof words = {},
): Promise<Answer<Found>> {
  const ask = await load();
  const startedMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - startedMs);
  try {
    const found = await ask();
    return { ok: true, durationMs: tookMs(), found };
  } catch (error) {
    const { code } = toOutboundFailure(error, 'unreachable');
    const reason =
      code === 'timeout'
        ? `no response within ${timeoutMs / 1000} s`
        : (ownWords[code] ?? words[code] ?? code);
    return { ok: false, durationMs: tookMs(), message: reason, isOurRefusal: code === 'refused_address' };
  }
}
