// From what happened to messages: each signal meets the rules, what fits waits at its channels, and leaves as
// a message. All of it in one transaction: a signal is there until the message is.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { Deps } from '../deps.ts';
import { hourMs, minuteMs } from '../reading/spans.ts';
import type { AlertSignal, Gathered, NewGathered, RuleStanding, ToldObject } from '../store/alerting.ts';
import type { Store } from '../store/store.ts';
import { bodyOf } from './bodies.ts';
import { type MessageParts, messageOf, namedMax } from './message.ts';
import { isQuiet } from './quiet-hours.ts';
import { holdsFor, kindOf } from './terms.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'randomBytes'>;

/** Signals that one transaction takes; a storm takes several. */
const signalsMax = 1_000;
/** What follows the first message within so long is told together. */
const windowMs = minuteMs;
/** A figure that goes on growing is told again ever later, at most so late. */
const againMsMax = hourMs;

/**
 * Makes the messages that are due. Answers whether signals are left. `pagesUrl` is where links lead, without
 * a slash at its end; null for none.
 */
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
  // A paused channel is told nothing, later neither.
  const hearing = standings.filter(({ channel }) => channel.state !== 'paused');
  for (const signal of signals) {
    let tags: ReadonlyArray<readonly [string, string]> | null = null;
    for (const { rule, channel } of hearing) {
      if (kindOf(rule.terms) !== signal.kind || !isOf(rule.projectId, channel.projectId, signal)) continue;
      const { filters } = rule.terms;
      if (tags === null && filters.some(({ field }) => field === 'tag')) tags = await tagsOf(store, signal);
      const facts = { project: projects.get(signal.projectId) ?? '', tags: tags ?? [] };
      if (!holdsFor(filters, signal, facts)) continue;
      const { projectId, objectId, atMs } = signal;
      rows.push({ ruleId: rule.id, channelId: channel.id, projectId, objectId, atMs });
    }
  }
  await store.gather(rows);
}

/** What a project's key made hears of that project alone. */
function isOf(
  ruleProject: number | null,
  channelProject: number | null,
  { projectId }: AlertSignal,
): boolean {
  return [ruleProject, channelProject].every((each) => each === null || each === projectId);
}

async function tagsOf(
  store: Store,
  { projectId, eventId }: AlertSignal,
): Promise<ReadonlyArray<readonly [string, string]>> {
  const event = eventId === null ? null : await store.findEvent(projectId, eventId);
  return event === null ? [] : ((JSON.parse(event.payload) as NormalizedEvent).tags ?? []);
}

/** Tells a channel what waits for it, unless it is to wait longer. Answers how many messages were made. */
async function tell(
  store: Store,
  parts: MessageParts,
  standing: RuleStanding,
  nowMs: number,
): Promise<number> {
  const { rule, channel, closesAtMs, alone } = standing;
  if (channel.state === 'paused' || isQuiet(channel.quietHours, nowMs)) return 0;
  const { foldOver } = rule.terms;
  const isOpen = closesAtMs > nowMs;
  const room = isOpen ? Math.max(0, foldOver - alone) : foldOver;
  const found = await store.readGathered(placeOf(standing), namedMax);
  const isGrown = found.overflow.some(hasGrown);
  if (found.count > 0 && !isGrown && (isOpen || found.count <= room)) {
    return tellSingly(store, parts, standing, { isOpen, room, nowMs });
  }
  // What is more than may leave one by one waits for the end of the minute, and is told together at it.
  return isOpen ? 0 : tellTogether(store, parts, standing, found, nowMs);
}

function placeOf({ rule, channel }: RuleStanding): { readonly ruleId: number; readonly channelId: number } {
  return { ruleId: rule.id, channelId: channel.id };
}

/** Whether more came over the limit of new issues than was told. */
function hasGrown({ told, events }: ToldObject): boolean {
  return events > told;
}

interface Window {
  readonly isOpen: boolean;
  readonly room: number;
  readonly nowMs: number;
}

/** One message each, the oldest first. */
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
    const one = { count: 1, projectId: each.projectId, largest: [each], overflow: [] };
    await write(store, parts, standing, one);
  }
  if (oldest.length === 0) return 0;
  await store.openWindow(at, isOpen ? closesAtMs : nowMs + windowMs, (isOpen ? alone : 0) + oldest.length);
  return oldest.length;
}

/** One message on all that waits; none where all of it was deleted meanwhile, or has not grown. */
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
  await write(store, parts, standing, { ...found, overflow });
  await store.openWindow(at, nowMs + windowMs, standing.rule.terms.foldOver);
  return 1;
}

/** What is over the limit may go on growing: looked at again, at first soon, in the end with other news. */
function lookedAtAgain(
  told: ToldObject,
  nowMs: number,
): Pick<NewGathered, 'projectId' | 'objectId' | 'atMs' | 'again'> {
  const { projectId, objectId, events, waitMs } = told;
  const nextMs = waitMs === 0 ? windowMs : waitMs * 2;
  const isOver = !hasGrown(told) && (waitMs === 0 || nextMs > againMsMax);
  const again = isOver
    ? { dueAtMs: Number.MAX_SAFE_INTEGER, waitMs: 0, told: events }
    : { dueAtMs: nowMs + Math.min(nextMs, againMsMax), waitMs: Math.min(nextMs, againMsMax), told: events };
  return { projectId, objectId, atMs: nowMs, again };
}

async function write(
  store: Store,
  parts: MessageParts,
  { rule, channel }: RuleStanding,
  { count, projectId, largest, overflow }: Pick<Gathered, 'count' | 'projectId' | 'largest' | 'overflow'>,
): Promise<void> {
  const kind = kindOf(rule.terms);
  const message = messageOf(parts, { kind, rule, channel, count, issues: largest, overflow, projectId });
  await store.addDelivery({
    projectId: projectId ?? channel.projectId,
    channelId: channel.id,
    messageId: message.id,
    atMs: message.atMs,
    subject: message.subject,
    rule: rule.name,
    why: message.why,
    path: message.path,
    body: bodyOf(channel.type, message),
  });
}
