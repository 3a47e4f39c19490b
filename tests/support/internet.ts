// Simulates the internet on loopback: maps public addresses to local listeners, all others to a canary.
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Connect } from '../../src/net/dial.ts';
import type { Certificate } from './certificates.ts';

export interface Internet {
  /** For the SSRF guard: connects to the listener of an address and port, else to the canary. */
  readonly connect: Connect;
  readonly opened: string[];
  canaryTouched(): number;
  http(address: string, listener: RequestListener): Promise<void>;
  https(address: string, certificate: Certificate, listener: RequestListener): Promise<void>;
  tcp(address: string, port: 80 | 443, accept: (socket: Socket) => void): Promise<void>;
  /** A raw TLS server on port 443. */
  tls(address: string, certificate: Certificate, accept: (socket: Socket) => void): Promise<void>;
  /** Drops packets: connecting neither succeeds nor fails. */
  blackHole(address: string, port: 80 | 443): void;
  /** Connects, but reports another peer address. */
  misroute(address: string, port: 80 | 443, reached: string): void;
  closed(address: string, port: 80 | 443): void;
  /** Closes the listener: connections are refused from now on. */
  vanish(address: string): void;
  close(): Promise<void>;
}

type Place = { port: number } | 'black hole' | 'closed' | { port: number; reached: string };

export async function startInternet(): Promise<Internet> {
  const places = new Map<string, Place>();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const opened: string[] = [];
  let touched = 0;

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    return address.port;
  };
  const place = async (address: string, port: 80 | 443, server: Server) => {
    places.set(`${address} ${port}`, { port: await listen(server) });
  };

  const canaryPort = await listen(
    createTcpServer((socket) => {
      touched += 1;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    }),
  );
  const closedPort = await portOfNobody();

  return {
    opened,
    canaryTouched: () => touched,
    connect: ({ address, port }) => {
      opened.push(`${address} ${port}`);
      const there = places.get(`${address} ${port}`) ?? { port: canaryPort };
      if (there === 'black hole') return { socket: new Socket(), reachedAddress: () => address };
      const loopbackPort = there === 'closed' ? closedPort : there.port;
      const reached = typeof there === 'object' && 'reached' in there ? there.reached : address;
      return { socket: connect(loopbackPort, '127.0.0.1'), reachedAddress: () => reached };
    },
    http: (address, listener) => place(address, 80, createHttpServer(listener)),
    https: (address, { cert, key }, listener) =>
      place(address, 443, createHttpsServer({ cert, key }, listener)),
    tcp: (address, port, accept) => place(address, port, createTcpServer(accept)),
    tls: (address, { cert, key }, accept) =>
      place(
        address,
        443,
        createTlsServer({ cert, key }, (socket) => {
          socket.on('error', () => {});
          accept(socket);
        }),
      ),
    blackHole: (address, port) => void places.set(`${address} ${port}`, 'black hole'),
    misroute: (address, port, reached) =>
      void places.set(`${address} ${port}`, { port: canaryPort, reached }),
    closed: (address, port) => void places.set(`${address} ${port}`, 'closed'),
    vanish: (address) => {
      places.set(`${address} 80`, 'closed');
      places.set(`${address} 443`, 'closed');
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      );
    },
  };
}

/** A port that was bound and released. */
async function portOfNobody(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return address.port;
}
