// Error codes of outbound requests. Network errors name addresses and ports: they stay in this folder.

import type { CheckFailure } from '../core/ports/domain-check-client.ts';

/** Refused, reset and unroutable connections are one code, so that nobody can scan ports. */
export type OutboundCode = CheckFailure;

/** The only error thrown by this folder. `nothingListens`: no TCP connection was made. */
export class OutboundFailure extends Error {
  readonly code: OutboundCode;
  readonly nothingListens: boolean;

  constructor(code: OutboundCode, nothingListens = false) {
    super(code);
    this.name = 'OutboundFailure';
    this.code = code;
    this.nothingListens = nothingListens;
  }
}

/** Rejects with `late` after that time. */
export async function withinMs<T>(work: Promise<T>, milliseconds: number, late: Error): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(late), milliseconds);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

const byErrorCode: ReadonlyMap<string, OutboundCode> = new Map<string, OutboundCode>([
  ['ENOTFOUND', 'nxdomain'],
  ['ENODATA', 'no_record'],
  ['ETIMEOUT', 'timeout'],
  ['ECANCELLED', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['EBADNAME', 'nxdomain'],
  ['EBADRESP', 'bad_response'],
  ['EFORMERR', 'bad_response'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'too_large'],
  ['ESERVFAIL', 'unreachable'],
  ['EREFUSED', 'unreachable'],
  ['ENOTIMP', 'unreachable'],
  ['ECONNREFUSED', 'unreachable'],
  ['ECONNRESET', 'unreachable'],
  ['EPIPE', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['EACCES', 'unreachable'],
  ['EPERM', 'unreachable'],
  ['ECONNABORTED', 'unreachable'],
]);

/** Converts any error; unknown ones become `fallbackCode`. */
export function toOutboundFailure(error: unknown, fallbackCode: OutboundCode): OutboundFailure {
  let cause = error;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < 4; depth += 1) {
    if (cause instanceof OutboundFailure) return cause;
    const known = byErrorCode.get(String((cause as { code?: unknown }).code));
    if (known !== undefined) return new OutboundFailure(known);
    cause = (cause as { cause?: unknown }).cause;
  }
  return new OutboundFailure(fallbackCode);
}
