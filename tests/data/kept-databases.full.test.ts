import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { type AddressAnswer, answerOf, keptKeys } from './support/kept-answers.ts';
import { postgresDatabase } from './support/postgres.ts';

const kept = join(import.meta.dirname, '../fixtures/databases');
const versions = readdirSync(kept).sort();

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function itStays(version: string, database: 'sqlite' | 'postgres', urlOf: () => Promise<string>): void {
  const { madeAtMs, answers }: { madeAtMs: number; answers: AddressAnswer[] } = JSON.parse(
    readFileSync(join(kept, version, `${database}.answers.json`), 'utf8'),
  );
  const opened = async (): Promise<TestApp> =>
    openTestApp({ nowMs: madeAtMs + 1_000, env: { DATABASE_URL: await urlOf() } });

  it('is opened, and every address answers what it answered', async () => {
    const app = await opened();
    try {
      expect(answers.length).toBeGreaterThan(50);
      for (const then of answers) {
        const { total, ...now } = await answerOf(app.api, then.path);
        expect(now).toMatchObject({ path: then.path, status: then.status, body: then.body });
        expect([then.path, total]).toEqual([then.path, then.total]);
      }
      process.stderr.write(`F17: ${version}, ${database}: ${answers.length} addresses answer as before\n`);
    } finally {
      await app.close();
    }
  });

  it('is searched in any case and form', async () => {
    const app = await opened();
    try {
      const found = await answerOf(app.api, `/issues?search=${encodeURIComponent('ｒｕｎｔｉｍｅＥＸ')}`);
      expect(found.body).toEqual([expect.objectContaining({ issue_id: 1, platform: 'php' })]);
    } finally {
      await app.close();
    }
  });

  it('keeps events of known kinds in their issues', async () => {
    const app = await opened();
    try {
      const key = await app.deps.store.findKeyByHash(hash('sha256', keptKeys.public));
      const sent = await sendAgain(app, key?.project.id ?? 0);
      expect(sent.length).toBeGreaterThan(0);
      expect(sent.map(({ is }) => is)).toEqual(sent.map(({ was }) => was));
    } finally {
      await app.close();
    }
  });

  async function sendAgain(app: TestApp, projectId: number) {
    const { store } = app.deps;
    const events = await store.listRegroupEvents(projectId, null, 200);
    const issues = new Map(
      (await store.listRegroupIssues(projectId, 0, 1000)).map((issue) => [issue.id, issue]),
    );
    const headers = { 'X-Notifier-Key': keptKeys.public, Origin: 'https://shop.example' };
    const sent = [];
    for (const { payload, issueId } of events) {
      const issue = issues.get(issueId);
      if (payload === null || issue === undefined || issue.isOverflow) continue;
      // Mapped late, it may still be in the issue of the key that it had before.
      if (payload.includes('"raw_stacktrace"')) continue;
      const { event_id: _id, timestamp: _at, ...event } = JSON.parse(payload);
      const answer = await app.post('/store', event, headers);
      sent.push({ was: [201, issue.headId], is: [answer.status, answer.body.issue_id] });
    }
    return sent;
  }

  it('accepts events, reports and builds as before', async () => {
    const app = await opened();
    try {
      const headers = { 'X-Notifier-Key': keptKeys.public, Origin: 'https://shop.example' };
      const event = await app.post('/store', { message: 'after the new version' }, headers);
      expect([event.status, event.body.accepted]).toEqual([201, true]);
      const report = await app.post(
        '/feedback',
        { message: 'It works', url: 'https://shop.example/' },
        headers,
      );
      expect(report).toHaveStatus(201);
      const secret = { Authorization: `Bearer ${keptKeys.secret}` };
      expect(await app.post('/releases', { version: 'shop@1.1.0' }, secret)).toHaveStatus(200);
      expect(
        (await app.post('/deploys', { version: 'shop@2.0.0', environment: 'live' }, secret)).status,
      ).toBe(201);
    } finally {
      await app.close();
    }
  });
}

describe.each(versions)('a SQLite file of %s', (version) => {
  itStays(version, 'sqlite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'notifier-kept-'));
    folders.push(folder);
    const path = join(folder, 'notifier.db');
    writeFileSync(path, gunzipSync(readFileSync(join(kept, version, 'notifier.db.gz'))));
    return `sqlite:${path}`;
  });
});

describeWithPrograms('PostgreSQL databases of earlier versions', ['initdb', 'postgres'], () => {
  const database = postgresDatabase();
  afterAll(() => database.end());

  describe.each(versions)('one of %s', (version) => {
    itStays(version, 'postgres', async () => {
      const url = await database.create();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(gunzipSync(readFileSync(join(kept, version, 'notifier.sql.gz'))).toString());
      await client.end();
      return url;
    });
  });
});
