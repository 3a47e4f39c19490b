// A server on a small disk of its own that is filled by what it is sent: how little was free at any moment.
// Then somebody else fills the disk, and people sign in, remove a release, and have retention remove events.
// Argument: the folder that the disk is mounted at.
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';

const [folder = ''] = process.argv.slice(2);
const reserveBytes = 24 * 1_048_576;
const file = join(folder, 'notifier.db');
const reserve = `${file}-reserve`;
const env = {
  DATABASE_URL: `sqlite:${file}`,
  NOTIFIER_PUBLIC_KEY: 'reserve-public-1',
  NOTIFIER_SECRET_KEY: 'reserve-secret-1',
  NOTIFIER_ADMIN_TOKEN: 'reserve-admin-token-1-of-enough-letters',
  OVERLOAD: 'on',
  DISK_RESERVE_MB: '24',
  RATE_LIMITS: 'off',
  // Else a quarter of this disk.
  RETENTION_BYTES_PER_PROJECT: '0',
  LOG_LEVEL: 'warn',
};
const free = (): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
const program = await startProgram(env);
setTimeout(() => {
  program.process.kill('SIGKILL');
  process.stderr.write(`not through after 100 s, with ${free()} bytes free: ${program.errors()}`);
  process.exit(1);
}, 100_000).unref();
const bearer = { Authorization: `Bearer ${env.NOTIFIER_SECRET_KEY}` };
async function ask(path: string, options: RequestInit = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${program.origin}${path}`, { redirect: 'manual', ...options });
  return { status: answer.status, text: await answer.text() };
}
const noise = randomBytes(4 * 1_048_576);
const head = `{}\n{"type":"event"}\n{"message":"fills"}\n{"type":"attachment","length":${noise.length},"filename":"a"}\n`;
const envelope = Buffer.concat([Buffer.from(head), noise]);
const statuses: number[] = [];
let leastFree = free();
const watching = setInterval(() => {
  leastFree = Math.min(leastFree, free());
}, 1);
await until(() => existsSync(reserve) && statSync(reserve).size === 8 * 1_048_576);
const postRelease = async (version: string): Promise<number> => {
  const headers = { ...bearer, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ version });
  return (await ask('/wp-json/notifier/v1/releases', { method: 'POST', headers, body })).status;
};
const made = await postRelease('1.0.0');
const [release] = JSON.parse((await ask('/wp-json/notifier/v1/releases', { headers: bearer })).text);
async function fill(): Promise<void> {
  // One more would take eight.
  while (statuses.at(-1) !== 503 || free() > reserveBytes + 12 * 1_048_576) {
    const { status } = await ask('/wp-json/notifier/v1/envelope', {
      method: 'POST',
      headers: { 'X-Notifier-Key': env.NOTIFIER_PUBLIC_KEY },
      body: new Uint8Array(envelope),
    });
    statuses.push(status);
  }
}
await Promise.all(Array.from({ length: 4 }, fill));
clearInterval(watching);
leastFree = Math.min(leastFree, free());
const wasHeld = existsSync(reserve);
try {
  for (;;) appendFileSync(join(folder, 'ballast'), Buffer.alloc(65_536, 1));
} catch {
  // Not a page is left.
}
/** The reserve is given up within two seconds; until then a write may be refused. */
async function comesTo(wanted: number, act: () => Promise<number>): Promise<number> {
  let status = 0;
  await until(async () => {
    status = await act();
    return status === wanted;
  });
  return status;
}
const signIn = await comesTo(303, async () => {
  const body = new URLSearchParams({ token: env.NOTIFIER_ADMIN_TOKEN });
  const headers = { Origin: program.origin, 'Sec-Fetch-Site': 'same-origin' };
  return (await ask('/sign-in', { method: 'POST', headers, body })).status;
});
const refused = await comesTo(503, () => postRelease('1.0.1'));
const removed = await comesTo(200, async () => {
  const path = `/wp-json/notifier/v1/releases/${release.release_id}`;
  return (await ask(path, { method: 'DELETE', headers: bearer })).status;
});
const pruned = runCommand(['prune', '--yes', '--json'], { ...env, RETENTION_EVENTS_PER_PROJECT: '1' });
const code = await program.end();
process.stdout.write(
  JSON.stringify({
    statuses: [...new Set(statuses.filter((status) => status !== 429))].sort(),
    taken: statuses.filter((status) => status < 300).length,
    isKept: leastFree >= reserveBytes,
    leastFree,
    wasHeld,
    signIn,
    made,
    refused,
    removed,
    pruned: pruned.code,
    prunedSaid: pruned.out + pruned.err,
    code,
  }),
);
