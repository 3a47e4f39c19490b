import { isIP } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { OutboundFailure, toOutboundFailure } from './failure.ts';
import {
  dialWithDeadline,
  type OpenSockets,
  type OutboundAccess,
  resolveAllowedAddresses,
  withDeadline,
} from './ssrf-guard.ts';

type CertificateFault = 'ended' | 'early' | 'name' | 'chain';

const connectionBytesMax = 1024 * 1024;

const faults: Readonly<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: 'ended',
  CERT_NOT_YET_VALID: 'early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'name',
};

/** Sends no data, so an untrusted certificate is safe to inspect. @throws {OutboundFailure} */
export function inspectCertificate(
  { host, port, timeoutMs }: { readonly host: string; readonly port: number; readonly timeoutMs: number },
  access: OutboundAccess,
) {
  const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax };
  return withDeadline(bounds, async (openSockets) => {
    const addresses = await openSockets.withinDeadline(resolveAllowedAddresses(host, access));
    const socket = await tlsHandshake(
      host,
      await dialWithDeadline({ addresses, host, port }, false, access, openSockets),
      access,
      openSockets,
    );
    const endsAtMs = Date.parse(socket.getPeerCertificate().valid_to);
    return {
      fault: socket.authorized ? null : (faults[String(socket.authorizationError)] ?? 'chain'),
      endsAtMs: Number.isFinite(endsAtMs) ? endsAtMs : null,
    };
  });
}

function tlsHandshake(
  host: string,
  socket: Awaited<ReturnType<typeof dialWithDeadline>>,
  { ca }: OutboundAccess,
  openSockets: OpenSockets,
): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ca,
    rejectUnauthorized: false,
  });
  openSockets.track(secured);
  return new Promise((resolve, reject) => {
    // Deferred: destroying the socket inside the handshake callback would free memory that Node still uses.
    secured.once('secureConnect', () => setImmediate(resolve, secured));
    secured.on('error', (error) => setImmediate(reject, toOutboundFailure(error, 'tls')));
    secured.once('close', () => reject(new OutboundFailure('unreachable')));
  });
}
