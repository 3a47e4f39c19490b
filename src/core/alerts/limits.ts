// Rules on how often an issue is seen: looked at beside the events, which write nothing for them. An issue
// is told of when it comes over the limit, and again only after it was under it.
import type { Deps } from '../deps.ts';
import { createPace } from '../reading/pace.ts';
import { lastSlots, slotEventsMax, slotMs } from '../reading/spans.ts';
import type { AskingRule } from '../store/alerting.ts';
import type { RuleFilter, RuleTerms } from '../store/alerts.ts';
import type { ActiveIssue, SeenPart } from '../store/counts/seen.ts';
import type { Store } from '../store/store.ts';
import { tagsOf } from './tags.ts';
import { holdsFor } from './terms.ts';

type Parts = Pick<Deps, 'store' | 'now'>;

const kind = 'issue.seen_more_than';
/** Events that came so long before they could be read are found all the same. */
const overlapMs = 30_000;
/** Issues that are remembered with when it is worth while to count them again. */
const rememberedMax = 50_000;

type Limit = NonNullable<RuleTerms['limit']>;

/** A rule of this kind, with how much it takes. */
interface LimitRule {
  readonly id: number;
  readonly projectId: number | null;
  readonly limit: Limit;
  readonly filters: readonly RuleFilter[];
}

/** Looks at what is new since the last look; answers whether something is to be told. */
export function limitLooks({ store, now }: Parts): () => Promise<boolean> {
  /** At how many events an issue may be over a limit, by rule and issue: fewer need no count. */
  const countAgain = new Map<string, number>();
  let known = '';
  let sinceMs = 0;
  // Thousands of issues are counted where a slot begins, and others are served meanwhile.
  const pace = createPace();

  return async () => {
    const nowMs = now();
    const rules = (await store.listAskingRules(kind)).flatMap(limitRuleOf);
    if (rules.length === 0) return false;
    const state = JSON.stringify([lastSlots(nowMs, 0), rules]);
    if (state !== known || countAgain.size > rememberedMax) {
      // What slid out of the windows may have ended what goes on; figures and rules may be others since.
      countAgain.clear();
      sinceMs = 0;
      await endWhatIsOver(store, rules, nowMs, pace);
    }
    const projects = new Map((await store.listProjects()).map(({ id, name }) => [id, name]));
    const ongoing = new Set(
      (await store.listOngoing(kind)).map(({ ruleId, object }) => `${ruleId} ${object}`),
    );
    const firstMs = Math.min(...rules.map(({ limit }) => countedSlots(nowMs, limit).fromMs));
    const over = Math.min(...rules.map(({ limit }) => limit.count));
    let told = false;
    for (const issue of await store.listActiveIssues({ sinceMs: Math.max(sinceMs, firstMs), over })) {
      await pace();
      for (const rule of rules) {
        const key = `${rule.id} ${issue.issueId}`;
        if (ongoing.has(key) || issue.events < (countAgain.get(key) ?? 0)) continue;
        if (!isOf(rule, issue, projects.get(issue.projectId) ?? '')) continue;
        const missing = await missingOf(store, rule, issue, nowMs);
        if (missing > 0) countAgain.set(key, issue.events + missing);
        else told = (await begin(store, rule, issue, nowMs)) || told;
      }
    }
    // Only now: a look that failed is begun again.
    known = state;
    sinceMs = nowMs - overlapMs;
    return told;
  };
}

function limitRuleOf({ id, projectId, terms: { limit, filters } }: AskingRule): LimitRule[] {
  return limit === null ? [] : [{ id, projectId, limit, filters }];
}

/** The slots that a rule counts now, which the page of an issue shows. */
function countedSlots(nowMs: number, { withinMs }: Limit): ReturnType<typeof lastSlots> {
  return lastSlots(nowMs, withinMs ?? slotMs);
}

async function endWhatIsOver(
  store: Store,
  rules: readonly LimitRule[],
  nowMs: number,
  pace: () => Promise<void>,
): Promise<void> {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const each of await store.listOngoing(kind)) {
    await pace();
    const rule = byId.get(each.ruleId);
    const { projectId } = each;
    const issueId = Number(each.object);
    if (
      rule !== undefined &&
      projectId !== null &&
      (await seenMore(store, rule, { projectId, issueId }, nowMs)) > 0
    ) {
      await store.endOngoing(each, nowMs);
    }
  }
}

/** Whether the rule looks at an issue of this project. */
function isOf({ projectId, filters }: LimitRule, issue: ActiveIssue, project: string): boolean {
  if (projectId !== null && projectId !== issue.projectId) return false;
  const ofProject = filters.filter(({ field }) => field === 'project');
  return holdsFor(ofProject, { environment: null, release: null, level: null }, { project, tags: [] });
}

/** How many events more it takes at least until the rule tells of an issue; 0 when it does now. */
async function missingOf(store: Store, rule: LimitRule, issue: ActiveIssue, nowMs: number): Promise<number> {
  const missing = await seenMore(store, rule, issue, nowMs);
  if (missing > 0) return missing;
  return (await hasTags(store, rule, issue)) ? 0 : 1;
}

/** How many more events or users it takes to be over the limit; 0 when it is. */
async function seenMore(
  store: Store,
  { limit, filters }: LimitRule,
  { projectId, issueId }: Pick<ActiveIssue, 'projectId' | 'issueId'>,
  nowMs: number,
): Promise<number> {
  const { count } = limit;
  const unit = limit.unit === 'users' ? 'users' : 'events';
  const { fromMs, toMs } = countedSlots(nowMs, limit);
  const since = { projectId, issueId, fromMs };
  const asked = filters.filter(({ field }) => field !== 'project' && field !== 'tag');
  if (asked.length === 0) return Math.max(0, count + 1 - (await store.countSeen(since, unit, count)));
  const parts = await store.seenParts(since, unit, toMs, slotEventsMax);
  const seen = sumOf(parts.filter((part) => holdsFor(asked, part, nothingElse)));
  return Math.max(0, count + 1 - seen);
}

const nothingElse = { project: '', tags: [] };

/** Events of parts, or the users that they are of. */
function sumOf(parts: readonly SeenPart[]): number {
  const users = new Set(parts.flatMap(({ user }) => user ?? []));
  return users.size > 0 ? users.size : parts.reduce((sum, { events }) => sum + events, 0);
}

/** Tags are asked of the event that came last. */
async function hasTags(store: Store, { filters }: LimitRule, issue: ActiveIssue): Promise<boolean> {
  const ofTags = filters.filter(({ field }) => field === 'tag');
  if (ofTags.length === 0) return true;
  const tags = await tagsOf(store, issue.projectId, await store.newestEventOf(issue));
  return holdsFor(ofTags, { environment: null, release: null, level: null }, { project: '', tags });
}

async function begin(
  store: Store,
  { id: ruleId }: LimitRule,
  { projectId, issueId: objectId }: ActiveIssue,
  atMs: number,
): Promise<boolean> {
  const object = String(objectId);
  return store.beginOngoing({ ruleId, projectId, object, objectId, kind, atMs, said: null });
}
