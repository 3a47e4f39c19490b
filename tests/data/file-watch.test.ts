import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import type { Store } from '../../src/core/store/store.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeMigratedFile } from '../support/throw-away-database.ts';
import { until } from '../support/until.ts';

describe('a database file', () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'watched.db');
  const away = `${file}-away`;
  let app: TestApp;
  let store: Store;
  beforeAll(async () => {
    await writeMigratedFile(file);
    store = await openStore(`sqlite:${file}`, { now: () => 0, log: silentLog, fileCheckMs: 20 });
    app = await openTestApp({ deps: { store } });
  });
  afterAll(async () => {
    await app.close();
    await store.close();
    folder.remove();
  });

  const readiness = (status: number): Promise<void> =>
    until(async () => {
      app.advance(1_000);
      return (await app.agent.get('/readyz')).status === status;
    });
  const reason = async (): Promise<string> => (await app.agent.get('/readyz')).body.store.reason;

  it('is missing: not ready, nothing accepted or shown until it is back', async () => {
    await readiness(200);
    renameSync(file, away);
    await readiness(503);
    expect(await reason()).toMatch(/^The database file is no longer .*: it was removed\./);
    expect(await app.post('/store', { message: 'm' })).toHaveStatus(503);
    expect(await app.get('/issues')).toHaveStatus(503);
    renameSync(away, file);
    await readiness(200);
    expect(await app.post('/store', { message: 'm' })).toHaveStatus(201);
  });

  it('is distinguished from another file in its place', async () => {
    renameSync(file, away);
    copyFileSync(away, file);
    await readiness(503);
    expect(await reason()).toContain('another file stands in its place');
    expect(await app.post('/store', { message: 'm' })).toHaveStatus(503);
    rmSync(file);
    renameSync(away, file);
    await readiness(200);
  });

  it.each(['-wal', '-shm'])('is incomplete without its %s', async (suffix) => {
    await readiness(200);
    renameSync(`${file}${suffix}`, away);
    await readiness(503);
    expect(await reason()).toMatch(new RegExp(`^The file ${suffix} of the database .*: it was removed\\.`));
    expect(await app.post('/store', { message: 'm' })).toHaveStatus(503);
    renameSync(away, `${file}${suffix}`);
    await readiness(200);
    expect(await app.post('/store', { message: 'm' })).toHaveStatus(201);
  });
});
