import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { browserAt } from '../support/pages.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, isNightly } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const key = 'npm-start-public-1';

let folder: ReturnType<typeof temporaryFolder>;
let env: Record<string, string>;
let started: RunningProgram | null = null;

async function start(command: readonly [string, ...string[]]): Promise<RunningProgram> {
  started = await startProgram(env, { command, detached: true });
  return started;
}

beforeEach(() => {
  folder = temporaryFolder();
  env = {
    DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
    NOTIFIER_PUBLIC_KEY: key,
    LOG_LEVEL: 'info',
  };
});
afterEach(() => {
  try {
    process.kill(-(started?.process.pid ?? Number.NaN), 'SIGKILL');
  } catch {
    // Nothing is left of it, as it should be.
  }
  folder.remove();
});

interface Underway {
  finish(): Promise<string>;
}

async function beginEvent(origin: string): Promise<Underway> {
  const { hostname, port } = new URL(origin);
  const body = '{"message":"sent while it was told to end"}';
  const socket = connect(Number(port), hostname);
  const head = ['POST /wp-json/notifier/v1/store HTTP/1.1', 'Host: x', `X-Notifier-Key: ${key}`];
  socket.write([...head, `Content-Length: ${body.length}`, 'Expect: 100-continue', '', ''].join('\r\n'));
  await once(socket, 'data');
  return {
    async finish() {
      socket.write(body);
      return restOf(socket);
    },
  };
}

async function restOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

async function isDraining(program: RunningProgram): Promise<void> {
  await until(() => {
    const { exitCode, signalCode } = program.process;
    if (program.errors().includes('draining')) return true;
    if (exitCode !== null || signalCode !== null) throw new Error('npm is gone, and nothing drains');
    return false;
  });
}

async function isFree(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

describeWithPrograms('the program under npm drains', ['npm'], ({ npm = 'npm' }) => {
  const npmStart = [npm, 'start'] as const;
  const serve = [npm, 'run', 'notifier', '--', 'serve'] as const;
  const toNpm = (pid: number, signal: NodeJS.Signals): void => void process.kill(pid, signal);
  // A terminal tells the whole group, and so does systemd; npm hands on what it was told besides.
  const toGroup = (pid: number, signal: NodeJS.Signals): void => void process.kill(-pid, signal);

  const ways = [
    ['npm start', 'kill', npmStart, 'SIGTERM', toNpm],
    ['npm start', 'Ctrl-C', npmStart, 'SIGINT', toGroup],
    ['npm start', 'systemctl stop', npmStart, 'SIGTERM', toGroup],
    ['npm run notifier -- serve', 'kill', serve, 'SIGTERM', toNpm],
  ] as const;
  // The short form takes each signal, each of those told, and each command once.
  const tried = ways.filter(([started, ended]) => isNightly || ended === 'Ctrl-C' || started !== 'npm start');

  it.each(tried)('%s, ended by %s', async (_started, _ended, command, signal, tell) => {
    const program = await start(command);
    const underway = await beginEvent(program.origin);
    const ended = once(program.process, 'exit');
    tell(program.process.pid ?? 0, signal);
    await isDraining(program);
    expect(await underway.finish()).toMatch(/^HTTP\/1\.1 201 /);
    expect(await ended).toEqual([0, null]);
    expect(await isFree(program.origin)).toBe(true);
  });

  inFull(it)('closes streams of the live tail at once', async () => {
    env['NOTIFIER_ADMIN_TOKEN'] = 'a-token-of-the-workspace';
    const program = await start(npmStart);
    const browser = browserAt(program.origin);
    await browser.post('/sign-in', { token: env['NOTIFIER_ADMIN_TOKEN'] });
    const asked = request(`${program.origin}/live/stream`, {
      headers: { Cookie: browser.cookie ?? '' },
    }).end();
    const [stream] = (await once(asked, 'response')) as [IncomingMessage];
    expect(stream.statusCode).toBe(200);
    const ended = once(program.process, 'exit');
    const streamEnded = once(stream.resume(), 'end');
    toNpm(program.process.pid ?? 0, 'SIGTERM');
    // A whole answer, and not one that was cut when patience ended.
    await streamEnded;
    expect(await ended).toEqual([0, null]);
  });

  inFull(it)('exits at once on a second signal', async () => {
    const program = await start(npmStart);
    await beginEvent(program.origin);
    const ended = once(program.process, 'exit');
    toGroup(program.process.pid ?? 0, 'SIGINT');
    await isDraining(program);
    // Somebody who insists: again and again, until it listens.
    const insisting = setInterval(() => toGroup(program.process.pid ?? 0, 'SIGINT'), 200);
    expect(await ended).not.toEqual([0, null]);
    clearInterval(insisting);
    expect(await isFree(program.origin)).toBe(true);
  });
});
