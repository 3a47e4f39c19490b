// Events as the store is handed them, made before they are measured.
import { randomBytes } from 'node:crypto';
import { openStore } from '../../../data/open-store.ts';
import { packWhole } from '../../../src/core/events/pack.ts';
import { finishEvent, readEvent } from '../../../src/core/events/prepare.ts';
import { newestGrouping } from '../../../src/core/grouping/versions.ts';
import { newEventId } from '../../../src/core/ids.ts';
import type { EventFacts } from '../../../src/core/ports/readings.ts';
import type { NewEvent } from '../../../src/core/store/events.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { silentLog } from '../../../src/program/log.ts';
import { eventOfSize } from '../event.ts';

const clientAddress = '192.0.2.1';
const userHashKey = Buffer.alloc(32, 7);
let serial = 0;

/** A store of the program's own, with one project. */
export async function openMeasuredStore(url: string): Promise<{ store: Store; projectId: number }> {
  const store = await openStore(url, { now: () => Date.now(), log: silentLog });
  const { id } = await store.createProject({ name: 'bench', createdAtMs: Date.now() });
  return { store, projectId: id };
}

/** What a request would say of its event. */
export function factsFor(projectId: number): EventFacts {
  return {
    receivedAtMs: Date.now(),
    envelopeEventId: null,
    get newEventId() {
      return newEventId(randomBytes);
    },
    sentAtMs: null,
    userAgent: 'bench',
    clientAddress,
    project: { id: projectId, groupingVersion: newestGrouping, scrubFields: [], storeIpAddresses: false },
    userHashKey,
  };
}

/** So many events that nobody had before, read, scrubbed, grouped and packed. */
export function preparedEvents(projectId: number, kilobytes: number, count: number): NewEvent[] {
  const facts = factsFor(projectId);
  return Array.from({ length: count }, () => {
    const sent = readEvent(JSON.parse(eventOfSize(kilobytes, serial++)), facts);
    const prepared = finishEvent(sent, { needsMapping: false }, facts);
    const { payload } = prepared;
    return {
      ...prepared,
      payload: typeof payload === 'string' ? packWhole(payload, prepared) : payload,
      projectId,
      receivedAtMs: facts.receivedAtMs,
      domain: 'shop.example',
      attachments: [],
    };
  });
}
