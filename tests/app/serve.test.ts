import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadProgram } from '../support/loaded-program.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { forEachTest, shared } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, killsWanted } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const folder = forEachTest(temporaryFolder);
let env: Record<string, string>;
const loaded = shared(() => loadProgram());
beforeEach(() => {
  env = { DATABASE_URL: `sqlite:${join(folder.path, 'data', 'notifier.db')}`, LOG_LEVEL: 'warn' };
});

const words = (text: string): string[] => text.split(' ');

describe('the first start', () => {
  inFull(it)(
    'creates database, project and keys, prints a working curl line; later starts change nothing',
    async () => {
      const program = await startProgram(env);
      const printed = program.printed();
      const publicKey = /Public key\s+(ntf_pk_\w{38})/.exec(printed)?.[1] ?? '';
      expect(printed).toMatch(/Secret key\s+ntf_sk_\w{49}\s/);
      expect(printed).toMatch(/Workspace token\s+ntf_admin_/);
      expect(printed).toContain(`Sentry DSN        http://${publicKey}@`);
      const address = /curl -X POST (\S+)/.exec(printed)?.[1] ?? '';
      const header = /-H '(X-Notifier-Key: [^']+)'/.exec(printed)?.[1]?.split(': ') ?? [];
      const body = /-d '([^']+)'/.exec(printed)?.[1] ?? '';
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', [header[0] ?? '']: header[1] ?? '' },
        body,
      });
      expect(answer).toHaveStatus(201);
      expect(await program.end()).toBe(0);
      const path = env['DATABASE_URL']?.slice('sqlite:'.length) ?? '';
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder.path, 'data')).mode & 0o777).toBe(0o700);
      const list = await loaded.command(words('issue list'), env);
      expect([list.code, list.out]).toEqual([0, expect.stringContaining('Hello from curl')]);

      const keys = (await loaded.command(words('key list --json'), env)).out;
      const second = await startProgram(env);
      expect(second.printed()).toContain('Serving    project 1 "default"');
      expect(second.printed()).not.toMatch(/ntf_(pk|sk|admin)_/);
      await second.end();
      expect(JSON.parse((await loaded.command(words('key list --json'), env)).out)).toEqual(JSON.parse(keys));
    },
  );
});

describe('a wrong setting', () => {
  it.each([
    ['PORT', '99999'],
    ['BASE_URL', 'https://shop.example/blog'],
    ['DATABASE_URL', 'mysql://x'],
    ['TRUST_PROXY', 'everyone'],
    ['NOTIFIER_DOMAINS', 'shop.example:8080'],
    ['RATE_LIMITS', 'maybe'],
    ['LOG_LEVEL', 'chatty'],
  ])('%s=%s stops the start with 78 and a sentence that names it', async (name, value) => {
    const { code, out, err } = await loaded.failingStart({ ...env, [name]: value });
    expect([code, out, err]).toEqual([78, '', expect.stringMatching(new RegExp(`^${name} [^\\n]*\\n$`))]);
  });

  it('is not read where `serve` has its option', async () => {
    const wrong = { ...env, PORT: 'eighty', LOG_LEVEL: 'loud' };
    const { code, err } = await loaded.command(words('serve --port 0'), wrong);
    expect([code, err]).toEqual([78, expect.stringContaining('LOG_LEVEL')]);
    expect(err).not.toContain('PORT');
  });
});

describe('a configured key', () => {
  const mistyped = `ntf_pk_${'a'.repeat(38)}`;
  const own = temporaryFolder();
  let program: RunningProgram;
  beforeAll(async () => {
    const databaseUrl = `sqlite:${join(own.path, 'notifier.db')}`;
    const secretFile = join(own.path, 'secret');
    writeFileSync(secretFile, 'deployed-secret-1\n');
    const keys = { NOTIFIER_PUBLIC_KEY: mistyped, NOTIFIER_SECRET_KEY_FILE: secretFile };
    const odd = { NOTIFIER_DOMAIN: 'x' };
    program = await startProgram({ ...keys, ...odd, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' });
  });
  afterAll(async () => {
    await program.end();
    own.remove();
  });

  it('that looks like a Notifier key with a typing mistake works, with a warning', async () => {
    expect(program.errors()).toContain('NOTIFIER_PUBLIC_KEY looks like a mistyped key');
    const answer = await fetch(`${program.origin}/wp-json/notifier/v1/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': mistyped },
      body: '{"message":"x"}',
    });
    expect(answer).toHaveStatus(201);
  });

  it('in a file is used as it is, and never shown', async () => {
    const answer = await fetch(`${program.origin}/wp-json/notifier/v1/releases`, {
      method: 'POST',
      headers: { Authorization: 'Bearer deployed-secret-1', 'Content-Type': 'application/json' },
      body: '{"version":"1"}',
    });
    expect(answer).toHaveStatus(201);
    expect(program.printed() + program.errors()).not.toContain('deployed-secret-1');
  });

  it('beside an unknown NOTIFIER_ setting: a warning suggests the nearest name', () => {
    expect(program.errors()).toContain('Did you mean NOTIFIER_DOMAINS?');
  });
});

/**
 * Sixteen clients that send without a pause, and what was answered 201. `stop` resolves when the last has its
 * answer.
 */
function startLoad(origin: string, round: number, acknowledged: Set<string>): { stop(): Promise<void> } {
  let stopped = false;
  const client = async (lane: number): Promise<void> => {
    for (let serial = 0; !stopped; serial += 1) {
      const body = JSON.stringify({ message: `lane ${lane}`, platform: 'node', tags: { round, serial } });
      try {
        const answer = await fetch(`${origin}/wp-json/notifier/v1/store`, {
          method: 'POST',
          headers: { 'X-Notifier-Key': loadKey },
          body,
        });
        const { event_id: id } = (await answer.json()) as { event_id: string };
        if (answer.status === 201) acknowledged.add(id);
      } catch {
        return;
      }
    }
  };
  const clients = Promise.all(Array.from({ length: 16 }, (_, lane) => client(lane)));
  return {
    async stop() {
      stopped = true;
      await clients;
    },
  };
}

const loadKey = 'load-public-1';

async function answersReach(acknowledged: ReadonlySet<string>, target: number): Promise<void> {
  await until(() => acknowledged.size >= target);
}

async function expectNothingLost(databaseUrl: string, acknowledged: ReadonlySet<string>): Promise<void> {
  const { openStore } = await import('../../data/open-store.ts');
  const { silentLog } = await import('../../src/app/log.ts');
  const store = await openStore(databaseUrl, { now: () => Date.now(), log: silentLog });
  const lost = [];
  for (const id of acknowledged) if ((await store.findEvent(1, id)) === null) lost.push(id);
  expect(lost).toEqual([]);
  const { rows } = await store.listIssues(1, { orderBy: 'id', descending: false, limit: 100, offset: 0 });
  let stored = 0;
  for (const issue of rows) {
    const events = await store.listIssueEvents(1, issue.id, { descending: false, limit: 1, offset: 0 });
    expect(events?.total).toBe(issue.eventsCount);
    stored += issue.eventsCount;
  }
  expect(stored).toBeGreaterThanOrEqual(acknowledged.size);
  await store.close();
}

inFull(describe)('SIGTERM under load', () => {
  it('ends with 0, loses nothing that was answered 201, and leaves no log to be read again', async () => {
    const acknowledged = new Set<string>();
    const program = await startProgram({ ...env, NOTIFIER_PUBLIC_KEY: loadKey, RATE_LIMITS: 'off' });
    const load = startLoad(program.origin, 0, acknowledged);
    await answersReach(acknowledged, 100);
    expect(await program.end('SIGTERM')).toBe(0);
    await load.stop();
    const path = env['DATABASE_URL']?.slice('sqlite:'.length) ?? '';
    expect([existsSync(path), existsSync(`${path}-wal`)]).toEqual([true, false]);
    await expectNothingLost(env['DATABASE_URL'] ?? '', acknowledged);
    process.stderr.write(`F3: ended with 0, ${acknowledged.size} answered, none lost\n`);
  });

  inFull(it)('exits at once on a second signal', async () => {
    const program = await startProgram({ ...env, NOTIFIER_PUBLIC_KEY: loadKey, LOG_LEVEL: 'info' });
    const { hostname, port } = new URL(program.origin);
    // A request whose body never comes holds the drain up for as long as it may take.
    const socket = connect(Number(port), hostname).on('error', () => {});
    const head = ['POST /wp-json/notifier/v1/store HTTP/1.1', 'Host: x', `X-Notifier-Key: ${loadKey}`];
    socket.write([...head, 'Content-Length: 10', 'Expect: 100-continue', '', ''].join('\r\n'));
    await once(socket, 'data');
    const ended = program.end('SIGTERM');
    await until(() => program.errors().includes('draining'));
    program.process.kill('SIGTERM');
    expect(await ended).toBe(1);
    socket.destroy();
  });
});

inFull(describe)('an uncaught exception', () => {
  it('is logged, and the server drains and ends with 1', async () => {
    const fault = 'process.on("SIGUSR2", () => void Promise.reject(new Error("left alone")))';
    const program = await startProgram({
      ...env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
    });
    expect(await program.end('SIGUSR2')).toBe(1);
    expect(program.errors()).toContain('left alone');
    const path = env['DATABASE_URL']?.slice('sqlite:'.length) ?? '';
    expect([existsSync(path), existsSync(`${path}-wal`)]).toEqual([true, false]);
  });
});

const kills = killsWanted(5);

inFull(describe)(`kill -9 under load, ${kills} times`, () => {
  it(
    'loses nothing that was answered 201, and counts it once',
    async () => {
      const acknowledged = new Set<string>();
      for (let round = 0; round < kills; round += 1) {
        const program = await startProgram({ ...env, NOTIFIER_PUBLIC_KEY: loadKey, RATE_LIMITS: 'off' });
        const load = startLoad(program.origin, round, acknowledged);
        await answersReach(acknowledged, acknowledged.size + 40 + (round % 10) * 7);
        await program.end('SIGKILL');
        await load.stop();
      }
      await expectNothingLost(env['DATABASE_URL'] ?? '', acknowledged);
      process.stderr.write(
        `F1: the program killed ${kills} times, ${acknowledged.size} answered, none lost\n`,
      );
    },
    60_000 + kills * 12_000,
  );
});
