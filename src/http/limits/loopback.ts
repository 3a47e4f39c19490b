// Whether a request comes from this very machine, as far as that can be known (D-127).
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { isListed, socketAddress } from './client-address.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * True where the socket is loopback, `Host` is localhost or a loopback address, and no header tells of a
 * proxy: a proxy on this machine hands on requests from everywhere, and a page elsewhere may give its own
 * name our address.
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (!isListed(loopback, socketAddress(socket))) return false;
  const isHandedOn = Object.keys(headers).some(
    (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-'),
  );
  return !isHandedOn && isLoopbackHost((headers.host ?? '').replace(/:\d*$/, ''));
}

/** Whether a host without a port is this machine's own: localhost, 127.x.x.x, ::1 with brackets or not. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || (isIP(bare) !== 0 && isListed(loopback, bare));
}
