// The page of an issue's tags.
import { momentText } from '../../reading/moments.ts';
import type { Visit } from '../visit.ts';
import { headModel, type IssueHeadModel } from './head.ts';
import type { TagView } from './tag-counts.ts';

export interface IssueTagsModel extends IssueHeadModel {
  readonly tab: 'tags';
  readonly tags: readonly TagView[];
  /** Since when tags are counted; null where all that is stored is. */
  readonly counted_since: string | null;
}

/** `/issues/{id}/tags`. */
export async function issueTagsModel(visit: Visit): Promise<IssueTagsModel> {
  const { head, tags } = await headModel(visit);
  const since = await visit.deps.store.tagsCountedSince();
  return {
    ...head,
    tab: 'tags',
    tags,
    counted_since: since === null ? null : momentText(since),
  };
}
