// What happens in a project before an event tells whether an issue comes back: releases created and seen, a
// resolution, merges. Each step is a second after the one before, unless it says `atOnce`.
import type { Store } from '../../../src/core/store/store.ts';
import { deployOf } from './deploys.ts';
import { eventOf, startMs } from './events.ts';
import { releaseOf } from './releases.ts';

/** One step of a row. */
export type Step = (world: World) => Promise<void> | void;

/** A project in which the steps of one row happen. */
export interface World {
  readonly store: Store;
  readonly projectId: number;
  second: number;
  /** The issue that the row is about, once it was seen; and another one. */
  issueId: number;
  otherId: number;
  mergeId: number;
}

/** A fresh project for one row. */
export async function worldOf(store: Store, name: string): Promise<World> {
  const { id } = await store.createProject({ name, createdAtMs: startMs });
  return { store, projectId: id, second: 0, issueId: 0, otherId: 0, mergeId: 0 };
}

/** Sends an event of the row's issue; answers whether a resolved issue came back. */
export async function sendEvent(world: World, release: string | null): Promise<boolean> {
  const { isRegression } = await fileEvent(world, 'this', release);
  return isRegression;
}

/** An event of the row's issue names the release (null: none). */
export function seen(release: string | null): Step {
  return async (world) => {
    world.issueId = (await fileEvent(world, 'this', release)).issueId;
  };
}

/** An event of another issue of the project names the release. */
export function seenElsewhere(release: string | null): Step {
  return async (world) => {
    world.otherId = (await fileEvent(world, 'other', release)).issueId;
  };
}

/** An event that was received so many seconds ago and is filed only now. */
export function filedLate(seconds: number, event: Step): Step {
  return async (world) => {
    world.second -= seconds;
    await event(world);
    world.second += seconds;
  };
}

/** A session of the release was reported. */
export function ran(release: string): Step {
  return async (world) => {
    const counts = { id: null, sessions: 1, exited: 1, errored: 0, crashed: 0, abnormal: 0 };
    const where = { projectId: world.projectId, release, environment: 'live' };
    await world.store.addSessions([{ ...where, ...counts, atMs: tick(world) }]);
  };
}

/** `POST /releases`. */
export function created(version: string, parts: Parameters<typeof releaseOf>[1] = {}): Step {
  return async (world) => {
    await world.store.upsertRelease(
      releaseOf(version, { projectId: world.projectId, nowMs: tick(world), ...parts }),
    );
  };
}

/** A deploy names the release. */
export function deployed(version: string): Step {
  return async (world) => {
    await world.store.recordDeploy(deployOf(version, { projectId: world.projectId, nowMs: tick(world) }));
  };
}

/** `DELETE /releases/{id}`. */
export function deleted(version: string): Step {
  return async (world) => {
    const release = await world.store.findReleaseByVersion(world.projectId, version);
    await world.store.deleteRelease(world.projectId, release?.id ?? 0);
  };
}

export const resolvedNow: Step = (world) => resolve(world, { status: 'resolved', in: 'now' });
export const resolvedInNext: Step = (world) => resolve(world, { status: 'resolved', in: 'next_release' });

/** Resolved in a release. */
export function resolvedIn(release: string): Step {
  return (world) => resolve(world, { status: 'resolved', in: 'release', release });
}

/** The other issue is merged into the row's. */
export const merged: Step = async (world) => {
  const act = { actor: 'ada', nowMs: tick(world) };
  const merge = await world.store.mergeIssues(world.projectId, world.issueId, [world.otherId], act);
  world.mergeId = merge?.id ?? 0;
};

/** That merge is undone. */
export const mergeUndone: Step = async (world) => {
  const act = { actor: 'ada', nowMs: tick(world) };
  await world.store.unmergeIssues(world.projectId, world.issueId, world.mergeId, act);
};

/** The next step happens in the same millisecond as the one before. */
export const atOnce: Step = (world) => {
  world.second -= 1;
};

function tick(world: World): number {
  world.second += 1;
  return startMs + world.second * 1000;
}

async function fileEvent(world: World, kind: 'this' | 'other', release: string | null) {
  const receivedAtMs = tick(world);
  return world.store.recordEvent(
    eventOf({ projectId: world.projectId, kind, release, receivedAtMs, timestampMs: receivedAtMs }),
  );
}

async function resolve(world: World, change: Parameters<Store['changeIssue']>[2]): Promise<void> {
  const act = { actor: 'ada', nowMs: tick(world) };
  await world.store.changeIssue(world.projectId, world.issueId, change, act);
}
