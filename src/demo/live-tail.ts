// Sends one of the newest events every four seconds, chosen by the clock.

import type { LiveTail, TailClient } from '../core/page-models/live-tail.ts';
import { findNewestMatching, tailFilterMatches } from '../core/page-models/live-tail-reader.ts';
import { hourMs, startOfHour } from '../core/parsing/durations.ts';
import type { LiveEvent } from '../core/store/page-queries.ts';
import type { Store } from '../core/store/store.ts';

/** The newest 50 events are skipped, because the page shows them already; the next 500 are repeated. */
const everyMs = 4_000;
const eventsMax = 500;
const eventsShown = 50;
const caughtUpMax = 500;
const everything = { projectIds: null, level: null, words: [] };

export interface DemoTailSource {
  readonly store: Pick<Store, 'newestEventRow' | 'listEventsBetween' | 'listProjects' | 'sumOutcomes'>;
  readonly nowMs: number;
}

interface FollowerState {
  row: number;
  lastOutcomes: string;
  readonly sinceMs: number;
}

/** The timer runs only while there are followers. */
export function openDemoTail(demo: () => DemoTailSource, { now }: { now(): number }): LiveTail {
  const followers = new Map<TailClient, FollowerState>();
  let timer: NodeJS.Timeout | undefined;
  function removeFollower(follower: TailClient): void {
    followers.delete(follower);
    if (followers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
  const rowNow = (): number => Math.floor(now() / everyMs);
  async function sendNewEvents(): Promise<void> {
    const { store, nowMs } = demo();
    const events = await newestOf(store);
    const projects = await store.listProjects();
    const hour = startOfHour(nowMs);
    const sums = await store.sumOutcomes(
      projects.map(({ id }) => id),
      hour,
      hour + hourMs,
    );
    const newest = rowNow();
    for (const [follower, state] of followers) {
      for (
        let row = Math.max(state.row, newest - caughtUpMax) + 1;
        row <= newest && events.length > 0;
        row += 1
      ) {
        // The clock of the demo stands still; for a follower it runs from the time of the connection.
        const receivedAtMs = nowMs + row * everyMs - state.sinceMs;
        const event = { ...(events[row % events.length] as LiveEvent), row, receivedAtMs };
        if (tailFilterMatches(event, follower.filter)) follower.event(event);
      }
      state.row = Math.max(state.row, newest);
      const { projectIds } = follower.filter;
      const visible = sums.filter((sum) => projectIds === null || projectIds.includes(sum.projectId));
      const text = JSON.stringify(visible);
      if (text !== state.lastOutcomes) follower.outcomes(visible);
      state.lastOutcomes = text;
    }
  }
  return {
    follow(follower) {
      const newest = rowNow();
      const { afterRow } = follower;
      // A row number from the page itself is one of the store, not of the tail.
      const isOwn = afterRow !== null && afterRow > newest - caughtUpMax;
      followers.set(follower, { row: isOwn ? afterRow : newest, lastOutcomes: '', sinceMs: now() });
      timer ??= setInterval(() => void sendNewEvents().catch(() => {}), everyMs / 4).unref();
      return () => removeFollower(follower);
    },
    close() {
      for (const follower of [...followers.keys()]) {
        removeFollower(follower);
        follower.end();
      }
    },
  };
}

async function newestOf(store: DemoTailSource['store']): Promise<LiveEvent[]> {
  const rows = { afterRow: 0, upToRow: await store.newestEventRow() };
  const events = await findNewestMatching(store, rows, everything, eventsShown + eventsMax);
  return events.length > eventsShown ? events.slice(eventsShown).reverse() : events;
}
