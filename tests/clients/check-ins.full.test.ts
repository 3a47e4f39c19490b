import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startMonitorLoop } from '../../src/core/monitors/runner.ts';
import { openTestApp } from '../support/app.ts';
import { programEnvironment } from '../support/program.ts';
import { forEachTest } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../..');
const binary = resolve(repository, 'node_modules/.bin/sentry-cli');
const minuteMs = 60_000;

let dsn = '';
const app = forEachTest(() => openTestApp({ nowMs: Date.UTC(2026, 10, 21, 12, 1) }));
const monitoring = forEachTest(() => startMonitorLoop(app.deps, { everyMs: 60 * minuteMs }));
beforeEach(() => {
  const { port } = new URL(app.origin);
  dsn = `http://${app.publicKey}@127.0.0.1:${port}/wp-json/notifier/v1/${app.project.id}`;
});

async function pass(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 1) {
    app.advance(minuteMs);
    await monitoring.runNow();
  }
}

async function stands(slug: string): Promise<readonly unknown[]> {
  const { body } = await app.get('/monitors');
  const job = body.find((each: { monitor_slug: string }) => each.monitor_slug === slug);
  const { body: incidents } = await app.get('/incidents');
  const open = incidents.filter(
    ({ title, state }: { title: string; state: string }) =>
      title.startsWith(job.name) && state !== 'resolved',
  );
  return [job.state, job.last_check?.code ?? null, open.length];
}

describe('check-ins of real clients', () => {
  inFull(it)('@sentry/node: ok, error, missed, timeout', async () => {
    const job = async (how: string) => {
      const env = programEnvironment({ DSN: dsn, HOW: how });
      await run(process.execPath, ['tests/clients/check-in-with-sentry-node.ts'], { cwd: repository, env });
      return stands('nightly-import');
    };
    expect(await job('well')).toEqual(['up', 'ok', 0]);
    expect((await app.get('/monitors')).body[0]).toMatchObject({
      name: 'nightly-import (staging)',
      environment: 'staging',
      target: '0 * * * * in Europe/Berlin',
      checkin_margin: 5,
      max_runtime: 30,
      next_check_at: '2026-11-21T13:00:00.000Z',
    });
    expect(await job('badly')).toEqual(['down', 'error', 1]);
    expect(await job('well')).toEqual(['up', 'ok', 0]);
    await pass(63);
    expect(await stands('nightly-import')).toEqual(['up', 'ok', 0]);
    await pass(1);
    expect(await stands('nightly-import')).toEqual(['down', 'missed', 1]);
    expect(await job('well')).toEqual(['up', 'ok', 0]);
    expect(await job('begins')).toEqual(['up', 'ok', 0]);
    await pass(30);
    expect(await stands('nightly-import')).toEqual(['down', 'timeout', 1]);
  });

  it('sentry-cli monitors run: ok, error, missed', async () => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: repository, SENTRY_DSN: dsn };
    const terms = [
      '--schedule',
      '0 * * * *',
      '--check-in-margin',
      '5',
      '--max-runtime',
      '30',
      '--timezone',
      'UTC',
    ];
    const job = async (script: string) => {
      const args = ['monitors', 'run', ...terms, '--environment', 'live', 'backup', '--'];
      const ended = await run(binary, [...args, process.execPath, '-e', script], {
        env,
        timeout: 50_000,
      }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      );
      return [ended, ...(await stands('backup'))];
    };
    expect(await job('')).toEqual([0, 'up', 'ok', 0]);
    expect(await job('process.exit(3)')).toEqual([3, 'down', 'error', 1]);
    expect(await job('')).toEqual([0, 'up', 'ok', 0]);
    await pass(64);
    expect(await stands('backup')).toEqual(['down', 'missed', 1]);
  });
});
