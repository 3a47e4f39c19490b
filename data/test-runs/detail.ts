import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { TestCase } from '../../src/core/store/test-runs.ts';

/** Larger than any accepted case (about 200,000 characters). */
const detailBytesMax = 4 * 1024 * 1024;

/** Only the page of one case shows this, and it is most of the bytes. */
export function packDetail(one: TestCase): Uint8Array {
  const detail = {
    message: one.message,
    trace: one.trace,
    line: one.line,
    raw_status: one.rawStatus,
    retries: one.retries,
    configuration: one.configuration,
    stdout: one.stdout,
    stderr: one.stderr,
    attempts: one.attempts.map((attempt) => ({
      status: attempt.status,
      duration_ms: attempt.durationMs,
      message: attempt.message,
      trace: attempt.trace,
    })),
    steps: one.steps,
    tags: one.tags,
    properties: one.properties.map(([name, value]) => ({ name, value })),
  };
  // A small window: allocating the usual one takes longer than compressing.
  return deflateRawSync(JSON.stringify(detail), { level: 1, windowBits: 12, memLevel: 5, chunkSize: 4096 });
}

/** @throws where the bytes are damaged. */
export function unpackDetail(packed: Uint8Array): string {
  return inflateRawSync(packed, { maxOutputLength: detailBytesMax }).toString('utf8');
}
