// A proxy before the real program that breaks one rule: the request or the answer is changed on its way,
// nothing else.
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passing {
  readonly method: string;
  /** Below `/wp-json/notifier/v1`, or the whole path where it is another. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The body as JSON, or its text where it is none. */
  readonly body: unknown;
}

/** What one wrong server does otherwise. */
export interface Wrong {
  readonly name: string;
  /** The checks that must catch it. */
  readonly caughtBy: readonly string[];
  /** Changes the request before the real program sees it. */
  readonly ask?: (passing: Passing, keys: WrongKeys) => Passing;
  /** Changes the real program's answer. */
  readonly answer?: (answered: Answered, passing: Passing) => Answered;
}

export interface WrongKeys {
  readonly publicKey: string;
  readonly secretKey: string;
  readonly domain: string;
}

const namespace = '/wp-json/notifier/v1';

/** Starts the proxy on loopback before `origin`. */
export async function startWrongServer(
  origin: string,
  wrong: Wrong,
  keys: WrongKeys,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    pass(origin, wrong, keys, incoming).then(
      ({ status, headers, body }) => {
        outgoing.writeHead(status, headers);
        outgoing.end(incoming.method === 'HEAD' ? '' : textOf(body));
      },
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => closed(server) };
}

async function pass(
  origin: string,
  wrong: Wrong,
  keys: WrongKeys,
  incoming: IncomingMessage,
): Promise<Answered> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  const url = incoming.url ?? '/';
  const path = url.startsWith(namespace) ? url.slice(namespace.length) : url;
  const asked = { method: incoming.method ?? 'GET', path, headers, body: await bytesOf(incoming) };
  const passing = wrong.ask?.(asked, keys) ?? asked;
  const answered = await answerOf(origin, passing, path !== url);
  return wrong.answer?.(answered, asked) ?? answered;
}

function answerOf(origin: string, passing: Passing, inNamespace: boolean): Promise<Answered> {
  const whole =
    inNamespace && !passing.path.startsWith('/wp-json') ? `${namespace}${passing.path}` : passing.path;
  const { port } = new URL(origin);
  const body = Buffer.from(passing.body, 'latin1');
  const headers = { ...passing.headers, 'content-length': String(body.length) };
  return new Promise((resolve, reject) => {
    const options = {
      port,
      hostname: '127.0.0.1',
      path: whole,
      method: passing.method,
      headers,
      agent: false as const,
    };
    const outgoing = send(options, (answer) => {
      bytesOf(answer).then((bytes) => {
        const text = Buffer.from(bytes, 'latin1').toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: ownHeaders(answer), body: jsonOf(text) });
      }, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function ownHeaders(answer: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    const name = answer.rawHeaders[index] ?? '';
    if (/^(connection|keep-alive|transfer-encoding|content-length|date)$/i.test(name)) continue;
    headers[name] = answer.rawHeaders[index + 1] ?? '';
  }
  return headers;
}

async function bytesOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
