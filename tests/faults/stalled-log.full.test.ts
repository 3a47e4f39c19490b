import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const key = 'stalled-public-1';
const refusals = 6_000;

const named = { 'X-Request-Id': 'r'.repeat(64), traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };

let folder: ReturnType<typeof temporaryFolder>;
let program: RunningProgram;
beforeAll(async () => {
  folder = temporaryFolder();
  program = await startProgram({
    DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
    NOTIFIER_PUBLIC_KEY: key,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'debug',
  });
});
afterAll(async () => {
  program.process.stderr?.resume();
  await program.end();
  folder.remove();
});

async function store(headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${program.origin}/wp-json/notifier/v1/store`, {
    method: 'POST',
    headers,
    body: '{"message":"said to nobody"}',
  });
  await answer.arrayBuffer();
  return answer.status;
}

inFull(it)('F21: what cannot be written to the log holds nobody up', async () => {
  program.process.stderr?.pause();
  const before = program.errors().length;
  const statuses = new Set<number>();
  for (let sent = 0; sent < refusals; sent += 20) {
    const some = Array.from({ length: 20 }, () =>
      store({ 'X-Notifier-Key': `ntf_pk_nobody_${sent}`, ...named }),
    );
    for (const status of await Promise.all(some)) statuses.add(status);
  }
  expect([...statuses]).toEqual([401]);
  expect(await store({ 'X-Notifier-Key': key })).toBe(201);
  expect(program.errors().length).toBe(before);
  // Read again, there is more than what lies between: it did stand still, and nothing of it is lost.
  program.process.stderr?.resume();
  await until(() => program.errors().split('\n').length > refusals);
  expect(program.errors().length).toBeGreaterThan(400_000);
  process.stderr.write(`F21: ${refusals} refusals beside a log that nobody reads, every one answered\n`);
});
