// The live tail of a process: one query serves all followers. The event feed triggers it; events of other
// processes are found by polling once a second.
import type { Deps } from '../deps.ts';
import { hourMs, hourOf } from '../reading/spans.ts';
import type { LiveEvent, OutcomeSum } from '../store/workspace.ts';
import { fits, newestFitting, rowsBackMax, type TailFilter } from './tail-filter.ts';
import { openRows, type TailRows } from './tail-rows.ts';

/** A connection to the live tail. Methods must not throw or block. */
export interface Follower {
  readonly filter: TailFilter;
  /** The stream ends when the session ends. */
  readonly sessionId: number;
  /** The last row received; null: from now on. */
  readonly afterRow: number | null;
  event(event: LiveEvent): void;
  /** More events came than can be sent; only the newest follow. */
  missed(): void;
  /** Outcomes of the current hour. */
  outcomes(sums: readonly OutcomeSum[]): void;
  end(): void;
}

export interface Tail {
  follow(follower: Follower): () => void;
  close(): void;
}

/** The most events sent to catch up. */
const caughtUpMax = 500;
const lookEveryMs = 1_000;
/** Shortest time between two queries. */
const lookGapMs = 100;

type TailDeps = Pick<Deps, 'store' | 'now' | 'log' | 'feed'>;

interface State {
  readonly deps: TailDeps;
  leave(follower: Follower): void;
  /** `isCaughtUp`: has received the events since `afterRow`. */
  readonly followers: Map<Follower, { isCaughtUp: boolean; told: string }>;
  rows: TailRows;
}

/** Reads nothing until somebody follows. */
export function openTail(deps: TailDeps): Tail {
  const newRows = (): TailRows => openRows(deps.store);
  const state: State = { deps, leave, followers: new Map(), rows: newRows() };
  const pace = paced(async () => {
    const isMore = await look(state);
    return state.followers.size === 0 ? null : isMore ? lookGapMs : lookEveryMs;
  }, deps);
  let unsubscribe: (() => void) | null = null;
  function leave(follower: Follower): void {
    state.followers.delete(follower);
    if (state.followers.size > 0) return;
    unsubscribe?.();
    unsubscribe = null;
    pace.stop();
  }
  return {
    follow(follower) {
      if (state.followers.size === 0) {
        // Followers say where they continue, so no position is kept.
        state.rows = newRows();
        unsubscribe = deps.feed?.subscribe(() => pace.within(lookGapMs)) ?? null;
      }
      state.followers.set(follower, { isCaughtUp: false, told: '' });
      pace.within(0);
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
async function look(state: State): Promise<boolean> {
  const { deps, followers, rows } = state;
  const { store } = deps;
  const { events, isMore } = await rows.read();
  const reached = rows.reached();
  const sums = await outcomesNow(deps);
  // Checked last, so that nothing is sent that was stored after a session ended.
  const sessions = [...new Set([...followers.keys()].map(({ sessionId }) => sessionId))];
  const holding = new Set(await store.sessionsThatHold(sessions, deps.now()));
  // All followers left during the queries and others came: start over.
  if (state.rows !== rows) return true;
  for (const [follower, own] of [...followers]) {
    if (!followers.has(follower)) continue;
    if (!holding.has(follower.sessionId)) {
      state.leave(follower);
      follower.end();
    } else if (own.isCaughtUp) {
      for (const event of events) if (fits(event, follower.filter)) follower.event(event);
    } else if (reached !== null) {
      await catchUp(deps, follower, reached);
      own.isCaughtUp = true;
    }
    if (followers.has(follower)) tellOutcomes(follower, own, sums);
  }
  return isMore;
}

async function catchUp({ store }: TailDeps, follower: Follower, reached: number): Promise<void> {
  const { afterRow, filter } = follower;
  if (afterRow === null || afterRow >= reached) return;
  const from = Math.max(afterRow, reached - rowsBackMax);
  const found = await newestFitting(store, { afterRow: from, upToRow: reached }, filter, caughtUpMax + 1);
  if (from > afterRow || found.length > caughtUpMax) follower.missed();
  for (const event of found.slice(0, caughtUpMax).reverse()) follower.event(event);
}

async function outcomesNow({ store, now }: TailDeps): Promise<OutcomeSum[]> {
  const projects = await store.listProjects();
  const fromMs = hourOf(now());
  return store.sumOutcomes(
    projects.map(({ id }) => id),
    fromMs,
    fromMs + hourMs,
  );
}

function tellOutcomes(follower: Follower, state: { told: string }, sums: readonly OutcomeSum[]): void {
  const { projectId } = follower.filter;
  const own = sums.filter((sum) => projectId === null || sum.projectId === projectId);
  const text = JSON.stringify(own);
  if (text === state.told) return;
  state.told = text;
  follower.outcomes(own);
}

interface Pace {
  /** Runs the work within this time. */
  within(ms: number): void;
  stop(): void;
}

// Runs `work` repeatedly, never in parallel. `work` returns when to run next in milliseconds, or null.
// Failures are retried and logged once.
function paced(work: () => Promise<number | null>, { log }: Pick<Deps, 'log'>): Pace {
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
    let nextMs: number | null = lookEveryMs;
    try {
      nextMs = await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error: String(error) }, 'the live tail could not look');
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
