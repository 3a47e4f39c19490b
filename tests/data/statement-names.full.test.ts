import { afterAll, describe, expect, it } from '@jest/globals';
import { artifactStore } from '../../data/artifacts/artifacts.ts';
import type { Db } from '../../data/db.ts';
import { openPostgres } from '../../data/drivers/postgres.ts';
import { insertEvent } from '../../data/events/event-batcher.ts';
import { createInsertContext } from '../../data/events/insert-context.ts';
import { eventReads } from '../../data/events/reads.ts';
import { mergeStore } from '../../data/issues/merge-issues.ts';
import { issueReads } from '../../data/issues/reads.ts';
import { migrate } from '../../data/migrate.ts';
import { openDb } from '../../data/open-store.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { testRunStore } from '../../data/test-runs/record.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { forEachTest } from '../support/shared.ts';
import { eventOf, startMs } from './support/events.ts';
import { postgresDatabase } from './support/postgres.ts';
import { testUploadOf } from './support/test-uploads.ts';
import { watchedDb } from './support/watched-db.ts';

describeWithPrograms('prepared statements of a connection', ['initdb', 'postgres'], () => {
  const database = postgresDatabase();
  const db = forEachTest(async () => openPostgres(await database.create()));
  afterAll(() => database.end());

  const prepared = () =>
    db.all<{ name: string; statement: string }>('SELECT name, statement FROM pg_prepared_statements');

  it('are limited in number, and a repeated text is one of them', async () => {
    for (let nth = 0; nth < 3; nth += 1) await db.get('SELECT 1 AS first');
    for (let nth = 0; nth < 1500; nth += 1) {
      const sql = `SELECT ${nth} AS number`;
      expect(await db.get(sql)).toEqual({ number: nth });
      expect(await db.get(sql)).toEqual({ number: nth });
    }
    const rows = await prepared();
    expect(rows.length).toBeLessThanOrEqual(300);
    expect(rows.map((row) => row.statement)).toContain('SELECT 1 AS first');
  });

  it('are not used for a text that is run once', async () => {
    for (let nth = 0; nth < 400; nth += 1) await db.get(`SELECT ${nth} AS number`);
    expect(await prepared()).toEqual([]);
  });

  it('have the same name in every process, so that a pooler between can share them', async () => {
    const other = openPostgres(await database.create());
    const namesOf = async (each: Db): Promise<unknown> => {
      for (let nth = 0; nth < 3; nth += 1) await each.get('SELECT 2 AS two');
      const rows = await each.all<{ name: string }>(
        "SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT 2 AS two'",
      );
      return rows.map((row) => row.name);
    };
    await db.get('SELECT 3 AS three');
    await db.get('SELECT 3 AS three');
    expect(await namesOf(db)).toEqual(await namesOf(other));
    expect(await namesOf(db)).toHaveLength(1);
    await other.close();
  });
});

describe('texts of statements that take a list', () => {
  it('are few, whatever the length of the list', async () => {
    const plain = await openDb('sqlite::memory:', {});
    await migrate(plain, startMs);
    await projectStore(plain).createProject({ name: 'shop', createdAtMs: startMs });
    const filing = createInsertContext();
    const texts = new Set<string>();
    const db = watchedDb(plain, texts);
    const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);
    await insertEvent(db, filing, eventOf({ kind: 'head' }));
    const before = texts.size;
    for (let count = 1; count <= 130; count += 1) {
      await artifactStore(db).missingChunks(1, words(count));
      await artifactStore(db).findArtifactsByDebugId(1, words(count));
      await artifactStore(db).findArtifactsByName(1, '1.0', words(count));
      await issueReads(db).listIssueHours(1, words(count).map(Number), 0, startMs);
    }
    expect(texts.size - before).toBeLessThanOrEqual(16);
    const beforeRuns = texts.size;
    for (let count = 1; count <= 110; count += 1) {
      const upload = testUploadOf(
        `d${count}`,
        words(count).map((word) => `${word} passed`),
        { commit: 'c' },
      );
      await testRunStore(db).recordTestRun(upload);
    }
    expect(texts.size - beforeRuns).toBeLessThanOrEqual(40);
    const beforeEvents = texts.size;
    for (let count = 1; count <= 60; count += 1) {
      const { issueId } = await insertEvent(db, filing, eventOf({ kind: `k${count}` }));
      await mergeStore(db).mergeIssues(1, 1, [issueId], { actor: 'ada', nowMs: startMs });
      await eventReads(db).listIssueEvents(1, 1, { descending: true, limit: 5, offset: 0 });
    }
    expect(texts.size - beforeEvents).toBeLessThanOrEqual(30);
    await plain.close();
  });
});
