import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalized } from '../../support/events.ts';

type Case = Readonly<Record<string, readonly unknown[]>>;
const file = join(import.meta.dirname, '../../fixtures/grouping/sdk-events.json');
const cases = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Case>>;

describe('events of SDKs', () => {
  it.each(Object.entries(cases))('%s', (_name, events) => {
    const keys = Object.entries(events).flatMap(([key, sent]) =>
      sent.map((event) => ({ key, ...computeFingerprint(normalized(event)) })),
    );
    // Which inner keys share a hash, and how many hashes each has.
    const shared = [...Map.groupBy(keys, ({ hash }) => hash).values()].map((group) => [
      ...new Set(group.map(({ key }) => key)),
    ]);
    const parts = keys.map((one) => one.parts);
    expect({ shared, parts }).toEqual({ shared: Object.keys(events).map((key) => [key]), parts });
  });
});
