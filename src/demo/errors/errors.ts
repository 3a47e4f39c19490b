// When an issue's events happen, and what people do. The contents of the events are in src/demo/faults.
import { issueChangeRequest } from '../../../schemas/issues.ts';
import { ingestEvent } from '../../core/events/ingest.ts';
import { updateIssueIfUnchanged } from '../../core/issues/actions.ts';
import { dayMs, hourMs, minuteMs } from '../../core/parsing/durations.ts';
import type { DemoIssue } from '../faults/demo-issue.ts';
import { demoIssues } from '../faults/issues.ts';
import {
  apiHost,
  blogHost,
  type Customer,
  colleagues,
  customers,
  type Slug,
  shopHost,
  siteHost,
} from '../shared/company.ts';
import { type DemoContext, productionVersionAt, type Step, timeAgoMs, toIsoTime } from '../shared/context.ts';
import { relativeTrafficAt } from '../shared/hourly-traffic.ts';
import { auditActor } from '../shared/people.ts';
import type { Random } from '../shared/random.ts';
import { createEventContexts, platforms } from './contexts.ts';
import { createCauseStacktrace, createStacktrace } from './stacks.ts';

/** Share of the daytime load that background jobs have at night. */
const jobsAtNight = 0.6;

/** Percentage of a long-running issue's events in the last five weeks. */
const recentPercent = 92;
const lateMs = 34 * dayMs;

/** Percentage of the events in a regressed issue's quiet time that are moved after the regression. */
const afterRegressionPercent = 12;

/** Attempts to draw a time in busy hours: one in three is accepted at noon, one in forty at 4:00. */
const triesMax = 40;

const hosts: Readonly<Record<Slug, string | null>> = {
  'shop-web': shopHost,
  'checkout-api': apiHost,
  'wp-site': siteHost,
  'mobile-shell': shopHost,
  'worker-queue': null,
};

const duplicateEvery = 30;

/** Exponent of the customer's choice: a few customers have most of the events. */
const customerExponent = 2.2;

/** How long clients with an old script still send its version. */
const oldVersionMs: Readonly<Partial<Record<Slug, number>>> = {
  'shop-web': dayMs,
  'mobile-shell': 9 * dayMs,
};

export function errorSteps(demo: DemoContext): Step[] {
  return demoIssues.flatMap((issue) => [...eventSteps(demo, issue), ...actionSteps(demo, issue)]);
}

function eventSteps(demo: DemoContext, issue: DemoIssue): Step[] {
  const random = demo.random(`events of ${issue.key}`);
  const times = timesOf(demo.nowMs, issue, random);
  return times.map((atMs, index): Step => {
    const eventId = random.hex(32);
    const isNewest = index === times.length - 1;
    const release = releaseOf(demo, issue.slug, atMs, isNewest ? null : random);
    const event = eventOf(issue, { random, atMs, release, eventId, isNewest });
    const run = () => ingest(demo, issue, { atMs, eventId, event, index });
    return index === 0 ? { atMs, run } : { atMs, run, isBatched: true };
  });
}

/** The release in production at that time; for 12% of events an older one. */
function releaseOf({ shipped }: DemoContext, slug: Slug, atMs: number, random: Random | null): string | null {
  const lag = random?.percent(12) === true ? (oldVersionMs[slug] ?? 0) : 0;
  return productionVersionAt(shipped, slug, atMs - lag) ?? productionVersionAt(shipped, slug, atMs);
}

interface EventInput {
  readonly random: Random;
  readonly atMs: number;
  readonly release: string | null;
  readonly eventId: string;
  readonly isNewest: boolean;
}

function eventOf(issue: DemoIssue, input: EventInput): Record<string, unknown> {
  const { random, atMs, release, eventId, isNewest } = input;
  const customer = customers[Math.floor(random.next() ** customerExponent * customers.length)] as Customer;
  const happenedMs = atMs - random.between(100, 1500);
  // The newest event is shown first, so it comes from production.
  const isStaging = random.percent(7) && !isNewest;
  return {
    event_id: eventId,
    timestamp: happenedMs / 1000,
    platform: issue.stack === 'native' ? 'native' : platforms[issue.slug],
    level: issue.level ?? 'error',
    environment: isStaging ? 'staging' : 'production',
    ...(release === null ? {} : { release }),
    ...createEventContexts(issue, random, customer, happenedMs),
    ...exceptionOrMessage(issue, release ?? ''),
  };
}

function exceptionOrMessage(issue: DemoIssue, release: string): Record<string, unknown> {
  const frames = createStacktrace(issue, release);
  const stack = frames === undefined ? {} : { stacktrace: { frames } };
  if (issue.type === '') return { message: issue.value, ...stack };
  const isPromise = issue.slug === 'shop-web';
  const mechanism = { type: isPromise ? 'onunhandledrejection' : 'generic', handled: !isPromise };
  const thrown = { type: issue.type, value: issue.value, mechanism, ...stack };
  if (issue.cause === undefined) return { exception: { values: [thrown] } };
  const { type, value } = issue.cause;
  const cause = { type, value, stacktrace: { frames: createCauseStacktrace(issue, release) } };
  return { exception: { values: [cause, thrown] } };
}

interface EventSubmission {
  readonly atMs: number;
  readonly eventId: string;
  readonly event: Record<string, unknown>;
  readonly index: number;
}

async function ingest(
  demo: DemoContext,
  issue: DemoIssue,
  { atMs, eventId, event, index }: EventSubmission,
): Promise<void> {
  const { deps, projects, issueIds, eventIds } = demo;
  const context = {
    receivedAtMs: atMs,
    clientAddress: '192.0.2.10',
    userAgent: 'harbour-and-pine',
    domain: issue.key === 'resize-observer' ? blogHost : hosts[issue.slug],
    attachments: hasLog(issue, index) ? [logOf(issue, atMs)] : [],
  };
  const { recorded } = await ingestEvent(deps, projects[issue.slug], { read: event }, context);
  // A client that got no response sends the event again.
  if (index % duplicateEvery === duplicateEvery - 1) {
    await ingestEvent(deps, projects[issue.slug], { read: event }, context);
  }
  if (!issueIds.has(issue.key)) issueIds.set(issue.key, recorded.issueId);
  eventIds.set(issue.key, [...(eventIds.get(issue.key) ?? []), eventId]);
}

function hasLog(issue: DemoIssue, index: number): boolean {
  return index % 40 === 0 && issue.events.count > 40;
}

function logOf(issue: DemoIssue, atMs: number) {
  const lines = Array.from({ length: 12 }, (_, line) => {
    const at = toIsoTime(atMs - (12 - line) * 900);
    return `${at} ${line === 11 ? 'ERROR' : 'info '} ${issue.slug}: ${line === 11 ? issue.type : `step ${line + 1} of 11`}`;
  });
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return { filename: 'session.log', contentType: 'text/plain', attachmentType: 'event.attachment', bytes };
}

function actionSteps(demo: DemoContext, issue: DemoIssue): Step[] {
  const { nowMs } = demo;
  const { lifecycle, mergedInto } = issue;
  const random = demo.random(`acts on ${issue.key}`);
  const by = lifecycle?.by ?? random.pick(colleagues);
  const changeStep = (days: number, key: string, change: () => object): Step => ({
    atMs: toWorkingHours(timeAgoMs(nowMs, days), nowMs),
    run: () =>
      updateIssueIfUnchanged(
        demo.deps,
        demo.projects[issue.slug],
        idOf(demo, key),
        { change: issueChangeRequest.parse(change()), seen: null },
        auditActor(demo, by),
      ),
  });
  const steps: Step[] = [];
  if (lifecycle?.is === 'resolved' || lifecycle?.is === 'regressed') {
    steps.push(changeStep(lifecycle.resolved, issue.key, () => resolution(lifecycle.in)));
  }
  if (lifecycle?.is === 'ignored')
    steps.push(changeStep(lifecycle.since, issue.key, () => ignoreRequest(lifecycle.until, nowMs)));
  if (mergedInto !== undefined) {
    steps.push(changeStep(mergedInto.days, mergedInto.key, () => ({ merge: [idOf(demo, issue.key)] })));
  }
  return steps;
}

function toWorkingHours(atMs: number, nowMs: number): number {
  const hour = new Date(atMs).getUTCHours();
  const laterMs = hour < 7 ? 7 * hourMs : hour > 18 ? 13 * hourMs : 0;
  return Math.min(atMs + laterMs, nowMs - hourMs);
}

function idOf({ issueIds }: DemoContext, key: string): number {
  const id = issueIds.get(key);
  if (id === undefined) throw new Error(`Nothing of "${key}" has happened yet.`);
  return id;
}

function resolution(within: string) {
  return within === 'now' || within === 'next_release'
    ? { status: 'resolved', in: within }
    : { status: 'resolved', in: 'release', release: within };
}

function ignoreRequest(until: 'forever' | 'date' | 'count' | 'users', nowMs: number) {
  const ends = {
    forever: {},
    date: { date: toIsoTime(nowMs + 14 * dayMs) },
    count: { count: 500, window: 86_400 },
    users: { users: 100 },
  };
  return { status: 'ignored', until, ...ends[until] };
}

/** Times of an issue's events, sorted. */
export function timesOf(nowMs: number, issue: DemoIssue, random: Random): number[] {
  const { count, firstDays, lastHours } = issue.events;
  const firstMs = timeAgoMs(nowMs, firstDays);
  const lastMs = timeAgoMs(nowMs, 0, lastHours);
  if (count === 1) return [firstMs];
  const middle = Array.from({ length: count - 2 }, () =>
    Math.round(timeBetween(firstMs, lastMs, issue, random)),
  );
  const times = [firstMs, ...middle, lastMs].map((atMs) =>
    outsideQuietPeriod(nowMs, issue, atMs, { firstMs, lastMs }, random),
  );
  return times.sort((one, other) => one - other);
}

function timeBetween(firstMs: number, lastMs: number, issue: DemoIssue, random: Random): number {
  const isYoung = lastMs - firstMs < dayMs / 4;
  for (let tries = 1; ; tries += 1) {
    const isLate = lastMs - firstMs > lateMs && random.percent(recentPercent);
    const fromMs = isLate ? lastMs - lateMs : firstMs;
    // A young issue gets more frequent quickly, an old one slowly.
    const atMs = fromMs + random.next() ** (isYoung ? 0.6 : 0.72) * (lastMs - fromMs);
    const busy =
      issue.hasUsers === false ? Math.max(jobsAtNight, relativeTrafficAt(atMs)) : relativeTrafficAt(atMs);
    if (isYoung || tries === triesMax || random.next() < busy) {
      return Math.min(lastMs - minuteMs / 2, Math.max(firstMs + minuteMs / 2, atMs));
    }
  }
}

/** Moves a time out of the quiet period between resolution and regression; keeps the hour of the day. */
function outsideQuietPeriod(
  nowMs: number,
  { lifecycle }: DemoIssue,
  atMs: number,
  { firstMs, lastMs }: { readonly firstMs: number; readonly lastMs: number },
  random: Random,
): number {
  if (lifecycle?.is !== 'regressed') return atMs;
  const quietMs = timeAgoMs(nowMs, lifecycle.resolved) - hourMs;
  const backMs = timeAgoMs(nowMs, lifecycle.back);
  if (atMs <= quietMs || atMs >= backMs) return atMs;
  if (random.percent(afterRegressionPercent)) return Math.round(backMs + random.next() * (lastMs - backMs));
  const daysBefore = Math.ceil((atMs - quietMs) / dayMs);
  const daysMost = Math.floor((atMs - firstMs) / dayMs);
  return atMs - Math.min(daysMost, daysBefore + random.between(0, 12)) * dayMs;
}
