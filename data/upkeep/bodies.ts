// Bodies of events held against the hashes beside them: a check of the file's structure does not see bytes
// that were flipped inside of one. Reads alone, some here and there or all.
import type { BodyFacts } from '../../src/core/doctor/facts.ts';
import { unpackBody } from '../event-bodies.ts';
import type { Reading } from './facts.ts';

/** Spread evenly over what is stored. */
const sampled = 1_000;
const pageRows = 200;
const namedMax = 5;

interface BodyRow {
  readonly row: number;
  readonly body: Uint8Array;
  readonly sha256: Uint8Array;
}

const from = `SELECT event_row AS row, body, body_sha256 AS sha256 FROM event_bodies
  WHERE event_row >= $1 ORDER BY event_row LIMIT $2`;

/** Checks a thousand of the stored bodies, or every one. */
export async function checkBodies(db: Reading, isWhole: boolean): Promise<BodyFacts> {
  const damaged: number[] = [];
  let checked = 0;
  for await (const { row, body, sha256 } of isWhole ? everyBody(db) : someBodies(db)) {
    checked += 1;
    if (!isSound(body, sha256)) damaged.push(row);
  }
  const named: string[] = [];
  for (const row of damaged.slice(0, namedMax)) {
    const event = await db.get<{ event_id: string }>('SELECT event_id FROM events WHERE id = $1', [row]);
    named.push(event?.event_id ?? `row ${row}`);
  }
  return { checked, damaged: damaged.length, named };
}

async function* everyBody(db: Reading): AsyncGenerator<BodyRow> {
  for (let next = 0; ; ) {
    const page = await db.all<BodyRow>(from, [next, pageRows]);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    next = Number(last.row) + 1;
  }
}

async function* someBodies(db: Reading): AsyncGenerator<BodyRow> {
  const ends = await db.get<{ least: number | null; most: number | null }>(
    'SELECT MIN(event_row) AS least, MAX(event_row) AS most FROM event_bodies',
  );
  if (ends === undefined || ends.least === null) return;
  const [least, most] = [Number(ends.least), Number(ends.most)];
  const apart = Math.max(1, (most - least) / (sampled - 1));
  let seen = -1;
  for (let at = least; at <= most; at += apart) {
    const row = await db.get<BodyRow>(from, [Math.max(seen + 1, Math.floor(at)), 1]);
    if (row === undefined) return;
    seen = Number(row.row);
    yield row;
  }
}

function isSound(body: Uint8Array, sha256: Uint8Array): boolean {
  try {
    unpackBody({ body: Buffer.from(body), body_sha256: Buffer.from(sha256) });
    return true;
  } catch {
    return false;
  }
}
