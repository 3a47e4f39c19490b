// Tags of an event after source maps were applied: other files, perhaps another plugin or theme.
import type { PackedPayload } from '../../../src/core/store/events.ts';
import type { Transaction } from '../../db.ts';
import { refreshSearchTags, setSearchHead } from './search-row.ts';
import {
  pairsOf,
  readTagsAndText,
  type TaggedEvent,
  tagsAndTextOfBody,
  tagsAndTextOfPayload,
} from './stored-tags.ts';
import { countTags, createTagCache, removeTags } from './tags.ts';

export interface ReindexedEvent extends TaggedEvent {
  readonly issue_id: number;
}

/** Call it before the stored payload is replaced. */
export async function reindexTags(
  tx: Transaction,
  projectId: number,
  event: ReindexedEvent,
  payload: string | PackedPayload,
): Promise<void> {
  const before = await readTagsAndText(tx, projectId, [event.id]);
  const now =
    typeof payload === 'string'
      ? tagsAndTextOfPayload(payload)
      : tagsAndTextOfBody(payload.body, payload.sha256);
  const issueId = event.issue_id;
  if (JSON.stringify(before.get(event.id)?.tags) !== JSON.stringify(now.tags)) {
    const left = { projectId, issueId, pairs: pairsOf([event], before) };
    await removeTags(tx, left);
    const pairs = pairsOf([event], new Map([[event.id, now]]));
    await countTags(tx, createTagCache(), { projectId, issueId, pairs });
    await refreshSearchTags(tx, projectId, issueId);
  }
  const issue = await tx.get<{ title: string; culprit: string; is_overflow: number }>(
    'SELECT title, culprit, is_overflow FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  if (issue === undefined || issue.is_overflow === 1) return;
  await setSearchHead(tx, {
    projectId,
    issueId,
    title: issue.title,
    culprit: issue.culprit,
    text: () => now.text,
  });
}
