// Error codes of outbound requests. Network errors name addresses and ports: they stay in this folder.

/** Refused, reset and unroutable connections are one code, so that nobody can scan ports. */
export type OutboundCode =
  | 'nxdomain'
  | 'no_record'
  | 'mismatch'
  | 'timeout'
  | 'refused_address'
  | 'tls'
  | 'too_large'
  | 'redirect'
  | 'unreachable'
  | 'bad_response'
  | `status_${number}`;

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
