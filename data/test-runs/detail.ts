// What is only shown of a case, as it is kept: deflated JSON.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { TestCase } from '../../src/core/store/test-runs.ts';

/** Larger than any case we take (about 200,000 characters): what claims to inflate to more is damaged. */
const detailBytesMax = 4 * 1024 * 1024;

/** What only the page of one case shows, compressed: it is most of the bytes and seldom read. */
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
  // A small window: making room for the usual one takes longer than packing a case.
  return deflateRawSync(JSON.stringify(detail), { level: 1, windowBits: 12, memLevel: 5, chunkSize: 4096 });
}

/** The JSON text of a detail. Throws where the bytes are not those that were stored. */
export function unpackDetail(packed: Uint8Array): string {
  return inflateRawSync(packed, { maxOutputLength: detailBytesMax }).toString('utf8');
}
