// The way of an event through the rules, stage by stage, in microseconds of the processor: what a change of
// one of them is judged by. Each stage gets what the one before it made, and is called as the program does.

import { randomBytes } from 'node:crypto';
import { keyOf } from '../../../src/core/events/key.ts';
import { packWhole } from '../../../src/core/events/pack.ts';
import { readEvent } from '../../../src/core/events/prepare.ts';
import { countedTags } from '../../../src/core/events/told.ts';
import { userHashOf, userKeysOf } from '../../../src/core/events/user-hash.ts';
import { newEventId } from '../../../src/core/ids.ts';
import { normalizeEvent } from '../../../src/core/normalize/event.ts';
import type { EventFacts } from '../../../src/core/ports/readings.ts';
import { readItemRecord } from '../../../src/core/reading/item-json.ts';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { eventOfSize } from '../event.ts';
import { type Bench, median } from '../full/bench.ts';
import type { Options } from '../full/options.ts';
import { openDbmses } from './databases.ts';
import { factsFor, openMeasuredStore, preparedEvents } from './prepared.ts';

export const stageNames = [
  'parse',
  'normalise',
  'scrub',
  'fingerprint',
  'user hash',
  'stringify',
  'pack',
  'file',
] as const;

export interface StagesRow {
  readonly kilobytes: number;
  /** In the order of `stageNames`. */
  readonly micros: readonly number[];
}

type Stage = (serial: number) => unknown;

/** Different events of a body: a memory of what was seen helps as much as it does in life. */
const variants = 50;
const roundBudgetMs = 120;
const filedAtOnce = 256;
/** Rounds of filing after which V8 has made all it will make of the store, whichever body comes first. */
const filingWarmUps = 40;

export function stagesSeconds({ bodies, repeats }: Options): number {
  return (bodies.length * stageNames.length * (repeats + 1) * roundBudgetMs) / 1000;
}

/** Medians of all rounds; stages take turns in a round. */
export async function measureStages(bench: Bench): Promise<StagesRow[]> {
  const rows: StagesRow[] = [];
  const [sqlite] = await openDbmses({ ...bench.options, databases: ['sqlite'] }, bench.progress);
  if (sqlite === undefined) return rows;
  for (const kilobytes of bench.options.bodies) {
    const database = await sqlite.create();
    const opened = await openMeasuredStore(database.url);
    if (rows.length === 0) {
      for (let round = 0; round < filingWarmUps; round += 1) await microsOfFiling(2, opened);
    }
    rows.push({ kilobytes, micros: await microsOf(bench, kilobytes, opened) });
    await opened.store.close();
    await database.drop();
  }
  return rows;
}

async function microsOf(
  bench: Bench,
  kilobytes: number,
  opened: { readonly store: Store; readonly projectId: number },
): Promise<number[]> {
  const facts = factsFor(opened.projectId);
  const stages = stagesOf(kilobytes, facts);
  const rounds: number[][] = [...stages, null].map(() => []);
  for (let round = 0; round <= bench.options.repeats; round += 1) {
    const found = stages.map((stage) => microsOfStage(stage));
    found.push(await microsOfFiling(kilobytes, opened));
    // The first makes V8 ready.
    if (round > 0) for (const [index, micros] of found.entries()) rounds[index]?.push(micros);
    const said = found.map((micros, index) => `${stageNames[index]} ${micros.toFixed(0)}`).join(', ');
    const seconds = (stageNames.length * roundBudgetMs) / 1000;
    bench.progress(`${kilobytes} KB, round ${round} of ${bench.options.repeats}: ${said} µs`, seconds);
  }
  return rounds.map(median);
}

/** All but the last, which waits for the disk. */
function stagesOf(kilobytes: number, facts: EventFacts): Stage[] {
  const each = <Made>(make: (serial: number) => Made): Made[] =>
    Array.from({ length: variants }, (_, nth) => make(nth));
  const bytes = each((nth) => Buffer.from(eventOfSize(kilobytes, nth)));
  const parsed = each((nth) => readItemRecord(bytes[nth] as Buffer, 'event'));
  const sent = each((nth) => readEvent(parsed[nth], facts));
  const scrubbed = each(
    (nth) => scrubEvent({ ...(sent[nth] as (typeof sent)[number]).event, errors: [] }, scrubOptions).event,
  );
  const at = <Made>(list: readonly Made[], nth: number): Made => list[nth] as Made;
  const payloads = each((nth) => JSON.stringify(scrubbed[nth]));
  const groupings = each((nth) => keyOf(at(scrubbed, nth), facts.project.groupingVersion).grouping);
  const key = facts.userHashKey ?? new Uint8Array(32);
  return [
    (nth) => readItemRecord(at(bytes, nth), 'event'),
    (nth) =>
      normalizeEvent(at(parsed, nth), {
        ...facts,
        eventId: newEventId(randomBytes),
      }),
    (nth) => scrubEvent({ ...at(sent, nth).event, errors: [] }, scrubOptions),
    (nth) => [keyOf(at(scrubbed, nth), facts.project.groupingVersion), countedTags(at(scrubbed, nth))],
    (nth) => [
      userHashOf(at(sent, nth).event, facts.clientAddress, key, facts.project.id),
      userKeysOf(at(sent, nth).event, key, facts.project.id),
    ],
    (nth) => JSON.stringify(at(scrubbed, nth)),
    (nth) =>
      packWhole(at(payloads, nth), {
        eventId: at(scrubbed, nth).event_id,
        grouping: at(groupings, nth),
        errors: [],
      }),
  ];
}

const scrubOptions = { extraFields: [], storeIpAddresses: false, clientAddress: '192.0.2.1' };

/** Again and again for a while, by the processor's time of this process. */
function microsOfStage(stage: Stage): number {
  const before = process.cpuUsage();
  let calls = 0;
  for (;;) {
    for (let nth = 0; nth < variants; nth += 1) stage(nth);
    calls += variants;
    const { user, system } = process.cpuUsage(before);
    if (user + system > roundBudgetMs * 1000) return (user + system) / calls;
  }
}

/** What the store takes of this process for events that are prepared and packed. */
async function microsOfFiling(
  kilobytes: number,
  { store, projectId }: { readonly store: Store; readonly projectId: number },
): Promise<number> {
  const events = preparedEvents(projectId, kilobytes, filedAtOnce);
  const before = process.cpuUsage();
  await Promise.all(events.map((event) => store.recordEvent(event)));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / filedAtOnce;
}
