// When a tag was first and last seen, after events with it have left their issue: the next event that has it
// stands for it. Known from bodies, so only so many are read.
import type { Query } from '../../db.ts';
import { pairsOf, readTold, type TaggedEvent } from './stored-tags.ts';
import { type CountedTags, removeTags } from './tags.ts';

/**
 * Events that are read from one end of an issue. A tag that none of them has keeps the time of the last one
 * read: it was seen no nearer to the end.
 */
const readMax = 200;

interface TagRow {
  readonly tag: string;
  readonly value: string;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
}

/** Counts events out of an issue that they have left. */
export async function leaveTags(tx: Query, left: CountedTags): Promise<void> {
  const { projectId, issueId } = left;
  const gone = new Map((await removeTags(tx, left)).map((each) => [each.pair.join('\n'), each]));
  if (gone.size === 0) return;
  const rows = await tx.all<TagRow>(
    `SELECT tag, value, first_seen_ms, last_seen_ms FROM issue_tags WHERE project_id = $1 AND issue_id = $2
     ORDER BY tag, value`,
    [projectId, issueId],
  );
  const goneOf = ({ tag, value }: TagRow) => gone.get(`${tag}\n${value}`);
  const first = rows.filter((row) => (goneOf(row)?.firstMs ?? Infinity) <= row.first_seen_ms);
  const last = rows.filter((row) => (goneOf(row)?.lastMs ?? -Infinity) >= row.last_seen_ms);
  await narrow(tx, left, first, 'first');
  await narrow(tx, left, last, 'last');
}

async function narrow(
  tx: Query,
  { projectId, issueId }: CountedTags,
  rows: readonly TagRow[],
  end: 'first' | 'last',
): Promise<void> {
  if (rows.length === 0) return;
  const order = end === 'first' ? 'ASC' : 'DESC';
  const events = await tx.all<TaggedEvent>(
    `SELECT id, received_at_ms, level FROM events WHERE project_id = $1 AND issue_id = $2
     ORDER BY received_at_ms ${order}, id ${order} LIMIT $3`,
    [projectId, issueId, readMax],
  );
  const farthest = events.at(-1);
  if (farthest === undefined) return;
  const told = await readTold(
    tx,
    projectId,
    events.map(({ id }) => id),
  );
  const seen = new Map(pairsOf(events, told).map((each) => [each.pair.join('\n'), each]));
  for (const { tag, value } of rows) {
    const found = seen.get(`${tag}\n${value}`);
    const atMs = end === 'first' ? found?.firstMs : found?.lastMs;
    await tx.run(
      `UPDATE issue_tags SET ${end}_seen_ms = $5
       WHERE project_id = $1 AND issue_id = $2 AND tag = $3 AND value = $4`,
      [projectId, issueId, tag, value, atMs ?? farthest.received_at_ms],
    );
  }
}
