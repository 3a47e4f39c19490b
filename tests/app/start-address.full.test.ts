import { existsSync, openSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { toBindError } from '../../src/app/bind.ts';
import { ConfigError, DependencyNotReadyError } from '../../src/core/config/start-errors.ts';
import { freePort } from '../support/free-port.ts';
import { loadProgram } from '../support/loaded-program.ts';
import { spawnProgram, startProgram } from '../support/program.ts';
import { forEachTest, shared } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull } from '../support/test-level.ts';

const folder = forEachTest(temporaryFolder);
let file: string;
let env: Record<string, string>;
const loaded = shared(() => loadProgram());
beforeEach(() => {
  file = join(folder.path, 'data', 'notifier.db');
  env = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'warn' };
});

/** A server on a port of its own, for as long as `act` runs. */
async function withTakenPort(act: (port: number) => Promise<void>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await act((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('a start that cannot listen', () => {
  it('names the port and creates nothing; the next start shows the keys that it creates', async () => {
    await withTakenPort(async (port) => {
      const { code, out, err } = await loaded.failingStart({ ...env, PORT: String(port) });
      expect([code, out]).toEqual([78, '']);
      expect(err).toMatch(new RegExp(`^PORT is ${port}: .*already.*PORT=0.*\\n$`));
    });
    expect(readdirSync(folder.path)).toEqual([]);
    const second = await startProgram(env);
    expect(second.printed()).toMatch(/Secret key\s+ntf_sk_\w{49}\s/);
    expect(second.printed()).toMatch(/Workspace token\s+ntf_admin_/);
    await second.end();
  });

  it('names a host that is not of this machine', async () => {
    const { code, err } = await loaded.failingStart({ ...env, HOST: '203.0.113.9' });
    expect(code).toBe(78);
    expect(err).toMatch(/^HOST is "203\.0\.113\.9": this machine has no such address\. .*\n$/);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each([
    ['EADDRINUSE', ConfigError, /^PORT is 80: another program .*PORT=0/],
    ['EACCES', ConfigError, /^PORT is 80: this user is not allowed .*1024/],
    ['EPERM', ConfigError, /^PORT is 80: this user is not allowed .*1024/],
    ['EADDRNOTAVAIL', ConfigError, /^HOST is "shop\.example": .*Set HOST to/],
    ['EINVAL', ConfigError, /^HOST is "shop\.example": .*Set HOST to/],
    ['EAFNOSUPPORT', ConfigError, /^HOST is "shop\.example": .*Set HOST to/],
    ['ENOTFOUND', ConfigError, /^HOST is "shop\.example": .*Set HOST to/],
    ['EAI_FAIL', ConfigError, /^HOST is "shop\.example": .*Set HOST to/],
    ['EAI_AGAIN', DependencyNotReadyError, /^HOST is "shop\.example": .*set HOST to/],
  ])('says of %s what to set', (code, kind, words) => {
    const failure = toBindError(Object.assign(new Error(code), { code }), { host: 'shop.example', port: 80 });
    expect(failure).toBeInstanceOf(kind);
    expect(failure.message).toMatch(words);
    expect(failure.message).not.toContain('\n');
  });

  it('passes other errors on', () => {
    const fault = Object.assign(new Error('out of files'), { code: 'EMFILE' });
    expect(toBindError(fault, { host: 'x', port: 1 })).toBe(fault);
  });
});

describe('keys', () => {
  (existsSync('/dev/full') ? inFull(it) : it.skip)('that could not be shown are not stored', async () => {
    const full = openSync('/dev/full', 'w');
    const program = spawnProgram(env, { stdio: ['ignore', full, 'pipe'] });
    expect(await program.ended).toBe(1);
    expect(program.errors()).toContain('could not be shown');
    expect(JSON.parse((await loaded.command(['project', 'list', '--json'], env)).out)).toEqual([]);
    const second = await startProgram(env);
    expect(second.printed()).toMatch(/Secret key\s+ntf_sk_\w{49}\s/);
    await second.end();
    // Where nothing is shown for the only time, nobody has to read.
    const port = await freePort();
    const third = spawnProgram({ ...env, PORT: String(port) }, { stdio: ['ignore', full, 'pipe'] });
    while (!(await answers(port))) {
      expect(third.process.exitCode).toBeNull();
      await sleep(20);
    }
    third.process.kill('SIGTERM');
    expect(await third.ended).toBe(0);
  });
});

async function answers(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
  return answer?.status === 200;
}

describe('a request that comes while the program is starting', () => {
  inFull(it)('waits, and is answered', async () => {
    const key = 'early-public-1';
    const own = { ...env, PORT: String(await freePort()), NOTIFIER_PUBLIC_KEY: key };
    await loaded.command(['migrate'], own);
    // Another program writes for a while: the start has its address by then, and waits.
    const holder = new Database(file);
    holder.exec('BEGIN IMMEDIATE');
    const second = spawnProgram(own);
    await second.says(/another program holds the database locked.*Waiting/);
    const answer = fetch(`http://127.0.0.1:${own.PORT}/wp-json/notifier/v1/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': key },
      body: '{"message":"early"}',
    });
    holder.exec('COMMIT');
    holder.close();
    expect(await answer).toHaveStatus(201);
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  });
});
