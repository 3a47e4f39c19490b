// The only writer and reader of payloads. `grouping` and `errors`, once set, override what the body says.
import { type EventError, normalizedEvent } from '../schemas/event.ts';
import {
  compressPayload,
  decompressPayload,
  type PayloadExtras,
  type UnpackedPayload,
  withoutFrames,
} from '../src/core/events/compress-payload.ts';
import { groupEvent } from '../src/core/grouping/group-event.ts';
import type { Grouping, PackedPayload } from '../src/core/store/events.ts';
import type { Query } from './db.ts';
import { bytes, integer, named, type RowOf, tableOf, text } from './table.ts';

/** The stored bytes do not match their hash. */
export class DamagedBodyError extends Error {}

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

export async function writeGrouping(
  tx: Query,
  projectId: number,
  row: number,
  grouping: Grouping,
): Promise<void> {
  const change = { grouping: JSON.stringify(withoutFrames(grouping)) };
  await bodies.update(tx, change, { where: 'event_row = $1 AND project_id = $2', values: [row, projectId] });
}

/** `payload` is text, or packed already by a worker. */
export function packBody(payload: string | PackedPayload, extras: PayloadExtras): BodyRow {
  return rowOf(typeof payload === 'string' ? compressPayload(payload, extras) : payload, null);
}

/** Replaces the payload. One that comes packed holds no grouping, so `extras` goes into the columns. */
export function repackBody(payload: string | PackedPayload, extras: PayloadExtras): BodyRow {
  return typeof payload === 'string' ? packBody(payload, extras) : rowOf(payload, extras);
}

function rowOf({ body, sha256 }: PackedPayload, extras: PayloadExtras | null): BodyRow {
  return {
    body,
    sha256,
    grouping: extras === null ? '' : JSON.stringify(withoutFrames(extras.grouping)),
    errors: extras === null ? '' : JSON.stringify(extras.errors),
  };
}

/** @throws {DamagedBodyError} */
export function unpackBody({ body, sha256 }: Pick<BodyRow, 'body' | 'sha256'>): UnpackedPayload {
  try {
    return decompressPayload({ body, sha256 });
  } catch (error) {
    throw new DamagedBodyError('A stored event is not what was stored.', { cause: error });
  }
}

/** Null where it is damaged. */
export function readPayload(row: Pick<BodyRow, 'body' | 'sha256'>): string | null {
  return unlessDamaged(() => unpackBody(row).payload);
}

/** @throws {DamagedBodyError} */
export function readBody(row: BodyRow): PayloadExtras & { readonly payload: string } {
  const { payload, extras } = unpackBody(row);
  const grouping = row.grouping === '' ? extras?.grouping : (JSON.parse(row.grouping) as Grouping);
  const errors = row.errors === '' ? extras?.errors : (JSON.parse(row.errors) as EventError[]);
  if (grouping === undefined || errors === undefined) {
    throw new DamagedBodyError('A stored event does not say how it was grouped.');
  }
  return { payload, grouping, errors };
}

/** Null where only a damaged body would say it. */
export function readGrouping(row: Omit<BodyRow, 'errors'>): Grouping | null {
  if (row.grouping !== '') return JSON.parse(row.grouping) as Grouping;
  return unlessDamaged(() => readBody({ ...row, errors: '' }).grouping);
}

export function withGroupingFrames(grouping: Grouping, row: BodyRow | null): Grouping {
  const payload = row === null ? null : readPayload(row);
  const event = payload === null ? undefined : normalizedEvent.safeParse(JSON.parse(payload)).data;
  if (event === undefined) return grouping;
  const { hash, frames } = groupEvent(event).grouping;
  return hash === grouping.hash && frames !== undefined ? { ...grouping, frames } : grouping;
}

function unlessDamaged<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedBodyError) return null;
    throw error;
  }
}
