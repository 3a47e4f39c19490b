// The row by which a search finds an issue: written when its title, its files or its tags change, and read by
// listing/searching.ts.

import { foldText } from '../../../src/core/reading/fold-text.ts';
import type { Query } from '../../db.ts';
import { searchedTags, type Written } from './tags.ts';

/** What an issue is called, and what its newest event says beside that. */
export interface SearchHead {
  readonly projectId: number;
  readonly issueId: number;
  readonly title: string;
  readonly culprit: string;
  /** Asked for only where something is written; empty where nothing but the title is known. */
  text(): string;
}

/** What was last written for an issue, so that the usual event writes nothing; the oldest first. */
export interface SearchRoom {
  readonly heads: Map<number, WrittenHead>;
}

type WrittenHead = Pick<SearchHead, 'title' | 'culprit'> & { readonly atMs: number };

const rememberedMax = 5_000;

/**
 * An issue whose title is another with every event would be written with every event. It is searched by one
 * of the titles it had in so long.
 */
const rewriteMs = 5_000;

/** Remembers nothing yet. */
export function searchRoom(): SearchRoom {
  return { heads: new Map() };
}

/**
 * Writes the head of an issue where it is another than the one that was written last. `heads` are what the
 * issue was called one after the other: of those to be written the last one is.
 */
export async function writeLastSearchHead(
  tx: Query,
  room: SearchRoom,
  heads: ReadonlyArray<SearchHead & { readonly atMs: number }>,
  written: Written,
): Promise<void> {
  let due: (SearchHead & { readonly atMs: number }) | undefined;
  for (const head of heads) {
    if (isDue(due ?? room.heads.get(head.issueId), head, head.atMs)) due = head;
  }
  if (due === undefined) return;
  const last = due;
  await setSearchHead(tx, last);
  written.push(() => rememberHead(room, last, last.atMs));
}

function rememberHead(room: SearchRoom, { issueId, title, culprit }: SearchHead, atMs: number): void {
  if (room.heads.size >= rememberedMax) room.heads.clear();
  room.heads.set(issueId, { title, culprit, atMs });
}

/** Writes the head of an issue in any case. */
export async function setSearchHead(tx: Query, asked: SearchHead): Promise<void> {
  const { issueId, projectId, title, culprit } = asked;
  const text = asked.text();
  const head = [title, culprit, text].filter((part) => part !== '').join('\n');
  await tx.run(
    `INSERT INTO issue_search (issue_id, project_id, told, head, tags) VALUES ($1, $2, $3, $4, '')
     ON CONFLICT (issue_id) DO UPDATE SET told = excluded.told, head = excluded.head
     WHERE issue_search.head <> excluded.head OR issue_search.told <> excluded.told`,
    [issueId, projectId, text === '' ? 0 : 1, foldText(head)],
  );
}

/** Writes the pairs of an issue anew, as `issue_tags` has them. */
export async function refreshSearchTags(tx: Query, projectId: number, issueId: number): Promise<void> {
  const tags = await searchedTags(tx, projectId, issueId);
  await tx.run('UPDATE issue_search SET tags = $3 WHERE project_id = $1 AND issue_id = $2 AND tags <> $3', [
    projectId,
    issueId,
    tags,
  ]);
}

/** Whether a head is another than the one written last, and that was not a moment ago. */
function isDue(last: WrittenHead | undefined, now: SearchHead, atMs: number): boolean {
  if (last === undefined) return true;
  const isSame = last.title === now.title && last.culprit === now.culprit;
  return !isSame && Math.abs(atMs - last.atMs) >= rewriteMs;
}
