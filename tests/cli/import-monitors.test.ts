import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { testCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const line = testCommandLine();
const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
  return line.remove();
});
const { notifier, json } = line;
const gatus = 'tests/fixtures/monitors/gatus.yaml';

it('previews what a config.yaml of Gatus would create, and then creates it once', async () => {
  await notifier('status-page create Shop');
  const tried = await notifier(`monitor import ${gatus} --dry-run --status-page 1`);
  expect(tried.code).toBe(1);
  expect(tried.out.trimEnd().split('\n')).toEqual([
    'front: would be created; not taken over: alerts, client.insecure, condition [IP] == 192.0.2.1',
    'old front: would be created',
    'name server: would be created',
    'mail: would be created',
    'ping: not created: icmp://shop.example cannot be checked',
    'backup: would be created; not taken over: its token: a heartbeat has a URL of its own',
    'Would create 5 of 6 monitors of Gatus.',
  ]);
  expect(await json('monitor list')).toEqual([]);
  const { out } = await notifier(`monitor import ${gatus} --status-page 1`);
  expect(out).toMatch(/backup: created as monitor 5; .*heartbeat URL, shown only once: http/);
  expect(await json('monitor list')).toMatchObject([
    {
      ...{
        name: 'front',
        type: 'http',
        group: 'shop',
        interval: 90,
        timeout: 5,
        slow_ms: 300,
        expects: '200 or 429, “UP” at /data/status within 0.3 s',
      },
      ...{ certificate_days: 3, header_names: ['Accept'] },
    },
    { name: 'old front', state: 'paused', expects: '100-299, “Welcome” on the page within 10 s' },
    { name: 'name server', type: 'dns', expects: '192.0.2.1 within 10 s' },
    { name: 'mail', type: 'tcp', target: 'mail.example:25' },
    { name: 'backup', type: 'heartbeat', interval: 1_800 },
  ]);
  const [page] = await json('status-page list');
  expect(page.components).toMatchObject([
    { name: 'front', group: 'shop', monitors: [1] },
    { name: 'old front' },
    { name: 'name server' },
    { name: 'mail' },
    { name: 'backup' },
  ]);
  expect((await notifier(`monitor import ${gatus}`)).out).toContain('front: exists already as monitor 1\n');
  expect(await json('monitor list')).toHaveLength(5);
});

it('creates nothing where the status page would have too many components', async () => {
  const before = await json('monitor list');
  const endpoints = Array.from({ length: 101 }, (_, at) => ({
    name: `n${at}`,
    url: `https://${at}.example`,
  }));
  const file = join(folder.path, 'many.yaml');
  writeFileSync(file, JSON.stringify({ endpoints }));
  const { code, err } = await notifier(`monitor import ${file} --status-page 1`);
  expect([code, err]).toEqual([1, expect.stringContaining('components')]);
  expect(await json('monitor list')).toEqual(before);
});

it('imports a backup of Uptime Kuma', async () => {
  const { monitors } = await json('monitor import tests/fixtures/monitors/uptime-kuma.json');
  expect(monitors).toMatchObject([
    { name: 'Front', state: 'created', left: ['notifications'] },
    { name: 'Mail', state: 'created', left: [] },
    { name: 'Job', state: 'created', heartbeat_url: expect.stringMatching(/\/heartbeats\//) },
  ]);
  expect((await json('monitor list')).slice(-3)).toMatchObject([
    {
      ...{ name: 'Front', type: 'keyword', group: 'Shop', tags: ['night'] },
      ...{
        confirmations: 3,
        timeout: 30,
        expects: '200-299 or 401, “Welcome” on the page within 30 s',
        header_names: ['Accept'],
      },
    },
    { name: 'Mail', type: 'tcp', state: 'paused' },
    { name: 'Job', type: 'heartbeat', interval: 3_600 },
  ]);
});

it.each([
  [{ name: 'Bad', headers: '{Accept: text/html}' }, 'Bad: not created: its headers are not JSON'],
  [
    { name: 'Bad', port: '25' },
    'Bad: not created: its port: Invalid input: expected number, received string',
  ],
  [{ name: [1] }, 'Monitor 1: not created: its name: Invalid input'],
])('imports the others where one cannot be read: %j', async (wrong, why) => {
  const monitor = { name: 'Good', type: 'http', url: 'https://good.example' };
  const file = join(folder.path, 'one-wrong.json');
  writeFileSync(file, JSON.stringify({ monitorList: [{ ...monitor, ...wrong }, monitor] }));
  const { code, out } = await notifier(`monitor import ${file} --dry-run`);
  expect([code, out]).toEqual([1, expect.stringContaining(`${why}\nGood: `)]);
});

it.each([
  ['endpoints: 5', 'endpoints: Invalid input'],
  ['a: [', 'cannot be read: '],
  ['{"monitors": []}', 'has neither endpoints (config.yaml of Gatus) nor a monitorList'],
  ['just text', 'has neither endpoints'],
])('refuses another file: %s', async (text, why) => {
  const path = join(folder.path, 'file.yaml');
  writeFileSync(path, text);
  const { code, err } = await notifier(`monitor import ${path}`);
  expect([code, err]).toEqual([1, expect.stringContaining(why)]);
});

it('names a missing file', async () => {
  const { err } = await notifier(`monitor import ${join(folder.path, 'none.yaml')}`);
  expect(err).toContain('none.yaml cannot be read (ENOENT).');
});
