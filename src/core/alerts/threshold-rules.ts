// Checked in the background: ingestion writes nothing. They notify again only after being below the limit.
import type { Deps } from '../deps.ts';
import { getLastSlots, slotEventCountMax, slotMs } from '../parsing/durations.ts';
import { createYielder } from '../parsing/yield-to-event-loop.ts';
import type { ScheduledRule } from '../store/alert-records.ts';
import type { RuleConditions, RuleFilter } from '../store/alerts.ts';
import type { ActiveIssue, EventCountGroup } from '../store/issues.ts';
import type { Store } from '../store/store.ts';
import { findEventTags } from './issue-details.ts';
import { filtersMatch } from './rule-definitions.ts';
import { findAssigneeWords } from './signal-people.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

const kind = 'issue.seen_more_than';
/** Events can become readable this long after they were received. */
const visibilityDelayMs = 30_000;
const rememberedMax = 50_000;

type Limit = NonNullable<RuleConditions['limit']>;

interface ThresholdRule {
  readonly id: number;
  readonly projectId: number | null;
  readonly limit: Limit;
  readonly filters: readonly RuleFilter[];
}

export function createThresholdRuleCheck({ store, now }: ServiceDeps): () => Promise<boolean> {
  /** By rule and issue: the number of stored events below which the limit cannot be exceeded. */
  const countAgain = new Map<string, number>();
  let known = '';
  let sinceMs = 0;
  const yieldToEventLoop = createYielder();

  return async () => {
    const nowMs = now();
    const rules = (await store.listScheduledRules(kind)).flatMap(toThresholdRule);
    if (rules.length === 0) return false;
    const state = JSON.stringify([getLastSlots(nowMs, 0), rules]);
    if (state !== known || countAgain.size > rememberedMax) {
      // A new time slot, or changed rules: alerts may be over, and all numbers may differ.
      countAgain.clear();
      sinceMs = 0;
      await endAlertsBelowThreshold(store, rules, nowMs, yieldToEventLoop);
    }
    const projects = new Map((await store.listProjects()).map(({ id, name }) => [id, name]));
    const ongoing = new Set(
      (await store.listActiveAlerts(kind)).map(({ ruleId, object }) => `${ruleId} ${object}`),
    );
    const firstMs = Math.min(...rules.map(({ limit }) => countedSlots(nowMs, limit).fromMs));
    const over = Math.min(...rules.map(({ limit }) => limit.count));
    let hasNotified = false;
    for (const issue of await store.listActiveIssues({ sinceMs: Math.max(sinceMs, firstMs), over })) {
      await yieldToEventLoop();
      for (const rule of rules) {
        const key = `${rule.id} ${issue.issueId}`;
        if (ongoing.has(key) || issue.events < (countAgain.get(key) ?? 0)) continue;
        if (!ruleAppliesTo(rule, issue, projects.get(issue.projectId) ?? '')) continue;
        const missing = await countMissingEvents(store, rule, issue, nowMs);
        if (missing > 0) countAgain.set(key, issue.events + missing);
        else hasNotified = (await beginAlert(store, rule, issue, nowMs)) || hasNotified;
      }
    }
    known = state;
    sinceMs = nowMs - visibilityDelayMs;
    return hasNotified;
  };
}

function toThresholdRule({ id, projectId, conditions: { limit, filters } }: ScheduledRule): ThresholdRule[] {
  return limit === null ? [] : [{ id, projectId, limit, filters }];
}

function countedSlots(nowMs: number, { withinMs }: Limit): ReturnType<typeof getLastSlots> {
  return getLastSlots(nowMs, withinMs ?? slotMs);
}

async function endAlertsBelowThreshold(
  store: Store,
  rules: readonly ThresholdRule[],
  nowMs: number,
  yieldToEventLoop: () => Promise<void>,
): Promise<void> {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const each of await store.listActiveAlerts(kind)) {
    await yieldToEventLoop();
    const rule = byId.get(each.ruleId);
    const { projectId } = each;
    const issueId = Number(each.object);
    if (
      rule !== undefined &&
      projectId !== null &&
      (await countMissingToThreshold(store, rule, { projectId, issueId }, nowMs)) > 0
    ) {
      await store.endActiveAlert(each, nowMs);
    }
  }
}

function ruleAppliesTo({ projectId, filters }: ThresholdRule, issue: ActiveIssue, project: string): boolean {
  if (projectId !== null && projectId !== issue.projectId) return false;
  const ofProject = filters.filter(({ field }) => field === 'project');
  return filtersMatch(ofProject, noFields, { project, tags: [] });
}

async function countMissingEvents(store: Store, rule: ThresholdRule, issue: ActiveIssue, nowMs: number) {
  const missing = await countMissingToThreshold(store, rule, issue, nowMs);
  if (missing > 0) return missing;
  const matches =
    (await assigneeMatches(store, rule, issue)) && (await newestEventMatchesTags(store, rule, issue));
  return matches ? 0 : 1;
}

async function countMissingToThreshold(
  store: Store,
  { limit, filters }: ThresholdRule,
  { projectId, issueId }: Pick<ActiveIssue, 'projectId' | 'issueId'>,
  nowMs: number,
): Promise<number> {
  const { count } = limit;
  const unit = limit.unit === 'users' ? 'users' : 'events';
  const { fromMs, toMs } = countedSlots(nowMs, limit);
  const since = { projectId, issueId, fromMs };
  const eventFilters = filters.filter(({ field }) => !issueFilterFields.includes(field));
  if (eventFilters.length === 0) return Math.max(0, count + 1 - (await store.countSeen(since, unit, count)));
  const groups = await store.seenParts(since, unit, toMs, slotEventCountMax);
  const seen = countEventsOrUsers(groups.filter((part) => filtersMatch(eventFilters, part, noOtherFacts)));
  return Math.max(0, count + 1 - seen);
}

const issueFilterFields: readonly string[] = ['project', 'tag', 'assignee'] satisfies RuleFilter['field'][];
const noFields = { environment: null, release: null, level: null };
const noOtherFacts = { project: '', tags: [] };

function countEventsOrUsers(groups: readonly EventCountGroup[]): number {
  const users = new Set(groups.flatMap(({ user }) => user ?? []));
  return users.size > 0 ? users.size : groups.reduce((sum, { events }) => sum + events, 0);
}

async function assigneeMatches(
  store: Store,
  { filters }: ThresholdRule,
  { projectId, issueId }: ActiveIssue,
): Promise<boolean> {
  const ofAssignee = filters.filter(({ field }) => field === 'assignee');
  if (ofAssignee.length === 0) return true;
  const assignee = await findAssigneeWords(store, projectId, issueId);
  return filtersMatch(ofAssignee, noFields, { ...noOtherFacts, assignee });
}

/** Tags are not part of the counts, so the newest event is asked for them. */
async function newestEventMatchesTags(store: Store, { filters }: ThresholdRule, issue: ActiveIssue) {
  const ofTags = filters.filter(({ field }) => field === 'tag');
  if (ofTags.length === 0) return true;
  const tags = await findEventTags(store, issue.projectId, await store.newestEventOf(issue));
  return filtersMatch(ofTags, noFields, { project: '', tags });
}

async function beginAlert(
  store: Store,
  { id: ruleId }: ThresholdRule,
  { projectId, issueId: objectId }: ActiveIssue,
  atMs: number,
): Promise<boolean> {
  const object = String(objectId);
  return store.beginActiveAlert({ ruleId, projectId, object, objectId, kind, atMs, summary: null });
}
