// A server that keeps the specification and decides everything else otherwise than we do: other statuses,
// codes, sentences, identifiers. It shows that the suite asks of others only what the specification fixes.
// Records are kept in memory.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlainServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface PlainOptions {
  readonly publicKey: string;
  readonly secretKey: string;
  readonly domain: string;
  /** Requests to one path that are answered before 429; none without it. */
  readonly requestsMax?: number;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly text: string;
}

type Answer = readonly [status: number, body: unknown];

/** Starts the server on loopback. */
export async function startPlainServer(options: PlainOptions): Promise<PlainServer> {
  const answer = answerer(options);
  const server = createServer((request, response) => {
    const reply = (text: string): void => {
      const [path = ''] = (request.url ?? '').split('?');
      send(response, answer({ method: request.method ?? '', path, request, text }));
    };
    readText(request).then(reply, () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closed(server) };
}

function answerer(options: PlainOptions): (asked: Asked) => Answer {
  const issues = new Map<string, number>();
  const counts = new Map<string, number>();
  const proofs = new Set<string>();
  let events = 0;
  const store = (event: { message?: unknown; platform?: unknown }): Answer => {
    if (typeof event.message !== 'string') return refusal(400, 'bad_event');
    const issue = issues.get(event.message) ?? issues.size + 1;
    issues.set(event.message, issue);
    events += 1;
    return [202, { accepted: true, event_id: `event-${events}`, issue_id: issue }];
  };
  const routes: Record<string, (asked: Asked, json: Record<string, unknown>) => Answer> = {
    'POST /store': (_asked, json) => store(json),
    'POST /envelope': (asked) =>
      store(JSON.parse(asked.text.split('\n')[2] ?? '{}') as { message?: unknown }),
    'POST /feedback': (_asked, json) =>
      json['domain'] === options.domain ? [200, { accepted: true, report: 7 }] : refusal(400, 'reports_off'),
    'POST /sdk-verify': () => [200, { ok: true, features: { replay: false }, numbers: { seen: events } }],
    'POST /releases': () => [200, { accepted: true }],
    'POST /deploys': () => [200, { accepted: true }],
    'POST /test-runs': () => [200, { accepted: true, test_run_id: 'run-1' }],
    'POST /domain-verifications': (_asked, json) => {
      proofs.add(`p-${String(json['domain'])}`);
      return [200, { accepted: true, verification_id: `p-${String(json['domain'])}` }];
    },
  };
  return (asked) => {
    const short = asked.path.replace(/^\/wp-json\/notifier\/v1/, '');
    if (short === asked.path) return refusal(404, 'nothing_here');
    const proof = /^\/domain-verifications\/([^/]+)(\/check)?$/.exec(short);
    const route = routes[`${asked.method} ${short}`];
    if (route === undefined && proof === null) return refusal(404, 'nothing_here');
    if (!isAllowed(asked.request, short, options)) return refusal(401, 'rest_forbidden');
    const count = (counts.get(short) ?? 0) + 1;
    counts.set(short, count);
    if (options.requestsMax !== undefined && count > options.requestsMax) return refusal(429, 'slow_down');
    if (proof !== null) {
      return proofs.has(proof[1] ?? '') ? [200, { id: proof[1], state: 'open' }] : refusal(404, 'gone');
    }
    const json = short === '/envelope' ? {} : jsonOf(asked.text);
    if (json === null || route === undefined) return refusal(400, 'not_json');
    return route(asked, json);
  };
}

function isAllowed(request: IncomingMessage, path: string, options: PlainOptions): boolean {
  const isPublic = /^\/(store|envelope|feedback|sdk-verify)$/.test(path);
  return isPublic
    ? request.headers['x-notifier-key'] === options.publicKey
    : request.headers.authorization === `Bearer ${options.secretKey}`;
}

function refusal(status: number, code: string): Answer {
  return [status, { code, message: 'No.', data: { status } }];
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
