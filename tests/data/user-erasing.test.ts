import { existsSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { unpackBody } from '../../data/event-bodies.ts';
import { openDb, sqlitePath } from '../../data/open-store.ts';
import { finishBackgroundWork } from '../../src/core/issues/background-work.ts';
import { findUsers } from '../../src/core/users/find.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { inFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';
import { databases } from './support/databases.ts';

const renske = {
  id: '84213',
  email: 'renske@northwind.example',
  username: 'renske',
  name: 'Renske Überdijk',
  ip_address: '203.0.113.77',
};
const wanted = ['84213', 'renske', 'northwind.example', 'überdijk', 'uberdijk', '203.0.113'];
const other = { id: '55501', email: 'kim@southwind.example', username: 'kim', ip_address: '198.51.100.4' };

/** Everything that names the person, at every place where an SDK may put it. */
const event = (user: typeof other, of = user.email) => ({
  message: `No cart for ${user.username} (user ${user.id})`,
  platform: 'javascript',
  transaction: `/users/${user.id}/cart`,
  user,
  tags: { customer: user.id, plan: 'pro' },
  extra: { customer: Number(user.id), note: `mail ${of}`, [`of ${user.id}`]: 1 },
  request: { url: `https://shop.example/cart?who=${encodeURIComponent(of)}`, data: { name: user.username } },
  breadcrumbs: [{ message: `clicked by ${user.username}`, data: { id: user.id } }],
  fingerprint: ['cart'],
});

describe.each(databases)('erasing a user on $name', (database) => {
  let url: string;
  let app: TestApp;
  let db: Db;

  beforeEach(async () => {
    url = await database.createMigrated();
    app = await openTestApp({ env: { DATABASE_URL: url }, domains: ['shop.example'] });
    await app.deps.store.changeProject(app.project.id, { storeIpAddresses: true });
    db = await openDb(url, {});
  });
  afterEach(async () => {
    await db.close();
    await app.close();
  });

  async function fill(events: number): Promise<void> {
    for (let at = 0; at < events; at += 1) {
      const sent = await app.post('/store', event(renske));
      expect(sent).toHaveStatus(201);
      if (at > 0) continue;
      await app.deps.store.addAttachments(app.project.id, sent.body.event_id, [
        file('renske.log', 'nothing'),
        file('state.json', JSON.stringify({ for: renske.email })),
        file('kept.txt', 'nothing'),
      ]);
      const shop = { 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' };
      const about = { event_id: sent.body.event_id, name: renske.name, email: renske.email };
      expect(await app.post('/feedback', { message: `I am ${renske.name}`, ...about }, shop)).toHaveStatus(
        201,
      );
      await app.post('/feedback', { message: `ask ${renske.email}`, email: other.email }, shop);
      await app.deps.store.addComment({
        projectId: app.project.id,
        issueId: sent.body.issue_id,
        memberId: null,
        author: 'Mara',
        atMs: 1,
        body: `Called ${renske.email}`,
      } as never);
    }
    await app.post('/store', event(other));
  }

  const file = (filename: string, content: string) => ({
    filename,
    contentType: 'text/plain',
    attachmentType: 'event.attachment',
    bytes: Buffer.from(content),
  });

  const counts = async () => ({
    issues: (await app.get('/issues')).body.map(({ events, users }: Record<string, number>) => [
      events,
      users,
    ]),
    stored: (await db.get<{ n: number }>('SELECT COUNT(*) AS n FROM events'))?.n,
    tagged: await db.all('SELECT tag, SUM(events) AS n FROM issue_tags GROUP BY tag ORDER BY tag'),
    feedback: (await app.get('/feedback')).headers['x-wp-total'],
  });

  it('removes id, e-mail, name and IP address everywhere, and keeps all counts', async () => {
    await fill(3);
    const [user] = (await app.get('/users?query=84213')).body;
    expect(await findIn(db)).not.toEqual([]);
    const before = await counts();
    const answer = await app.deleteSecret(`/users/${user.user_hash}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({ accepted: true, user_hash: user.user_hash, events: 3 });
    await finishBackgroundWork(app.deps, () => false);

    expect(await findIn(db)).toEqual([]);
    // On a slow machine the request's own work is at the log when the work of this test finds nothing left.
    if (db.dbms === 'sqlite') await until(() => findInFile(sqlitePath(url)).length === 0);
    expect(await counts()).toEqual(before);
    expect((await app.get('/users?query=84213')).body).toEqual([]);
    expect(await app.get(`/users/${user.user_hash}`)).toHaveStatus(404);
    // What is not the person's stays.
    const [kim] = (await app.get('/users?query=kim@southwind.example')).body;
    expect(kim).toMatchObject({ id: '55501', events: 1 });
    expect(await db.all('SELECT filename FROM event_attachments ORDER BY id')).toEqual([
      { filename: '[erased].log' },
      { filename: 'kept.txt' },
    ]);
    const audit = await db.all('SELECT action, object_name, summary FROM audit_entries ORDER BY id');
    expect(audit).toEqual([
      { action: 'user.erased', object_name: 'a user of project 1', summary: '3 events' },
    ]);
  });

  inFull(it)(
    'continues after an interruption',
    async () => {
      await fill(60);
      const [user] = await findUsers(app.deps, [app.project.id], '84213');
      const ref = user?.parts[0]?.ref;
      if (ref === undefined) throw new Error('Nobody was found.');
      const erasure = { ...ref, newHash: 'f'.repeat(32), atMs: 1, terms: [] };
      expect(await app.deps.store.beginErasure(erasure)).toBe(true);
      expect(await app.deps.store.beginErasure(erasure)).toBe(false);
      await app.deps.store.eraseUserSlice();
      const left = async () =>
        (await db.get<{ n: number }>('SELECT COUNT(*) AS n FROM events WHERE user_hash = $1', [ref.userHash]))
          ?.n;
      expect(await left()).toBe(10);

      await app.close();
      app = await openTestApp({ env: { DATABASE_URL: url }, projectName: 'again' });
      await finishBackgroundWork(app.deps, () => false);
      expect(await left()).toBe(0);
      expect(await findIn(db)).toEqual([]);
      expect(await db.all('SELECT id FROM user_erasures')).toEqual([]);
    },
    60_000,
  );
});

/** Where a value of any table names the person, as `table.column: value`. */
async function findIn(db: Db): Promise<string[]> {
  const tables = await db.all<{ name: string }>(
    db.dbms === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const row of await db.all<Record<string, unknown>>(`SELECT * FROM ${name}`)) {
      for (const [column, value] of Object.entries(row)) {
        const texts = value instanceof Uint8Array ? textsOf(row, Buffer.from(value)) : [String(value)];
        for (const text of texts.filter(namesPerson)) found.push(`${name}.${column}: ${text.slice(0, 300)}`);
      }
    }
  }
  return found;
}

function textsOf(row: Record<string, unknown>, bytes: Buffer): string[] {
  const texts = [bytes.toString('latin1'), bytes.toString('utf8')];
  const sha256 = row['body_sha256'];
  if (sha256 instanceof Uint8Array && bytes.length > 16) {
    const { payload, extras: telling } = unpackBody({ body: bytes, sha256 });
    texts.push(payload, JSON.stringify(telling));
  }
  // The magic number of zstd.
  if (bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528)
    texts.push(zstdDecompressSync(bytes).toString());
  return texts;
}

const namesPerson = (text: string): boolean => wanted.some((word) => text.toLowerCase().includes(word));

function findInFile(path: string): string[] {
  const files = [path, `${path}-wal`].filter((each) => existsSync(each)).map((each) => readFileSync(each));
  const texts = files.flatMap((bytes) => [bytes.toString('latin1'), bytes.toString('utf8')]);
  return wanted.filter((word) => texts.some((text) => text.toLowerCase().includes(word)));
}
