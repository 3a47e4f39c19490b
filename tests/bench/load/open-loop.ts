// An open loop: requests are due at a steady rate, whether or not others are answered, as in life. Each one's
// time begins when it was due: a server that stands still for a second makes all wait that came in it, not
// only those that were under way (what a closed loop would say: coordinated omission).
import { performance } from 'node:perf_hooks';
import { type Connection, openConnection } from './connection.ts';
import type { Job, LoadResult } from './job.ts';
import { openTally, type Tally } from './tally.ts';

/** After the last request is due, answers have so long. */
const patienceMs = 10_000;
const tickMs = 1;

/** Sends `next()` at the job's rate for its time. */
export async function openLoop(job: Job & { perSecond: number }, next: () => Buffer): Promise<LoadResult> {
  const line = new Line(next);
  await Promise.all(Array.from({ length: job.connections }, () => line.join(job)));
  const tally = openTally();
  line.begin(tally);
  const startedMs = performance.now();
  const total = Math.floor((job.milliseconds / 1000) * job.perSecond);
  const dueAt = (index: number): number => startedMs + (index * 1000) / job.perSecond;
  let sent = 0;
  while (sent < total) {
    const nowMs = performance.now();
    for (; sent < total && dueAt(sent) <= nowMs; sent += 1) line.add(dueAt(sent));
    await pause();
  }
  const endsAtMs = performance.now() + patienceMs;
  while (line.waiting > 0 && performance.now() < endsAtMs) await pause();
  line.end();
  return tally.result();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, tickMs));
}

/** Requests that are due and connections that are free; whichever comes first waits for the other. */
class Line {
  #due: number[] = [];
  #free: Array<(dueMs: number) => void> = [];
  readonly #underWay = new Set<() => void>();
  readonly #connections: Connection[] = [];
  readonly #next: () => Buffer;
  #tally: Tally | null = null;

  constructor(next: () => Buffer) {
    this.#next = next;
  }

  /** Requests without an answer. */
  get waiting(): number {
    return this.#due.length + this.#underWay.size;
  }

  begin(tally: Tally): void {
    this.#tally = tally;
  }

  add(dueMs: number): void {
    // In turn: a server may end a connection that was asked a thousand times.
    const send = this.#free.shift();
    if (send === undefined) this.#due.push(dueMs);
    else send(dueMs);
  }

  async join({ target }: Job): Promise<void> {
    let dueMs = 0;
    let connection: Connection | null = null;
    const lost = (): void => this.#tally?.answered('lost', performance.now() - dueMs);
    const send = (nextDueMs: number): void => {
      dueMs = nextDueMs;
      this.#underWay.add(lost);
      connection?.send(this.#next());
    };
    const isFree = (): void => {
      const waiting = this.#due.shift();
      if (waiting === undefined) this.#free.push(send);
      else send(waiting);
    };
    connection = await openConnection(target, {
      answered: (status) => {
        this.#underWay.delete(lost);
        this.#tally?.answered(status, performance.now() - dueMs);
        isFree();
      },
      closed: () => {
        this.#free = this.#free.filter((each) => each !== send);
        if (this.#underWay.delete(lost)) lost();
      },
    });
    this.#connections.push(connection);
    isFree();
  }

  /** What has no answer by now is lost. */
  end(): void {
    for (const lost of this.#underWay) lost();
    for (const dueMs of this.#due) this.#tally?.answered('lost', performance.now() - dueMs);
    this.#underWay.clear();
    this.#due = [];
    for (const each of this.#connections) each.end();
  }
}
