// The words in which every outbound failure is told, and the only place where raw network errors are read.
// A raw error names addresses, ports and reachability; none of that may leave this folder.

/**
 * Words for what went wrong. `refused, reset and unroutable` are one word, so that nobody can scan ports with
 * them.
 */
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

/** The one error this folder throws. `nothingListens` is true where no TCP connection came to be. */
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

/** Any thrown value as an OutboundFailure; what is not known by its code becomes `otherwise`. */
export function failureOf(error: unknown, otherwise: OutboundCode): OutboundFailure {
  let cause = error;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < 4; depth += 1) {
    if (cause instanceof OutboundFailure) return cause;
    const known = byErrorCode.get(String((cause as { code?: unknown }).code));
    if (known !== undefined) return new OutboundFailure(known);
    cause = (cause as { cause?: unknown }).cause;
  }
  return new OutboundFailure(otherwise);
}
