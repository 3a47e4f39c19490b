import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { isInBlockList, socketAddress } from './client-address.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Also checks `Host`, which a foreign page may point here, and proxy headers: a local proxy forwards from anywhere. */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (!isInBlockList(loopback, socketAddress(socket))) return false;
  const isHandedOn = Object.keys(headers).some(
    (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-'),
  );
  return !isHandedOn && isLoopbackHost((headers.host ?? '').replace(/:\d*$/, ''));
}

/** `host` is without port: localhost, 127.x.x.x, or ::1 with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || (isIP(bare) !== 0 && isInBlockList(loopback, bare));
}
