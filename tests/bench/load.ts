// A closed-loop load on one address of this machine: so many connections, each asking again as soon as it is
// answered.
import { connect, type Socket } from 'node:net';

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers by status, such as {201: 4000}. */
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Sends `request` (a whole HTTP/1.1 request as bytes) over `connections` sockets for `milliseconds`. Loopback
 * only.
 */
export async function load(
  port: number,
  request: () => Buffer,
  options: { connections: number; milliseconds: number },
): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const startedMs = performance.now();
  const endsAtMs = startedMs + options.milliseconds;
  const one = (): Promise<void> =>
    connection(port, request, endsAtMs, (status, milliseconds) => {
      latencies.push(milliseconds);
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
  await Promise.all(Array.from({ length: options.connections }, one));
  const seconds = (performance.now() - startedMs) / 1000;
  latencies.sort((left, right) => left - right);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    requests: latencies.length,
    seconds,
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    statuses,
  };
}

function connection(
  port: number,
  request: () => Buffer,
  endsAtMs: number,
  answered: (status: string, milliseconds: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let received = '';
    let sentAtMs = 0;
    const send = (): void => {
      sentAtMs = performance.now();
      received = '';
      socket.write(request());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!isWhole(received)) return;
      answered(received.slice(9, 12), performance.now() - sentAtMs);
      if (performance.now() < endsAtMs) send();
      else socket.end();
    });
  });
}

/** Whether a whole answer has come: by its length, or by its last chunk. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1];
  if (length !== undefined) return text.length >= head + 4 + Number(length);
  return text.endsWith('0\r\n\r\n');
}
