import { foldCase } from '../../parsing/fold-text.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { Issue } from '../../store/issues.ts';
import type { RequestContext } from '../request-context.ts';

/** Only the most recently seen issues of the project are compared. */
export const comparedIssuesMax = 300;
const shownMax = 20;
const similarityMin = 0.25;

export type SimilarView = ReturnType<typeof viewSimilar>;

export type SharedTrait = 'words' | 'place' | 'file' | 'frames';

type Traits = ReturnType<typeof traitsOf>;

/** Weights; they add up to 1. */
const weights: Readonly<Record<SharedTrait, number>> = { words: 0.45, place: 0.2, file: 0.1, frames: 0.25 };

export async function findSimilarIssues(context: RequestContext, issue: Issue) {
  const window = { limit: comparedIssuesMax, offset: 0, orderBy: 'last_seen', descending: true } as const;
  const { rows } = await context.deps.store.listIssues(issue.projectId, window);
  const issueTraits = traitsOf(issue);
  return rows
    .filter(({ id, isOverflow }) => id !== issue.id && !isOverflow)
    .map((other) => ({ other, ...computeSimilarity(issueTraits, traitsOf(other)) }))
    .filter(({ similarity }) => similarity >= similarityMin)
    .sort((one, other) => other.similarity - one.similarity || other.other.id - one.other.id)
    .slice(0, shownMax)
    .map(({ other, similarity, shared }) => viewSimilar(other, similarity, shared));
}

export function viewCandidate({ id, title, culprit, state, eventsCount, lastSeenMs }: Issue) {
  return {
    issue_id: id,
    title,
    culprit,
    status: state.status,
    substatus: state.substatus,
    events: eventsCount,
    last_seen: formatTime(lastSeenMs),
  };
}

function viewSimilar(issue: Issue, similarity: number, shared: readonly SharedTrait[]) {
  return {
    ...viewCandidate(issue),
    alike: Math.round(similarity * 100) / 100,
    shared,
  };
}

function computeSimilarity(one: Traits, other: Traits): { similarity: number; shared: SharedTrait[] } {
  const scores: Record<SharedTrait, number> = {
    words: jaccardIndex(one.words, other.words),
    place: one.place !== '' && one.place === other.place ? 1 : 0,
    file: one.file !== '' && one.file === other.file ? 1 : 0,
    frames: jaccardIndex(one.frames, other.frames),
  };
  // Traits that both issues lack are not counted.
  const counts = (trait: SharedTrait): boolean =>
    trait === 'words' ||
    (trait === 'frames' ? one.frames.size + other.frames.size > 0 : one[trait] !== '' || other[trait] !== '');
  const traits = (Object.keys(weights) as SharedTrait[]).filter(counts);
  const totalWeight = sum(traits.map((trait) => weights[trait]));
  const similarity = sum(traits.map((trait) => weights[trait] * scores[trait])) / totalWeight;
  return { similarity, shared: traits.filter((trait) => scores[trait] >= (trait === 'words' ? 0.3 : 0.2)) };
}

function jaccardIndex(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const sharedCount = [...one].filter((each) => other.has(each)).length;
  return sharedCount === 0 ? 0 : sharedCount / (one.size + other.size - sharedCount);
}

function traitsOf({ title, culprit, grouping }: Pick<Issue, 'title' | 'culprit' | 'grouping'>) {
  const words = foldCase(title).match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  const frames = grouping.frames ?? [];
  return {
    // Numbers vary between events of one error.
    words: new Set(words.filter((word) => !/^\d+$/.test(word)).slice(0, 64)),
    place: foldCase(culprit),
    file: frames.find(({ file }) => file !== '')?.file ?? '',
    frames: new Set(frames.map((frame) => `${frame.file}\0${frame.function}`)),
  };
}
