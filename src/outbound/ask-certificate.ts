// The guarded question for a certificate: one connection to judged addresses, the handshake of TLS, and
// nothing said over it. So what cannot be trusted may be looked at too; what is wrong with it is the answer.
import { isIP } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { failureOf, OutboundFailure } from './failure.ts';
import { dialHeld, type Held, judgedAddresses, type WayOut, within } from './guard.ts';

/** What is wrong with a certificate: its time, the names in it, or who vouches for it. */
type CertificateFault = 'ended' | 'early' | 'name' | 'chain';

export interface CertificateFound {
  readonly fault: CertificateFault | null;
  /** Null where it cannot be read. */
  readonly endsAtMs: number | null;
}

/** A chain of certificates, and what handshakes need besides. */
const connectionBytesMax = 1024 * 1024;

const faults: Readonly<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: 'ended',
  CERT_NOT_YET_VALID: 'early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'name',
};

/** Looks at the certificate of a host, and hangs up. Throws OutboundFailure alone. */
export function askCertificate(
  { host, port, timeoutMs }: { readonly host: string; readonly port: number; readonly timeoutMs: number },
  way: WayOut,
): Promise<CertificateFound> {
  const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax };
  return within(bounds, async (held) => {
    const addresses = await held.inTime(judgedAddresses(host, way));
    const socket = await shaken(host, await dialHeld({ addresses, host, port }, false, way, held), way, held);
    const endsAtMs = Date.parse(socket.getPeerCertificate().valid_to);
    return {
      fault: socket.authorized ? null : (faults[String(socket.authorizationError)] ?? 'chain'),
      endsAtMs: Number.isFinite(endsAtMs) ? endsAtMs : null,
    };
  });
}

function shaken(
  host: string,
  socket: Awaited<ReturnType<typeof dialHeld>>,
  { ca }: WayOut,
  held: Held,
): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ca,
    rejectUnauthorized: false,
  });
  held.hold(secured);
  return new Promise((resolve, reject) => {
    // Not within the handshake's own call: hanging up there would free under Node what it still works on.
    secured.once('secureConnect', () => setImmediate(resolve, secured));
    secured.on('error', (error) => setImmediate(reject, failureOf(error, 'tls')));
    secured.once('close', () => reject(new OutboundFailure('unreachable')));
  });
}
