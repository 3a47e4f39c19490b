// Row 11 of docs/security.md: every pattern that sees text of an event, collected while events are read, on
// texts that are made of its own signs. Texts are cut to some thousands before patterns see them, so the
// square of that is allowed and more is not: with the cube of the length a text of these takes minutes.
import { Script } from 'node:vm';
import { expect, it } from '@jest/globals';
import { filterEvent, normalizeSentEvent, scrubAndGroup } from '../../src/core/events/prepare.ts';
import { heavyEvents } from '../support/large-events.ts';
import { allOrSome, inFull } from '../support/test-level.ts';

const facts = {
  receivedAtMs: 1_800_000_000_000,
  envelopeEventId: null,
  newEventId: 'a'.repeat(32),
  sentAtMs: null,
  userAgent: '',
  clientAddress: '',
  domain: null,
  userHashKey: null,
  project: {
    id: 1,
    scrubFields: [],
    storeIpAddresses: false,
    inboundFilters: {
      browser_extensions: true,
      web_crawlers: true,
      localhost: true,
      legacy_browsers: true,
      releases: [],
      error_messages: [],
      ip_addresses: [],
    },
  },
} as const;
const eventBytes = 24_000;
const chars = 10_000;
const neverMs = 30_000;
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

function unitsOf({ source }: RegExp): string[] {
  const words = source
    .replaceAll(/\\u\{?[0-9a-fA-F]+\}?|\\p\{[^}]*\}|\\[a-zA-Z]/g, ' ')
    .split(/[\s()[\]{}*+?|^$\\]+/)
    .filter((word) => word !== '');
  const some = [...new Set(words)].slice(0, 8);
  return [...plainUnits, ...some, ...some.slice(0, 3).map((word) => `${word} `)];
}

function ends(work: () => void, limitMs: number): boolean {
  Object.assign(globalThis, { notifierWork: work });
  try {
    new Script('notifierWork()').runInThisContext({ timeout: limitMs });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

function findEndless(patterns: readonly RegExp[], limitMs: number): string[] {
  return patterns.flatMap((each) => {
    const pattern = new RegExp(each.source, each.flags);
    let asked = '';
    const ask = (): void => {
      for (const unit of unitsOf(pattern)) {
        asked = unit;
        pattern.lastIndex = 0;
        pattern.exec(`${unit.repeat(chars).slice(0, chars)}!\u0001`);
      }
    };
    return ends(ask, limitMs) ? [] : [`${JSON.stringify(asked)}: ${pattern}`];
  });
}

inFull(it)('every regular expression is fast on 10,000 characters of its worst input', () => {
  const patterns = patternsAsked(() => {
    for (const make of Object.values(heavyEvents)) {
      const sent = normalizeSentEvent(JSON.parse(make(eventBytes)), facts);
      filterEvent(sent.event, facts);
      scrubAndGroup(sent, { needsMapping: false }, facts);
    }
  });
  expect(patterns.length).toBeGreaterThan(200);
  expect(findEndless(allOrSome(patterns, 4), neverMs)).toEqual([]);
});

it('finds an ambiguous regular expression', () => {
  // None of these ever ends, however long it has.
  expect(findEndless([/^(?:\w+[-_.])*key$/, /^(?:a|a)*$/, /a*a*a*a*b/], 50)).toHaveLength(3);
  expect(findEndless([/^(?:\w+[-.])*key$/], neverMs)).toEqual([]);
});
