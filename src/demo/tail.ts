// The live tail of the demo: events of the running five minutes, told when their moment comes. They are those
// that every page counts from the next five minutes on.

import { hourMs, hourOf } from '../core/reading/spans.ts';
import type { Follower, Tail } from '../core/workspace/tail.ts';
import { newestFitting } from '../core/workspace/tail-filter.ts';
import type { Demo } from './demo.ts';

const lookEveryMs = 1_000;
const caughtUpMax = 500;

interface Following {
  /** The last row that they were told. */
  row: number;
  told: string;
}

/** A tail over the demo; its clock runs only while somebody follows. */
export function openDemoTail(demo: Demo, { now }: { now(): number }): Tail {
  const followers = new Map<Follower, Following>();
  let timer: NodeJS.Timeout | undefined;
  function leave(follower: Follower): void {
    followers.delete(follower);
    if (followers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
  async function look(): Promise<void> {
    const nowMs = now();
    const { store } = demo.ahead(nowMs);
    const newest = await store.newestEventRow();
    for (const [follower, own] of [...followers]) {
      const rows = { afterRow: own.row, upToRow: newest };
      const found = await newestFitting(store, rows, follower.filter, caughtUpMax);
      for (const event of found.filter(({ receivedAtMs }) => receivedAtMs <= nowMs).reverse()) {
        own.row = event.row;
        follower.event(event);
      }
    }
    await tellOutcomes(demo, followers, nowMs);
  }
  return {
    follow(follower) {
      const nowMs = now();
      followers.set(follower, { row: follower.afterRow ?? rowAt(demo, nowMs), told: '' });
      timer ??= setInterval(() => void look().catch(() => {}), lookEveryMs).unref();
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

/** The newest row whose moment has come. */
function rowAt(demo: Demo, nowMs: number): number {
  const { stored } = demo.ahead(nowMs).world.errors;
  return stored.findLast(({ atMs }) => atMs <= nowMs)?.row ?? 0;
}

async function tellOutcomes(
  demo: Demo,
  followers: ReadonlyMap<Follower, Following>,
  nowMs: number,
): Promise<void> {
  const { store } = demo.at(nowMs);
  const projects = await store.listProjects();
  const ids = projects.map(({ id }) => id);
  const fromMs = hourOf(nowMs);
  const sums = await store.sumOutcomes(ids, fromMs, fromMs + hourMs);
  for (const [follower, own] of followers) {
    const { projectId } = follower.filter;
    const asked = sums.filter((sum) => projectId === null || sum.projectId === projectId);
    const text = JSON.stringify(asked);
    if (text === own.told) continue;
    own.told = text;
    follower.outcomes(asked);
  }
}
