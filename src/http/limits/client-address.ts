// Who is at the other end: the socket's address, or what a proxy we were told to trust says (TRUST_PROXY).
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import { proxyList } from '../../core/config/config.ts';
import type { Log } from '../../core/ports/log.ts';
import { recalling } from '../../core/reading/remembered.ts';

/**
 * A function that tells a request's client address. X-Forwarded-For is read from its right end for as long as
 * the hop before is one of `trustProxy`; what is not an address ends the walk. With no trusted proxy and the
 * header present it warns once, because then all visitors share one address (D-20).
 */
export function clientAddressReader(
  trustProxy: readonly string[],
  log: Log,
): (incoming: IncomingMessage) => string {
  const trusted = proxyList(trustProxy);
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
      if (!isListed(trusted, address)) break;
      const next = plainAddress(hop.trim());
      if (next === null) break;
      address = next;
    }
    return address;
  };
}

/** The address at the other end of a connection, in its plain form. */
export function socketAddress(socket: Socket): string {
  return plainSocketAddress(socket.remoteAddress ?? '');
}

const plainSocketAddress = recalling((text) => plainAddress(text) ?? '0.0.0.0', {
  textsMax: 10_000,
  charactersMax: 64,
});

/** What an address is counted by: itself, or in IPv6 the /56 that one customer is given (D-20). */
export const countedAddress: (address: string) => string = recalling(
  (address) => ipKeyGenerator(address, 56),
  { textsMax: 10_000, charactersMax: 64 },
);

/** Whether an address is on a list such as TRUST_PROXY's. */
export function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * An address without zone and with IPv4-mapped forms unwrapped, so that one client is one key; null for
 * anything else.
 */
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
