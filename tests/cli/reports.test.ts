import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { weekOf } from '../../src/core/page-models/reports/period.ts';
import { mailChannelOf } from '../data/support/channels.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { testCommandLine } from '../support/command-line.ts';

const dayMs = 86_400_000;
const { notifier, databaseUrl, remove } = testCommandLine();
const over = weekOf(Date.now() - 8 * dayMs);
let app: TestApp;

beforeAll(async () => {
  app = await openTestApp({ env: { DATABASE_URL: databaseUrl }, nowMs: over.fromMs + dayMs });
  for (const message of ['first', 'first', '\u001b[31mred']) {
    await app.post('/store', { message, platform: 'php' });
  }
  await app.deps.outcomes.flush();
});
afterAll(async () => {
  await app.close();
  remove();
});

it('creates a report once, shows all of it, and deletes it', async () => {
  expect(await notifier(`report show ${over.id}`)).toMatchObject({ code: 1, out: '' });
  const made = await notifier(`report create ${over.id}`);
  const [head, empty, title, ...lines] = made.out.split('\n');
  expect([made.code, head, empty]).toEqual([0, 'Created: report 1', '']);
  expect(title).toMatch(/^Week \d+, \d+.* to \d+ \w+ \d{4}$/);
  expect(lines.join('\n')).toMatch(/^Events +3 +before: 0$/m);
  expect(lines.join('\n')).toMatch(/^Crash-free sessions +– +before: –$/m);
  expect(lines).toContain('- first (test): 2');
  expect(made.out).not.toContain('\u001b');
  const shown = await notifier(`report show ${over.id}`);
  expect(shown.out).toBe([title, ...lines].join('\n'));
  expect((await notifier(`report create ${over.id}`)).out).toBe(`Already exists: report 1\n\n${shown.out}`);
  const listed = (await notifier('report list')).out;
  expect(listed).toMatch(new RegExp(`^1 +${over.id} +3 +2 +0 +\\S+ +command line$`, 'm'));
  expect((await notifier('report list --project test')).out).toBe('No reports.\n');
  expect((await notifier(`report delete ${over.id}`)).out).toBe(`Deleted: report 1, ${over.id}\n`);
  expect((await notifier('report list')).out).toBe('No reports.\n');
});

it('says why a report cannot be created', async () => {
  const running = weekOf(Date.now()).id;
  const { code, err } = await notifier(`report create ${running}`);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(`${running} is not over. Its report can be created from `),
  ]);
  expect((await notifier('report create yesterday')).err).toContain(
    'period must be a week or month, for example 2026-W47',
  );
});

it('schedules reports, shows their recipients, and ends the schedule', async () => {
  await app.deps.store.addChannel(mailChannelOf());
  expect((await notifier('report-schedule list')).out).toBe('No report schedules.\n');
  const said = await notifier('report-schedule create 1 --each week --at 07:30 --timezone Europe/Berlin');
  expect(said.out).toMatch(
    /^Created: report of each week to alert channel 1, next on \S+T0[56]:30:00\.000Z\n$/,
  );
  expect((await notifier('report-schedule create 1 --each week')).out).toMatch(
    /^Updated: .* next on \S+T08:00:00\.000Z\n$/,
  );
  expect((await notifier('report-schedule list')).out).toMatch(/^\d+ +Team +week +08:00 UTC +\S+$/m);
  expect((await notifier('report-schedule delete 1')).out).toBe('Deleted: report of each week to Team\n');
});
