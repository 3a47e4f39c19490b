// The live tail of the demo: every few seconds one of its newest events is told again, as if it came just
// now. Which one follows from the clock alone, so that whoever comes back misses none and is told none twice.
import { hourMs, hourOf } from '../core/reading/spans.ts';
import type { Store } from '../core/store/store.ts';
import type { LiveEvent } from '../core/store/workspace.ts';
import type { Follower, Tail } from '../core/workspace/tail.ts';
import { fits, newestFitting } from '../core/workspace/tail-filter.ts';

/** One event in so long, and so many that take turns: not those that the page shows already. */
const everyMs = 4_000;
const eventsMax = 500;
const eventsShown = 50;
const caughtUpMax = 500;
const everything = { projectId: null, level: null, words: [] };

export interface TailDemo {
  readonly store: Pick<Store, 'newestEventRow' | 'listEventsBetween' | 'listProjects' | 'sumOutcomes'>;
  readonly nowMs: number;
}

interface Following {
  row: number;
  told: string;
  /** When they came, by the clock of the program. */
  readonly sinceMs: number;
}

/** A tail over the demo; its clock runs only while somebody follows. */
export function openDemoTail(demo: () => TailDemo, { now }: { now(): number }): Tail {
  const followers = new Map<Follower, Following>();
  let timer: NodeJS.Timeout | undefined;
  function leave(follower: Follower): void {
    followers.delete(follower);
    if (followers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
  /** Rows are counted by the clock: each is that of its four seconds. */
  const rowNow = (): number => Math.floor(now() / everyMs);
  async function look(): Promise<void> {
    const { store, nowMs } = demo();
    const events = await newestOf(store);
    const projects = await store.listProjects();
    const hour = hourOf(nowMs);
    const sums = await store.sumOutcomes(
      projects.map(({ id }) => id),
      hour,
      hour + hourMs,
    );
    const newest = rowNow();
    for (const [follower, own] of followers) {
      for (
        let row = Math.max(own.row, newest - caughtUpMax) + 1;
        row <= newest && events.length > 0;
        row += 1
      ) {
        // The time of the demo stands still; for who follows it goes on from when they came.
        const receivedAtMs = nowMs + row * everyMs - own.sinceMs;
        const event = { ...(events[row % events.length] as LiveEvent), row, receivedAtMs };
        if (fits(event, follower.filter)) follower.event(event);
      }
      own.row = Math.max(own.row, newest);
      const { projectId } = follower.filter;
      const asked = sums.filter((sum) => projectId === null || sum.projectId === projectId);
      const text = JSON.stringify(asked);
      if (text !== own.told) follower.outcomes(asked);
      own.told = text;
    }
  }
  return {
    follow(follower) {
      const newest = rowNow();
      const { afterRow } = follower;
      // The page itself names a row of the store, which is none of the tail's.
      const isOwn = afterRow !== null && afterRow > newest - caughtUpMax;
      followers.set(follower, { row: isOwn ? afterRow : newest, told: '', sinceMs: now() });
      timer ??= setInterval(() => void look().catch(() => {}), everyMs / 4).unref();
      return () => leave(follower);
    },
    close() {
      for (const follower of [...followers.keys()]) {
        leave(follower);
        follower.end();
      }
    },
  };
}

async function newestOf(store: TailDemo['store']): Promise<LiveEvent[]> {
  const rows = { afterRow: 0, upToRow: await store.newestEventRow() };
  const events = await newestFitting(store, rows, everything, eventsShown + eventsMax);
  return events.length > eventsShown ? events.slice(eventsShown).reverse() : events;
}
