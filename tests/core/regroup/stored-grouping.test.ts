import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import {
  groupingKeyOf,
  normalizeSentEvent,
  resolveLazyKey,
  scrubAndGroup,
} from '../../../src/core/events/prepare.ts';
import { inFull, runs } from '../../support/test-level.ts';

const facts = {
  receivedAtMs: 1_800_000_000_000,
  envelopeEventId: null,
  newEventId: 'a'.repeat(32),
  sentAtMs: null,
  userAgent: '',
  domain: null,
  clientAddress: '203.0.113.7',
  project: { id: 1, scrubFields: [], storeIpAddresses: false, inboundFilters: null },
  userHashKey: null,
};

function expectSame(raw: unknown, isMapped: boolean): void {
  const sent = normalizeSentEvent(raw, facts);
  const event = isMapped ? withRawStacks(sent.event) : sent.event;
  const { grouping, secondaryHash, title, culprit, payload } = resolveLazyKey(
    scrubAndGroup({ ...sent, event }, { needsMapping: false }, facts),
  );
  const stored = JSON.parse(String(payload)) as NormalizedEvent;
  expect(resolveLazyKey(groupingKeyOf(stored))).toEqual({ grouping, secondaryHash, title, culprit });
}

function withRawStacks(event: NormalizedEvent): NormalizedEvent {
  const copy = structuredClone(event);
  for (const holder of copy.exception?.values ?? []) {
    const frames = holder.stacktrace?.frames;
    if (frames === undefined) continue;
    holder['raw_stacktrace'] = holder.stacktrace;
    holder.stacktrace = {
      frames: frames.map((frame) => ({ ...frame, filename: 'src/cart.ts', data: { sourcemap: 'a.js.map' } })),
    };
  }
  return copy;
}

const word = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'TypeError',
    'x is not a function',
    'HTTP 404',
    'https://a.example/a.js',
    'add',
    'node:fs',
    '\ud800',
  ),
);
const frame = fc.record(
  {
    function: word,
    filename: word,
    abs_path: word,
    module: word,
    lineno: fc.integer(),
    colno: fc.double(),
    in_app: fc.boolean(),
    context_line: word,
  },
  { requiredKeys: [] },
);
const stack = fc.record({ frames: fc.array(frame, { maxLength: 6 }) });
const exception = fc.record(
  { type: word, value: word, stacktrace: stack, mechanism: fc.record({ synthetic: fc.boolean() }) },
  { requiredKeys: [] },
);
const event = fc.record(
  {
    message: fc.oneof(word, fc.record({ message: word, params: fc.array(word) })),
    platform: fc.constantFrom('javascript', 'php', 'python', 'native', 'other'),
    exception: fc.oneof(
      exception,
      fc.array(exception, { maxLength: 4 }),
      fc.record({ values: fc.array(exception) }),
    ),
    threads: fc.record({ values: fc.array(fc.record({ crashed: fc.boolean(), stacktrace: stack })) }),
    fingerprint: fc.array(fc.oneof(word, fc.constant('{{ default }}')), { maxLength: 3 }),
    extra: fc.object(),
  },
  { requiredKeys: [] },
);

describe('a stored event', () => {
  it('is grouped as it was on arrival, whatever it contains', () => {
    fc.assert(
      fc.property(event, fc.boolean(), (raw, isMapped) => expectSame(raw, isMapped)),
      { numRuns: runs(800) },
    );
  });

  inFull(it)('is grouped as it was on arrival, for every judged pair', () => {
    const folder = join(import.meta.dirname, '../../fixtures/grouping');
    for (const file of ['pairs.json', 'more-pairs.json']) {
      const found = eventsIn(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      expect(found.length).toBeGreaterThan(20);
      for (const each of found) expectSame(each, false);
    }
  });
});

function eventsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const isEvent = 'exception' in value || 'message' in value || 'logentry' in value;
  return isEvent ? [value] : Object.values(value).flatMap(eventsIn);
}
