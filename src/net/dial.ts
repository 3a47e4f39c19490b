// Opens a TCP or TLS connection to a checked address, without DNS lookups.
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { isSameAddress } from './addresses.ts';
import { OutboundFailure, toOutboundFailure } from './failure.ts';

interface DialledSocket {
  readonly socket: Socket;
  reachedAddress(): string | undefined;
}

/** Starts a TCP connection to a checked address. Tests redirect it to a loopback port. */
export type Connect = (target: { readonly address: string; readonly port: number }) => DialledSocket;

export interface DialTarget {
  readonly addresses: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

export interface DialOptions {
  readonly connect: Connect;
  readonly ca: SecureContextOptions['ca'];
  /** Time limit for TCP and TLS together, per address; milliseconds. */
  readonly connectMs: number;
  /** Called with every socket, so that the deadline can destroy it. */
  readonly opened: (socket: Socket) => void;
}

export const connectDirectly: Connect = ({ address, port }) => {
  const socket = connectTcp({ host: address, port, autoSelectFamily: false });
  return { socket, reachedAddress: () => socket.remoteAddress };
};

/** Tries the first address of each family, IPv4 first. Verifies the certificate. @throws {OutboundFailure} */
export async function dial(target: DialTarget, options: DialOptions): Promise<Socket | TLSSocket> {
  let failure = new OutboundFailure('unreachable', true);
  for (const address of oneOfEachFamily(target.addresses)) {
    try {
      return await dialAddress(address, target, options);
    } catch (error) {
      failure = toOutboundFailure(error, 'unreachable');
      if (!failure.nothingListens) throw failure;
    }
  }
  throw failure;
}

function oneOfEachFamily(addresses: readonly string[]): readonly string[] {
  const four = addresses.find((address) => !address.includes(':'));
  const six = addresses.find((address) => address.includes(':'));
  return [four, six].filter((address) => address !== undefined);
}

async function dialAddress(address: string, target: DialTarget, options: DialOptions) {
  const { socket, reachedAddress } = options.connect({ address, port: target.port });
  options.opened(socket);
  const timer = setTimeout(() => socket.destroy(new OutboundFailure('timeout')), options.connectMs);
  try {
    await waitForEvent(socket, 'connect', (error) => {
      const { code } = toOutboundFailure(error, 'unreachable');
      return new OutboundFailure(code, true);
    });
    // Defense in depth: verify the peer address.
    const reached = reachedAddress();
    if (reached === undefined || !isSameAddress(reached, address)) {
      throw new OutboundFailure('refused_address');
    }
    if (!target.secure) return socket;
    const secured = connectTls({
      socket,
      // SNI must not be an IP address (RFC 6066); the certificate then has to list the address.
      ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
      ca: options.ca,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    options.opened(secured);
    await waitForEvent(secured, 'secureConnect', (error) => toOutboundFailure(error, 'tls'));
    return secured;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function waitForEvent(
  socket: Socket,
  event: string,
  failureFor: (error: unknown) => OutboundFailure,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (callback: () => void) => {
      socket.off(event, succeed);
      socket.off('error', fail);
      socket.off('close', close);
      callback();
    };
    const succeed = () => settle(resolve);
    const fail = (error: unknown) => settle(() => reject(failureFor(error)));
    const close = () => fail(new OutboundFailure('unreachable'));
    socket.on(event, succeed);
    socket.on('error', fail);
    socket.on('close', close);
  });
}
