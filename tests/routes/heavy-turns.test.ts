// What a body may cost the main thread at a time, held against what JSON.parse takes for a benign body of the
// same size on the same machine in the same minute; the time that either waited for a processor is none of
// it. The worst bodies that we know stand in heavy-bodies.ts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HeavyBody, heavyBodies } from '../support/heavy-bodies.ts';
import { heavyEvents } from '../support/heavy-events.ts';
import { benignParseMs, type MeasuredServer, startMeasuredServer, type Turn } from '../support/turns.ts';
import { mebibyte } from '../support/wide-json.ts';

/**
 * A turn may take so many times what reading a benign megabyte takes: 20 ms where that takes 2.5. When all
 * was read in place, the worst of them took more than a hundred times as long.
 */
const ratioMax = 8;
/** A turn that the collector of memory came into is measured again. */
const triesMax = 8;
const slowMachineMs = 120_000;

let server: MeasuredServer;
beforeAll(async () => {
  server = await startMeasuredServer();
}, slowMachineMs);
afterAll(() => server.stop());

describe('G8: no body holds the main thread up', () => {
  it.each(heavyBodies().map((body) => [`${body.path} ${body.name}`, body] as const))(
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

  it.each(Object.entries(heavyEvents))(
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

/** The longest turn over what reading a benign body of so many bytes takes, at least a megabyte; some tries. */
async function leastRatio(take: () => Promise<Turn>, bytes: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < triesMax && least > ratioMax; round += 1) {
    const { longestMs } = await take();
    least = Math.min(least, longestMs / benignParseMs(Math.max(bytes, mebibyte)));
  }
  return least;
}
