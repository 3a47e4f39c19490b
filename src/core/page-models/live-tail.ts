// The live tail of a process: one query for all followers, on new events and once a second for other processes.
import type { Deps } from '../deps.ts';
import { isSameScope, listProjectScopes, type ProjectScope, scopeOf } from '../members/project-scope.ts';
import { hourMs, startOfHour } from '../parsing/durations.ts';
import type { LiveEvent, OutcomeSum } from '../store/page-queries.ts';
import {
  createEventReader,
  findNewestMatching,
  searchedRowsMax,
  type TailEventReader,
  type TailFilter,
  tailFilterMatches,
} from './live-tail-reader.ts';

/** A connection to the live tail. Methods must not throw or block. */
export interface TailClient {
  readonly filter: TailFilter;
  /** The stream ends when the session ends. */
  readonly sessionId: number;
  /** The stream ends when the access of the member changes; null: the workspace token. */
  readonly memberId: number | null;
  readonly scope: ProjectScope;
  /** The last row received; null: from now on. */
  readonly afterRow: number | null;
  event(event: LiveEvent): void;
  /** More events came than can be sent; only the newest follow. */
  missed(): void;
  outcomes(sums: readonly OutcomeSum[]): void;
  end(): void;
}

export interface LiveTail {
  follow(follower: TailClient): () => void;
  close(): void;
}

const catchUpEventsMax = 500;
const pollIntervalMs = 1_000;
const pollGapMsMin = 100;

type TailDeps = Pick<Deps, 'store' | 'now' | 'log' | 'feed'>;

interface TailState {
  readonly deps: TailDeps;
  leave(follower: TailClient): void;
  /** `isCaughtUp`: has received the events since `afterRow`. */
  readonly followers: Map<TailClient, { isCaughtUp: boolean; lastOutcomes: string }>;
  rows: TailEventReader;
}

/** Reads nothing until somebody follows. */
export function createLiveTail(deps: TailDeps): LiveTail {
  const newRows = (): TailEventReader => createEventReader(deps.store);
  const state: TailState = { deps, leave, followers: new Map(), rows: newRows() };
  const poller = runRepeatedly(async () => {
    const isMore = await poll(state);
    return state.followers.size === 0 ? null : isMore ? pollGapMsMin : pollIntervalMs;
  }, deps);
  let unsubscribe: (() => void) | null = null;
  function leave(follower: TailClient): void {
    state.followers.delete(follower);
    if (state.followers.size > 0) return;
    unsubscribe?.();
    unsubscribe = null;
    poller.stop();
  }
  return {
    follow(follower) {
      if (state.followers.size === 0) {
        // Followers say where they continue, so no position is kept.
        state.rows = newRows();
        unsubscribe = deps.feed?.subscribe(() => poller.within(pollGapMsMin)) ?? null;
      }
      state.followers.set(follower, { isCaughtUp: false, lastOutcomes: '' });
      poller.within(0);
      return () => leave(follower);
    },
    close() {
      for (const follower of [...state.followers.keys()]) {
        leave(follower);
        follower.end();
      }
    },
  };
}

/** One poll for all followers; returns whether there is more. */
async function poll(state: TailState): Promise<boolean> {
  const { deps, followers, rows } = state;
  const { store } = deps;
  const { events, isMore } = await rows.read();
  const reached = rows.reached();
  const sums = await outcomesNow(deps);
  // Checked last, so that nothing is sent that was stored after a session ended.
  const sessions = [...new Set([...followers.keys()].map(({ sessionId }) => sessionId))];
  const holding = new Set(await store.sessionsThatHold(sessions, deps.now()));
  const members = [...new Set([...followers.keys()].map(({ memberId }) => memberId))];
  const scopes = await listProjectScopes(
    store,
    members.filter((id) => id !== null),
  );
  // All followers left during the queries and others came: start over.
  if (state.rows !== rows) return true;
  for (const [follower, followerState] of [...followers]) {
    if (!followers.has(follower)) continue;
    const { memberId, sessionId } = follower;
    const isSame = isSameScope(scopeOf(scopes, memberId), follower.scope);
    if (!holding.has(sessionId) || !isSame) {
      state.leave(follower);
      follower.end();
    } else if (followerState.isCaughtUp) {
      for (const event of events) if (tailFilterMatches(event, follower.filter)) follower.event(event);
    } else if (reached !== null) {
      await sendMissedEvents(deps, follower, reached);
      followerState.isCaughtUp = true;
    }
    if (followers.has(follower)) sendOutcomes(follower, followerState, sums);
  }
  return isMore;
}

async function sendMissedEvents({ store }: TailDeps, follower: TailClient, reached: number): Promise<void> {
  const { afterRow, filter } = follower;
  if (afterRow === null || afterRow >= reached) return;
  const from = Math.max(afterRow, reached - searchedRowsMax);
  const found = await findNewestMatching(
    store,
    { afterRow: from, upToRow: reached },
    filter,
    catchUpEventsMax + 1,
  );
  if (from > afterRow || found.length > catchUpEventsMax) follower.missed();
  for (const event of found.slice(0, catchUpEventsMax).reverse()) follower.event(event);
}

async function outcomesNow({ store, now }: TailDeps): Promise<OutcomeSum[]> {
  const projects = await store.listProjects();
  const fromMs = startOfHour(now());
  return store.sumOutcomes(
    projects.map(({ id }) => id),
    fromMs,
    fromMs + hourMs,
  );
}

function sendOutcomes(
  follower: TailClient,
  state: { lastOutcomes: string },
  sums: readonly OutcomeSum[],
): void {
  const { projectIds } = follower.filter;
  const visibleSums = sums.filter((sum) => projectIds === null || projectIds.includes(sum.projectId));
  const text = JSON.stringify(visibleSums);
  if (text === state.lastOutcomes) return;
  state.lastOutcomes = text;
  follower.outcomes(visibleSums);
}

interface RepeatedRun {
  within(ms: number): void;
  stop(): void;
}

// Runs `work` again after the milliseconds that it returns, never in parallel. Failures are logged once.
function runRepeatedly(work: () => Promise<number | null>, { log }: Pick<Deps, 'log'>): RepeatedRun {
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let isWorking = false;
  let isFailing = false;
  const within = (ms: number): void => {
    const atMs = performance.now() + ms;
    if (atMs >= dueMs) return;
    dueMs = atMs;
    clearTimeout(timer);
    if (!isWorking) timer = setTimeout(run, ms).unref();
  };
  const run = async (): Promise<void> => {
    isWorking = true;
    dueMs = Number.POSITIVE_INFINITY;
    let nextMs: number | null = pollIntervalMs;
    try {
      nextMs = await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error: String(error) }, 'the live tail could not read new events');
      isFailing = true;
    }
    isWorking = false;
    const waitedMs = Number.isFinite(dueMs) ? Math.max(0, dueMs - performance.now()) : null;
    dueMs = Number.POSITIVE_INFINITY;
    const ms = Math.min(nextMs ?? Number.POSITIVE_INFINITY, waitedMs ?? Number.POSITIVE_INFINITY);
    if (Number.isFinite(ms)) within(ms);
  };
  return {
    within,
    stop() {
      clearTimeout(timer);
      dueMs = Number.POSITIVE_INFINITY;
    },
  };
}
