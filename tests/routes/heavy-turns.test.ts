// What a body may cost the main thread at a time, held against what JSON.parse takes for a benign body of the
// same size on the same machine in the same minute; the time that either waited for a processor is none of
// it. The worst bodies that we know stand in heavy-bodies.ts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { heavyBodies } from '../support/heavy-bodies.ts';
import { benignParseMs, type MeasuredServer, startMeasuredServer } from '../support/turns.ts';

/**
 * A turn may take so many times what reading a benign megabyte takes: 20 ms where that takes 2.5. When all
 * was read in place, the worst of them took more than a hundred times as long.
 */
const ratioMax = 8;
/** A turn that the collector of memory came into is measured again. */
const triesMax = 8;
const slowMachineMs = 120_000;
const mebibyte = 1_048_576;

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
      const ratios: number[] = [];
      for (let round = 0; round < triesMax && !ratios.some((ratio) => ratio <= ratioMax); round += 1) {
        const { status, longestMs } = await server.send(body, bytes);
        expect([200, 201, 207, 208, 400]).toContain(status);
        ratios.push(longestMs / benignParseMs(Math.max(bytes.length, mebibyte)));
      }
      expect(Math.min(...ratios)).toBeLessThanOrEqual(ratioMax);
    },
    slowMachineMs,
  );
});
