// The load generator, a process of its own: its memory and processor time are not the server's. Plain sockets
// kept alive, no pipelining, requests made before they are sent.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { eventOfSize } from '../support/sized-events.ts';

export interface Job {
  readonly port: number;
  readonly key: string;
  readonly route: 'store' | 'envelope';
  readonly encoding: 'plain' | 'gzip';
  /** Size of an event's JSON, in units of 1,000 bytes. */
  readonly kilobytes: number;
  /** `X-Forwarded-For`; absent: the generator's own address. */
  readonly from?: string;
  readonly connections: number;
  readonly milliseconds: number;
  /** Open loop: requests are due at this rate. Absent: a connection asks again as soon as it is answered. */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** In an open loop from when the request was due, else from when it was sent. */
  readonly p99Ms: number;
  /** Answers by status; `lost` never came. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Generator {
  run(job: Job): Promise<LoadResult>;
  stop(): void;
}

/** Runs one job at a time. */
export function startGenerator(): Generator {
  const child = fork(import.meta.filename);
  return {
    async run(job) {
      child.send(job);
      const [answer] = await once(child, 'message');
      if ('problem' in answer) throw new Error(`The load could not be made: ${answer.problem}`);
      return answer.result;
    },
    stop: () => child.disconnect(),
  };
}

const patienceMs = 10_000;

/** One job under way. */
class Load {
  readonly #job: Job;
  readonly #requests: readonly Buffer[];
  readonly #sockets = new Set<Socket>();
  readonly #latencies: number[] = [];
  readonly #statuses: Record<string, number> = {};
  /** Moments of requests that wait for a connection, and connections that wait for a request. */
  readonly #due: number[] = [];
  #free: Array<(dueMs: number) => void> = [];
  #sent = 0;
  #beganMs = 0;

  constructor(job: Job) {
    const count = job.kilobytes <= 8 ? 400 : 60;
    this.#job = job;
    this.#requests = Array.from({ length: count }, (_, serial) => bytesOf(job, serial));
  }

  async run(): Promise<LoadResult> {
    const { connections, milliseconds, perSecond = 0 } = this.#job;
    const begins = await Promise.all(Array.from({ length: connections }, () => this.#open()));
    this.#beganMs = performance.now();
    for (const begin of begins) begin();
    let offered = 0;
    for (let ms = 0; ms < milliseconds + patienceMs; ms = performance.now() - this.#beganMs) {
      if (ms >= milliseconds && this.#due.length === 0 && this.#sent === this.#latencies.length) break;
      const wanted = Math.floor((Math.min(ms, milliseconds) / 1000) * perSecond);
      for (; offered < wanted; offered += 1) this.#offer(this.#beganMs + (offered * 1000) / perSecond);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const seconds = (performance.now() - this.#beganMs) / 1000;
    await Promise.all([...this.#sockets].map((socket) => once(socket.destroy(), 'close')));
    for (const dueMs of this.#due) this.#answered('lost', dueMs);
    const sorted = this.#latencies.toSorted((left, right) => left - right);
    const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    return { requests: sorted.length, seconds, p99Ms, statuses: this.#statuses };
  }

  #offer(dueMs: number): void {
    // In turn: a server may close a connection that is idle or was asked a thousand times.
    const ask = this.#free.shift();
    if (ask === undefined) this.#due.push(dueMs);
    else ask(dueMs);
  }

  #answered(status: number | 'lost', dueMs: number): void {
    this.#latencies.push(performance.now() - dueMs);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
  }

  #isOver(): boolean {
    return performance.now() >= this.#beganMs + this.#job.milliseconds;
  }

  async #reopen(): Promise<void> {
    const begin = await this.#open().catch(() => null);
    begin?.();
  }

  /** Opens a connection, and again when the server closes it; resolves with what begins to use it. */
  async #open(): Promise<() => void> {
    const { port, perSecond } = this.#job;
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    this.#sockets.add(socket);
    let askedMs: number | null = null;
    const ask = (dueMs: number): void => {
      askedMs = dueMs;
      socket.write(this.#requests[this.#sent++ % this.#requests.length] as Buffer);
    };
    const next = (): void => {
      const dueMs = perSecond === undefined && !this.#isOver() ? performance.now() : this.#due.shift();
      if (dueMs === undefined) this.#free.push(ask);
      else ask(dueMs);
    };
    const answered = (status: number | 'lost'): void => {
      if (askedMs !== null) this.#answered(status, askedMs);
      askedMs = null;
    };
    onAnswer(socket, (status) => {
      answered(status);
      next();
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#free = this.#free.filter((each) => each !== ask);
      answered('lost');
      if (!this.#isOver()) void this.#reopen();
    });
    return next;
  }
}

function onAnswer(socket: Socket, heard: (status: number) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    const status = statusOfWhole(received);
    if (status === null) return;
    received = Buffer.alloc(0);
    heard(status);
  });
}

function bytesOf({ port, key, route, encoding, kilobytes, from }: Job, serial: number): Buffer {
  const event = eventOfSize(kilobytes, serial);
  const text = route === 'store' ? event : `{}\n{"type":"event"}\n${event}\n`;
  const body = encoding === 'gzip' ? gzipSync(text) : Buffer.from(text);
  const head = [
    `POST /wp-json/notifier/v1/${route} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `X-Notifier-Key: ${key}`,
    `Content-Type: application/${route === 'store' ? 'json' : 'x-sentry-envelope'}`,
    ...(encoding === 'gzip' ? ['Content-Encoding: gzip'] : []),
    ...(from === undefined ? [] : [`X-Forwarded-For: ${from}`]),
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** The status of a whole answer, by its length or its last chunk; null while more must come. */
function statusOfWhole(bytes: Buffer): number | null {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const text = bytes.toString('latin1', 0, head);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  const isWhole =
    length === undefined
      ? bytes.toString('latin1', bytes.length - 5) === '0\r\n\r\n'
      : bytes.length >= head + 4 + Number(length);
  return isWhole ? Number(text.slice(9, 12)) : null;
}

if (process.send !== undefined) {
  process.on('message', (job: Job) => {
    new Load(job).run().then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ problem: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
}
