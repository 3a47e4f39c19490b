import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { openReportReader } from '../../../src/http/uploads/test-report/open-report-reader.ts';

const upload = {
  bytes: new Uint8Array([0x7b, 0x7d]),
  encoding: 'identity' as const,
  contentType: 'application/json',
  inflatedBytesMax: 100,
  query: {},
  project: { scrubFields: [], storeIpAddresses: false },
};

describe('a worker that exits unexpectedly', () => {
  it.each([
    ['at once', 'process.exit(0)'],
    ['with an error code', 'process.exit(3)'],
    ['once it was asked', 'require("node:worker_threads").parentPort.once("message", () => process.exit(0))'],
    ['by a fault', 'throw new Error("broken")'],
  ])('%s rejects all waiting reads', async (_name, code) => {
    const reader = openReportReader({ start: () => new Worker(code, { eval: true }) });
    await expect(reader.readUpload(upload)).rejects.toThrow();
    await reader.close();
  });
});

it('queues sixteen reports for a worker, and refuses the next', async () => {
  let threads = 0;
  const reader = openReportReader({
    start() {
      threads += 1;
      return new Worker('require("node:worker_threads").parentPort.on("message", () => {})', { eval: true });
    },
  });
  const refused: unknown[] = [];
  const others = Array.from({ length: 24 }, () =>
    reader.readUpload(upload).catch((error: { status?: number }) => refused.push(error.status)),
  );
  // Whoever is refused is told so at once.
  await new Promise((resolve) => setImmediate(resolve));
  expect(refused).toEqual(new Array(24 - 16 - threads).fill(429));
  await reader.close();
  await Promise.all(others);
});
