// Events of one fault of which one merely knows more, source lines or symbols: where they are filed,
// whatever order they come in. Held on the stored issues; `issues` of a pair says which belong together.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { groupingKeyOf } from '../../src/core/events/prepare.ts';
import { previewRegroup, type RegroupOptions } from '../../src/core/regroup/preview.ts';
import { applyRegroup } from '../../src/core/regroup/regroup.ts';
import { regroupResymbolicatedIssues } from '../../src/core/source-maps/resymbolicate-events.ts';
import type { NewEvent } from '../../src/core/store/events.ts';
import type { Project } from '../../src/core/store/projects.ts';
import { normalized } from '../support/events.ts';
import { inFull } from '../support/test-level.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventIdOf, eventOf } from './support/events.ts';
import { expectCounted } from './support/recount.ts';

interface Pair {
  readonly name: string;
  readonly platform_group: string;
  readonly issues: readonly (readonly number[])[];
  readonly events: readonly unknown[];
}
const pairs: readonly Pair[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/grouping/less-known.json'), 'utf8'),
);

const options: RegroupOptions = { sleep: async () => {}, onProgress: () => {} };

const thrown = (condition: string | null, name = 'pay') => ({
  platform: 'node',
  exception: {
    values: [
      {
        type: 'Error',
        value: 'refused',
        stacktrace: {
          frames: [
            {
              filename: '/srv/shop/src/pay.js',
              function: name,
              in_app: true,
              ...(condition === null
                ? {}
                : { context_line: "    throw new Error('refused');", pre_context: [`  if (${condition})`] }),
            },
          ],
        },
      },
    ],
  },
});

describe.each(databases)('events with less information on $name', (database) => {
  let made = 0;
  const { store, db, url } = storeAndDbForEachTest(database);
  beforeEach(() => {
    made = 0;
  });
  const deps = () => ({ store, now: () => startMs + 60_000 });
  const project = async (id = 1): Promise<Project> => (await store.findProject(id)) as Project;

  function eventFrom(raw: unknown, projectId = 1): NewEvent {
    made += 1;
    const event = normalized(raw);
    const { platform } = event;
    const payload = JSON.stringify(event);
    return eventOf({
      projectId,
      id: `known ${made}`,
      second: made,
      platform,
      payload,
      ...groupingKeyOf(event),
    });
  }
  const file = async (raw: unknown, projectId = 1, into = store): Promise<number> =>
    (await into.recordEvent(eventFrom(raw, projectId))).issueId;

  const transaction = (issueIds: ReadonlyMap<number, number>): number[][] => [
    ...Map.groupBy([...issueIds.keys()].sort(), (nth) => issueIds.get(nth)).values(),
  ];

  async function filedIn(order: readonly number[], { events }: Pair): Promise<number[][]> {
    const { id } = await store.createProject({ name: `pair ${made}`, createdAtMs: startMs });
    const issueIds = new Map<number, number>();
    for (const nth of order) issueIds.set(nth, await file(events[nth], id));
    // Each again: what was found once is found ever after.
    for (const nth of order) expect(await file(events[nth], id)).toBe(issueIds.get(nth));
    const { plan } = await previewRegroup(deps(), await project(id), options);
    expect(plan).toMatchObject({ moves: [], claims: [], joins: [] });
    await expectCounted(db, id);
    return transaction(issueIds);
  }

  it.each([...Map.groupBy(pairs, (pair) => pair.platform_group)])(
    'are grouped as a person would: %s',
    async (_group, those) => {
      for (const pair of those) {
        expect([pair.name, await filedIn([0, 1], pair)]).toEqual([pair.name, pair.issues]);
        expect([pair.name, await filedIn([1, 0], pair)]).toEqual([pair.name, pair.issues]);
      }
    },
  );

  it('join the first event with more information; a second such issue stays separate', async () => {
    const [card, account, plain] = [thrown('!card.valid'), thrown('!account.open'), thrown(null)];
    const events = [card, account, plain];
    const trio = { name: '', platform_group: 'node', issues: [], events };
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [2, 0, 1],
    ]) {
      expect(await filedIn(order, trio)).toEqual([[0, 2], [1]]);
    }
    for (const order of [
      [1, 0, 2],
      [1, 2, 0],
      [2, 1, 0],
    ]) {
      expect(await filedIn(order, trio)).toEqual([[0], [1, 2]]);
    }
  });

  it('have their key in the activity', async () => {
    const issueId = await file(thrown(null));
    await file(thrown('!card.valid'));
    const { rows } = await store.listIssueActivity(1, issueId, { limit: 9, offset: 0 });
    expect(rows.map((row) => `${row.kind} ${row.actor}`)).toEqual(['hash_added event', 'first_seen event']);
  });

  it('count for the merge target of their issue, and return on undo', async () => {
    const own = await file(thrown('!card.valid'));
    const other = await file(thrown('!account.open', 'another'));
    const act = { actor: 'ada', nowMs: startMs };
    await store.mergeIssues(1, other, [own], act);
    expect(await file(thrown(null))).toBe(other);
    const [merge] = await store.listMerges(1, other);
    await store.unmergeIssues(1, other, merge?.id ?? 0, act);
    expect(await file(thrown(null))).toBe(own);
    await expectCounted(db, 1);
  });

  it('share one issue where both arrive at once, in two processes', async () => {
    const second = await openStore(url(), { now: () => startMs, log: silentLog, limits: {} });
    try {
      const names = Array.from({ length: 12 }, (_, nth) => `pay${String.fromCharCode(65 + nth)}`);
      const filed = await Promise.all(
        names.map((name) => Promise.all([file(thrown(null, name)), file(thrown('!a', name), 1, second)])),
      );
      for (const [less, more] of filed) expect(less).toBe(more);
      // Two that know more of what is known by less already: one joins it, the other does not.
      const known = await file(thrown(null, 'known'));
      const both = await Promise.all([
        file(thrown('!card.valid', 'known')),
        file(thrown('!account.open', 'known'), 1, second),
      ]);
      expect(both.filter((issueId) => issueId === known)).toHaveLength(1);
    } finally {
      await second.close();
    }
    await expectCounted(db, 1);
  });

  it('are joined by an event that is symbolicated late', async () => {
    const known = await file(thrown(null));
    const { issueId } = await store.recordEvent(
      eventOf({ id: 'late', kind: 'minified', needsMapping: true }),
    );
    expect(issueId).not.toBe(known);
    const { secondaryHash, ...late } = groupingKeyOf(normalized(thrown('!card.valid')));
    const plain = typeof secondaryHash === 'function' ? secondaryHash() : null;
    const row = await db.get<{ id: number }>('SELECT id FROM events WHERE event_id = $1', [
      eventIdOf('late'),
    ]);
    await store.storeSymbolication(1, row?.id ?? 0, {
      payload: JSON.stringify(normalized(thrown('!card.valid'))),
      needsMapping: false,
      awaits: [],
      regrouped: {
        ...late,
        grouping: { ...late.grouping, secondary: plain },
        hashBefore: eventOf({ kind: 'minified' }).grouping.hash,
      },
    });
    await regroupResymbolicatedIssues({ store, log: silentLog, now: () => startMs }, 1, () => false);
    expect((await store.findEvent(1, eventIdOf('late')))?.issueId).toBe(known);
    expect(await file(thrown('!card.valid'))).toBe(known);
    expect(await file(thrown('!account.open'))).not.toBe(known);
    await expectCounted(db, 1);
  });

  inFull(it)('are brought together by regrouping an older project', async () => {
    const { id } = await store.createProject({ name: 'older', createdAtMs: startMs });
    await db.run("UPDATE projects SET grouping_version = 'ng1' WHERE id = $1", [id]);
    const inOne = pairs.filter((pair) => pair.issues.length === 1);
    for (const { events } of inOne) {
      for (const raw of events) {
        const { secondaryHash: _plain, ...filed } = eventFrom(raw, id);
        await store.recordEvent({ ...filed, grouping: eventOf({ kind: `old ${made}` }).grouping });
      }
    }
    const look = await previewRegroup(deps(), await project(id), options);
    await applyRegroup(deps(), await project(id), look, options);
    const again = await previewRegroup(deps(), await project(id), options);
    expect(again.plan).toMatchObject({ moves: [], claims: [], joins: [] });
    for (const { events, name } of inOne) {
      const issueIds = new Set<number>();
      for (const raw of events) issueIds.add(await file(raw, id));
      expect([name, issueIds.size]).toEqual([name, 1]);
    }
    await expectCounted(db, id);
  });
});
