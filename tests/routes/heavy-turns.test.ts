// What a body may cost the main thread at a time, held against what JSON.parse takes for a benign body of the
// same size on the same machine in the same minute; the time that either waited for a processor is none of
// it. The worst bodies that we know are in tests/support.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HeavyBody, heavyBodies } from '../support/heavy-bodies.ts';
import { heavyEvents } from '../support/heavy-events.ts';
import { allOrSome } from '../support/test-level.ts';
import { benignParseMs, type MeasuredServer, startMeasuredServer, type Turn } from '../support/turns.ts';
import { mebibyte } from '../support/wide-json.ts';

/**
 * A turn may take so many times what reading a benign megabyte takes: 20 ms where that takes 2. When all was
 * read in place, the worst of them took more than a hundred times as long.
 */
const ratioMax = 10;
/** A turn that the collector or the compiler of the engine came into is measured again. */
const triesMax = 16;
const slowMachineMs = 120_000;

let server: MeasuredServer;
const ratios: number[] = [];
beforeAll(async () => {
  server = await startMeasuredServer();
}, slowMachineMs);
afterAll(() => {
  process.stderr.write(
    `F22: ${ratios.length} heavy requests, their longest turns ${Math.max(...ratios).toFixed(1)} times what a benign megabyte takes, or less\n`,
  );
  return server.stop();
});

describe('G8: no body holds the main thread up', () => {
  it.each(allOrSome(heavyBodies(), 60).map((body) => [`${body.path} ${body.name}`, body] as const))(
    '%s',
    async (_name, body) => {
      const bytes = body.body();
      const send = async () => {
        const turn = await server.send(body, bytes);
        expect([200, 201, 207, 208, 400]).toContain(turn.status);
        return turn;
      };
      expect(await leastRatio(send, bytes.length)).toBeLessThanOrEqual(ratioMax);
    },
    slowMachineMs,
  );

  it.each(allOrSome(Object.entries(heavyEvents), 20))(
    'nor does reading what is kept of it: %s',
    async (name, event) => {
      const body: HeavyBody = {
        name,
        path: '/store',
        credential: 'public',
        body: () => Buffer.from(event(mebibyte - 400)),
      };
      const { event_id: eventId } = JSON.parse((await server.send(body, body.body())).text);
      const read = async () => {
        const turn = await server.read(`/events/${eventId}`);
        expect(JSON.parse(turn.text)).toHaveProperty('event_id', eventId);
        return turn;
      };
      expect(await leastRatio(read, (await read()).text.length)).toBeLessThanOrEqual(ratioMax);
    },
    slowMachineMs,
  );
});

describe('G8: no map that comes late holds the main thread up', () => {
  it(
    'for an event of 5,000 frames',
    async () => {
      let round = 0;
      const arrive = async () => {
        round += 1;
        const release = `late@${round}`;
        const event = eventOfScripts(release);
        const { event_id: eventId } = JSON.parse((await server.send(event, event.body())).text);
        const upload = uploadOfMaps(release);
        const turns = [await server.send(upload, upload.body())];
        let isMapped = false;
        while (!isMapped) {
          const turn = await server.read(`/events/${eventId}?_fields=needs_mapping`);
          turns.push(turn);
          isMapped = !JSON.parse(turn.text).needs_mapping;
        }
        const longestMs = Math.max(...turns.map((turn) => turn.longestMs));
        return { status: 200, text: '', longestMs };
      };
      expect(await leastRatio(arrive, mebibyte)).toBeLessThanOrEqual(ratioMax);
    },
    slowMachineMs,
  );
});

const script = 'app.min.js';

function eventOfScripts(release: string): HeavyBody {
  const frame = `{"abs_path":"https://a.example/${script}","lineno":1,"colno":300,"vars":{"a":[1,2,3,4]}}`;
  const stack = `{"type":"E","stacktrace":{"frames":[${Array(100).fill(frame).join(',')}]}}`;
  const text = `{"release":"${release}","exception":[${Array(50).fill(stack).join(',')}]}`;
  return { name: release, path: '/store', credential: 'public', body: () => Buffer.from(text) };
}

function uploadOfMaps(release: string): HeavyBody {
  const folder = join(import.meta.dirname, '../fixtures/sourcemaps/esbuild');
  const part = (head: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const files = [script, `${script}.map`].map((name) =>
    part(`name="file"; filename="~/${name}"`, readFileSync(join(folder, name), 'utf8')),
  );
  const text = `${part('name="release"', release)}${files.join('')}--b--\r\n`;
  const contentType = 'multipart/form-data; boundary=b';
  return {
    name: release,
    path: '/artifacts',
    credential: 'secret',
    contentType,
    body: () => Buffer.from(text),
  };
}

/**
 * The longest turn over what reading a benign body of so many bytes takes, at least a megabyte; some tries.
 */
async function leastRatio(take: () => Promise<Turn>, bytes: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < triesMax && least > ratioMax; round += 1) {
    const { longestMs } = await take();
    least = Math.min(least, longestMs / benignParseMs(Math.max(bytes, mebibyte)));
  }
  ratios.push(least);
  return least;
}
