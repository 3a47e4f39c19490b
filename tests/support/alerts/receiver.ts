// A webhook receiver on loopback.
import {
  createServer as createHttp,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Certificate } from '../certificates.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body if its signature is valid; null without a secret. */
  readonly verified: unknown;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** A status, a function, or no answer. */
  answer: number | 'never' | ((response: ServerResponse) => void);
  secret: string | null;
  /** Time for checking signatures; the system's by default. */
  clock: (() => number) | null;
  close(): Promise<void>;
}

function verify(
  secret: string,
  body: string,
  headers: Record<string, string>,
  clock: Receiver['clock'],
): unknown {
  const webhook = new Webhook(secret);
  if (clock === null) return webhook.verify(body, headers);
  const atMs = Number(headers['webhook-timestamp']) * 1000;
  const signature = webhook.sign(headers['webhook-id'] ?? '', new Date(atMs), body);
  if (signature !== headers['webhook-signature'] || Math.abs(atMs - clock()) > 1000) {
    throw new Error('The signature is not of this message and time.');
  }
  return JSON.parse(body);
}

export async function startReceiver(certificate?: Certificate, port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const received: Received[] = [];
  const take: Parameters<typeof createHttp>[1] = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { answer, secret } = receiver;
    const headers = request.headers as Record<string, string>;
    const verified = secret === null ? null : verify(secret, body, headers, receiver.clock);
    received.push({ path: request.url ?? '', headers, body, verified });
    if (typeof answer === 'function') answer(response);
    else if (answer !== 'never') response.writeHead(answer).end(answer < 300 ? 'ok' : 'no');
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
  const bound = (server.address() as AddressInfo).port;
  const scheme = certificate === undefined ? 'http' : 'https';
  const receiver: Receiver = {
    url: `${scheme}://127.0.0.1:${bound}/hook`,
    port: bound,
    received,
    answer: 200,
    secret: null,
    clock: null,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}
