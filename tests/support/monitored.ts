// What monitors ask in tests: a web server on loopback that answers as it is told to.
import { createServer as createHttp, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificates.ts';

export interface Monitored {
  readonly port: number;
  readonly asked: string[];
  /** A status, or what is done with the answer; nothing is ever said for `never`. */
  answer: number | 'never' | ((response: ServerResponse, path: string) => void);
  close(): Promise<void>;
}

/** Starts one; with a certificate it speaks TLS. */
export async function startMonitored(certificate?: Certificate, port = 0): Promise<Monitored> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const take: Parameters<typeof createHttp>[1] = (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const { answer } = monitored;
    if (typeof answer === 'function') answer(response, path);
    else if (answer !== 'never') response.writeHead(answer).end('<p>Total: 3</p>');
  };
  const server: Server = certificate === undefined ? createHttp(take) : createHttps(certificate, take);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const monitored: Monitored = {
    port: (server.address() as AddressInfo).port,
    asked,
    answer: 200,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return monitored;
}
