// Events that are read in a thread because many wait: the answer and what is stored are those of an
// event that is read where it came in.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LargeBodyReader } from '../../src/core/ports/large-body-reader.ts';
import { type LargeBodyReaderOptions, openLargeBodyReader } from '../../src/http/large-bodies/open-reader.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { doors, sameByAnyDoor, storedBy } from '../support/entries.ts';
import { anyEvent } from '../support/events.ts';
import { fullOrSome, inFull, rows, runs } from '../support/test-level.ts';
import { until } from '../support/until.ts';
import { oddEvents } from '../support/unusual-events.ts';

const blanks = ' '.repeat(13_000);

interface Crowded {
  readonly heavy: LargeBodyReader;
  readonly taken: string[];
  readonly left: string[];
}

async function openCrowded(start?: LargeBodyReaderOptions['start']): Promise<Crowded> {
  let nowMs = 0;
  const parts = { cores: 2, nowMs: () => nowMs };
  const heavy = openLargeBodyReader(start === undefined ? parts : { ...parts, start });
  const taken: string[] = [];
  const left: string[] = [];
  const takePlaceAside: LargeBodyReader['reserveWorker'] = (body, _waitingBytes, eventIn) => {
    const place = heavy.reserveWorker(body, 1e9, eventIn);
    if (typeof place === 'string') return place;
    const text = body.toString();
    taken.push(text);
    const leave = (): void => {
      left.push(text);
      place.leave();
    };
    return { ...place, leave };
  };
  await until(() => {
    nowMs += 200;
    const place = heavy.reserveWorker(Buffer.from(blanks), 1e9);
    if (typeof place === 'string') return false;
    place.leave();
    return true;
  });
  return { heavy: { ...heavy, reserveWorker: takePlaceAside }, taken, left };
}

let app: TestApp;
let crowded: TestApp;
let aside: Crowded;
beforeAll(async () => {
  app = await openTestApp();
  aside = await openCrowded();
  crowded = await openTestApp({ deps: { largeBodyReader: aside.heavy } });
});
afterAll(async () => {
  await app.close();
  await crowded.close();
  await aside.heavy.close();
});

const ofItsOwn = doors.filter(({ name }) => !(name === 'a document alone' || name === 'a list of events'));

describe('an event that is read in a worker', () => {
  it('is stored as on the main thread, at every endpoint', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvent, async (raw) => {
        const event = JSON.stringify({
          ...(raw as object),
          message: 'x',
          platform: 'php',
          event_id: undefined,
        });
        for (const door of ofItsOwn) {
          const before = aside.taken.length;
          const stored = sameByAnyDoor(await storedBy(crowded, door, event + blanks));
          expect(stored).toEqual(sameByAnyDoor(await storedBy(app, door, event + blanks)));
          const isLight = Buffer.byteLength(event) + blanks.length <= 40_000;
          expect(isLight ? aside.taken.length - before : 1).toBe(1);
        }
      }),
      { numRuns: runs(10) },
    );
  });

  const cases = [
    ...oddEvents,
    ['/store', '{"message":"\\ud800"}'],
    ['/store', '{"message":"x","extra":[12345678901234567890],"release":false}'],
    ['/envelope', '{}\n{"type":"event"}\n{"message":"x","tags":{"a":"\\ud800"}}\n'],
    ['/store?_fields=accepted', '{"message":"x"}'],
    ['/store', '{"message":"x","_fields":"accepted"}'],
    ['/envelope', '{}\n{"type":"event"}\n[]\n'],
    ['/envelope', '{}\n{"type":"event"}\n{]\n'],
    ['/envelope', '{}\n{"type":"event"}\n{"message":5}\n{"type":"session"}\n{]\n'],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))(
    'is answered as on the main thread: %s %s',
    async (path, body) => {
      const padded = body.startsWith('{}\n')
        ? body.replace(/^(.*\n.*\n.*)\n/, `$1${blanks}\n`)
        : body + blanks;
      const before = aside.taken.length;
      const [here, there] = [await post(app, path, padded), await post(crowded, path, padded)];
      expect(aside.taken.length - before).toBe(1);
      const ofOne = { event_id: expect.anything(), id: expect.anything(), issue_id: expect.anything() };
      expect({ status: there.status, body: there.body }).toEqual({
        status: here.status,
        body: 'event_id' in here.body ? { ...here.body, ...ofOne } : here.body,
      });
    },
  );

  it('keeps its attachments and the other items', async () => {
    const lines = [
      '{}',
      '{"type":"event"}',
      `{"message":"with a file"${blanks}}`,
      '{"type":"attachment","length":5,"filename":"a.txt"}',
      'bytes',
      '{"type":"client_report"}',
      '{"discarded_events":[{"reason":"r","category":"error","quantity":3}]}',
    ];
    const before = aside.taken.length;
    const { body } = await post(crowded, '/envelope', lines.join('\n'));
    expect(aside.taken.length - before).toBe(1);
    expect(body.items).toEqual({ event: 1, attachment: 1, client_report: 1 });
    const stored = await crowded.get(`/events/${body.event_id}`);
    expect(stored.body.attachments).toMatchObject([{ filename: 'a.txt', size: 5 }]);
  });

  it('releases its slot when its request is refused first', async () => {
    const item = `{"type":"event"}\n{"message":"twice"${blanks}}\n`;
    const answer = await post(crowded, '/envelope', `{}\n${item}{"type":"event"}\n{}\n`);
    expect([answer.status, answer.body.code]).toEqual([400, 'notifier_duplicate_item']);
    expect(aside.taken.at(-1)).toContain('twice');
    await until(() => aside.left.at(-1) === aside.taken.at(-1));
  });

  inFull(it)('shares the worker with many, each answered separately', async () => {
    const sent = Array.from({ length: 60 }, (_, index) => `number ${index}`);
    const before = aside.taken.length;
    const answers = await Promise.all(
      sent.map((message) => post(crowded, '/store', JSON.stringify({ message }) + blanks)),
    );
    expect(aside.taken.length).toBeGreaterThan(before + 30);
    const stored = await Promise.all(
      answers.map(({ body }) => crowded.deps.store.findEvent(crowded.project.id, body.event_id)),
    );
    expect(stored.map((event) => JSON.parse(event?.payload ?? '{}').logentry?.formatted)).toEqual(sent);
  });
});

describe('a worker that exits while it reads events', () => {
  inFull(it)('loses none of them', async () => {
    let started = 0;
    const dying = `
      const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ kind }) => kind === 'json' ? parentPort.postMessage({ answer: {} }) : process.exit(1));`;
    const { heavy, taken } = await openCrowded((workerData) => {
      started += 1;
      if (started === 1) return new Worker(dying, { eval: true });
      return new Worker(new URL('../../src/http/large-bodies/worker.ts', import.meta.url), { workerData });
    });
    const other = await openTestApp({ deps: { largeBodyReader: heavy } });
    try {
      const answers = await Promise.all(
        ['a', 'b', 'c'].flatMap((message) => [
          post(other, '/store', `{"message":"${message}"${blanks}}`),
          post(other, '/envelope', `{}\n{"type":"event"}\n{"message":"${message}"${blanks}}\n`),
        ]),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(taken.length).toBeGreaterThan(0);
    } finally {
      await other.close();
      await heavy.close();
    }
  });
});

function post(to: TestApp, path: string, body: string) {
  return to.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set('X-Notifier-Key', to.publicKey)
    .set('Content-Type', 'application/json')
    .send(body);
}
