import { afterEach, expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { createOutcomeCounter } from '../../../src/core/outcomes/outcomes.ts';
import type { OutcomeCounter } from '../../../src/core/ports/metrics.ts';
import type { Outcome } from '../../../src/core/store/counts.ts';

let counter: OutcomeCounter;
afterEach(() => counter.close());

/** A counter that writes when it is told to, to a store that fails as long as `isDown` says so. */
function counterOver(isDown: () => boolean): Map<string, number> {
  const written = new Map<string, number>();
  const addOutcomes = async (lines: readonly Outcome[]): Promise<void> => {
    if (isDown()) throw new Error('busy');
    for (const { reason, quantity } of lines) written.set(reason, (written.get(reason) ?? 0) + quantity);
  };
  counter = createOutcomeCounter({ store: { addOutcomes } as never, log: silentLog }, 2 ** 30);
  return written;
}

const lost = (reason: string, quantity = 1): Outcome => ({
  projectId: 1,
  atMs: 0,
  outcome: 'client_discard',
  reason,
  category: 'error',
  quantity,
});

it('writes counts that failed to be written with the next ones', async () => {
  let down = true;
  const written = counterOver(() => down);
  counter.count(lost('backoff', 3));
  await counter.flush();
  counter.count(lost('backoff', 2));
  counter.count(lost('sample_rate'));
  expect(written.size).toBe(0);
  down = false;
  await counter.flush();
  expect([...written]).toEqual([
    ['backoff', 5],
    ['sample_rate', 1],
  ]);
});

it('keeps a bounded number of counts while the store is down', async () => {
  let down = true;
  const written = counterOver(() => down);
  for (let serial = 0; serial < 20_000; serial += 1) counter.count(lost(`reason ${serial}`));
  await counter.flush();
  down = false;
  await counter.flush();
  expect(written.size).toBe(2_000);
});
