import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventReader, ReadEvent, WorkerSlot } from '../../../src/core/ports/large-body-reader.ts';
import type { EventReadContext } from '../../../src/core/ports/prepared-data.ts';
import { openEventWorker } from '../../../src/http/large-bodies/event-worker.ts';
import { until } from '../../support/until.ts';

const kibibyte = 1024;
const much = 1e9;

type EventWorker = ReturnType<typeof openEventWorker>;

const opened: EventWorker[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((aside) => aside.close()));
});

interface Opened extends EventWorker {
  started(): number;
  ended(): number;
  pass(milliseconds: number): void;
}

/** The way aside with a thread that answers `aside` to what it reads, and ends at an event of zeros. */
function open(idleMs = 60_000): Opened {
  const code = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ kind, bytes }) => {
      if (kind === 'event' && bytes[0] === 0) process.exit(0);
      parentPort.postMessage({ answer: 'aside' });
    });`;
  let nowMs = 0;
  let started = 0;
  let ended = 0;
  const aside = openEventWorker({
    start() {
      started += 1;
      const worker = new Worker(code, { eval: true });
      return worker.once('exit', () => {
        ended += 1;
      });
    },
    createReader: (ask) => readerOf((bytes) => ask('event', { bytes, maps: 'none', facts }, bytes)),
    fallback: readerOf(async () => 'otherwise' as unknown as ReadEvent),
    nowMs: () => nowMs,
    idleMs,
  });
  opened.push(aside);
  return {
    ...aside,
    started: () => started,
    ended: () => ended,
    pass(milliseconds) {
      nowMs += milliseconds;
    },
  };
}

const facts = {} as EventReadContext;

function readerOf(readEvent: (bytes: Uint8Array) => Promise<ReadEvent>): EventReader {
  const never = () => Promise.reject(new Error('not asked here'));
  return { readEvent: (bytes) => readEvent(new Uint8Array(bytes)), readStore: never, finishEvent: never };
}

async function openReady(idleMs?: number): Promise<Opened> {
  const aside = open(idleMs);
  await makeReady(aside);
  return aside;
}

async function makeReady(aside: Opened): Promise<void> {
  for (let asked = 0; asked <= 5; asked += 1) {
    taken(aside, event(20));
    aside.pass(200);
  }
  await until(() => taken(aside, event(20)));
}

function taken(aside: EventWorker, body: Buffer, waitingBytes = much): boolean {
  const place = aside.reserveWorker(body, waitingBytes);
  if (typeof place !== 'string') place.leave();
  return typeof place !== 'string';
}

function placeOf(aside: EventWorker, body: Buffer, waitingBytes = much): WorkerSlot {
  const place = aside.reserveWorker(body, waitingBytes);
  if (typeof place === 'string') throw new Error(`no place: ${place}`);
  return place;
}

const event = (kibibytes: number): Buffer => Buffer.alloc(kibibytes * kibibyte, ' ');
const read = (place: WorkerSlot, bytes: Buffer) => place.readEvent(bytes, 'none', facts);

describe('the worker for medium-sized events', () => {
  it('starts after a second of demand, and not for a short burst', () => {
    const aside = open();
    for (let came = 0; came < 50; came += 1) expect(taken(aside, event(45))).toBe(false);
    aside.pass(900);
    expect(taken(aside, event(45))).toBe(false);
    aside.pass(240);
    taken(aside, event(45));
    expect(aside.started()).toBe(0);
    for (let asked = 0; asked < 4; asked += 1) {
      aside.pass(240);
      taken(aside, event(45));
    }
    expect(aside.started()).toBe(1);
  });

  it('does not start when few bytes wait', () => {
    const aside = open();
    for (let came = 0; came < 50; came += 1) {
      expect(aside.reserveWorker(event(45), 128 * kibibyte)).toBe('not now');
      aside.pass(100);
    }
    expect(aside.started()).toBe(0);
  });

  it('does not start for events that it never reads', () => {
    const aside = open();
    for (let came = 0; came < 20; came += 1) {
      expect(aside.reserveWorker(event(65), much)).toBe('never');
      aside.pass(200);
    }
    expect(aside.started()).toBe(0);
  });

  it('ends without demand, and starts again', async () => {
    const aside = await openReady(300);
    // On a busy machine one has ended before it was ready.
    const [started, ended] = [aside.started(), aside.ended()];
    await until(() => {
      // To be used is not to be wanted.
      taken(aside, event(20), 100 * kibibyte);
      return aside.ended() > ended;
    });
    expect(taken(aside, event(20))).toBe(false);
    await makeReady(aside);
    expect(aside.started()).toBeGreaterThan(started);
  });
});

describe('the end of that worker', () => {
  it('waits for reserved reads', async () => {
    const aside = await openReady(100);
    const place = placeOf(aside, event(20));
    const ended = aside.ended();
    await sleep(250);
    expect(aside.ended()).toBe(ended);
    expect(await read(place, event(20))).toBe('aside');
    await until(() => aside.ended() > ended);
  });
});

describe('an event is read in the worker', () => {
  it('if it is neither small nor large', async () => {
    const aside = await openReady();
    expect(taken(aside, event(12))).toBe(true);
    expect(taken(aside, event(64))).toBe(true);
    expect(aside.reserveWorker(event(11), much)).toBe('never');
    expect(aside.reserveWorker(event(65), much)).toBe('never');
    expect(aside.reserveWorker(Buffer.from(`[${'1,'.repeat(7_000)}1]`), much)).toBe('never');
  });

  it('if its size within a larger body is known', async () => {
    const aside = await openReady();
    const first = (bytes: number) => (body: Buffer) => body.subarray(0, bytes * kibibyte);
    expect(aside.reserveWorker(event(100), much, first(40))).toEqual(expect.any(Object));
    expect(aside.reserveWorker(event(40), much, first(8))).toBe('never');
    expect(aside.reserveWorker(event(40), much, () => null)).toBe('never');
  });

  it('until the worker has four times the bytes of the main thread, or 1 MiB', async () => {
    const aside = await openReady();
    const take = (waitingBytes: number) =>
      Array.from({ length: 40 }, () => aside.reserveWorker(event(40), waitingBytes)).filter(
        (place) => typeof place !== 'string',
      );
    const places = take(150 * kibibyte);
    expect(places).toHaveLength(15);
    places.push(...take(much));
    expect(places).toHaveLength(25);
    for (const place of places) {
      place.leave();
      place.leave();
    }
    expect(take(much)).toHaveLength(25);
  });

  it('and releases its reservation afterwards', async () => {
    const aside = await openReady();
    for (let came = 0; came < 40; came += 1) {
      const place = placeOf(aside, event(48));
      expect(await read(place, event(48))).toBe('aside');
    }
  });

  it('or elsewhere, with all others in the worker, when that ends', async () => {
    const aside = await openReady();
    const bodies = [event(20), Buffer.alloc(20 * kibibyte), event(20), event(30)];
    const reading = bodies.map((body) => read(placeOf(aside, body), body));
    expect(await Promise.all(reading)).toEqual(['aside', 'otherwise', 'otherwise', 'otherwise']);
    expect(taken(aside, event(20))).toBe(false);
    await makeReady(aside);
    expect([await read(placeOf(aside, event(20)), event(20)), aside.started()]).toEqual(['aside', 2]);
    await aside.close();
    expect(taken(aside, event(20))).toBe(false);
  });
});
