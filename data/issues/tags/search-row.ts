// The row by which search finds an issue; searching/patterns.ts reads it.

import { foldCase } from '../../../src/core/parsing/fold-text.ts';
import type { Query } from '../../db.ts';
import { type AfterWrite, searchedTags } from './tags.ts';

export interface SearchHead {
  readonly projectId: number;
  readonly issueId: number;
  readonly title: string;
  readonly culprit: string;
  /** Called only when something is written. */
  text(): string;
}

/** Last written title of each issue, so that the usual event writes nothing; oldest first. */
export interface SearchRowCache {
  readonly heads: Map<number, CachedHead>;
}

type CachedHead = Pick<SearchHead, 'title' | 'culprit'> & { readonly atMs: number };

const cachedMax = 5_000;

/** The minimum time between rewrites for an issue whose title differs in every event. */
const rewriteMs = 5_000;

export function createSearchRowCache(): SearchRowCache {
  return { heads: new Map() };
}

/** `heads` are the titles in order; the last one that is due is written. */
export async function writeLastSearchHead(
  tx: Query,
  cache: SearchRowCache,
  heads: ReadonlyArray<SearchHead & { readonly atMs: number }>,
  written: AfterWrite,
): Promise<void> {
  let due: (SearchHead & { readonly atMs: number }) | undefined;
  for (const head of heads) {
    if (isDue(due ?? cache.heads.get(head.issueId), head, head.atMs)) due = head;
  }
  if (due === undefined) return;
  const last = due;
  await setSearchHead(tx, last);
  written.push(() => cacheHead(cache, last, last.atMs));
}

function cacheHead(cache: SearchRowCache, { issueId, title, culprit }: SearchHead, atMs: number): void {
  if (cache.heads.size >= cachedMax) cache.heads.clear();
  cache.heads.set(issueId, { title, culprit, atMs });
}

export async function setSearchHead(tx: Query, next: SearchHead): Promise<void> {
  const { issueId, projectId, title, culprit } = next;
  const text = next.text();
  const head = [title, culprit, text].filter((part) => part !== '').join('\n');
  await tx.run(
    `INSERT INTO issue_search (issue_id, project_id, head, tags) VALUES ($1, $2, $3, '')
     ON CONFLICT (issue_id) DO UPDATE SET head = excluded.head
     WHERE issue_search.head <> excluded.head`,
    [issueId, projectId, foldCase(head)],
  );
}

export async function refreshSearchTags(tx: Query, projectId: number, issueId: number): Promise<void> {
  const tags = await searchedTags(tx, projectId, issueId);
  await tx.run('UPDATE issue_search SET tags = $3 WHERE project_id = $1 AND issue_id = $2 AND tags <> $3', [
    projectId,
    issueId,
    tags,
  ]);
}

function isDue(last: CachedHead | undefined, now: SearchHead, atMs: number): boolean {
  if (last === undefined) return true;
  const isSame = last.title === now.title && last.culprit === now.culprit;
  return !isSame && Math.abs(atMs - last.atMs) >= rewriteMs;
}
