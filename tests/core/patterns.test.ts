// Row 11 of docs/security.md: every pattern that sees text of an event, collected while events are read, on
// texts that are made of its own signs. Lengths grow, so that one that never comes back is seen before.
import { expect, it } from '@jest/globals';
import { finishEvent, readEvent } from '../../src/core/events/prepare.ts';
import { heavyEvents } from '../support/heavy-events.ts';
import { ownMs } from '../support/own-time.ts';
import { allOrSome } from '../support/test-level.ts';
import { benignParseMs } from '../support/turns.ts';
import { mebibyte } from '../support/wide-json.ts';

const facts = {
  receivedAtMs: 1_800_000_000_000,
  envelopeEventId: null,
  newEventId: 'a'.repeat(32),
  sentAtMs: null,
  userAgent: '',
  clientAddress: '',
  userHashKey: null,
  project: { id: 1, groupingVersion: 'ng2', scrubFields: [], storeIpAddresses: false },
} as const;
const eventBytes = 24_000;
const lengths = [16, 24, 32, 40, 48, 64, 128, 512, 2_048];
const plainUnits = [
  'a',
  '1',
  ' ',
  'a ',
  '/',
  'a/',
  '.',
  '1.',
  '"',
  '(',
  '=',
  '\n',
  ':',
  '_',
  'a_',
  '-',
  '\\',
  '%',
  '@',
];

/** Every pattern that is asked while `work` goes on: with an `exec` of ours, all questions come by it. */
function patternsAsked(work: () => void): RegExp[] {
  const found = new Map<string, RegExp>();
  const native = RegExp.prototype.exec;
  RegExp.prototype.exec = function asked(this: RegExp, text: string) {
    found.set(`${this.source}/${this.flags}`, this);
    return native.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = native;
  }
  return [...found.values()];
}

/** What a pattern may stumble over: its own words, alone and with a blank, and signs that patterns love. */
function unitsOf({ source }: RegExp): string[] {
  const words = source
    .replaceAll(/\\u\{?[0-9a-fA-F]+\}?|\\p\{[^}]*\}|\\[a-zA-Z]/g, ' ')
    .split(/[\s()[\]{}*+?|^$\\]+/)
    .filter((word) => word !== '');
  const some = [...new Set(words)].slice(0, 8);
  return [...plainUnits, ...some, ...some.slice(0, 3).map((word) => `${word} `)];
}

/** The first length at which it takes too long, twice; null where there is none. */
function tooLongAt(pattern: RegExp, unit: string, maxMs: number): number | null {
  const ask = (text: string): number => {
    pattern.lastIndex = 0;
    const begunMs = ownMs();
    pattern.exec(text);
    return ownMs() - begunMs;
  };
  const isSlow = (chars: number): boolean => {
    const text = `${unit.repeat(chars).slice(0, chars)}!\u0001`;
    return ask(text) > maxMs && ask(text) > maxMs;
  };
  return lengths.find(isSlow) ?? null;
}

const findSlow = (patterns: readonly RegExp[]): string[] => {
  const maxMs = 2 * benignParseMs(mebibyte);
  return patterns.flatMap((each) => {
    const own = new RegExp(each.source, each.flags);
    const unit = unitsOf(own).find((one) => tooLongAt(own, one, maxMs) !== null);
    return unit === undefined ? [] : [`${JSON.stringify(unit)}: ${own}`];
  });
};

it('row 11: no pattern takes longer for 2,048 characters than parsing two megabytes', () => {
  const patterns = patternsAsked(() => {
    for (const make of Object.values(heavyEvents)) {
      finishEvent(readEvent(JSON.parse(make(eventBytes)), facts), { needsMapping: false }, facts);
    }
  });
  expect(patterns.length).toBeGreaterThan(200);
  expect(findSlow(allOrSome(patterns, 4))).toEqual([]);
});

it('finds one that has two ways to read a sign', () => {
  expect(findSlow([/^(?:\w+[-_.])*key$/, /^(?:a|a)*$/])).toHaveLength(2);
  expect(findSlow([/^(?:\w+[-.])*key$/])).toEqual([]);
});
