// The payload of an event as it is kept, and how it was grouped: the one place that writes and reads them. An
// event has all of it in its body as it comes, and the two columns beside are empty. What stands in a column
// counts before what the body says: it was written later (DECISIONS.md D-232).
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
import type { Query, SqlValue } from './db.ts';

/** The kept bytes are not those that were stored: a disk that forgets, or a hand in the database. */
export class BodyDamaged extends Error {}

/** What `event_bodies` has of an event, by the names of its columns. */
export interface BodyRow {
  readonly body: Uint8Array;
  readonly body_sha256: Uint8Array;
  readonly grouping: string;
  readonly errors: string;
}

export const bodyColumns = 'body, body_sha256, grouping, errors';

/** What `bodyColumns` are set to. */
export function bodyValues({ body, body_sha256: sha256, grouping, errors }: BodyRow): SqlValue[] {
  return [body, sha256, grouping, errors];
}

export async function findBody(
  query: Pick<Query, 'get'>,
  projectId: number,
  row: number,
): Promise<BodyRow | null> {
  const found = await query.get<BodyRow>(
    `SELECT ${bodyColumns} FROM event_bodies WHERE event_row = $1 AND project_id = $2`,
    [row, projectId],
  );
  return found ?? null;
}

/** How an event is grouped from now on: beside its body, which stays as it is. */
export async function writeGrouping(
  tx: Query,
  projectId: number,
  row: number,
  grouping: Grouping,
): Promise<void> {
  await tx.run('UPDATE event_bodies SET grouping = $3 WHERE event_row = $1 AND project_id = $2', [
    row,
    projectId,
    JSON.stringify(eventGrouping(grouping)),
  ]);
}

/** What is kept of an event that comes: its payload is text, or packed already where it was heavy. */
export function packBody(payload: string | PackedPayload, telling: Telling): BodyRow {
  return rowOf(typeof payload === 'string' ? packPayload(payload, telling) : payload, null);
}

/** The same with another payload in the place of its own: one that comes packed says nothing beside it. */
export function repackBody(payload: string | PackedPayload, telling: Telling): BodyRow {
  return typeof payload === 'string' ? packBody(payload, telling) : rowOf(payload, telling);
}

function rowOf({ body, sha256 }: PackedPayload, beside: Telling | null): BodyRow {
  return {
    body,
    body_sha256: sha256,
    grouping: beside === null ? '' : JSON.stringify(eventGrouping(beside.grouping)),
    errors: beside === null ? '' : JSON.stringify(beside.errors),
  };
}

/** What a body holds. @throws {BodyDamaged} when the bytes are not what was stored. */
export function unpackBody({ body, body_sha256: sha256 }: Pick<BodyRow, 'body' | 'body_sha256'>): Unpacked {
  try {
    return unpackPayload({ body, sha256 });
  } catch (error) {
    throw new BodyDamaged('A stored event is not what was stored.', { cause: error });
  }
}

/** The payload of a stored event; null where it is damaged. */
export function payloadOf(row: Pick<BodyRow, 'body' | 'body_sha256'>): string | null {
  return unlessDamaged(() => unpackBody(row).payload);
}

/** All of a stored event. @throws {BodyDamaged} */
export function readBody(row: BodyRow): Telling & { readonly payload: string } {
  const { payload, telling } = unpackBody(row);
  const grouping = row.grouping === '' ? telling?.grouping : (JSON.parse(row.grouping) as Grouping);
  const errors = row.errors === '' ? telling?.errors : (JSON.parse(row.errors) as EventError[]);
  if (grouping === undefined || errors === undefined) {
    throw new BodyDamaged('A stored event does not say how it was grouped.');
  }
  return { payload, grouping, errors };
}

/** How a stored event is grouped; null where only a damaged body would say it. */
export function groupingOf(row: Omit<BodyRow, 'errors'>): Grouping | null {
  if (row.grouping !== '') return JSON.parse(row.grouping) as Grouping;
  return unlessDamaged(() => readBody({ ...row, errors: '' }).grouping);
}

/** The same with the frames that count, where its payload tells them, for an issue that is shown by it. */
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
