import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fullOrShort, fullOrSome, isNightly, rows, runs } from '../support/test-level.ts';
import { nearly } from './parsers/mutations.ts';
import { parsers } from './parsers/parsers.ts';

const minutes = isNightly ? Number(process.env['TEST_FUZZ_MINUTES'] ?? 10) : 0;
const numRuns = fullOrShort(runs(1_600), 40);

const refusals = ['RestError', 'WpError', 'MapRefused', 'ParameterFault', 'Halt'];

function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Error && refusals.includes(thrown.name);
}

describe('a parser of untrusted bytes', () => {
  const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
  const shape = (): number[] => prototypes.map((prototype) => Reflect.ownKeys(prototype).length);

  it.each(rows(() => fullOrSome(parsers, 5)))(
    'reads or refuses, whatever it is: $name',
    async ({ name, seeds, read }) => {
      const before = shape();
      const tried = { count: 0, read: 0 };
      const property = fc.asyncProperty(nearly(seeds), async (bytes) => {
        tried.count += 1;
        try {
          await read(bytes);
          tried.read += 1;
        } catch (thrown) {
          if (!isRefusal(thrown)) throw thrown;
        }
      });
      const time = { numRuns: 1_000_000_000, interruptAfterTimeLimit: minutes * 60_000 };
      await fc.assert(property, minutes === 0 ? { numRuns } : { ...time, markInterruptAsFailure: false });
      expect(shape()).toEqual(before);
      // A fuzz that nothing gets past the first byte of would find nothing.
      expect(tried.read).toBeGreaterThan(0);
      if (minutes > 0) {
        process.stderr.write(`F19: ${name}: ${tried.count} in ${minutes} min, ${tried.read} read\n`);
      }
    },
  );
});
