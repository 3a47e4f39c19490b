import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import { createProxyBlockList } from '../../core/config/config.ts';
import { memoize } from '../../core/parsing/memo-cache.ts';
import type { Log } from '../../core/ports/log.ts';

/** Reads X-Forwarded-For from the right while the hop is trusted. Warns once if the header is present and no proxy is
 * trusted, since all clients then share one address. */
export function createClientAddressReader(
  trustProxy: readonly string[],
  log: Log,
): (incoming: IncomingMessage) => string {
  const trusted = createProxyBlockList(trustProxy);
  let warned = trustProxy.length > 0;
  return (incoming) => {
    const ofSocket = socketAddress(incoming.socket);
    const forwarded = incoming.headers['x-forwarded-for'];
    if (forwarded === undefined) return ofSocket;
    if (!warned) {
      warned = true;
      log.warn(
        {},
        'X-Forwarded-For is present but TRUST_PROXY is empty: all visitors share one address and one limit',
      );
    }
    const hops = String(forwarded).slice(-1024).split(',').reverse();
    let address = ofSocket;
    for (const hop of hops) {
      if (!isInBlockList(trusted, address)) break;
      const next = plainAddress(hop.trim());
      if (next === null) break;
      address = next;
    }
    return address;
  };
}

/** Without zone, and with IPv4-mapped IPv6 as IPv4. */
export function socketAddress(socket: Socket): string {
  return plainSocketAddress(socket.remoteAddress ?? '');
}

const plainSocketAddress = memoize((text) => plainAddress(text) ?? '0.0.0.0', {
  textsMax: 10_000,
  charactersMax: 64,
});

/** What limits count by: the address, or for IPv6 its /56, which one customer is given. */
export const toLimitAddress: (address: string) => string = memoize((address) => ipKeyGenerator(address, 56), {
  textsMax: 10_000,
  charactersMax: 64,
});

export function isInBlockList(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function plainAddress(text: string): string | null {
  const address = text.replace(/%.*$/, '');
  if (isIP(address) === 0) return null;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined && isIP(mapped) === 4) return mapped;
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (hex === null) return address;
  const [high, low] = [Number.parseInt(hex[1] ?? '0', 16), Number.parseInt(hex[2] ?? '0', 16)];
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

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
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return name === 'localhost' || (isIP(name) !== 0 && isInBlockList(loopback, name));
}
