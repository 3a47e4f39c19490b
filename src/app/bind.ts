// Binds the port before anything else is changed. Requests are held until the app can answer them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ListenOptions } from 'node:net';
import { ConfigError, type Env, toPrintable } from '../core/config/parse-values.ts';
import { DependencyNotReadyError } from '../core/config/start-errors.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly backlog?: number;
  /** A listening socket that was passed to the process; replaces host and port. */
  readonly socket?: ActivatedSocket | null;
}

export type ActivatedSocket = 3;

/** The socket of systemd's socket activation (LISTEN_PID, LISTEN_FDS). @throws {ConfigError} for several. */
export function findActivatedSocket(env: Env, processId: number): ActivatedSocket | null {
  const { LISTEN_PID: forWhom, LISTEN_FDS: count } = env;
  if (forWhom === undefined || forWhom !== String(processId)) return null;
  if (count === undefined || count === '0') return null;
  if (count !== '1') {
    throw new ConfigError(
      `LISTEN_FDS is "${toPrintable(count)}", but Notifier accepts only one socket. Set one address in the socket unit.`,
    );
  }
  return 3;
}

/** @throws {ConfigError} naming the wrong setting, {DependencyNotReadyError} when HOST cannot be resolved now. */
export async function bind(server: Server, address: Address) {
  const release = holdRequests(server);
  const { socket = null, backlog, host, port } = address;
  try {
    await listen(server, socket === null ? { host, port, backlog } : { fd: socket, backlog });
  } catch (error) {
    throw socket === null ? toBindError(error as Error, address) : activatedSocketError(error as Error);
  }
  const bound = server.address();
  if (bound === null || typeof bound === 'string') {
    server.close();
    throw activatedSocketError(new Error('a Unix socket'));
  }
  return { host: bound.address, port: bound.port, release };
}

/** Until the function that it returns is called; by then the server needs another listener. */
export function holdRequests(server: Server): () => void {
  const queued: Array<[IncomingMessage, ServerResponse]> = [];
  const enqueue = (request: IncomingMessage, response: ServerResponse): void =>
    void queued.push([request, response]);
  server.on('request', enqueue);
  return () => {
    server.off('request', enqueue);
    for (const [request, response] of queued.splice(0)) server.emit('request', request, response);
  };
}

export function listen(server: Server, options: ListenOptions & { fd?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function activatedSocketError(error: NodeJS.ErrnoException): Error {
  return new ConfigError(
    `LISTEN_FDS is set, but descriptor 3 is not a TCP socket (${error.code ?? error.message}). Set a TCP address in the socket unit, for example ListenStream=127.0.0.1:8787.`,
    { cause: error },
  );
}

export function toBindError(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const code = error.code ?? '';
  const named = `HOST is "${toPrintable(host)}"`;
  const options = { cause: error };
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `PORT is ${port}: another program is already listening on port ${port} of ${host}. Stop it, or set PORT to another port (PORT=0 uses any free port).`,
        options,
      );
    case 'EACCES':
    case 'EPERM':
      return new ConfigError(
        `PORT is ${port}: this user is not allowed to listen on port ${port}. Set PORT to 1024 or more, and let a proxy listen on ${port}.`,
        options,
      );
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new ConfigError(
        `${named}: this machine has no such address. Set HOST to one of its addresses (127.0.0.1 for local connections only, 0.0.0.0 for all).`,
        options,
      );
    case 'EAFNOSUPPORT':
      return new ConfigError(
        `${named}: this machine does not support this address family. Set HOST to one of its addresses, for example 127.0.0.1.`,
        options,
      );
    case 'EAI_AGAIN':
      return new DependencyNotReadyError(
        `${named}: the name cannot be resolved at the moment. Try again, or set HOST to an IP address.`,
        options,
      );
    default:
      if (!/^(ENOTFOUND|EAI_)/.test(code)) return error;
      return new ConfigError(
        `${named}: the name does not exist. Set HOST to an IP address, for example 127.0.0.1.`,
        options,
      );
  }
}
