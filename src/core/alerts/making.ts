// Matches signals with rules and queues messages, in one transaction: no signal is lost before its message
// exists.
import type { Deps } from '../deps.ts';
import { cutText } from '../reading/cut-text.ts';
import { oneLine } from '../reading/one-line.ts';
import { hourMs, minuteMs } from '../reading/spans.ts';
import type { AlertSignal, Gathered, NewGathered, RuleStanding, ToldObject } from '../store/alerting.ts';
import type { AlertRule, RuleSubject } from '../store/alerts.ts';
import type { LinkKind, OpenedSeverity } from '../store/incidents/incidents.ts';
import type { CauseKind, RuleFinding } from '../store/incidents/keeping.ts';
import type { Store } from '../store/store.ts';
import { deliveryOf } from './bodies.ts';
import { lineOf, type MessageParts, messageOf, namedMax } from './messages/message.ts';
import { isQuiet, quietUntil } from './quiet-hours.ts';
import { tagsOf } from './tags.ts';
import { asksFor, holdsFor, kindOf } from './terms.ts';

const titleMax = 200;

const linked: Readonly<Partial<Record<RuleSubject, CauseKind>>> = {
  issue: 'issue',
  deploy: 'deploy',
  test_run: 'test_run',
  release: 'release',
};

type Parts = Pick<Deps, 'store' | 'now' | 'randomBytes'>;

const signalsMax = 1_000;
/** What follows the first message within this time is grouped into one message. */
const windowMs = minuteMs;
/** Longest wait before a growing number is notified again. */
const againMsMax = hourMs;

/** `more`: signals are left. */
export async function makeMessages(
  deps: Parts,
  pagesUrl: string | null,
): Promise<{ more: boolean; made: number }> {
  return deps.store.together(async (store) => {
    await store.lockAlerts();
    const nowMs = deps.now();
    await store.endPauses(nowMs);
    const signals = await store.takeSignals(signalsMax);
    const standings = await store.listStandings();
    const projects = new Map((await store.listProjects()).map(({ id, name }) => [id, name]));
    await gatherSignals(store, signals, standings, projects);
    const parts: MessageParts = {
      deps: { now: () => nowMs, randomBytes: deps.randomBytes },
      projects,
      pagesUrl,
    };
    let made = 0;
    for (const at of await store.gatheredAt(nowMs)) {
      const standing = standings.find(
        ({ rule, channel }) => rule.id === at.ruleId && channel.id === at.channelId,
      );
      if (standing !== undefined) made += await tell(store, parts, standing, nowMs);
    }
    return { more: signals.length === signalsMax, made };
  });
}

async function gatherSignals(
  store: Store,
  signals: readonly AlertSignal[],
  standings: readonly RuleStanding[],
  projects: ReadonlyMap<number, string>,
): Promise<void> {
  const rows: NewGathered[] = [];
  const rules = [...Map.groupBy(standings, ({ rule }) => rule.id).values()];
  for (const signal of signals) {
    let tags: ReadonlyArray<readonly [string, string]> | null = null;
    for (const told of rules) {
      const rule = told[0]?.rule;
      if (rule === undefined || !asksFor(kindOf(rule.terms), signal) || !isOf(rule, signal)) continue;
      if (signal.ruleId !== null && signal.ruleId !== rule.id) continue;
      // Paused channels are not notified later either.
      const hearing = told.filter(({ channel }) => channel.state !== 'paused' && isOf(channel, signal));
      const { filters, opensIncident } = rule.terms;
      if (hearing.length === 0 && opensIncident === undefined) continue;
      if (tags === null && signal.projectId !== null && filters.some(({ field }) => field === 'tag')) {
        tags = await tagsOf(store, signal.projectId, signal.eventId);
      }
      const project = signal.projectId === null ? '' : (projects.get(signal.projectId) ?? '');
      const facts = { project, tags: tags ?? [] };
      if (signal.ruleId === null && !holdsFor(filters, signal, facts)) continue;
      const incidentId =
        opensIncident === undefined
          ? await incidentOfMonitor(store, rule, signal)
          : await openIncident(store, rule, opensIncident, signal);
      const { projectId, objectId, atMs, said } = signal;
      for (const { channel } of hearing) {
        rows.push({ ruleId: rule.id, channelId: channel.id, projectId, objectId, atMs, said, incidentId });
      }
    }
  }
  await store.gather(rows);
}

function isOf(
  { projectId: only }: { readonly projectId: number | null },
  { projectId }: AlertSignal,
): boolean {
  return only === null || only === projectId;
}

async function tell(
  store: Store,
  parts: MessageParts,
  standing: RuleStanding,
  nowMs: number,
): Promise<number> {
  const { rule, channel, closesAtMs, alone } = standing;
  if (channel.state === 'paused') return 0;
  if (isQuiet(channel.quietHours, nowMs)) {
    // Close the window until then, so that it is not looked at each second.
    const untilMs = Math.max(closesAtMs, quietUntil(channel.quietHours, nowMs));
    if (untilMs !== closesAtMs) await store.openWindow(placeOf(standing), untilMs, alone);
    return 0;
  }
  const { foldOver } = rule.terms;
  const isOpen = closesAtMs > nowMs;
  const room = isOpen ? Math.max(0, foldOver - alone) : foldOver;
  const found = await store.readGathered(placeOf(standing), namedMax);
  const isGrown = found.overflow.some(hasGrown);
  if (found.count > 0 && !isGrown && (isOpen || found.count <= room)) {
    return tellSingly(store, parts, standing, { isOpen, room, nowMs });
  }
  // More than may be sent separately: send them together at the end of the window.
  return isOpen ? 0 : tellTogether(store, parts, standing, found, nowMs);
}

function placeOf({ rule, channel }: RuleStanding): { readonly ruleId: number; readonly channelId: number } {
  return { ruleId: rule.id, channelId: channel.id };
}

function hasGrown({ told, events }: ToldObject): boolean {
  return events > told;
}

interface Window {
  readonly isOpen: boolean;
  readonly room: number;
  readonly nowMs: number;
}

async function tellSingly(
  store: Store,
  parts: MessageParts,
  standing: RuleStanding,
  { isOpen, room, nowMs }: Window,
): Promise<number> {
  const { closesAtMs, alone } = standing;
  const at = placeOf(standing);
  const oldest = room === 0 ? [] : await store.oldestGathered(at, room);
  for (const each of oldest) {
    await store.removeOneGathered(each.gatheredId);
    const incidents = namedOnce([each]);
    const one = { count: 1, projectId: each.projectId, largest: [each], overflow: [], incidents };
    await write(store, parts, standing, one);
  }
  if (oldest.length === 0) return 0;
  await store.openWindow(at, isOpen ? closesAtMs : nowMs + windowMs, (isOpen ? alone : 0) + oldest.length);
  return oldest.length;
}

async function tellTogether(
  store: Store,
  parts: MessageParts,
  standing: RuleStanding,
  found: Gathered,
  nowMs: number,
): Promise<number> {
  const at = placeOf(standing);
  await store.removeGathered(at, found.lastId);
  await store.gather(found.overflow.map((each) => ({ ...at, ...lookedAtAgain(each, nowMs) })));
  const overflow = found.overflow.filter(hasGrown);
  if (found.count + overflow.length === 0) return 0;
  const { count, named } = found.incidents;
  const beyond = namedOnce(overflow);
  const incidents = { count: count + beyond.count, named: [...named, ...beyond.named].slice(0, namedMax) };
  await write(store, parts, standing, { ...found, overflow, incidents });
  await store.openWindow(at, nowMs + windowMs, standing.rule.terms.foldOver);
  return 1;
}

function namedOnce(told: readonly ToldObject[]): Gathered['incidents'] {
  const named = told.flatMap(({ incident }) => incident ?? []);
  return { count: named.length, named };
}

/** Events over the limit of new issues can keep coming: looks again at growing intervals, up to an hour. */
function lookedAtAgain(
  told: ToldObject,
  nowMs: number,
): Pick<NewGathered, 'projectId' | 'objectId' | 'atMs' | 'again' | 'incidentId'> {
  const { projectId, objectId, events, waitMs } = told;
  const incidentId = told.incident?.id ?? null;
  const nextMs = waitMs === 0 ? windowMs : waitMs * 2;
  const isOver = !hasGrown(told) && (waitMs === 0 || nextMs > againMsMax);
  const again = isOver
    ? { dueAtMs: Number.MAX_SAFE_INTEGER, waitMs: 0, told: events }
    : { dueAtMs: nowMs + Math.min(nextMs, againMsMax), waitMs: Math.min(nextMs, againMsMax), told: events };
  return { projectId, objectId, atMs: nowMs, again, incidentId };
}

async function write(
  store: Store,
  parts: MessageParts,
  { rule, channel }: RuleStanding,
  found: Pick<Gathered, 'count' | 'projectId' | 'largest' | 'overflow' | 'incidents'>,
): Promise<void> {
  const kind = kindOf(rule.terms);
  const { projectId, largest, ...told } = found;
  const message = messageOf(parts, { kind, rule, channel, named: largest, projectId, ...told });
  await store.addDelivery(deliveryOf(channel, message, projectId ?? channel.projectId));
}

/** Opens an incident, or updates the open one. Null if the issue was deleted. */
async function openIncident(
  store: Store,
  { id, name, sentence, terms }: AlertRule,
  severity: OpenedSeverity,
  signal: AlertSignal,
): Promise<number | null> {
  const { projectId, object, objectId, atMs, said } = signal;
  const found = said?.title ?? signal.issueTitle;
  if (found === null) return null;
  const detail = said === null || said.detail === '' ? '' : ` (${said.detail})`;
  return store.followRule({
    rule: { id, name, severity },
    projectId,
    object,
    title: cutText(oneLine(lineOf(kindOf(terms), terms.limit, { objectId, title: found })), titleMax),
    said: `${sentence}${detail}`,
    atMs,
    thing: await thingOf(store, terms.subject, signal, found),
  });
}

async function incidentOfMonitor(
  store: Store,
  { terms: { subject } }: AlertRule,
  { objectId }: AlertSignal,
): Promise<number | null> {
  return subject === 'monitor' ? store.openOfMonitor(objectId) : null;
}

async function thingOf(
  store: Store,
  subject: RuleSubject,
  { projectId, objectId }: AlertSignal,
  title: string,
): Promise<RuleFinding['thing']> {
  const thing = (kind: LinkKind, name: string) => ({ kind, id: objectId, name });
  if (subject === 'monitor') return thing('monitor', title);
  const kind = linked[subject];
  if (kind === undefined) return null;
  const cause = await store.findCause(projectId, kind, objectId);
  return cause === null ? null : thing(kind, cause.name);
}
