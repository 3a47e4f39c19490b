import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../support/alerts/receiver.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, killsWanted } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const kills = killsWanted(3);
const issuesARound = 4;
const publicKey = 'alerts_test_public_key';
const secretKey = 'alerts_test_secret_key_of_its_own';

let program: RunningProgram | null = null;
let receiver: Receiver | null = null;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await program?.end('SIGKILL');
  await receiver?.close();
  folder.remove();
});

function start(): Promise<RunningProgram> {
  return startProgram({
    DATABASE_URL: `sqlite:${join(folder.path, 'alerts.db')}`,
    NOTIFIER_PUBLIC_KEY: publicKey,
    NOTIFIER_SECRET_KEY: secretKey,
    NOTIFIER_FETCH_ALLOW: '127.0.0.0/8',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DEMO: 'off',
  });
}

async function post(
  { origin }: RunningProgram,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${origin}/wp-json/notifier/v1${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(path === '/store' ? { 'X-Notifier-Key': publicKey } : { Authorization: `Bearer ${secretKey}` }),
    },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}

inFull(it)(
  `killed ${kills} times between commit and message: each message is delivered, and once by its id`,
  async () => {
    const heard = await startReceiver();
    receiver = heard;
    program = await start();
    const made = await post(program, '/alert-channels', {
      type: 'webhook',
      name: 'ledger',
      url: heard.url,
      rules: [{ on: 'issue.is_new', fold_over: 100 }],
    });
    heard.secret = String(made['secret']);
    const accepted = new Set<number>();
    for (let round = 0; round < kills; round += 1) {
      const running = program;
      const before = heard.received.length;
      // Killed while the receiver holds its answer back, in the middle of what the round has to tell.
      heard.answer = (response) => {
        if (heard.received.length - before < 1 + (round % issuesARound)) response.writeHead(204).end();
        else running.process.kill('SIGKILL');
      };
      for (let number = 0; number < issuesARound; number += 1) {
        const error = { type: `Round${letters(round)}Number${letters(number)}`, value: 'said no' };
        const answer = await post(running, '/store', { exception: { values: [error] } }).catch(() => null);
        if (answer?.['accepted'] === true) accepted.add(Number(answer['issue_id']));
      }
      await running.ended;
      program = await start();
    }
    heard.answer = 200;
    const idsOf = (issueId: number): Set<unknown> =>
      new Set(
        heard.received
          .filter(({ body }) => namesOf(body).includes(issueId))
          .map(({ headers }) => headers['webhook-id']),
      );
    expect(accepted.size).toBeGreaterThanOrEqual(kills);
    await until(() => [...accepted].every((issueId) => idsOf(issueId).size > 0));
    await post(program, '/alert-channels/1/test', {});
    await until(() => heard.received.some(({ body }) => JSON.parse(body).type === 'test'));
    expect([...accepted].filter((issueId) => idsOf(issueId).size !== 1)).toEqual([]);
    expect(heard.received.every(({ verified }) => verified !== null)).toBe(true);
    process.stderr.write(
      `alerts: killed ${kills} times, ${accepted.size} issues, ${heard.received.length} tries, none lost\n`,
    );
  },
  60_000 + kills * 20_000,
);

function namesOf(body: string): number[] {
  const { data } = JSON.parse(body) as { data: { issues: Array<{ issue_id: number }> } };
  return data.issues.map(({ issue_id: id }) => id);
}

function letters(number: number): string {
  return String.fromCharCode(65 + Math.floor(number / 26), 65 + (number % 26));
}
