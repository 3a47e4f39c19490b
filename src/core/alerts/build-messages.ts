import type { Deps } from '../deps.ts';
import { cutText } from '../parsing/cut-text.ts';
import { toOneLine } from '../parsing/display-text.ts';
import { hourMs, minuteMs } from '../parsing/durations.ts';
import type {
  AlertSignal,
  NewPendingNotification,
  NotifiedSubject,
  PendingNotifications,
  RuleDeliveryState,
} from '../store/alert-records.ts';
import type { AlertRule, RuleFilter, RuleSubject } from '../store/alerts.ts';
import type { AutomaticSeverity, CauseKind, LinkKind, RuleMatch } from '../store/incidents.ts';
import type { Store } from '../store/store.ts';
import { type AssigneeAddressReader, createAssigneeAddressReader } from './assignee-addresses.ts';
import { findEventTags, findIssueDetails } from './issue-details.ts';
import { buildDelivery } from './message-bodies.ts';
import { buildMessage, describeEvent, itemsPerMessageMax, type MessageContext } from './messages/message.ts';
import { isIssueRule } from './messages/rule-kinds.ts';
import { addDeliveries } from './push-subscriptions.ts';
import { isInQuietHours, nextQuietCheckMs } from './quiet-hours.ts';
import { filtersMatch, ruleKindMatches, ruleKindOf, type SignalFacts } from './rule-definitions.ts';
import { findSignalPeople, type SignalPeople } from './signal-people.ts';

const titleMax = 200;

const causeKindBySubject: Readonly<Partial<Record<RuleSubject, CauseKind>>> = {
  issue: 'issue',
  deploy: 'deploy',
  test_run: 'test_run',
  release: 'release',
};

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes'>;

const signalsMax = 1_000;
/** Of one minute, by which assignees are found. */
const assignedIssuesMax = 100;
/** What follows the first message within this time is grouped into one message. */
const groupingWindowMs = minuteMs;
/** Longest wait before a growing number is notified again. */
const growthCheckIntervalMsMax = hourMs;

interface BuildContext extends MessageContext {
  readonly store: Store;
  readonly listAssigneeAddresses: AssigneeAddressReader;
}

/** In one transaction, so that no signal is lost before its message exists. `hasMore`: signals are left. */
export async function buildDueMessages(
  deps: ServiceDeps,
  pagesUrl: string | null,
): Promise<{ hasMore: boolean; created: number }> {
  return deps.store.transaction(async (store) => {
    await store.lockAlerts();
    const nowMs = deps.now();
    await store.endPauses(nowMs);
    const signals = await store.takeSignals(signalsMax);
    const deliveryStates = await store.listRuleDeliveryStates();
    const projects = new Map((await store.listProjects()).map(({ id, name }) => [id, name]));
    await queueMatchingSignals(store, signals, deliveryStates, projects);
    const context: BuildContext = {
      store,
      deps: { now: () => nowMs, randomBytes: deps.randomBytes },
      projects,
      pagesUrl,
      listAssigneeAddresses: createAssigneeAddressReader({ store, now: () => nowMs }),
    };
    let created = 0;
    for (const at of await store.listDueNotifications(nowMs)) {
      const deliveryState = deliveryStates.find(
        ({ rule, channel }) => rule.id === at.ruleId && channel.id === at.channelId,
      );
      if (deliveryState !== undefined) created += await sendPending(context, deliveryState);
    }
    return { hasMore: signals.length === signalsMax, created };
  });
}

async function queueMatchingSignals(
  store: Store,
  signals: readonly AlertSignal[],
  deliveryStates: readonly RuleDeliveryState[],
  projects: ReadonlyMap<number, string>,
): Promise<void> {
  const rows: NewPendingNotification[] = [];
  const rules = [...Map.groupBy(deliveryStates, ({ rule }) => rule.id).values()];
  for (const signal of signals) {
    const readFacts = createFactsReader(store, signal, projects);
    for (const ruleChannels of rules) {
      const rule = ruleChannels[0]?.rule;
      if (
        rule === undefined ||
        !ruleKindMatches(ruleKindOf(rule.conditions), signal) ||
        !appliesToProject(rule, signal)
      )
        continue;
      if (signal.ruleId !== null && signal.ruleId !== rule.id) continue;
      // Paused channels are not notified later either.
      const recipients = ruleChannels.filter(
        ({ channel }) => channel.state !== 'paused' && appliesToProject(channel, signal),
      );
      const { filters, opensIncident } = rule.conditions;
      if (recipients.length === 0 && opensIncident === undefined) continue;
      if (signal.ruleId === null && !filtersMatch(filters, signal, await readFacts(filters))) continue;
      const incidentId =
        opensIncident === undefined
          ? await findMonitorIncident(store, rule, signal)
          : await openIncident(store, rule, opensIncident, signal);
      const { projectId, objectId, atMs, summary } = signal;
      for (const { channel } of recipients) {
        rows.push({
          ruleId: rule.id,
          channelId: channel.id,
          projectId,
          objectId,
          atMs,
          summary,
          incidentId,
        });
      }
    }
  }
  await store.addPendingNotifications(rows);
}

function createFactsReader(
  store: Store,
  signal: AlertSignal,
  projects: ReadonlyMap<number, string>,
): (filters: readonly RuleFilter[]) => Promise<SignalFacts> {
  const { projectId, eventId } = signal;
  const project = projectId === null ? '' : (projects.get(projectId) ?? '');
  let tags: SignalFacts['tags'] | null = null;
  let people: SignalPeople | null = null;
  return async (filters) => {
    const compares = (...fields: RuleFilter['field'][]) =>
      filters.some(({ field }) => fields.includes(field));
    if (projectId === null) return { project, tags: [] };
    if (compares('tag')) tags ??= await findEventTags(store, projectId, eventId);
    if (compares('assignee', 'mentioned')) people ??= await findSignalPeople(store, projectId, signal);
    return { project, tags: tags ?? [], ...people };
  };
}

function appliesToProject(
  { projectId: ruleProjectId }: { readonly projectId: number | null },
  { projectId }: AlertSignal,
): boolean {
  return ruleProjectId === null || ruleProjectId === projectId;
}

async function sendPending(context: BuildContext, deliveryState: RuleDeliveryState): Promise<number> {
  const { store } = context;
  const nowMs = context.deps.now();
  const { rule, channel, closesAtMs, sentSeparately } = deliveryState;
  if (channel.state === 'paused') return 0;
  if (isInQuietHours(channel.quietHours, nowMs)) {
    // Close the window until then, so that it is not looked at each second.
    const untilMs = Math.max(closesAtMs, nextQuietCheckMs(channel.quietHours, nowMs));
    if (untilMs !== closesAtMs) await store.openWindow(pendingKeyOf(deliveryState), untilMs, sentSeparately);
    return 0;
  }
  const { groupThreshold } = rule.conditions;
  const isOpen = closesAtMs > nowMs;
  const remaining = isOpen ? Math.max(0, groupThreshold - sentSeparately) : groupThreshold;
  const named = channel.type === 'assignee' ? assignedIssuesMax : itemsPerMessageMax;
  const found = await store.readPendingNotifications(pendingKeyOf(deliveryState), named);
  const isGrown = found.overflow.some(hasGrown);
  if (found.count > 0 && !isGrown && (isOpen || found.count <= remaining)) {
    return sendSeparately(context, deliveryState, isOpen, remaining);
  }
  // More than may be sent separately: send them together at the end of the window.
  return isOpen ? 0 : sendGrouped(context, deliveryState, found);
}

function pendingKeyOf({ rule, channel }: RuleDeliveryState) {
  return { ruleId: rule.id, channelId: channel.id };
}

function hasGrown({ notifiedEvents: notified, events }: NotifiedSubject): boolean {
  return events > notified;
}

async function sendSeparately(
  context: BuildContext,
  deliveryState: RuleDeliveryState,
  isOpen: boolean,
  remaining: number,
): Promise<number> {
  const { store, deps } = context;
  const { closesAtMs, sentSeparately } = deliveryState;
  const at = pendingKeyOf(deliveryState);
  const oldest = remaining === 0 ? [] : await store.oldestPendingNotifications(at, remaining);
  for (const each of oldest) {
    await store.removePendingNotification(each.pendingNotificationId);
    const incidents = incidentsOf([each]);
    const one = { count: 1, projectId: each.projectId, largest: [each], overflow: [], incidents };
    await queueMessage(context, deliveryState, one);
  }
  if (oldest.length === 0) return 0;
  await store.openWindow(
    at,
    isOpen ? closesAtMs : deps.now() + groupingWindowMs,
    (isOpen ? sentSeparately : 0) + oldest.length,
  );
  return oldest.length;
}

async function sendGrouped(
  context: BuildContext,
  deliveryState: RuleDeliveryState,
  found: PendingNotifications,
): Promise<number> {
  const { store } = context;
  const nowMs = context.deps.now();
  const at = pendingKeyOf(deliveryState);
  await store.removePendingNotifications(at, found.lastId);
  await store.addPendingNotifications(
    found.overflow.map((each) => ({ ...at, ...scheduleGrowthCheck(each, nowMs) })),
  );
  const overflow = found.overflow.filter(hasGrown);
  if (found.count + overflow.length === 0) return 0;
  const { count, named } = found.incidents;
  const beyond = incidentsOf(overflow);
  const incidents = {
    count: count + beyond.count,
    named: [...named, ...beyond.named].slice(0, itemsPerMessageMax),
  };
  await queueMessage(context, deliveryState, { ...found, overflow, incidents });
  await store.openWindow(at, nowMs + groupingWindowMs, deliveryState.rule.conditions.groupThreshold);
  return 1;
}

function incidentsOf(subjects: readonly NotifiedSubject[]): PendingNotifications['incidents'] {
  const named = subjects.flatMap(({ incident }) => incident ?? []);
  return { count: named.length, named };
}

/** Events over the limit of new issues can keep coming: checks again at growing intervals, up to an hour. */
function scheduleGrowthCheck(
  subject: NotifiedSubject,
  nowMs: number,
): Pick<NewPendingNotification, 'projectId' | 'objectId' | 'atMs' | 'again' | 'incidentId'> {
  const { projectId, objectId, events, waitMs } = subject;
  const incidentId = subject.incident?.id ?? null;
  const nextMs = waitMs === 0 ? groupingWindowMs : waitMs * 2;
  const isOver = !hasGrown(subject) && (waitMs === 0 || nextMs > growthCheckIntervalMsMax);
  const nextCheck = isOver
    ? { dueAtMs: Number.MAX_SAFE_INTEGER, waitMs: 0, notifiedEvents: events }
    : {
        dueAtMs: nowMs + Math.min(nextMs, growthCheckIntervalMsMax),
        waitMs: Math.min(nextMs, growthCheckIntervalMsMax),
        notifiedEvents: events,
      };
  return { projectId, objectId, atMs: nowMs, again: nextCheck, incidentId };
}

type FoundNotifications = Pick<
  PendingNotifications,
  'count' | 'projectId' | 'largest' | 'overflow' | 'incidents'
>;

async function queueMessage(
  context: BuildContext,
  deliveryState: RuleDeliveryState,
  found: FoundNotifications,
): Promise<void> {
  if (deliveryState.channel.type === 'assignee') return queueForAssignees(context, deliveryState, found);
  return queueFor(context, deliveryState, found, null);
}

/** One message for those who are assigned the same issues. Without any it goes to the address of the channel. */
async function queueForAssignees(
  context: BuildContext,
  deliveryState: RuleDeliveryState,
  { largest, overflow }: FoundNotifications,
): Promise<void> {
  const isIssue = isIssueRule(ruleKindOf(deliveryState.rule.conditions));
  const byRecipients = new Map<string, NotifiedSubject[]>();
  for (const each of largest) {
    const { projectId, objectId } = each;
    const addresses =
      isIssue && projectId !== null ? await context.listAssigneeAddresses(projectId, objectId) : [];
    const recipients = addresses.length === 0 ? deliveryState.channel.address : addresses.join(', ');
    byRecipients.set(recipients, [...(byRecipients.get(recipients) ?? []), each]);
  }
  const { address } = deliveryState.channel;
  if (overflow.length > 0 && !byRecipients.has(address)) byRecipients.set(address, []);
  for (const [recipients, subjects] of byRecipients) {
    if (recipients === '') continue;
    const projectIds = [...new Set(subjects.map(({ projectId }) => projectId))];
    const part = {
      count: subjects.length,
      projectId: projectIds.length === 1 ? (projectIds[0] ?? null) : null,
      largest: subjects.slice(0, itemsPerMessageMax),
      overflow: recipients === address ? overflow : [],
      incidents: incidentsOf(subjects),
    };
    await queueFor(context, deliveryState, part, recipients);
  }
}

async function queueFor(
  context: BuildContext,
  { rule, channel }: RuleDeliveryState,
  found: FoundNotifications,
  recipients: string | null,
): Promise<void> {
  const kind = ruleKindOf(rule.conditions);
  const { projectId, largest, ...counts } = found;
  const [first] = largest;
  const details =
    isIssueRule(kind) && counts.count === 1 && first !== undefined && first.projectId !== null
      ? await findIssueDetails(context, { projectId: first.projectId, issueId: first.objectId })
      : null;
  const message = buildMessage(context, {
    kind,
    rule,
    channel,
    named: largest,
    projectId,
    details,
    ...counts,
  });
  const delivery = buildDelivery(channel, message, projectId ?? channel.projectId);
  await addDeliveries({ ...context.deps, store: context.store }, channel, { ...delivery, recipients });
}

/** Opens an incident, or updates the open one. Null if the issue was deleted. */
async function openIncident(
  store: Store,
  { id, name, sentence, conditions }: AlertRule,
  severity: AutomaticSeverity,
  signal: AlertSignal,
): Promise<number | null> {
  const { projectId, object, objectId, atMs, summary } = signal;
  const found = summary?.title ?? signal.issueTitle;
  if (found === null) return null;
  const detail = summary === null || summary.detail === '' ? '' : ` (${summary.detail})`;
  return store.applyRuleMatch({
    rule: { id, name, severity },
    projectId,
    object,
    title: cutText(
      toOneLine(describeEvent(ruleKindOf(conditions), conditions.limit, { objectId, title: found })),
      titleMax,
    ),
    description: `${sentence}${detail}`,
    atMs,
    linkedObject: await findLinkedObject(store, conditions.subject, signal, found),
  });
}

async function findMonitorIncident(
  store: Store,
  { conditions: { subject } }: AlertRule,
  { objectId }: AlertSignal,
): Promise<number | null> {
  return subject === 'monitor' ? store.openOfMonitor(objectId) : null;
}

async function findLinkedObject(
  store: Store,
  subject: RuleSubject,
  { projectId, objectId }: AlertSignal,
  title: string,
): Promise<RuleMatch['linkedObject']> {
  const toLink = (kind: LinkKind, name: string) => ({ kind, id: objectId, name });
  if (subject === 'monitor') return toLink('monitor', title);
  const kind = causeKindBySubject[subject];
  if (kind === undefined) return null;
  const cause = await store.findCause(projectId, kind, objectId);
  return cause === null ? null : toLink(kind, cause.name);
}
