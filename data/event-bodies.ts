// Reads and writes stored event payloads. The packed body of a new event includes grouping and errors; a
// non-empty column beside it was written later and takes precedence.
import { type EventError, normalizedEvent } from '../schemas/event.ts';
import {
  eventGrouping,
  packPayload,
  type Telling,
  type Unpacked,
  unpackPayload,
} from '../src/core/events/pack.ts';
import { groupEvent } from '../src/core/grouping/versions.ts';
import type { Grouping, PackedPayload } from '../src/core/store/events.ts';
import type { Query } from './db.ts';
import { bytes, integer, named, type RowOf, tableOf, text } from './table.ts';

/** The stored bytes do not match their checksum. */
export class BodyDamaged extends Error {}

export const bodies = tableOf('event_bodies', {
  eventRow: integer,
  projectId: integer,
  body: bytes,
  sha256: named('body_sha256', bytes),
  grouping: text,
  errors: text,
}).without('eventRow', 'projectId');
export type BodyRow = RowOf<typeof bodies>;

export function findBody(query: Pick<Query, 'get'>, projectId: number, row: number): Promise<BodyRow | null> {
  return bodies.find(query, 'WHERE event_row = $1 AND project_id = $2', [row, projectId]);
}

/** Sets the grouping of a stored event; its body stays unchanged. */
export async function writeGrouping(
  tx: Query,
  projectId: number,
  row: number,
  grouping: Grouping,
): Promise<void> {
  const change = { grouping: JSON.stringify(eventGrouping(grouping)) };
  await bodies.update(tx, change, { where: 'event_row = $1 AND project_id = $2', values: [row, projectId] });
}

/** Packs the payload of a new event, unless a worker has packed it already. */
export function packBody(payload: string | PackedPayload, telling: Telling): BodyRow {
  return rowOf(typeof payload === 'string' ? packPayload(payload, telling) : payload, null);
}

/** Packs a payload that replaces a stored one; an already packed one gets its grouping in the columns. */
export function repackBody(payload: string | PackedPayload, telling: Telling): BodyRow {
  return typeof payload === 'string' ? packBody(payload, telling) : rowOf(payload, telling);
}

function rowOf({ body, sha256 }: PackedPayload, beside: Telling | null): BodyRow {
  return {
    body,
    sha256,
    grouping: beside === null ? '' : JSON.stringify(eventGrouping(beside.grouping)),
    errors: beside === null ? '' : JSON.stringify(beside.errors),
  };
}

/** What a body holds. @throws {BodyDamaged} when the bytes are not what was stored. */
export function unpackBody({ body, sha256 }: Pick<BodyRow, 'body' | 'sha256'>): Unpacked {
  try {
    return unpackPayload({ body, sha256 });
  } catch (error) {
    throw new BodyDamaged('A stored event is not what was stored.', { cause: error });
  }
}

/** The payload of a stored event; null where it is damaged. */
export function payloadOf(row: Pick<BodyRow, 'body' | 'sha256'>): string | null {
  return unlessDamaged(() => unpackBody(row).payload);
}

/** Payload, grouping and errors of a stored event. @throws {BodyDamaged} */
export function readBody(row: BodyRow): Telling & { readonly payload: string } {
  const { payload, telling } = unpackBody(row);
  const grouping = row.grouping === '' ? telling?.grouping : (JSON.parse(row.grouping) as Grouping);
  const errors = row.errors === '' ? telling?.errors : (JSON.parse(row.errors) as EventError[]);
  if (grouping === undefined || errors === undefined) {
    throw new BodyDamaged('A stored event does not say how it was grouped.');
  }
  return { payload, grouping, errors };
}

/** The grouping of a stored event; null where it is only in a damaged body. */
export function groupingOf(row: Omit<BodyRow, 'errors'>): Grouping | null {
  if (row.grouping !== '') return JSON.parse(row.grouping) as Grouping;
  return unlessDamaged(() => readBody({ ...row, errors: '' }).grouping);
}

/** Adds the frames that were used for grouping, computed from the stored payload, for an issue page. */
export function withFrames(grouping: Grouping, row: BodyRow | null): Grouping {
  const payload = row === null ? null : payloadOf(row);
  const event = payload === null ? undefined : normalizedEvent.safeParse(JSON.parse(payload)).data;
  if (event === undefined) return grouping;
  const { hash, frames } = groupEvent(event).grouping;
  return hash === grouping.hash && frames !== undefined ? { ...grouping, frames } : grouping;
}

function unlessDamaged<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BodyDamaged) return null;
    throw error;
  }
}
