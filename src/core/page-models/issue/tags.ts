import type { RequestContext } from '../request-context.ts';
import { type IssueHeadModel, issueHeadModel } from './head.ts';
import type { TagView } from './tag-counts.ts';

export interface IssueTagsModel extends IssueHeadModel {
  readonly tab: 'tags';
  readonly tags: readonly TagView[];
}

export async function issueTagsModel(context: RequestContext): Promise<IssueTagsModel> {
  const { head, tags } = await issueHeadModel(context);
  return { ...head, tab: 'tags', tags };
}
