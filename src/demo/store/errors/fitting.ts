// Which issues of the demo a filter means, by the rules of the lists: for each filter some event in the range
// has to fit.
import { foldText } from '../../../core/reading/fold-text.ts';
import type { IssueListFilter, IssueTab } from '../../../core/store/issue-pages.ts';
import type { Issue } from '../../../core/store/issues.ts';
import type { LoneIssue, WorldIssue } from '../../world/errors/issues.ts';
import { groupedOf } from '../../world/errors/told/prepared.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';
import { preparedOf } from './events.ts';

const wordsMax = 20;

/** Issues that fit, by their numbers; merged ones are found by what stands for them. */
export function fitting(world: ErrorsWorld, filter: IssueListFilter): WorldIssue[] {
  const heads = world.issues.filter(({ issue }) => issue.mergedInto === null);
  if (filter.among !== undefined) {
    const among = new Set(filter.among);
    return heads.filter(({ issue }) => among.has(issue.id));
  }
  const fits = testOf(world, filter);
  return heads.filter((each) => filter.projectIds.includes(each.projectId) && fits(each));
}

function testOf(world: ErrorsWorld, filter: IssueListFilter): (issue: WorldIssue) => boolean {
  const { fromMs, level, environment, release, tags = [], userHashes, assignedTo } = filter;
  const toMs = filter.toMs ?? Number.POSITIVE_INFINITY;
  const hasTag = (name: string, value: string) => (own: LoneIssue) =>
    world
      .tagsOf(own)
      .some(
        (each) =>
          each.tag === name && each.value === value && each.lastSeenMs >= fromMs && each.firstSeenMs < toMs,
      );
  const ofGroup: Array<(own: LoneIssue) => boolean> = [
    ({ series }) => series.before(toMs) > series.before(fromMs),
  ];
  if (level !== undefined) {
    ofGroup.push(({ bare, series }) => bare.level === level && series.before(toMs) > series.before(fromMs));
  }
  for (const [name, value] of tags) ofGroup.push(hasTag(name, value));
  if (environment !== undefined) ofGroup.push(hasTag('environment', environment));
  if (release !== undefined) ofGroup.push(hasTag('release', release));
  if (userHashes !== undefined) ofGroup.push(hasUser(world, new Set(userHashes), fromMs, toMs));
  const words = wordsOf(filter.search ?? '');
  if (words.length > 0) ofGroup.push((own) => words.every((word) => textOf(world, own).includes(word)));
  return ({ group, issue }) => ofGroup.every((fits) => group.some(fits)) && isGivenTo(issue, assignedTo);
}

function isGivenTo({ assignedTo }: Issue, asked: IssueListFilter['assignedTo']): boolean {
  if (asked === undefined) return true;
  return asked === 'nobody' ? assignedTo === null : assignedTo === asked;
}

/** Users are known of the events that are kept. */
function hasUser(world: ErrorsWorld, hashes: ReadonlySet<string>, fromMs: number, toMs: number) {
  return (own: LoneIssue): boolean =>
    world.storedOf(own.bare.mergedInto ?? own.plan.id).some((place) => {
      if (place.own.plan.id !== own.plan.id || place.atMs < fromMs || place.atMs >= toMs) return false;
      const { userHash, userKeys = [] } = preparedOf(place);
      return [userHash, ...userKeys].some((hash) => hash !== null && hashes.has(hash));
    });
}

/** Words as they are compared, each once. */
function wordsOf(search: string): string[] {
  const words = foldText(search)
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, wordsMax);
}

const texts = new WeakMap<LoneIssue, string>();

/** What a search looks at: title, place, what its events say, and their tags. */
function textOf(world: ErrorsWorld, own: LoneIssue): string {
  const known = texts.get(own);
  if (known !== undefined) return known;
  const tags = world.tagsOf(own).filter(({ tag }) => !placeTags.has(tag));
  const pairs = tags.map(({ tag, value }) => `${tag}:${value}`);
  const { title, culprit } = own.bare;
  const text = foldText([title, culprit, groupedOf(own.template).text, ...pairs].join('\n'));
  texts.set(own, text);
  return text;
}

const placeTags: ReadonlySet<string> = new Set(['level', 'environment', 'release']);

/** Whether an issue stands under a tab. */
export function isUnder(tab: IssueTab, { state }: Issue): boolean {
  switch (tab) {
    case 'open':
      return state.status === 'unresolved';
    case 'new':
    case 'regressed':
      return state.substatus === tab;
    case 'ignored':
    case 'resolved':
      return state.status === tab;
    default:
      return true;
  }
}
