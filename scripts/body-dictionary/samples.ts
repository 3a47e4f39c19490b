// What a dictionary for bodies is trained on, as bodies are kept, with how they were grouped: events of kits
// (kit-events.ts) and the samples of the tests for grouping, through the rules that every event takes. The
// event that benchmarks send is not among them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shortTextsOf } from '../../src/core/events/pack.ts';
import { finishEvent, readEvent } from '../../src/core/events/prepare.ts';
import { createDice } from '../demo/dice.ts';
import { kitEvents } from './kit-events.ts';

const kitEventsCount = 2_500;
const fixtures = join(import.meta.dirname, '../../tests/fixtures/grouping');

/** The texts that bodies are made of. */
export function sampleTexts(): string[] {
  const sent = [...kitEvents(kitEventsCount), ...judgedEvents()];
  const dice = createDice('event ids');
  return sent.map((raw) => textOf(raw, dice.hex(32)));
}

function textOf(raw: unknown, newEventId: string): string {
  const facts = {
    receivedAtMs: receivedAtMs(raw),
    envelopeEventId: newEventId,
    newEventId,
    sentAtMs: null,
    userAgent: '',
    clientAddress: '192.0.2.1',
    project: { id: 1, groupingVersion: 'ng2', scrubFields: [], storeIpAddresses: false },
    userHashKey: null,
  };
  const { payload, ...telling } = finishEvent(readEvent(raw, facts), { needsMapping: false }, facts);
  if (typeof payload !== 'string') throw new Error('A sample came packed.');
  const texts = shortTextsOf(payload, telling);
  if (texts === null) throw new Error('A sample is no event.');
  return texts.join('');
}

/**
 * A moment after it happened, so that no date is worth a place in a dictionary, and none is said to be wrong.
 */
function receivedAtMs(raw: unknown): number {
  const { timestamp } = raw as { readonly timestamp?: unknown };
  return typeof timestamp === 'number' ? Math.floor(timestamp * 1000) + 500 : Date.UTC(2026, 10, 21);
}

/** Both events of each pair in the samples of grouping. */
function judgedEvents(): unknown[] {
  return readdirSync(fixtures)
    .filter((file) => /^(judged-|more-pairs|less-known|pairs)/.test(file))
    .sort()
    .flatMap((file) => {
      const all: unknown = JSON.parse(readFileSync(join(fixtures, file), 'utf8'));
      const pairs = Array.isArray(all) ? all : Object.values(all as object).flat();
      return pairs.flatMap((pair: { a?: unknown; b?: unknown }) =>
        [pair.a, pair.b].filter((each) => each != null),
      );
    });
}
