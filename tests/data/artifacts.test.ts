import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { artifactStore } from '../../data/artifacts/artifacts.ts';
import { pruneArtifacts } from '../../data/artifacts/pruning.ts';
import { insertEvent } from '../../data/events/event-batcher.ts';
import { createInsertContext } from '../../data/events/insert-context.ts';
import { mappingStore } from '../../data/events/pending-symbolications.ts';
import { openDb } from '../../data/open-store.ts';
import { projectStore } from '../../data/projects/projects.ts';
import type { NewArtifact, PendingSelection } from '../../src/core/store/artifacts.ts';
import type { Store } from '../../src/core/store/store.ts';
import { shared } from '../support/shared.ts';
import { databases, sqlite, startMs, storeWithProject } from './support/databases.ts';
import { eventIdOf, eventOf } from './support/events.ts';
import { watchedDb } from './support/watched-db.ts';

const sha = (digit: string): string => digit.repeat(64);
const debugId = '01234567-89ab-4cde-8f01-23456789abcd';
const dayMs = 86_400_000;

const artifactOf = (parts: Partial<NewArtifact> = {}): NewArtifact => ({
  projectId: 1,
  release: '1.0',
  dist: null,
  name: '~/a.js',
  type: 'minified_source',
  debugId: null,
  sourceMap: 'a.js.map',
  hasInlineMap: false,
  size: 3,
  sha256: sha('a'),
  ...parts,
});

describe.each(databases)('artifacts on $name', (database) => {
  let store: Store;
  beforeEach(async () => {
    await store?.close();
    store = await storeWithProject(database);
    for (const digit of 'abc') await keep(digit);
  });
  afterAll(() => store?.close());

  const keep = (digit: string) =>
    store.keepSmallContents(1, [{ sha256: sha(digit), size: 3, bytes: Buffer.from(digit) }], startMs);
  const record = async (parts: Partial<NewArtifact>, overwrite = true) => {
    const [recorded] = await store.recordArtifacts([artifactOf(parts)], { overwrite, nowMs: startMs });
    if (recorded === undefined) throw new Error('nothing was recorded');
    return recorded;
  };

  it('store a content in pieces, completely or not at all', async () => {
    expect(await store.claimContent(1, sha('d'), 9, startMs)).toBe(false);
    for (const [part, text] of ['stale', 'two', 'stale'].entries()) {
      await store.writeContentPart(1, sha('d'), part, Buffer.from(text));
    }
    expect(await store.findContent(1, sha('d'))).toBeNull();
    await store.writeContentPart(1, sha('d'), 0, Buffer.from([0, 255]));
    await store.completeContent(1, sha('d'), 2);
    const parts = await store.findContent(1, sha('d'));
    expect(parts?.map((part) => [...part])).toEqual([[0, 255], [...Buffer.from('two')]]);
    expect(await store.claimContent(1, sha('d'), 9, startMs)).toBe(true);
    expect(await store.findContent(2, sha('d'))).toBeNull();
  });

  it('are returned as they were recorded', async () => {
    const { artifact } = await record({ dist: 'd', debugId });
    expect(artifact).toEqual({
      ...artifactOf({ dist: 'd', debugId }),
      id: artifact.id,
      createdAtMs: startMs,
      replacedAtMs: null,
    });
    expect(await store.findArtifact(1, artifact.id)).toEqual(artifact);
    expect(await store.findArtifact(2, artifact.id)).toBeNull();
  });

  it('have their newest content by name, and older ones by debug id', async () => {
    const first = await record({ debugId });
    expect(await record({ debugId })).toEqual({ artifact: first.artifact, duplicate: true });
    const second = await record({ sha256: sha('b') });
    expect(second.duplicate).toBe(false);
    expect(await store.findArtifactsByName(1, '1.0', ['~/a.js'])).toEqual([second.artifact]);
    expect((await store.findArtifactsByDebugId(1, [debugId])).map((each) => each.id)).toEqual([
      first.artifact.id,
    ]);
    // Back to the first content: a new row, for the old one is history.
    const third = await record({ debugId });
    expect(third).toMatchObject({ duplicate: false });
    expect(await store.listArtifacts(1, { limit: 9, offset: 0, descending: true })).toMatchObject({
      total: 1,
    });
  });

  it('are recorded all or none without overwriting', async () => {
    await record({});
    const both = [artifactOf({ name: '~/new.js' }), artifactOf({ sha256: sha('b') })];
    await expect(store.recordArtifacts(both, { overwrite: false, nowMs: startMs })).rejects.toThrow(
      /~\/a\.js/,
    );
    expect(await store.findArtifactsByName(1, '1.0', ['~/new.js'])).toEqual([]);
    expect(await record({}, false)).toMatchObject({ duplicate: true });
  });

  it('without a release are told apart by debug id and type', async () => {
    const other = 'fedcba98-7654-4321-8fed-cba987654321';
    const made = [
      await record({ release: null, debugId }),
      await record({ release: null, debugId, type: 'source_map', sha256: sha('b') }),
      await record({ release: null, debugId: other, sha256: sha('c') }),
    ];
    expect(made.map((each) => each.duplicate)).toEqual([false, false, false]);
    expect(await store.findArtifactsByDebugId(1, [debugId, other])).toHaveLength(3);
  });

  it('of one name are recorded once by many concurrent uploads', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => record({})));
    expect(new Set(all.map((each) => each.artifact.id)).size).toBe(1);
    expect(all.filter((each) => !each.duplicate)).toHaveLength(1);
  });

  it('are found by name, dist and pattern, in lists of any length', async () => {
    await record({ name: '~/*.js' });
    await record({ dist: 'x' });
    await record({});
    const names = [...Array.from({ length: 250 }, (_, index) => `~/${index}.js`), '~/a.js'];
    const found = await store.findArtifactsByName(1, '1.0', names);
    expect(found.map((each) => each.dist).sort()).toEqual([null, 'x']);
    expect(await store.findWildcardArtifacts(1, '1.0')).toMatchObject([{ name: '~/*.js' }]);
    expect(await store.findArtifactsByName(2, '1.0', names)).toEqual([]);
  });

  it('are deleted after their retention, with contents that are no longer referenced', async () => {
    const old = await record({});
    await record({ sha256: sha('b') });
    await store.writeChunk(1, 'f'.repeat(40), Buffer.from('chunk'), startMs);
    await store.sweep(startMs + 2 * dayMs);
    expect(await store.findArtifact(1, old.artifact.id)).not.toBeNull();
    expect(await store.findContent(1, sha('c'))).toBeNull();
    expect(await store.findChunk(1, 'f'.repeat(40))).toBeNull();
    await store.sweep(startMs + 31 * dayMs);
    expect(await store.findArtifact(1, old.artifact.id)).toBeNull();
    expect(await store.findContent(1, sha('a'))).toBeNull();
    expect(await store.findContent(1, sha('b'))).not.toBeNull();
  });

  it('are deleted in small steps, however many there are', async () => {
    expect(await store.claimContent(1, sha('d'), 9, startMs)).toBe(false);
    for (let part = 0; part < 40; part += 1) {
      await store.writeContentPart(1, sha('d'), part, Buffer.from('x'));
    }
    await store.completeContent(1, sha('d'), 40);
    for (let index = 0; index < 40; index += 1) {
      await store.writeChunk(1, index.toString(16).padStart(40, '0'), Buffer.from('x'), startMs);
    }
    await record({});
    // 40 chunks and the contents b, c and d; a is named.
    expect(await store.sweep(startMs + 2 * dayMs)).toBe(43);
    expect(await store.findContent(1, sha('d'))).toBeNull();
    expect(await store.findContent(1, sha('a'))).not.toBeNull();
    expect(await store.sweep(startMs + 2 * dayMs)).toBe(0);
  });

  it('are uploaded as chunks after a query for the missing ones', async () => {
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
    await store.writeChunk(1, one, Buffer.from('one'), startMs);
    expect(await store.missingChunks(1, [two, one, two])).toEqual([two]);
    expect(await store.missingChunks(2, [one])).toEqual([one]);
    expect(Buffer.from((await store.findChunk(1, one)) ?? []).toString()).toBe('one');
  });

  it('that are late find the pending event, and its issue has one activity entry about it', async () => {
    const waiting = { ...eventOf({ id: 'e', release: '1.0' }), needsMapping: true };
    const recorded = await store.recordEvent({ ...waiting, awaits: [debugId, 'time'] });
    await store.recordEvent(eventOf({ id: 'f', release: '1.0' }));
    const found = async (awaiting: PendingSelection, beforeRow = Number.MAX_SAFE_INTEGER) =>
      (await store.listPendingSymbolications(1, awaiting, beforeRow, 10)).map(({ eventId, awaits }) => [
        eventId,
        awaits.toSorted(),
      ]);
    const [event] = await store.listPendingSymbolications(1, { of: 'all' }, Number.MAX_SAFE_INTEGER, 10);
    const row = event?.row ?? 0;
    expect(event?.issueId).toBe(recorded.issueId);
    const one = [[eventIdOf('e'), [debugId, 'time']]];
    expect(await found({ of: 'all' })).toEqual(one);
    expect(await found({ of: 'release', release: '1.0' })).toEqual(one);
    expect(await found({ of: 'release', release: '2.0' })).toEqual([]);
    expect(await found({ of: 'names', names: ['other', debugId] })).toEqual(one);
    expect(await found({ of: 'names', names: ['time', debugId] })).toEqual(one);
    expect(await found({ of: 'names', names: ['other'] })).toEqual([]);
    for (const awaiting of [{ of: 'all' }, { of: 'names', names: [debugId] }] as const) {
      expect(await found(awaiting, row)).toEqual([]);
    }
    await store.storeSymbolication(1, row, {
      payload: null,
      needsMapping: true,
      awaits: ['another'],
      regrouped: null,
    });
    expect(await found({ of: 'names', names: [debugId] })).toEqual([]);
    expect(await found({ of: 'names', names: ['another'] })).toEqual([[eventIdOf('e'), ['another']]]);
    await store.storeSymbolication(1, row, {
      payload: '{"mapped":true}',
      needsMapping: false,
      awaits: [],
      regrouped: null,
    });
    expect(await found({ of: 'all' })).toEqual([]);
    expect(await found({ of: 'names', names: ['another'] })).toEqual([]);
    expect((await store.findEvent(1, eventIdOf('e')))?.payload).toBe('{"mapped":true}');
    await store.addSymbolicationActivity({
      projectId: 1,
      issueId: recorded.issueId,
      events: 1,
      release: '1.0',
      atMs: startMs,
    });
    const history = await store.listIssueActivity(1, recorded.issueId, { limit: 10, offset: 0 });
    expect(history?.rows.map((row) => row.kind)).toContain('mapped');
  });

  it('are announced to the events that they may symbolicate', async () => {
    expect(await store.artifactsSince(1, 0)).toEqual({
      lastId: 0,
      releases: [],
      debugIds: [],
      isMore: false,
    });
    const first = (await record({ release: '1.0' })).artifact.id;
    const second = (await record({ release: null, debugId })).artifact.id;
    expect(await store.artifactsSince(1, 0)).toEqual({
      lastId: second,
      releases: ['1.0'],
      debugIds: [debugId],
      isMore: false,
    });
    expect(await store.artifactsSince(1, first)).toMatchObject({ releases: [], debugIds: [debugId] });
    expect(await store.artifactsSince(1, second)).toMatchObject({
      lastId: second,
      releases: [],
      debugIds: [],
    });
    expect(await store.artifactsSince(2, 0)).toMatchObject({ lastId: 0 });
  });
});

describe('the plan of every query', () => {
  const db = shared(async () => openDb(await sqlite.createMigrated(), { isUnsynced: true }));

  it('has no full table scan', async () => {
    await projectStore(db).createProject({ name: 'shop', createdAtMs: startMs });
    const seen = new Set<string>();
    const spied = watchedDb(db, seen);
    const store = artifactStore(spied);
    await store.keepSmallContents(1, [{ sha256: sha('a'), size: 1, bytes: Buffer.from('a') }], startMs);
    await store.recordArtifacts([artifactOf(), artifactOf({ release: null, debugId })], {
      overwrite: true,
      nowMs: startMs,
    });
    await store.recordArtifacts([artifactOf(), artifactOf({ release: null, debugId })], {
      overwrite: true,
      nowMs: startMs,
    });
    await store.hasArtifacts(1);
    await store.findArtifactsByDebugId(1, [debugId]);
    await store.findArtifactsByName(1, '1.0', ['~/a.js']);
    await store.findWildcardArtifacts(1, '1.0');
    await store.findContent(1, sha('a'));
    await store.missingChunks(1, ['a']);
    await pruneArtifacts(spied, startMs);
    await insertEvent(spied, createInsertContext(), {
      ...eventOf({ release: '1.0' }),
      needsMapping: true,
      awaits: [debugId],
    });
    const waiting = mappingStore(spied);
    await waiting.listPendingSymbolications(1, { of: 'release', release: '1.0' }, 9, 9);
    await waiting.listPendingSymbolications(1, { of: 'names', names: [debugId] }, 9, 9);
    await waiting.listPendingSymbolications(1, { of: 'all' }, 9, 9);
    await waiting.storeSymbolication(1, 1, {
      payload: '{}',
      needsMapping: false,
      awaits: ['x'],
      regrouped: null,
    });
    await waiting.artifactsSince(1, 0);
    expect(seen.size).toBeGreaterThan(10);
    for (const sql of seen) {
      const values = [...new Set(sql.match(/\$\d+/g))].map(() => 1);
      const plan = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
      expect([
        sql,
        plan
          .map((row) => row.detail)
          .filter((detail) => /^SCAN (?!known|CONSTANT ROW|\d+-ROW VALUES CLAUSE)/.test(detail)),
      ]).toEqual([sql, []]);
    }
  });
});
