// Histories of an older project for the tests of regrouping: events under a rule of the test's own, merges
// and changes of state, in any order.
import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { Db } from '../../../data/db.ts';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { RegroupOptions, RegroupPreview } from '../../../src/core/regroup/preview.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { eventOf, startMs } from './events.ts';

/** The rule under test: the second word of a message is the key. */
function groupingOf(event: NormalizedEvent) {
  return eventOf({ kind: keyIn(String(event['message'])) }).grouping;
}

/** The key of a message. */
function keyIn(message: string): string {
  return `${message.split(' ')[0]} new ${message.split(' ')[2]}`;
}

/** Grouping by that rule, without rest. */
export const options: RegroupOptions = { groupingOf, sleep: async () => {}, onProgress: () => {} };
/** Who acts in these histories. */
export const act = { actor: 'ada', nowMs: startMs };

/** One thing that happens to a project. */
export const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('file' as const),
      old: fc.nat(3),
      key: fc.nat(4),
      user: fc.nat(3),
      both: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('merge' as const), into: fc.nat(30), other: fc.nat(30) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), issue: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      issue: fc.nat(30),
      to: fc.constantFrom('resolved', 'forever', 'count', 'users'),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What tests of regrouping do with a store and its database, which are asked for anew each time. */
export function regroupTools(opened: () => { readonly store: Store; readonly db: Db }) {
  const deps = () => ({ store: opened().store, now: () => startMs + 60_000 });

  let made = 0;
  async function older(): Promise<Project> {
    made += 1;
    const { id } = await opened().store.createProject({ name: `older ${made}`, createdAtMs: startMs });
    await opened().db.run("UPDATE projects SET grouping_version = 'ng1' WHERE id = $1", [id]);
    return project(id);
  }
  const project = async (id: number): Promise<Project> => (await opened().store.findProject(id)) as Project;

  /** An event of an older rule's issue; `both`: it came when the newer rule was there already. */
  async function file(
    { id: projectId }: Project,
    { old, key, both = false }: { old: number | string; key: number | string; both?: boolean },
    more: Parameters<typeof eventOf>[0] = {},
  ): Promise<number> {
    const message = `${projectId} ${old} ${key}`;
    const older = `${projectId} old ${old}`;
    const tags: Array<[string, string]> = [['zone', `z${key}`]];
    const { groupingVersion } = await project(projectId);
    const isNew = groupingVersion !== 'ng1';
    const event = eventOf({
      projectId,
      kind: isNew || both ? keyIn(message) : older,
      // Every other title is more than ASCII.
      title: message.length % 2 === 0 ? message : `${message} Ä`,
      payload: JSON.stringify({ message, tags }),
      tags,
      ...more,
    });
    return (await opened().store.recordEvent(event)).issueId;
  }

  async function take(on: Project, steps: readonly Step[]): Promise<void> {
    let nth = (await opened().db.get<{ n: number }>('SELECT COUNT(*) AS n FROM events'))?.n ?? 0;
    for (const taken of steps) {
      const all = await opened().db.all<{ id: number }>(
        'SELECT id FROM issues WHERE project_id = $1 ORDER BY id',
        [on.id],
      );
      const at = (index: number): number => all[index % all.length]?.id ?? 0;
      if (taken.do === 'file') {
        nth += 1;
        await file(on, taken, {
          second: (nth * 7919) % 9000,
          userHash: taken.user === 0 ? null : `u${taken.user}`,
          release: taken.user === 2 ? null : `r@${taken.key}`,
          environment: nth % 3 === 0 ? null : 'live',
        });
      } else if (taken.do === 'merge') {
        await opened().store.mergeIssues(on.id, at(taken.into), [at(taken.other)], act);
      } else if (taken.do === 'undo') {
        const merges = all.length === 0 ? [] : await opened().store.listMerges(on.id, at(taken.issue));
        const standing = merges.find((merge) => merge.undoneAtMs === null && merge.actor === 'ada');
        if (standing) await opened().store.unmergeIssues(on.id, at(taken.issue), standing.id, act);
      } else if (taken.to === 'resolved') {
        await opened().store.changeIssue(on.id, at(taken.issue), { status: 'resolved', in: 'now' }, act);
      } else {
        const until =
          taken.to === 'count'
            ? ({ until: 'count', count: 1e6, windowMs: null } as const)
            : taken.to === 'users'
              ? ({ until: 'users', users: 5000 } as const)
              : ({ until: 'forever' } as const);
        await opened().store.changeIssue(on.id, at(taken.issue), { status: 'ignored', ...until }, act);
      }
    }
  }

  return { deps, older, project, file, take };
}

/** That a look finds nothing to do. */
export function expectNothingLeft({ plan }: RegroupPreview): void {
  expect(plan).toMatchObject({ moves: [], claims: [], joins: [], labels: [] });
}
