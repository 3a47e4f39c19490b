import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCommandArgs } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/run.ts';
import { weekOf } from '../../src/core/page-models/reports/period.ts';
import { mailChannelOf } from '../data/support/channels.ts';
import { createMask, expectGolden } from '../golden/golden.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { asPhpWrites, testCommandLine } from '../support/command-line.ts';
import { fullOrSome, rows } from '../support/test-level.ts';
import { until } from '../support/until.ts';
import { openWholeDatabase, type WholeDatabase } from '../support/whole-database.ts';

const { notifier, json, databaseUrl, remove } = testCommandLine();
const eventId = 'ab'.repeat(16);
let app: TestApp;
let whole: WholeDatabase;

beforeAll(async () => {
  app = await openTestApp({
    env: { DATABASE_URL: databaseUrl },
    nowMs: Date.now(),
    domains: ['shop.example'],
  });
  const fromShop = { 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' };
  await app.post('/store', { message: 'one', platform: 'php', event_id: eventId }, fromShop);
  await app.post('/store', { message: 'two', platform: 'php', user: { id: '84213' } }, fromShop);
  for (const message of ['It broke', 'Again']) {
    await app.post('/feedback', { message, event_id: eventId, tags: { theme: 'dark' } }, fromShop);
  }
  await app.postSecret('/releases', { version: 'shop@1.0.0' });
  await app.deps.outcomes.flush();
  for (const type of ['slack', 'email'] as const) {
    await app.deps.store.addChannel(mailChannelOf({ name: type, type }));
  }
  // The use of a key is stored beside the answer.
  await until(async () => {
    const keys = await app.deps.store.listKeys(app.project.id);
    return keys.filter(({ lastUsedAtMs }) => lastUsedAtMs !== null).length === 2;
  });
  whole = openWholeDatabase(databaseUrl.slice('sqlite:'.length));
});
afterAll(async () => {
  whole.close();
  await app.close();
  remove();
});

const overWeek = weekOf(Date.now() - 8 * 86_400_000).id;

/** Times, and what is measured: whether two of them are the same is the machine's doing. */
const moments =
  /(?<="(?:resolved_after|bytes)": )[\d.]+|\b\d{4}-(?:W\d\d|\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)/g;

/** The command line reads the machine's own clock, and draws its secrets. */
const variable = [
  ['hash', /(?<="user_hash": ")[0-9a-f]{32}/g],
  ['key', /\bntf_[a-z]{2}_[A-Za-z0-9]{8}…\w{4}|\bntf_[a-z]{2}_\w+/g],
  [
    'secret',
    /(?<=heartbeats\/)[\w-]{16,}|\b(?:whsec_[\w/+=-]+|msg_\w{22}|(?=[A-Za-z_-]*\d)(?=[\w-]*[A-Z])[\w-]{22,})/g,
  ],
] as const;

const lines: Readonly<Record<string, string>> = {
  'project create': 'project create second',
  'project list': 'project list',
  'project update': 'project update second --store-ip on',
  'project show': 'project show second',
  'project regroup': 'project regroup second --yes',
  'project delete': 'project delete second --yes',
  'inbound-filter update': 'inbound-filter update 1 --web-crawlers on --releases 1.*,2.*',
  'inbound-filter show': 'inbound-filter show 1',
  'key create': 'key create secret --label ci',
  'key list': 'key list',
  'key show': 'key show 1',
  'key update': 'key update 2 --scope read',
  'key rotate': 'key rotate 1',
  'key delete': 'key delete 1',
  'domain create': 'domain create new.example --bug-reports on --origins https://a.example,https://b.example',
  'domain list': 'domain list',
  'domain show': 'domain show shop.example',
  'domain update': 'domain update new.example --sampling 0.5',
  'domain delete': 'domain delete new.example',
  'channel create':
    'channel create Night --type webhook --url https://hooks.example/a/bcd --on issue.is_new,deploy.failed --incident minor',
  'channel list': 'channel list',
  'channel show': 'channel show 1',
  'channel update': 'channel update 1 --name Day --on issue.came_back --paused off',
  'channel disable': 'channel disable 1 --until 2126-12-01T08:00:00Z',
  'channel enable': 'channel enable 1',
  'channel test': 'channel test 1',
  'channel delete': 'channel delete 1',
  'monitor create': 'monitor create Digest --type heartbeat --interval 3600',
  'monitor list': 'monitor list',
  'monitor show': 'monitor show 1',
  'monitor update': 'monitor update 1 --interval 7200 --tags night,mail --opens-incidents off --goal 99.5',
  'monitor disable': 'monitor disable 1 --until 2126-12-01T08:00:00Z',
  'monitor enable': 'monitor enable 1',
  'monitor rotate': 'monitor rotate 1',
  'monitor import': 'monitor import tests/fixtures/monitors/uptime-kuma.json --dry-run',
  'monitor delete': 'monitor delete 1',
  'incident create': 'incident create Checkout --severity minor --message Slow --public',
  'incident list': 'incident list --all',
  'incident show': 'incident show 1',
  'incident update': 'incident update 1 --state resolved --acknowledged --message Over',
  'incident delete': 'incident delete 1',
  'report create': `report create ${overWeek}`,
  'report list': 'report list',
  'report show': `report show ${overWeek}`,
  'report-schedule create': 'report-schedule create 2 --each week --at 07:30 --timezone Europe/Berlin',
  'report-schedule list': 'report-schedule list',
  'report-schedule delete': 'report-schedule delete 1',
  'report delete': `report delete ${overWeek}`,
  'status-page create':
    'status-page create Shop --published on --hosts status.shop.example --components [{"name":"Front"}]',
  'status-page list': 'status-page list',
  'status-page show': 'status-page show 1',
  'status-page update': 'status-page update 1 --published off --name Shops',
  'status-page-component update': 'status-page-component update 1 1 slow',
  'status-page-subscriber create': 'status-page-subscriber create 1 https://ops.example/hook',
  'status-page-subscriber list': 'status-page-subscriber list 1',
  'status-page-subscriber delete': 'status-page-subscriber delete 1 1',
  'status-page delete': 'status-page delete 1',
  'maintenance create': 'maintenance create Disks --weekdays sun,mon --at 02:30 --all',
  'maintenance list': 'maintenance list',
  'maintenance show': 'maintenance show 1',
  'maintenance update': 'maintenance update 1 --minutes 90 --title Discs',
  'maintenance delete': 'maintenance delete 1',
  'issue list': 'issue list',
  'issue show': 'issue show 1',
  'issue resolve': 'issue resolve 1',
  'issue ignore': 'issue ignore 1 2',
  'issue reopen': 'issue reopen 1 2',
  'issue assign': 'issue assign 1 --to nobody',
  'issue merge': 'issue merge 1 2',
  'issue unmerge': 'issue unmerge 1',
  'event show': `event show ${eventId}`,
  'feedback list': 'feedback list',
  'feedback show': 'feedback show 1',
  'feedback delete': 'feedback delete 2',
  'user list': 'user list 84213',
  'user show': 'user show 84213',
  'user export': 'user export 84213',
  'user delete': 'user delete 84213 --yes',
  'release list': 'release list --limit 1',
  'release show': 'release show shop@1.0.0',
  'release check': 'release check shop@1.0.0',
  'release delete': 'release delete shop@1.0.0',
  outcomes: 'outcomes',
  'member create': 'member create Mara --role admin',
  'member list': 'member list',
  'member update': 'member update Mara --role viewer',
  'member show': 'member show Mara',
  'sign-in-link create': 'sign-in-link create Mara',
  'token create': 'token create laptop --member Mara --scope read,issues --expires 30d',
  'token list': 'token list --member Mara',
  'token delete': 'token delete 1',
  'member delete': 'member delete Mara',
  'team create': 'team create payments',
  'team list': 'team list',
  'team show': 'team show payments',
  'team update': 'team update payments --projects all',
  'team delete': 'team delete payments',
  prune: 'prune --dry-run',
  'workspace-token rotate': 'workspace-token rotate',
  'audit verify': 'audit verify',
  migrate: 'migrate --status',
  version: 'version',
};

const likeTheApi: Readonly<Record<string, string>> = {
  'issue list': '/issues?per_page=100',
  'feedback list': '/feedback?per_page=100',
  'domain list': '/domains?per_page=100',
  outcomes: '/outcomes',
};

const failing: ReadonlyArray<readonly [string, number]> = [
  ['project create test', 1],
  ['project create', 2],
  ['project update nobody --store-ip on', 1],
  ['project show nobody', 1],
  ['project update nobody --name x', 1],
  ['project update test --name /etc', 1],
  ['project regroup nobody', 1],
  ['project delete nobody --yes', 1],
  ['project delete test', 1],
  ['key create public --import short', 1],
  ['key list --project nobody', 1],
  ['key rotate 999', 1],
  ['key delete x', 1],
  ['channel create a --type webhook', 1],
  ['channel create a --type pigeon --url https://a.example/b', 1],
  ['channel create a --type slack --url https://a.example/b --on deploy.sank', 1],
  ['channel create a --type slack --url https://a.example/b --on deploy.failed --incident bad', 1],
  ['channel create a --type slack --url https://a.example/b --on monitor.down --incident minor', 1],
  ['channel create a --type slack --url https://a.example/b --incident minor', 1],
  ['channel test 99', 1],
  ['channel show 99', 1],
  ['channel update 99 --name Day', 1],
  ['channel update 2', 2],
  ['channel update 2 --on deploy.sank', 1],
  ['channel update 2 --paused perhaps', 2],
  ['channel update 2 --url https://a.example/b', 1],
  ['channel delete first', 1],
  ['monitor create a --type http', 1],
  ['monitor create a --type tcp --host a.example --port 0', 1],
  ['monitor disable 99', 1],
  ['monitor show first', 1],
  ['monitor show 99', 1],
  ['monitor update 99 --interval 60', 1],
  ['monitor update 1', 2],
  ['monitor update 1 --interval 1', 1],
  ['monitor enable first', 1],
  ['maintenance create Disks --all', 1],
  ['maintenance create Disks --weekdays someday --at 02:30 --all', 1],
  ['maintenance delete 99', 1],
  ['maintenance show 99', 1],
  ['maintenance update 99 --minutes 90', 1],
  ['maintenance update 99', 2],
  ['maintenance update 99 --all perhaps', 2],
  ['maintenance delete first', 1],
  ['incident create Checkout --severity loud', 1],
  ['incident create Checkout --started-at soon', 1],
  ['incident update 99 --state resolved', 1],
  ['incident show 99', 1],
  ['incident create Checkout --monitors 99', 1],
  ['incident delete first', 1],
  ['report-schedule create 1 --each year', 1],
  ['report-schedule create 99 --each week', 1],
  ['report-schedule create 2 --each week --at 8', 1],
  ['report-schedule create 2 --each week --timezone Mars/Base', 1],
  ['report-schedule delete 99', 1],
  ['report create 2026-W99', 1],
  ['report create 2126-W01', 1],
  ['report create 2025-W01', 1],
  ['report show 2025-W01', 1],
  ['report delete 2025-W01', 1],
  ['monitor rotate 1', 1],
  ['status-page create Shop --hosts 127.0.0.1', 1],
  ['status-page create Shop --components nonsense', 1],
  ['status-page create Shop --shows nights', 1],
  ['status-page update 99 --name Other', 1],
  ['status-page show 99', 1],
  ['status-page-component update 1 1 well', 1],
  ['status-page delete first', 1],
  ['status-page-subscriber create 1 ftp://ops.example', 1],
  ['status-page-subscriber delete 1 9', 1],
  ['domain create http://x', 1],
  ['domain create x.example --origins nonsense', 1],
  ['domain create x.example --sampling 2', 1],
  ['domain update nowhere.example --errors off', 1],
  ['domain delete nowhere.example', 1],
  ['domain verify localhost', 1],
  ['issue list --status loud', 1],
  ['issue show 999', 1],
  ['issue resolve 999', 1],
  ['issue merge 1 999', 1],
  ['event show x', 1],
  ['feedback list --event x', 1],
  ['feedback show 999', 1],
  ['feedback delete 1 999', 1],
  ['member create token', 1],
  ['member update Nobody --role admin', 1],
  ['member show Nobody', 1],
  ['sign-in-link create Nobody', 1],
  ['user list', 2],
  ['user show nobody', 1],
  ['user erase nobody --yes', 1],
  ['user erase 84213', 1],
  ['member delete Nobody', 1],
  ['team create No!', 1],
  ['team update nobody --add Mara', 1],
  ['team delete nobody', 1],
  ['prune --project nobody', 1],
  ['prune --yes --dry-run', 2],
  ['verify-audit --holds x', 2],
  ['outcomes --hours 0', 1],
  ['backup', 2],
  ['backup /nowhere/at/all.db', 1],
  ['restore /nowhere/at/all.db', 1],
  ['import /nowhere/at/all.ndjson', 1],
  ['migrate now', 2],
  ['version --loud', 2],
];

describe('--json', () => {
  it('is tested with every command that terminates', () => {
    // What is elsewhere: `domain verify` asks the internet (domain-verify.test.ts), `contract` a server
    // (tests/contract); what takes files or looks at the machine is in tests/cli/upkeep.
    const elsewhere = ['domain verify', 'backup', 'restore', 'import', 'doctor'];
    const tried = commands.filter(
      (command) =>
        command.hasJson !== false &&
        !command.name.startsWith('contract') &&
        !elsewhere.includes(command.name),
    );
    expect(tried.map((command) => command.name).filter((name) => !(name in lines))).toEqual([]);
  });

  it('of every command is one document and nothing else, and is the stored one', async () => {
    const told: string[] = [];
    for (const [name, line] of Object.entries(lines)) {
      const document: unknown = await json(line);
      expect([name, typeof document]).toEqual([name, 'object']);
      const odd = namesIn(document).filter((each) => !/^[a-z][a-z0-9_]*$/.test(each));
      expect([name, odd]).toEqual([name, []]);
      if (name.endsWith(' list')) expect([name, Array.isArray(document)]).toEqual([name, true]);
      const text = JSON.stringify(document, null, 1);
      told.push(`$ notifier ${line.replace(overWeek, '<week>')} --json\n${text}\n`);
    }
    expectGolden('json.txt', createMask(variable)(told.join('\n').replaceAll(moments, '<time>')));
  });

  it.each(Object.entries(likeTheApi))('of %s is the answer of %s', async (name, path) => {
    // What the server still counts is written when it is asked.
    const { body } = await app.get(path);
    expect(asPhpWrites(await json(name))).toEqual(body);
  });

  it('of one issue, one event and one report is what their routes answer, with the project and more', async () => {
    for (const [line, path] of [
      ['issue show 1', '/issues/1'],
      ['feedback show 1', '/feedback/1'],
    ] as const) {
      expect(asPhpWrites(await json(line))).toMatchObject({ ...(await app.get(path)).body, project_id: 1 });
    }
  });

  it.each(rows(() => fullOrSome(failing, 8)))(
    'prints nothing on stdout when "%s" fails, and ends with %i',
    async (line, code) => {
      const before = whole.digests();
      const finished = await notifier(`${line} --json`);
      expect([line, finished.code, finished.out]).toEqual([line, code, '']);
      expect(finished.err.trim()).not.toBe('');
      expect(whole.digests()).toEqual(before);
    },
  );
});

function namesIn(document: unknown): string[] {
  if (Array.isArray(document)) return document.flatMap(namesIn);
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) =>
    ['ignore', 'detail', 'tags', 'resolution'].includes(name) ? [name] : [name, ...namesIn(value)],
  );
}

/** As a shell takes them: what is in quotes is one word. */
function shellWords(line: string): string[] {
  const found = line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g);
  return [...found].map(([word]) => word.replaceAll(/["']/g, ''));
}

describe('help', () => {
  it('has examples that the command accepts', () => {
    for (const command of commands) {
      for (const example of command.examples ?? []) {
        expect(example.startsWith(`${command.name}`)).toBe(true);
        const words = shellWords(example.slice(command.name.length));
        expect(() => parseCommandArgs(command, words)).not.toThrow();
      }
    }
  });

  it.each(['project', 'key', 'domain', 'issue', 'event', 'feedback', 'user', 'token'])(
    'of the noun %s lists its verbs, each with what it does',
    async (noun) => {
      const { out, err } = await notifier(noun);
      const verbs = commands.filter((command) => command.name.startsWith(`${noun} `));
      for (const verb of verbs) {
        expect(out).toMatch(new RegExp(`notifier ${verb.name} +${verb.summary.slice(0, 20)}`));
      }
      expect([out.trim().split('\n').length, err]).toEqual([verbs.length, '']);
    },
  );
});
