import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findActivatedSocket } from '../../src/app/bind.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { type SpawnedProgram, spawnProgram } from '../support/program.ts';
import { forEachTest } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const key = 'handed-public-1';
const server = join(import.meta.dirname, '../../src/server.ts');

const folder = forEachTest(() => temporaryFolder());

const settings = (): Record<string, string> => ({
  DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
  NOTIFIER_PUBLIC_KEY: key,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
});

/**
 * Starts the program with `descriptor` as its third, and says so as systemd would, by the shell's own process
 * id.
 */
function startWith(descriptor: number, env: Record<string, string> = {}): SpawnedProgram {
  const script = 'export LISTEN_PID=$$; exec "$0" "$1"';
  return spawnProgram(
    { ...settings(), LISTEN_FDS: '1', ...env },
    {
      command: ['/bin/sh', '-c', script, process.execPath, server],
      stdio: ['ignore', 'pipe', 'pipe', descriptor],
    },
  );
}

const holder = `
import os, socket, sys
waiting = socket.socket()
waiting.bind(('127.0.0.1', 0))
waiting.listen(512)
os.dup2(waiting.fileno(), 3)
os.set_inheritable(3, True)
for _ in range(int(sys.argv[1])):
    child = os.fork()
    if child == 0:
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')
        print('started', os.getpid(), 'at', waiting.getsockname()[1], file=sys.stderr, flush=True)
        os.execv(sys.argv[2], sys.argv[2:])
    print('ended', os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=sys.stderr, flush=True)
`;

describeWithPrograms('socket activation', ['python3'], ({ python3 = '' }) => {
  it('takes every event while one program ends and the next one starts', async () => {
    const starts = 3;
    const held = spawnProgram(
      { ...settings(), PORT: '1' },
      { command: [python3, '-c', holder, String(starts), process.execPath, server] },
    );
    const end = (): boolean =>
      process.kill(Number([...held.errors().matchAll(/started (\d+)/g)].at(-1)?.[1]));
    try {
      const banners = (): number => [...held.printed().matchAll(/listening at http:/g)].length;
      await held.says(/listening at http:[\s\S]*\n\n$/);
      const port = Number(/ at (\d+)/.exec(held.errors())?.[1]);
      expect(held.printed()).toContain(`listening at http://127.0.0.1:${port}\n`);
      const statuses: number[] = [];
      let isOver = false;
      const send = async (): Promise<void> => {
        const headers = { 'X-Notifier-Key': key, 'Content-Type': 'application/json', Connection: 'close' };
        const body = JSON.stringify({ message: 'on the way', platform: 'node' });
        const address = `http://127.0.0.1:${port}/wp-json/notifier/v1/store`;
        statuses.push((await fetch(address, { method: 'POST', headers, body })).status);
      };
      const load = [1, 2].map(async () => {
        while (!isOver) await send();
      });
      for (let started = 1; started < starts; started += 1) {
        await send();
        end();
        await until(() => banners() === started + 1);
      }
      await send();
      isOver = true;
      await Promise.all(load);
      end();
      expect(await held.ended).toBe(0);
      expect(held.errors().match(/ended -?\d+/g)).toEqual(['ended 0', 'ended 0', 'ended 0']);
      expect([new Set(statuses), statuses.length > 2 * starts]).toEqual([new Set([201]), true]);
    } finally {
      // Whatever went wrong, neither of the two is left behind.
      held.process.kill('SIGKILL');
      if (held.process.exitCode === null) end();
    }
  });
});

describe('the handed-over file descriptor', () => {
  inFull(it)('stops the start with a reason where it is no TCP socket, and creates nothing', async () => {
    const file = startWith(openSync(server, 'r'));
    expect(await file.ended).toBe(78);
    expect(file.errors()).toMatch(/^LISTEN_FDS is set, but descriptor 3 .*ListenStream=.*\n$/);
    const listener = createServer();
    await new Promise<void>((listening) => listener.listen(join(folder.path, 'unix.sock'), listening));
    const unix = startWith((listener as unknown as { _handle: { fd: number } })._handle.fd);
    expect(await unix.ended).toBe(78);
    expect(unix.errors()).toMatch(/^LISTEN_FDS is set, but descriptor 3 .*Unix socket.*\n$/);
    await new Promise((closed) => listener.close(closed));
    const several = startWith(openSync(server, 'r'), { LISTEN_FDS: '2' });
    expect(await several.ended).toBe(78);
    expect(several.errors()).toMatch(/^LISTEN_FDS is "2", but Notifier accepts only one socket\./);
  });

  it('is ignored where LISTEN_PID names another process', () => {
    expect(findActivatedSocket({}, 7)).toBe(null);
    expect(findActivatedSocket({ LISTEN_PID: '8', LISTEN_FDS: '1' }, 7)).toBe(null);
    expect(findActivatedSocket({ LISTEN_PID: '7', LISTEN_FDS: '0' }, 7)).toBe(null);
    expect(findActivatedSocket({ LISTEN_PID: '7', LISTEN_FDS: '1' }, 7)).toBe(3);
  });
});
