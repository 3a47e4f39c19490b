import { describe, expect, it } from '@jest/globals';
import { alertChannelChangeRequest } from '../../schemas/alert-channels.ts';
import { incidentRequest } from '../../schemas/incidents.ts';
import {
  maintenanceWindowChangeRequest,
  maintenanceWindowRequest,
} from '../../schemas/maintenance-windows.ts';
import { monitorChangeRequest, monitorRequest } from '../../schemas/monitors.ts';
import { statusPageChangeRequest, statusPageRequest } from '../../schemas/status-pages.ts';
import { commands } from '../../src/cli/run.ts';
import { alertChannelRequest } from '../../src/core/alerts/channel-schemas.ts';
import { wholeAudit } from '../support/audit.ts';
import { type TestCommandLine, testCommandLine } from '../support/command-line.ts';
import { forEachTest } from '../support/shared.ts';

const line = forEachTest(() => testCommandLine());
const json: TestCommandLine['json'] = (words) => line.json(words);
const notifier: TestCommandLine['notifier'] = (words, options) => line.notifier(words, options);
const addFront = 'monitor create front --type http --url https://shop.example/ --tags eu';
const addOps = 'channel create ops --type slack --url https://hooks.example/a/bcd';

describe('options of monitors and alert channels', () => {
  it.each([
    ['monitor create', monitorRequest, { name: 'a word' }],
    [
      'monitor update',
      monitorChangeRequest,
      { paused: 'monitor disable', paused_until: 'monitor disable', new_address: 'monitor rotate' },
    ],
    ['maintenance create', maintenanceWindowRequest, { title: 'a word' }],
    ['maintenance update', maintenanceWindowChangeRequest, {}],
    ['incident create', incidentRequest, { title: 'a word' }],
    ['status-page create', statusPageRequest, { name: 'a word' }],
    ['status-page update', statusPageChangeRequest, {}],
    ['channel create', alertChannelRequest, { name: 'a word', rules: '--on' }],
    ['channel update', alertChannelChangeRequest, { rules: '--on' }],
  ] as const)('of %s are the fields of its route', (name, schema, otherwise) => {
    const options = Object.keys(commands.find((each) => each.name === name)?.options ?? {});
    const fields = Object.keys(schema.shape).filter((field) => !(field in otherwise));
    expect(options).toEqual(expect.arrayContaining(fields.map((field) => field.replaceAll('_', '-'))));
  });
});

describe('monitors', () => {
  it('update changes the given fields, and writes an audit entry', async () => {
    const made = await json(addFront);
    const change =
      'monitor update 1 --name shop --interval 300 --confirmations 4 --lacks Fatal --opens-incidents off';
    const changed = await json(`${change} --tags eu,shop --goal 99.5`);
    expect(changed).toEqual({
      ...made,
      ...{ name: 'shop', interval: 300, confirmations: 4, opens_incidents: false, goal: 99.5 },
      ...{ tags: ['eu', 'shop'], expects: changed.expects, next_check_at: changed.next_check_at },
    });
    expect(changed.expects).toContain('Fatal');
    expect(await json('monitor show 1')).toEqual(changed);
    expect(await lastAct()).toEqual(['monitor.changed', 'command line']);
  });

  it('show prints a line a field, without empty ones', async () => {
    await json('monitor create shop --type http --url https://shop.example/ --interval 300 --tags eu,shop');
    const { out } = await notifier('monitor show 1');
    expect(out).toMatch(/^Monitor 1, shop\n/);
    expect(out).toMatch(/\n {2}interval +300\n/);
    expect(out).toMatch(/\n {2}tags +eu, shop\n/);
    expect(out).not.toMatch(/\n {2}(group|paused until)/);
  });

  it('invalid changes are refused in the words of the route', async () => {
    await json(addFront);
    const before = await json('monitor show 1');
    const refused = await notifier('monitor update 1 --interval 1');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('interval must be between 10')]);
    expect((await notifier('monitor update 1 --opens-incidents maybe')).code).toBe(2);
    expect(await json('monitor show 1')).toEqual(before);
  });
});

describe('maintenance windows', () => {
  it('update changes the given fields, the monitors too', async () => {
    await json(addFront);
    const made = await json('maintenance create Disks --weekdays sun --at 02:30 --all');
    const changed = await json('maintenance update 1 --minutes 120 --all off --monitors 1');
    expect(changed).toEqual({
      ...made,
      ...{ minutes: 120, all: false, monitors: [1] },
      // Of the next occurrence or the current one, whatever the time of day is.
      ...{ starts_at: changed.starts_at, ends_at: changed.ends_at },
    });
    expect(Date.parse(changed.ends_at) - Date.parse(changed.starts_at)).toBe(120 * 60_000);
    expect(await json('maintenance show 1')).toEqual(changed);
    expect(await lastAct()).toEqual(['maintenance.changed', 'command line']);
    expect((await notifier('maintenance update 1 --all off --monitors 9')).err).toContain(
      'there is no monitor 9',
    );
  });
});

describe('alert channels', () => {
  it('update changes the given fields, and the rules where some are given', async () => {
    const made = await json(addOps);
    const named = await json('channel update 1 --name night --paused on');
    expect(named).toEqual({ ...made, name: 'night', state: 'paused', state_since: named.state_since });
    const ruled = await json('channel update 1 --on deploy.failed --incident minor --paused off');
    expect(ruled).toMatchObject({ name: 'night', state: 'on', rules: [{ on: 'deploy.failed' }] });
    expect(await json('channel show 1')).toEqual(ruled);
    expect((await notifier('channel show 1')).out).toMatch(/\nRules\nRule id +Name +On +Sentence/);
    expect(await lastAct()).toEqual(['channel.changed', 'command line']);
  });

  it('an empty --to removes the recipients where they are optional', async () => {
    const env = { SMTP_URL: 'smtp://127.0.0.1:9' };
    await notifier('channel create mine --type assignee --to ops@shop.example', { env });
    expect((await json('channel show 1')).target).toMatch(/^assigned members, else /);
    // The blank at the end leaves an empty word.
    expect(await json('channel update 1 --to ')).toMatchObject({ target: 'assigned members' });
  });

  it('secrets are read from the environment, where nobody else reads them', async () => {
    const env = {
      CHANNEL_URL: 'https://hooks.example/of/environment',
      CHANNEL_SECRET: Buffer.alloc(24, 7).toString('base64'),
    };
    const added = await notifier('channel create quiet --type webhook --json', { env });
    expect([added.code, added.err]).toEqual([0, '']);
    expect([added.code, JSON.parse(added.out)]).toMatchObject([0, { target: 'hooks.example/of/••••' }]);
    expect(JSON.parse(added.out)).not.toHaveProperty('secret');
    const said = await notifier('channel update 1 --url https://hooks.example/said/aloud --json', { env });
    expect(JSON.parse(said.out)).toMatchObject({ target: 'hooks.example/said/••••' });
  });

  it('takes as many rules as the route, and refuses unknown kinds', async () => {
    await json(addOps);
    const before = await json('channel show 1');
    const many = `--on ${Array.from({ length: 21 }, () => 'issue.is_new').join()}`;
    for (const command of [
      'channel update 1',
      'channel create more --type slack --url https://hooks.example/a/bcd',
    ]) {
      const tooMany = await notifier(`${command} ${many}`);
      expect([tooMany.code, tooMany.err]).toEqual([1, expect.stringContaining('at most 20')]);
      const unknown = await notifier(`${command} --on issue.is_new,issue.is_odd`);
      expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('issue.came_back')]);
    }
    expect(await json('channel list')).toEqual([before]);
  });
});

describe('incidents and status pages', () => {
  it('show prints what their route answers', async () => {
    await json(addFront);
    const page = await json('status-page create Shop --components [{"name":"Front","monitors":[1]}]');
    expect(await json('status-page show 1')).toEqual(page);
    const opened = await json('incident create Checkout --monitors 1 --components 1 --message Slow');
    expect(opened.affects.map(({ name }: { name: string }) => name).sort()).toEqual(['Front', 'front']);
    expect(await json(`incident show ${opened.incident_id}`)).toEqual(opened);
    const { out } = await notifier(`incident show ${opened.incident_id}`);
    expect(out).toMatch(/\nUpdates\nAt .*\n.*Slow/s);
  });
});

it('an update without changes writes no audit entry', async () => {
  await json(addFront);
  await json('maintenance create Disks --weekdays sun --at 02:30 --all');
  await json(addOps);
  await json('incident create Checkout');
  await json('status-page create Shop');
  const before = await lastAct();
  expect(before).not.toEqual([]);
  for (const change of [
    'monitor update 1',
    'maintenance update 1',
    'channel update 1',
    'incident update 1',
    'incident update 1 --public',
    'status-page update 1',
  ]) {
    const { code, err } = await notifier(change);
    expect([change, code, err]).toEqual([
      change,
      2,
      expect.stringContaining('Nothing to change. Enter an option, for example'),
    ]);
  }
  expect(await lastAct()).toEqual(before);
});

async function lastAct(): Promise<readonly string[]> {
  return line.withDeps(async ({ store }) => {
    const [entry] = await store.listAudit(wholeAudit, { limit: 1 });
    return entry === undefined ? [] : [entry.action, entry.actor.name];
  });
}
