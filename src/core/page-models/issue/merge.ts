// The page on which somebody looks for issues to merge into one. Without a search it suggests similar ones.
import { cutText } from '../../parsing/cut-text.ts';
import { queryCharactersMax } from '../../saved-views/saved-views.ts';
import { readSearch } from '../../search/search.ts';
import type { Issue } from '../../store/issues.ts';
import type { RequestContext } from '../request-context.ts';
import type { FoundIssue } from './find-issue.ts';
import { issueHeadModel } from './head.ts';
import { viewCandidate } from './similar.ts';

const foundMax = 20;

export type IssueMergeModel = Awaited<ReturnType<typeof issueMergeModel>>;

export async function issueMergeModel(context: RequestContext) {
  const { head, found: into } = await issueHeadModel(context);
  const q = cutText((context.query.get('q') ?? '').trim(), queryCharactersMax);
  if (q === '') return { ...head, q, mistakes: [], found: null, has_more: false };
  const number = readIssueNumber(q);
  const [named, matching] = await Promise.all([
    number === null ? null : findByNumber(context, into, number),
    findMatching(context, into, q),
  ]);
  const others = matching.rows.filter(({ id, isOverflow }) => {
    return id !== into.issue.id && id !== named?.id && !isOverflow;
  });
  const found = named === null || named.id === into.issue.id ? others : [named, ...others];
  return {
    ...head,
    q,
    /** Parts of the search that are left out, with names between backticks. */
    mistakes: matching.mistakes,
    /** Issues of the same project, that of an entered number or address first; null without a search. */
    found: found.slice(0, foundMax).map(viewCandidate),
    has_more: found.length > foundMax,
  };
}

/** `1043`, `#1043`, or the address of a page of the issue. */
function readIssueNumber(text: string): number | null {
  const number = /^(?:#|\S*\/issues\/)?([1-9]\d{0,14})(?:[/?#]\S*)?$/.exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

async function findByNumber(
  { deps }: RequestContext,
  { project }: FoundIssue,
  id: number,
): Promise<Issue | null> {
  const issue = await deps.store.findIssue(project.id, id);
  return issue?.mergedInto === null || issue === null
    ? issue
    : deps.store.findIssue(project.id, issue.mergedInto);
}

async function findMatching({ deps, currentUser }: RequestContext, { project }: FoundIssue, q: string) {
  const scope = { projectIds: [project.id], of: 'issues', memberId: currentUser.memberId } as const;
  const { resolved: terms, mistakes } = await readSearch(deps, q, scope);
  // One more than is shown, and this issue.
  const window = { limit: foundMax + 2, offset: 0, orderBy: 'last_seen', descending: true } as const;
  const { rows } = await deps.store.listIssues(project.id, { ...window, terms });
  return { rows, mistakes: mistakes.map(({ message }) => message) };
}
