import { describe, expect, it } from '@jest/globals';
import { openDb, openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { actionVerb } from '../../src/core/audit/actions.ts';
import { commandLineSource, runAudited, writeAuditEntry } from '../../src/core/audit/audit.ts';
import { canonicalEntryText, verifyAuditLog } from '../../src/core/audit/chain.ts';
import type { AuditFilter } from '../../src/core/store/audit.ts';
import { wholeAudit } from '../support/audit.ts';
import { forEachTest } from '../support/shared.ts';
import { databases } from './support/databases.ts';

const key = (id: number) => ({ kind: 'key', id, name: `ntf_sk_…${id}` });

describe.each(databases)('the audit log on $name', (database) => {
  let url: string;
  let nowMs = Date.UTC(2026, 10, 23, 9, 30); // a Monday
  const options = { now: () => nowMs, log: silentLog };
  const store = forEachTest(async () => {
    url = await database.createMigrated();
    return openStore(url, options);
  });
  const other = forEachTest(() => openStore(url, options));
  const db = forEachTest(() => openDb(url, {}));
  const deps = () => ({ store, now: () => nowMs });

  const write = async (count: number): Promise<void> => {
    for (let id = 1; id <= count; id += 1) {
      await writeAuditEntry(deps(), commandLineSource, { action: 'key.revoked', object: key(id) });
    }
  };
  const attack = async (sql: string): Promise<void> => {
    const guards =
      db.dbms === 'sqlite'
        ? ['DROP TRIGGER audit_entries_unchanged', 'DROP TRIGGER audit_entries_undeleted']
        : ['ALTER TABLE audit_entries DISABLE TRIGGER ALL'];
    for (const statement of [...guards, sql]) await db.run(statement);
  };

  it('is empty and valid at first', async () => {
    expect(await verifyAuditLog(store)).toEqual({
      entries: 0,
      hash: '0'.repeat(64),
      fault: null,
      holds: null,
    });
  });

  it('has in each entry the hash of the one before, over a fixed text', async () => {
    await write(2);
    const [first, second] = await store.walkAudit(0, 10);
    expect([first?.id, second?.id, second?.previousHash]).toEqual([1, 2, first?.hash]);
    expect(canonicalEntryText(first as never)).toBe(
      `[1,1,"${'0'.repeat(64)}",${nowMs},"command",null,"command line","key.revoked","key","1","ntf_sk_…1",null,"","",null]`,
    );
    expect(await verifyAuditLog(store)).toMatchObject({ entries: 2, hash: second?.hash, fault: null });
  });

  it('covers the name of an API token with the hash', async () => {
    const by = { ...commandLineSource, tokenName: 'deploy\0 bot' };
    await writeAuditEntry(deps(), by, { action: 'key.revoked', object: key(1) });
    const [entry] = await store.walkAudit(0, 10);
    expect(entry?.tokenName).toBe('deploy\ufffd bot');
    expect(canonicalEntryText(entry as never)).toMatch(/^\[2,1,.*,null,"deploy\ufffd bot"\]$/);
    expect((await verifyAuditLog(store)).fault).toBeNull();
    await attack('UPDATE audit_entries SET token_name = NULL');
    expect((await verifyAuditLog(store)).fault).toBe('entry 1 was changed after it was written');
  });

  it('stays one chain when many write at once, from two processes', async () => {
    const writers = Array.from({ length: 40 }, (_, id) =>
      writeAuditEntry({ store: id % 2 === 0 ? store : other, now: () => nowMs }, commandLineSource, {
        action: 'key.created',
        object: key(id),
      }),
    );
    const ids = (await Promise.all(writers)).map(({ id }) => id).sort((left, right) => left - right);
    expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await verifyAuditLog(other)).toMatchObject({ entries: 40, fault: null });
  });

  it('is written together with its action, or neither is', async () => {
    const project = await store.createProject({ name: 'shop', createdAtMs: nowMs });
    const rename = (fails: boolean) =>
      runAudited(deps(), commandLineSource, async ({ store: parts }) => {
        await parts.setSetting('x', String(fails));
        if (fails) throw new Error('It was not to be.');
        const told = { action: 'project.renamed', object: { kind: 'project', ...project } } as const;
        return { result: 'done', auditEvent: told };
      });
    await expect(rename(true)).rejects.toThrow('It was not to be.');
    expect([await store.findSetting('x'), (await store.auditHead()).entries]).toEqual([null, 0]);
    expect(await rename(false)).toBe('done');
    expect([await store.findSetting('x'), (await store.auditHead()).entries]).toEqual(['false', 1]);
  });

  it('refuses to be changed or emptied', async () => {
    await write(2);
    const refused = /append-only/;
    await expect(db.run("UPDATE audit_entries SET summary = 'x' WHERE id = 1")).rejects.toThrow(refused);
    await expect(db.run('DELETE FROM audit_entries WHERE id = 1')).rejects.toThrow(refused);
    if (db.dbms === 'postgres') await expect(db.run('TRUNCATE audit_entries')).rejects.toThrow(refused);
    expect(await verifyAuditLog(store)).toMatchObject({ entries: 2, fault: null });
  });

  const copiedColumns = `at_ms, actor_kind, actor_id, actor_name, action, object_kind, object_id, object_name,
    of_project, summary, network, request_id, previous_hash, hash`;
  const copied = `INSERT INTO audit_entries (id, ${copiedColumns})
    SELECT NEW_ID, ${copiedColumns} FROM audit_entries WHERE id = 3`;
  const attacks: ReadonlyArray<readonly [string, string, string]> = [
    [
      'changed',
      "UPDATE audit_entries SET actor_name = 'Somebody' WHERE id = 3",
      'entry 3 was changed after it was written',
    ],
    [
      'given a token',
      "UPDATE audit_entries SET token_name = 'ci' WHERE id = 3",
      'entry 3 was changed after it was written',
    ],
    [
      'changed in its time',
      'UPDATE audit_entries SET at_ms = at_ms + 1 WHERE id = 1',
      'entry 1 was changed after',
    ],
    [
      'changed to nothing',
      'UPDATE audit_entries SET object_id = NULL WHERE id = 5',
      'entry 5 was changed after',
    ],
    ['taken out', 'DELETE FROM audit_entries WHERE id = 3', 'entry 3 is missing, entry 4 is in its place'],
    [
      'taken from the beginning',
      'DELETE FROM audit_entries WHERE id = 1',
      'entry 1 is missing, entry 2 is in its place',
    ],
    [
      'taken from the end',
      'DELETE FROM audit_entries WHERE id = 5',
      'entry 5 and all later entries are missing',
    ],
    ['taken out, all', 'DELETE FROM audit_entries', 'entry 1 and all later entries are missing'],
    ['put behind the end', copied.replace('NEW_ID', '6'), 'entry 6 is after the last entry'],
    ['put before the beginning', copied.replace('NEW_ID', '0'), 'entry 0 is before the first entry'],
    [
      'put in another order',
      'UPDATE audit_entries SET id = CASE id WHEN 3 THEN 103 ELSE 104 END WHERE id IN (3, 4)',
      'entry 3 is missing',
    ],
    [
      'in another chain',
      'UPDATE audit_entries SET previous_hash = hash WHERE id = 4',
      'entry 4 does not match the previous entry',
    ],
    ['beside a changed end', 'UPDATE audit_head SET entries = 4', 'the last entry is not entry 4'],
  ];
  it.each(attacks)('is invalid where an entry was %s', async (_how, sql, fault) => {
    await write(5);
    await attack(sql);
    expect((await verifyAuditLog(store)).fault).toContain(fault);
  });

  it('is invalid where two entries were swapped', async () => {
    await write(5);
    await attack('UPDATE audit_entries SET id = id + 100 WHERE id IN (3, 4)');
    await db.run('UPDATE audit_entries SET id = CASE id WHEN 103 THEN 4 ELSE 3 END WHERE id > 100');
    expect((await verifyAuditLog(store)).fault).toBe('entry 3 does not match the previous entry');
  });

  it('contains a noted hash, and not after it was rewritten', async () => {
    await write(3);
    const noted = (await store.walkAudit(1, 1))[0]?.hash ?? '';
    expect(await verifyAuditLog(store, { noted })).toMatchObject({ fault: null, holds: true });
    expect(await verifyAuditLog(store, { noted: 'f'.repeat(64) })).toMatchObject({
      fault: null,
      holds: false,
    });
  });

  it('is read by actor, action, target and time, newest first, a page at a time', async () => {
    await write(5);
    nowMs += 3_600_000;
    const shop = { kind: 'project', id: 7, name: 'shop' };
    const mara = {
      actor: { kind: 'member', id: 4, name: 'Mara' },
      network: '192.0.2.0/24',
      requestId: 'r1',
    } as const;
    await writeAuditEntry(deps(), mara, {
      action: 'project.renamed',
      object: shop,
      projectId: 7,
      summary: 'from x',
    });
    const ids = async (filter: Partial<AuditFilter>, slice = { limit: 10 }) =>
      (await store.listAudit({ ...wholeAudit, ...filter }, slice)).map(({ id }) => id);
    expect(await ids({})).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await ids({ actorKind: 'member' })).toEqual([6]);
    expect(await ids({ actorName: 'Mara', requestId: 'r1', projectId: 7 })).toEqual([6]);
    expect(await ids({ action: 'key' }, { limit: 2 })).toEqual([5, 4]);
    expect(await ids({ action: 'key.revoked', objectKind: 'key', objectId: '3' })).toEqual([3]);
    expect(await ids({ action: 'ke' })).toEqual([]);
    expect(await ids({ fromMs: nowMs })).toEqual([6]);
    expect(await ids({ toMs: nowMs }, { limit: 2, beforeId: 4 } as never)).toEqual([3, 2]);
    expect(await ids({}, { limit: 2, afterId: 2 } as never)).toEqual([4, 3]);
    expect(await store.countAudit({ ...wholeAudit, action: 'key' })).toBe(5);
    const week = await store.auditWeek(wholeAudit, 0);
    expect([...week].sort((left, right) => left.hour - right.hour)).toEqual([
      { hour: 9, entries: 5 },
      { hour: 10, entries: 1 },
    ]);
    expect(await store.auditWeek(wholeAudit, nowMs)).toEqual([{ hour: 10, entries: 1 }]);
    expect(await store.auditWeek({ ...wholeAudit, projectIds: [1, 7] }, 0)).toEqual([
      { hour: 10, entries: 1 },
    ]);
    expect(await ids({ projectIds: [1, 7] })).toEqual([6]);
    expect(await ids({ projectIds: [17, 70] })).toEqual([]);
    expect(await store.countAudit({ ...wholeAudit, projectIds: [] })).toBe(0);
    expect(await store.countAudit(wholeAudit)).toBe(6);
    nowMs -= 3_600_000;
    expect((await store.auditActors(10)).map(({ name }) => name)).toEqual(['Mara', 'command line']);
    const [renamed] = await store.walkAudit(5, 1);
    if (renamed === undefined) throw new Error('The entry is not there.');
    await store.addAuditEntry({ ...renamed, action: 'work.planned' });
    for (const action of ['maintenance', 'maintenance.scheduled', 'work', 'work.planned']) {
      expect(await ids({ action })).toEqual([7]);
    }
    expect(actionVerb('work.planned')).toBe('scheduled the maintenance');
  });

  it('stores any text and returns what was hashed', async () => {
    const name = `a\0b \ud800 ${'x'.repeat(5000)}`;
    await writeAuditEntry(deps(), commandLineSource, {
      action: 'key.revoked',
      object: { kind: 'key', id: 'é\u0301', name },
      summary: '‮ <script> \n',
    });
    expect(await verifyAuditLog(store)).toMatchObject({ entries: 1, fault: null });
  });
});
