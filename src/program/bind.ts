// Taking the address before anything is made: whoever cannot listen must not have changed a thing. Requests
// that come between the bind and the moment when they can be answered wait here, and none is turned away.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NotReadyYet } from '../core/config/start-errors.ts';
import { ConfigError, printable } from '../core/config/values.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
  /** Connections that wait to be taken. */
  readonly backlog?: number;
}

export interface Bound {
  /** The port that was bound: with PORT=0 the one that the system chose. */
  readonly port: number;
  /** Hands what came meanwhile to the listeners that the server has by now, in its order. */
  release(): void;
}

/**
 * Binds `server` to HOST and PORT.
 * @throws {ConfigError} which names the setting that is wrong; {NotReadyYet} when HOST cannot be looked up
 * now.
 */
export async function bind(server: Server, address: Address): Promise<Bound> {
  const held: Array<[IncomingMessage, ServerResponse]> = [];
  const hold = (request: IncomingMessage, response: ServerResponse): void =>
    void held.push([request, response]);
  server.on('request', hold);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(bindFailure(error, address)));
    server.listen({ ...address }, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    release() {
      server.off('request', hold);
      for (const [request, response] of held.splice(0)) server.emit('request', request, response);
    },
  };
}

/** Why it cannot listen there, in a sentence that names the setting, its value and what to do. */
export function bindFailure(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const code = error.code ?? '';
  const named = `HOST is "${printable(host)}"`;
  const options = { cause: error };
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `PORT is ${port}: another program listens on port ${port} of ${host} already. End it, or set PORT to another port (PORT=0 takes any that is free).`,
        options,
      );
    case 'EACCES':
    case 'EPERM':
      return new ConfigError(
        `PORT is ${port}: this user may not listen on port ${port}. Set PORT to 1024 or more, and let a proxy listen on ${port}.`,
        options,
      );
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new ConfigError(
        `${named}: this machine has no such address. Set HOST to one of its own (127.0.0.1 for this machine alone, 0.0.0.0 for all).`,
        options,
      );
    case 'EAFNOSUPPORT':
      return new ConfigError(
        `${named}: this machine does not speak that kind of address. Set HOST to one of its own, such as 127.0.0.1.`,
        options,
      );
    case 'EAI_AGAIN':
      return new NotReadyYet(
        `${named}: the name cannot be looked up now. Try again, or set HOST to an address.`,
        options,
      );
    default:
      if (!/^(ENOTFOUND|EAI_)/.test(code)) return error;
      return new ConfigError(
        `${named}: no address is known by that name. Set HOST to an address, such as 127.0.0.1.`,
        options,
      );
  }
}
