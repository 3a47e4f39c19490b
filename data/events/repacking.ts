// Bodies that are not packed as they are today: packed anew in slices beside whoever is served, the newest
// first. A slice is one transaction: ended, the work goes on where it was.
import { isPackedAsNow } from '../../src/core/events/pack.ts';
import type { Db, Query } from '../db.ts';
import { BodyDamaged, type BodyRow, bodyColumns, bodyValues, packBody, readBody } from '../event-bodies.ts';

/** Few, and of bounded bytes: on SQLite nobody is answered while a slice is packed. */
const sliceRows = 50;
const sliceBytesMax = 256 * 1024;

/** Packs one more slice; false when there is none left. */
export function repackSlice(db: Db): Promise<boolean> {
  return db.write(async (tx) => {
    // Whoever holds the place keeps others out until the commit.
    const place = await tx.get<{ next_row: number }>(
      "UPDATE unpacked_bodies SET next_row = next_row WHERE name = 'events' RETURNING next_row",
    );
    if (place === undefined) return false;
    const rows = await tx.all<{ event_row: number; bytes: number }>(
      `SELECT event_row, LENGTH(body) AS bytes FROM event_bodies
       WHERE event_row <= $1 ORDER BY event_row DESC LIMIT $2`,
      [place.next_row, sliceRows],
    );
    const slice = withinBytes(rows);
    for (const { event_row: row } of slice) await repack(tx, row);
    const last = slice.at(-1);
    if (last === undefined) {
      await tx.run("DELETE FROM unpacked_bodies WHERE name = 'events'");
    } else {
      await tx.run("UPDATE unpacked_bodies SET next_row = $1 WHERE name = 'events'", [last.event_row - 1]);
    }
    return last !== undefined;
  });
}

/** The first of them, one at least, that weigh no more than a slice may. */
function withinBytes<Row extends { readonly bytes: number }>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  return rows.filter((row, index) => {
    bytes += row.bytes;
    return index === 0 || bytes <= sliceBytesMax;
  });
}

/** A damaged body stays as it is: its bytes may be all that somebody has to mend it from. */
async function repack(tx: Query, row: number): Promise<void> {
  const found = await tx.get<BodyRow & { readonly event_id: string }>(
    `SELECT ${bodyColumns}, event_id FROM event_bodies JOIN events ON events.id = event_row WHERE event_row = $1`,
    [row],
  );
  if (found === undefined || isPackedAsNow(found.body)) return;
  const packed = packedAnew(found);
  if (packed === null || bytesOf(packed) >= bytesOf(found)) return;
  // Only where nobody wrote another one meanwhile: on PostgreSQL a map or a new key may arrive beside us.
  await tx.run(
    `UPDATE event_bodies SET body = $2, body_sha256 = $3, grouping = $4, errors = $5
     WHERE event_row = $1 AND body_sha256 = $6 AND grouping = $7`,
    [row, ...bodyValues(packed), found.body_sha256, found.grouping],
  );
}

function packedAnew(found: BodyRow & { readonly event_id: string }): BodyRow | null {
  try {
    const eventId = found.event_id;
    const { payload, ...telling } = readBody(found, eventId);
    return packBody(payload, { eventId, ...telling });
  } catch (error) {
    if (error instanceof BodyDamaged) return null;
    throw error;
  }
}

function bytesOf({ body, body_sha256: sha256, grouping, errors }: BodyRow): number {
  return body.byteLength + sha256.byteLength + grouping.length + errors.length;
}
