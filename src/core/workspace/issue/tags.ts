import type { Visit } from '../visit.ts';
import { headModel, type IssueHeadModel } from './head.ts';
import type { TagView } from './tag-counts.ts';

export interface IssueTagsModel extends IssueHeadModel {
  readonly tab: 'tags';
  readonly tags: readonly TagView[];
}

export async function issueTagsModel(visit: Visit): Promise<IssueTagsModel> {
  const { head, tags } = await headModel(visit);
  return { ...head, tab: 'tags', tags };
}
