// Random lives of a project for two ways of filing: events in rows, and what people do in between.
import fc from 'fast-check';
import type { Db } from '../../../data/db.ts';
import { ownedTables } from '../../../data/projects/deletion.ts';
import type { Level } from '../../../schemas/event.ts';
import type { NewEvent } from '../../../src/core/store/events.ts';
import type { IssueChange } from '../../../src/core/store/issues.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { eventIdOf, eventOf, hashOf, startMs } from './events.ts';

/** Bounds that a short life reaches. */
export const smallBounds = {
  newIssuesPerHourMax: 12,
  releasesMax: 4,
  environmentsMax: 2,
  issuePlacesMax: 3,
} as const;

const levels: readonly Level[] = ['fatal', 'error', 'warning', 'info', 'debug'];
const hour = 3600;
const week = 7 * 24 * hour;

const spec = fc.record({
  kind: fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(25) }),
  repeats: fc.option(fc.nat(3), { freq: 6, nil: null }),
  later: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: -40, max: 60 }) },
    { weight: 2, arbitrary: fc.integer({ min: -hour, max: hour }) },
    { weight: 1, arbitrary: fc.constantFrom(week, -week) },
  ),
  user: fc.option(fc.nat(5), { nil: null }),
  release: fc.option(fc.oneof({ weight: 5, arbitrary: fc.nat(1) }, fc.nat(6)), { nil: null }),
  environment: fc.option(fc.nat(3), { nil: null }),
  level: fc.constantFrom(...levels),
  tags: fc.uniqueArray(fc.tuple(fc.nat(3), fc.nat(120)), { maxLength: 3, selector: ([tag]) => tag }),
  title: fc.nat(2),
  kit: fc.nat(2),
  plain: fc.option(fc.boolean(), { freq: 3, nil: null }),
  awaits: fc.option(fc.nat(2), { freq: 5, nil: null }),
  attached: fc.option(fc.nat(2), { freq: 8, nil: null }),
});

type Spec = typeof spec extends fc.Arbitrary<infer Value> ? Value : never;

const changes: readonly IssueChange[] = [
  { status: 'resolved', in: 'now' },
  { status: 'resolved', in: 'next_release' },
  { status: 'resolved', in: 'release', release: '1.0.1' },
  { status: 'ignored', until: 'forever' },
  { status: 'ignored', until: 'date', atMs: startMs + 30_000 },
  { status: 'ignored', until: 'count', count: 3, windowMs: null },
  { status: 'ignored', until: 'count', count: 2, windowMs: 60_000 },
  { status: 'ignored', until: 'users', users: 2 },
  { status: 'unresolved' },
];
const change = fc.constantFrom(...changes);

/** Issues are told by their place among those that stand for themselves. */
export const act = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('file' as const),
      events: fc.array(spec, { minLength: 1, maxLength: 14, size: 'max' }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), issue: fc.nat(9), change }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('merge' as const), issue: fc.nat(9), from: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unmerge' as const), issue: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('split' as const), kind: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), issue: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), release: fc.nat(9) }) },
);

export type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** The event of a spec, the `nth` of its project. */
export function eventFor(projectId: number, nth: number, given: Spec): NewEvent {
  const { kind, repeats, user, release, environment, plain, awaits, attached } = given;
  const name = `kind ${kind}`;
  const tags = given.tags.map(([tag, value]) => [`tag ${tag}`, `value ${value}`] as const);
  const event = eventOf({
    projectId,
    id: repeats === null ? `nth ${nth}` : `repeated ${repeats}`,
    kind: name,
    second: nth + given.later,
    title: `TypeError: ${given.title}`,
    level: given.level,
    release: release === null ? null : `1.0.${release}`,
    environment: environment === null ? null : `place ${environment}`,
    userHash: user === null ? null : hashOf(`user ${user}`),
    userKeys: user === null ? [] : [hashOf(`name ${user % 3}`)],
    sdkName: `kit ${given.kit}`,
    payload: JSON.stringify({ message: `${name} ${given.title}`, tags }),
    tags,
    needsMapping: awaits !== null,
    ...(awaits === null ? {} : { awaits: [`map ${awaits}`, 'time'] }),
    ...(plain === null ? {} : { secondaryHash: { hash: hashOf(`plain ${kind % 4}`), hasSource: plain } }),
    attachments:
      attached === null
        ? []
        : [
            {
              filename: `${attached}`,
              contentType: 'b',
              attachmentType: 'c',
              bytes: Buffer.from([attached]),
            },
          ],
  });
  return { ...event, eventId: eventIdOf(repeats === null ? `nth ${nth}` : `repeated ${repeats}`) };
}

/** Does what a person does, on one project. */
export async function actOn(
  store: Store,
  db: Db,
  projectId: number,
  given: Act,
  nowMs: number,
): Promise<void> {
  const by = { actor: 'ada', nowMs };
  const issues = await db.all<{ id: number }>(
    'SELECT id FROM issues WHERE project_id = $1 AND merged_into IS NULL ORDER BY id',
    [projectId],
  );
  const issueAt = (place: number): number => issues[place % Math.max(1, issues.length)]?.id ?? 0;
  if (given.do === 'change') await store.changeIssue(projectId, issueAt(given.issue), given.change, by);
  if (given.do === 'merge') {
    const [into, from] = [issueAt(given.issue), issueAt(given.from)];
    if (into !== from) await store.mergeIssues(projectId, into, [from], by);
  }
  if (given.do === 'unmerge') {
    const merge = await db.get<{ id: number; into_issue_id: number }>(
      'SELECT id, into_issue_id FROM issue_merges WHERE project_id = $1 AND undone_at_ms IS NULL ORDER BY id LIMIT 1',
      [projectId],
    );
    if (merge !== undefined) await store.unmergeIssues(projectId, merge.into_issue_id, merge.id, by);
  }
  if (given.do === 'split') {
    const hash = hashOf(`kind ${given.kind}`);
    const owner = await db.get<{ id: number }>(
      `SELECT COALESCE(merged_into, issues.id) AS id FROM issue_hashes JOIN issues ON issues.id = issue_id
       WHERE issue_hashes.project_id = $1 AND hash = $2`,
      [projectId, hash],
    );
    if (owner !== undefined) await store.splitIssue(projectId, owner.id, [hash], by);
    while (await store.moveSplitSlice());
  }
  if (given.do === 'remove') {
    await store.endIssue(projectId, issueAt(given.issue), nowMs);
    for (
      let ending = await store.nextEndingIssue();
      ending !== null;
      ending = await store.nextEndingIssue()
    ) {
      await store.removeIssueSlice(ending);
    }
  }
  if (given.do === 'release') {
    const releases = await db.all<{ id: number }>(
      'SELECT id FROM releases WHERE project_id = $1 ORDER BY id',
      [projectId],
    );
    const release = releases[given.release % Math.max(1, releases.length)];
    if (release !== undefined) await store.deleteRelease(projectId, release.id);
  }
}

const idColumns: Readonly<Record<string, string>> = {
  issue_id: 'issues',
  merged_into: 'issues',
  merged_into_before: 'issues',
  into_issue_id: 'issues',
  event_row: 'events',
  merge_id: 'issue_merges',
};

type Row = Record<string, unknown>;

/** Every row of a project, its ids told by their places: a sequence may have gaps, its order stays. */
export async function rowsOfProject(db: Db, projectId: number): Promise<Record<string, string[]>> {
  const tables = new Map<string, Row[]>();
  for (const { table, childTables: parts = [] } of ownedTables) {
    tables.set(table, await db.all<Row>(`SELECT * FROM ${table} WHERE project_id = $1`, [projectId]));
    for (const part of parts) {
      const sql = `SELECT * FROM ${part.table} WHERE ${part.parentColumn} IN (SELECT id FROM ${table} WHERE project_id = $1)`;
      tables.set(part.table, await db.all<Row>(sql, [projectId]));
    }
  }
  const places = new Map<string, Map<unknown, number>>();
  for (const [table, rows] of tables) {
    const ids = rows
      .flatMap((row) => (typeof row['id'] === 'number' ? [row['id']] : []))
      .sort((a, b) => a - b);
    places.set(table, new Map(ids.map((id, place) => [id, place])));
  }
  const told = (table: string, column: string, value: unknown): unknown => {
    if (column === 'project_id') return 0;
    // Ids stand in it too.
    if (column === 'detail') return String(value).replaceAll(/\b\d+\b/g, '#');
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
    const of = column === 'id' ? table : idColumns[column];
    if (of === undefined || value === null) return value;
    return places.get(of)?.get(value) ?? 'gone';
  };
  return Object.fromEntries(
    [...tables].map(([table, rows]) => [
      table,
      rows
        .map((row) =>
          JSON.stringify(Object.entries(row).map(([name, value]) => [name, told(table, name, value)])),
        )
        .sort(),
    ]),
  );
}
