// Conditions checked once a minute. They notify when a condition begins, and again only after it was over.
import type { Deps } from '../deps.ts';
import { lapsesAtMs } from '../domains/verification-states.ts';
import { dayMs, hourMs, minuteMs, startOfHour } from '../parsing/durations.ts';
import { formatCountWithNoun } from '../parsing/format/numbers.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { ObjectSummary, ScheduledRule, SignalKind } from '../store/alert-records.ts';
import type { RuleConditions } from '../store/alerts.ts';
import type { MonitorRecord } from '../store/monitors.ts';
import type { Store } from '../store/store.ts';
import { filtersMatch } from './rule-definitions.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;
type Limit = NonNullable<RuleConditions['limit']>;

const everyMs = minuteMs;
const workspaceScope = { id: null, name: '' } as const;
/** The most project ids that one SQL statement takes. */
const projectsPerQuery = 1_000;
const all = Number.MAX_SAFE_INTEGER;
const noConditions: ConditionsFound = { conditions: [], isOver: () => false };
/** With fewer, a percentage says nothing. */
const sentEventsMin = 100;
const sessionsMin = 100;
/** Releases without sessions for this long are skipped; their active alerts stay. */
const sessionsSinceMs = 2 * hourMs;
/** Discarded by the SDK because of its settings, so not counted as lost. */
const intendedDiscardReasons: ReadonlySet<string> = new Set([
  'sample_rate',
  'before_send',
  'event_processor',
  'ignored',
]);

interface ConditionsFound {
  readonly conditions: ReadonlyArray<{
    readonly object: string;
    readonly objectId: number;
    readonly release: string | null;
    readonly summary: ObjectSummary;
  }>;
  isOver(object: string): boolean;
  /** Whether an alert that is over was resolved. False: the event it warned of happened. */
  isMitigated?(object: string): boolean;
}

interface AlertScope {
  readonly id: number | null;
  readonly name: string;
}

/** Reads the data of all scopes once, and returns a function that checks one of them. */
type ScheduledCheck = (
  store: Store,
  scopes: readonly AlertScope[],
  limit: Limit,
  nowMs: number,
) => Promise<(scope: AlertScope) => ConditionsFound | Promise<ConditionsFound>>;

const scheduledChecks: Partial<Record<SignalKind, ScheduledCheck>> = {
  'expiry.ends_within': findExpiring,
  'losses.more_than': async (store, _scopes, limit, nowMs) => (scope) =>
    findHighDiscardRate(store, scope, limit, nowMs),
  'release.crash_free_under': async (store, _scopes, limit, nowMs) => (scope) =>
    findLowCrashFreeRate(store, scope.id, limit, nowMs),
};

/** Runs the checks at most once a minute; resolves to true if there is something to send. */
export function createScheduledRuleCheck({ store, now }: ServiceDeps): () => Promise<boolean> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    if (nowMs < nextMs) return false;
    let hasNotified = false;
    for (const [kind, check] of Object.entries(scheduledChecks) as Array<[SignalKind, ScheduledCheck]>) {
      const rules = await store.listScheduledRules(kind);
      if (rules.length === 0) continue;
      const scopes = [...(await store.listProjects()), workspaceScope];
      const ongoing = await store.listActiveAlerts(kind);
      for (const rule of rules) {
        hasNotified =
          (await checkScheduledRule(store, kind, rule, { check, scopes, ongoing, nowMs })) || hasNotified;
      }
    }
    nextMs = nowMs + everyMs;
    return hasNotified;
  };
}

interface ScheduledCheckContext {
  readonly check: ScheduledCheck;
  readonly scopes: readonly AlertScope[];
  readonly ongoing: Awaited<ReturnType<Store['listActiveAlerts']>>;
  readonly nowMs: number;
}

async function checkScheduledRule(
  store: Store,
  kind: SignalKind,
  { id: ruleId, projectId: ruleProjectId, conditions: { limit, filters } }: ScheduledRule,
  { check, scopes, ongoing, nowMs }: ScheduledCheckContext,
): Promise<boolean> {
  if (limit === null) return false;
  const ruleScopes = scopes.filter(({ id }) => ruleProjectId === null || ruleProjectId === id);
  const find = await check(store, ruleScopes, limit, nowMs);
  let hasNotified = false;
  for (const scope of ruleScopes) {
    const { id: projectId, name } = scope;
    const { conditions, isOver, isMitigated } = await find(scope);
    const known = ongoing.filter((each) => each.ruleId === ruleId && each.projectId === projectId);
    for (const each of known.filter(({ object }) => isOver(object))) {
      await store.endActiveAlert(each, isMitigated?.(each.object) === false ? null : nowMs);
    }
    for (const { object, objectId, release, summary } of conditions) {
      const facts = { environment: null, release, level: null };
      if (known.some((each) => each.object === object)) continue;
      if (!filtersMatch(filters, facts, { project: name, tags: [] })) continue;
      const alert = { ruleId, projectId, object, objectId, kind, atMs: nowMs, summary };
      hasNotified = (await store.beginActiveAlert(alert)) || hasNotified;
    }
  }
  return hasNotified;
}

/** For all projects at once, because there may be many. */
async function findExpiring(
  store: Store,
  scopes: readonly AlertScope[],
  limit: Limit,
  nowMs: number,
): Promise<(scope: AlertScope) => ConditionsFound> {
  const untilMs = nowMs + limit.count * dayMs;
  const ids = scopes.flatMap(({ id }) => id ?? []);
  const of = scopes.length === 1 ? (scopes[0]?.id ?? null) : null;
  const ends = [
    ...(await findExpiringKeysAndVerifications(store, ids, { fromMs: nowMs, toMs: untilMs + 1 })),
    ...findExpiringCertificates(await store.listMonitors(of)),
  ];
  const endsByProject = Map.groupBy(
    ends.filter(({ endsAtMs }) => endsAtMs > nowMs && endsAtMs <= untilMs),
    ({ projectId }) => projectId,
  );
  return ({ id }) => toExpiryConditions(endsByProject.get(id) ?? [], nowMs);
}

function toExpiryConditions(ends: readonly Expiry[], nowMs: number): ConditionsFound {
  // The end time is part of the object: if the end is postponed, a later warning is sent.
  const conditions = ends.map(({ word, id, endsAtMs, title, path }) => ({
    object: `${word} ${endsAtMs}`,
    objectId: id,
    release: null,
    summary: { title, detail: formatTime(endsAtMs), path },
  }));
  return {
    conditions,
    isOver: (object) => !conditions.some((each) => each.object === object),
    // It was resolved unless the end time has passed.
    isMitigated: (object) => Number(object.split(' ').at(-1)) > nowMs,
  };
}

interface Expiry {
  readonly projectId: number | null;
  readonly word: string;
  readonly id: number;
  readonly endsAtMs: number;
  readonly title: string;
  readonly path: string;
}

async function findExpiringKeysAndVerifications(
  store: Store,
  ids: readonly number[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<Expiry[]> {
  const ends: Expiry[] = [];
  for (let at = 0; at < ids.length; at += projectsPerQuery) {
    const some = ids.slice(at, at + projectsPerQuery);
    for (const key of await store.listEndingKeys(some, fromMs, toMs, all)) {
      const { id, projectId, endsAtMs } = key;
      const title = `The key ${key.prefix}…${key.lastFour}`;
      ends.push({ projectId, word: `key ${id}`, id, endsAtMs, title, path: `/projects/${projectId}` });
    }
    for (const proof of await store.listUnsettledVerifications(some, all)) {
      const { id, projectId, domain } = proof;
      const endsAtMs = proof.status === 'pending' ? proof.expiresAtMs : lapsesAtMs(proof);
      if (endsAtMs === null) continue;
      const title = `The verification of ${domain}`;
      ends.push({ projectId, word: `verification ${id}`, id: 0, endsAtMs, title, path: `/domains/${id}` });
    }
  }
  return ends;
}

function findExpiringCertificates(monitors: readonly MonitorRecord[]): Expiry[] {
  return monitors.flatMap(({ id, projectId, name, slug, certificateEndsAtMs: endsAtMs }) => {
    const title = `The certificate of ${name}`;
    const path = `/monitors/${slug}`;
    return endsAtMs === null ? [] : [{ projectId, word: `certificate ${id}`, id: 0, endsAtMs, title, path }];
  });
}

async function findHighDiscardRate(
  store: Store,
  { id: projectId, name }: AlertScope,
  limit: Limit,
  nowMs: number,
): Promise<ConditionsFound> {
  if (projectId === null) return noConditions;
  const toMs = startOfHour(nowMs) + hourMs;
  const rows = await store.listOutcomes(projectId, toMs - (limit.withinMs ?? hourMs), toMs);
  let [sent, lost] = [0, 0];
  for (const { outcome, reason, category, quantity } of rows) {
    const isChosen =
      outcome === 'filtered' || (outcome === 'client_discard' && intendedDiscardReasons.has(reason));
    if (category !== 'error' || isChosen) continue;
    sent += quantity;
    if (outcome !== 'accepted' && outcome !== 'duplicate') lost += quantity;
  }
  const isThere = sent >= sentEventsMin && (lost / sent) * 100 > limit.count;
  const detail = `${formatCountWithNoun(lost, 'event')} of ${sent.toLocaleString('en-US')}`;
  const summary = { title: name, detail, path: `/projects/${projectId}` };
  return {
    conditions: isThere ? [{ object: String(projectId), objectId: projectId, release: null, summary }] : [],
    isOver: () => !isThere,
  };
}

async function findLowCrashFreeRate(
  store: Store,
  projectId: number | null,
  limit: Limit,
  nowMs: number,
): Promise<ConditionsFound> {
  if (projectId === null) return noConditions;
  const releases = await store.listSessionsOfReleases(projectId, nowMs - sessionsSinceMs, sessionsMin);
  const shareOf = ({ sessions, crashed }: (typeof releases)[number]): number =>
    ((sessions - crashed) / sessions) * 100;
  const well = new Set(
    releases.filter((each) => shareOf(each) >= limit.count).map(({ releaseId }) => String(releaseId)),
  );
  const conditions = releases
    .filter((each) => shareOf(each) < limit.count)
    .map((each) => ({
      object: String(each.releaseId),
      objectId: each.releaseId,
      release: each.version,
      summary: {
        title: each.version,
        detail: `${(Math.floor(shareOf(each) * 100) / 100).toFixed(2)}% of ${formatCountWithNoun(each.sessions, 'session')}`,
        path: `/releases/${each.releaseId}`,
      },
    }));
  return { conditions, isOver: (object) => well.has(object) };
}
