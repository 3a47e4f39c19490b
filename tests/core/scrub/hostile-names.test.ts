import { describe, expect, it } from '@jest/globals';
import { scrubLogEntry } from '../../../src/core/scrub/message.ts';
import { createScrubState } from '../../../src/core/scrub/text.ts';
import { openCounter } from '../../support/operations.ts';
import { shared } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { scrubbed } from './scrubbed.ts';

describe('a log entry with hundreds of secrets', () => {
  const entry = (secrets: number) => {
    const params = Object.fromEntries(
      Array.from({ length: secrets }, (_, index) => [`password_${index}`, `hunter-${index}-`]),
    );
    return { message: 'x', formatted: `said ${Object.values(params).join(' ')} to all`, params };
  };
  const formatted = (secrets: number): unknown =>
    (scrubLogEntry(entry(secrets), createScrubState(null)) as Record<string, unknown>)['formatted'];

  it('keeps the words around some of them', () => {
    expect(formatted(3)).toBe('said [Filtered] [Filtered] [Filtered] to all');
  });

  it('is removed where it has more than 64', () => {
    expect(formatted(64)).toMatch(/^said .* to all$/);
    expect(formatted(65)).toBe('[Filtered]');
  });
});

describe('thousands of keys that are scrubbed to the same name', () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`pwd=hunter${index}`, 1]));
  const counter = shared(() => openCounter(import.meta.resolve('./scrubbed.ts')));

  it('get a number each', () => {
    const clean = Object.keys(scrubbed(keys(2_000)) as object);
    expect(clean.slice(0, 3)).toEqual(['pwd=[Filtered]', 'pwd=[Filtered] (2)', 'pwd=[Filtered] (3)']);
    expect(clean.at(-1)).toBe('pwd=[Filtered] (2000)');
  });

  inFull(it)('cost no more each than a few keys', async () => {
    const few = await counter.operationsOf('scrubbed', keys(500));
    expect((await counter.operationsOf('scrubbed', keys(2_000))) / few).toBeLessThan(6);
  });
});

it.each(['_', 'a_', '*_', '[_', '_.', 'a-', 'a.', '-', '.'])(
  'a list of field names of nothing but %s is read in bounded time',
  (unit) => {
    // What has two ways to read a sign never comes back, and is ended (tests/support/jest/watchdog.ts).
    const name = `${unit.repeat(60)}!`;
    const value = { a: ['password', name], b: [['password', name]], c: `login("password", "${name}")` };
    expect(Object.keys(scrubbed(value) as object)).toEqual(['a', 'b', 'c']);
  },
);
