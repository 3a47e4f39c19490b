import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ParsedArgs, UsageError } from '../../src/cli/command.ts';
import { formatTable, formatView } from '../../src/cli/print.ts';
import { commands } from '../../src/cli/run.ts';
import { parseLimit, printHiddenRowCount } from '../../src/cli/schema-options.ts';
import { ingestEvent } from '../../src/core/events/ingest.ts';
import { testCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, isFull } from '../support/test-level.ts';

const line = testCommandLine();
afterAll(() => line.remove());
const { notifier, json, withDeps } = line;

describe('help', () => {
  it('lists every command, and each has a usage line', async () => {
    const { code, out } = await notifier('--help');
    expect(code).toBe(0);
    for (const command of commands) expect(out).toContain(`notifier ${command.name} `);
    expect((await notifier('help')).out).toBe(out);
    expect((await notifier('-h')).out).toBe(out);
  });

  it.each(commands.map((command) => [command.name, command]))('%s --help', async (name, command) => {
    const { code, out } = await notifier(`${name} --help`);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: notifier ${name}`);
    for (const option of Object.keys((command as (typeof commands)[number]).options ?? {})) {
      expect(out).toContain(`--${option}`);
    }
  });

  it('of a noun lists its verbs', async () => {
    const { code, out } = await notifier('key --help');
    expect(code).toBe(0);
    expect(out.match(/notifier key \w+/g)).toEqual([
      'notifier key create',
      'notifier key list',
      'notifier key show',
      'notifier key update',
      'notifier key rotate',
      'notifier key delete',
    ]);
  });
});

describe('earlier verbs', () => {
  const earlier: ReadonlyArray<readonly [string, string]> = [
    ...['channel', 'monitor', 'status-page'].flatMap((noun) => [
      [`${noun} add`, `${noun} create`] as const,
      [`${noun} change`, `${noun} update`] as const,
      [`${noun} remove`, `${noun} delete`] as const,
    ]),
    ['domain add', 'domain create'],
    ['domain set', 'domain update'],
    ['domain remove', 'domain delete'],
    ['incident open', 'incident create'],
    ['incident remove', 'incident delete'],
    ['key revoke', 'key delete'],
    ['key set', 'key update'],
    ['maintenance call-off', 'maintenance delete'],
    ['maintenance change', 'maintenance update'],
    ['maintenance plan', 'maintenance create'],
    ['maintenance remove', 'maintenance delete'],
    ['member add', 'member create'],
    ['member remove', 'member delete'],
    ['monitor pause', 'monitor disable'],
    ['monitor renew', 'monitor rotate'],
    ['monitor resume', 'monitor enable'],
    ['project set', 'project update'],
    ['report make', 'report create'],
    ['report remove', 'report delete'],
    ['report send', 'report-schedule create'],
    ['report sent', 'report-schedule list'],
    ['report unsend', 'report-schedule delete'],
    ['member link', 'sign-in-link create'],
    ['release verdict', 'release check'],
    ['status-page say', 'status-page-component update'],
    ['status-page update-component', 'status-page-component update'],
  ];

  it.each(earlier)('%s is %s, and not in the help', async (old, name) => {
    expect(await notifier(`${old} --help`)).toEqual(await notifier(`${name} --help`));
    expect((await notifier('--help')).out).not.toMatch(new RegExp(`notifier ${old} `));
  });

  it('member role takes the role as its second word, and is not in the help', async () => {
    await json('member create Ida --role viewer');
    expect((await json('member role Ida admin')).role).toBe('admin');
    expect((await json('member update Ida --role viewer')).role).toBe('viewer');
    expect((await notifier('member --help')).out).not.toContain('member role');
    await json('member remove Ida');
  });
});

describe('wrong arguments', () => {
  it.each([
    ['isue list', 'Unknown command "isue list". Did you mean "issue list"? See notifier --help.'],
    ['issues', 'Unknown command "issues". Did you mean "issue list"? See notifier --help.'],
    ['issue lst', 'Unknown command "issue lst". Did you mean "issue list"? See notifier issue --help.'],
    ['bakcup', 'Unknown command "bakcup". Did you mean "backup"? See notifier --help.'],
    ['quux', 'Unknown command "quux". See notifier --help.'],
    [
      'issue list --stats resolved',
      'Unknown option "--stats" for issue list. Did you mean "--status"? See notifier issue list --help.',
    ],
    [
      'monitor create x --metod=POST',
      'Unknown option "--metod" for monitor create. Did you mean "--method"? See notifier monitor create --help.',
    ],
    ['key list --loud', 'Unknown option "--loud" for key list. See notifier key list --help.'],
    ['key list -x', 'Unknown option "-x" for key list. See notifier key list --help.'],
  ])('near a command get a suggestion in one line: %s', async (words, told) => {
    expect(await notifier(words)).toEqual({ code: 2, out: '', err: `${told}\n` });
  });

  it.each([
    ['', 'notifier project create'],
    ['nonsense', 'Unknown command "nonsense". See notifier --help.'],
    ['key nonsense', 'Unknown command "key nonsense". See notifier key --help.'],
    ['key create', 'Arguments of key create:'],
    ['key create private', 'The kind of a key must be public or secret.'],
    ['issue list --status resolved --status ignored', '--status is given more than once.'],
    ['issue list --status', "Option '--status <value>' argument missing"],
    ['key rotate 1 --overlap soon', '"soon" is not a duration'],
    ['project create', 'Arguments of project create:'],
    ['project update x', 'Nothing to change'],
    ['project update x --store-ip maybe', '--store-ip must be on or off.'],
    ['project update x --scrub-fields 12', '"12" is not a valid field name.'],
    ['domain update shop.example', 'Nothing to change'],
    ['domain create shop.example --bug-reports maybe', '--bug-reports must be on or off.'],
    ['issue', 'notifier issue resolve'],
    ['issue resolve', 'Enter ISSUE_ID… or --query QUERY.'],
    ['issue resolve 7 --query x', '--query cannot be used together with issue IDs.'],
    ['issue assign 7', '--to is required.'],
    ['issue merge 7', 'Arguments of issue merge:'],
    ['issue resolve 7 --in now --release 1', '--release requires --in release'],
    ['issue ignore 7 --count 5 --users 5', '--count and --users cannot be used together.'],
    ['issue ignore 7 --window 60', '--window requires --count.'],
    ['feedback list --limit many', '--limit'],
    ['serve --json', 'Unknown option "--json" for serve'],
    ['issue list --limit 0', '--limit'],
    ['version more words', 'version takes no arguments.'],
  ])('"%s" ends with 2 and says why', async (line, why) => {
    const { code, out, err } = await notifier(line);
    expect(code).toBe(2);
    expect(out + err).toContain(why);
  });

  it('a wrong setting ends with 78 and names the variable', async () => {
    const { code, err } = await notifier('project list', { env: { DATABASE_URL: 'mysql://nowhere' } });
    expect(code).toBe(78);
    expect(err).toContain('DATABASE_URL');
    expect((await notifier('project list', { env: { PORT: 'eighty' } })).err).toContain('PORT');
  });
});

describe('projects', () => {
  it('are created with keys and a DSN, listed, and not created twice', async () => {
    expect((await notifier('key list')).err).toContain('There is no project yet');
    const made = await json('project create shop');
    expect(made).toMatchObject({
      project_id: 1,
      name: 'shop',
      public_key: expect.stringMatching(/^ntf_pk_/),
      secret_key: expect.stringMatching(/^ntf_sk_/),
      dsn: `https://${made.public_key}@errors.example/1`,
      long_dsn: `https://${made.public_key}@errors.example/wp-json/notifier/v1/1`,
    });
    const again = await notifier('project create shop');
    expect([again.code, again.err]).toEqual([1, 'A project named "shop" already exists.\n']);
    expect((await notifier('project create /etc')).code).toBe(1);
    const second = await notifier('project create blog');
    expect(second.out).toMatch(
      /Created: project 2 "blog"[\s\S]*Secret key {3}ntf_sk_\w+ {3}\(shown only once\)/,
    );
    const { out } = await notifier('project list');
    expect(out.split('\n').slice(0, 4)).toEqual([
      'ID  Name  Created (UTC)        Grouping  IP addresses  Also redacted',
      expect.stringMatching(/^─+ /),
      expect.stringMatching(/^ 1 {2}shop {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}ng2 {7}removed {7}–$/),
      expect.stringMatching(/^ 2 {2}blog /),
    ]);
    expect(await json('project list')).toMatchObject([
      { project_id: 1, name: 'shop', store_ip: false },
      { name: 'blog' },
    ]);
  });

  it('show whether they accept bug reports of apps', async () => {
    expect(await json('project update blog --bug-reports off')).toMatchObject({ bug_reports: false });
    expect((await notifier('project update blog --bug-reports maybe')).err).toContain(
      '--bug-reports must be on or off.',
    );
    expect(await json('project update blog --bug-reports on')).toMatchObject({
      name: 'blog',
      bug_reports: true,
    });
  });

  it('have scrub rules, which hold from the next event on', async () => {
    expect((await notifier('project update nobody --store-ip on')).code).toBe(1);
    const { code, out } = await notifier(
      'project update shop --scrub-fields birthday,shoe_size --store-ip on',
    );
    expect([code, out]).toEqual([
      0,
      'Project 1 "shop": also redacted birthday, shoe_size; IP addresses truncated to /24 and /48; bug reports of apps taken.\n',
    ]);
    await withDeps(async (deps) => {
      const project = await deps.store.findProject(1);
      if (project === null) throw new Error('the project is gone');
      const sent = {
        event_id: 'a'.repeat(32),
        message: 'Too\u001b[31m red',
        user: { id: '7', ip_address: '203.0.113.77' },
        extra: { shoeSize: 'forty-two', birthday: '1 April', author: 'Ann' },
      };
      const context = { receivedAtMs: deps.now(), clientAddress: '192.0.2.1', userAgent: '', domain: null };
      await ingestEvent(deps, project, { read: sent }, context);
      const payload = (await deps.store.findEvent(1, 'a'.repeat(32)))?.payload ?? '';
      expect(payload).not.toMatch(/forty-two|1 April|203\.0\.113\.77/);
      expect(payload).toContain('203.0.113.0');
      expect(payload).toContain('Ann');
    });
    expect(await json('project update shop --scrub-fields= --store-ip off')).toMatchObject({
      scrub_fields: [],
      store_ip: false,
    });
  });
});

describe('keys', () => {
  it('are created, listed masked, rotated and revoked', async () => {
    const made = await json('key create secret --label ci --project shop');
    expect(made).toMatchObject({ kind: 'secret', key: expect.stringMatching(/^ntf_sk_/) });
    const imported = await notifier('key create public --import - --project 1', {
      input: '0123456789abcdef0123456789abcdef\n',
    });
    expect([imported.code, imported.err]).toEqual([0, '']);
    expect(imported.out).toContain('@errors.example/wp-json/notifier/v1/1');
    const dashed = await notifier('key create public --import with-a-dash-in-it --project shop');
    expect(dashed.err).toMatch(
      /^Deprecated: every process .* given with --import, .* --import - < FILE\.\n$/,
    );
    expect((await notifier('key create public --import - --project shop')).code).toBe(1);
    expect(dashed.out).toContain('none, because a DSN cannot contain a key with "-"');
    expect((await notifier('key create public --import short --project shop')).code).toBe(1);
    const { out } = await notifier('key list --project shop');
    expect(out).not.toContain(made.key);
    expect(out).toContain('0123456789abcdef0123456789abcdef');
    const rotated = await notifier(`key rotate ${made.key_id} --overlap 1h --project shop`);
    expect(rotated.code).toBe(0);
    expect(rotated.out).toMatch(/Key \d+ \(secret\): ntf_sk_\w+[\s\S]*stays valid until /);
    expect((await notifier('key delete 999 --project shop')).code).toBe(1);
    const revoked = await json(`key delete ${made.key_id} --project shop`);
    expect(revoked).toMatchObject({ key_id: made.key_id, live: false, revoked_at: expect.any(String) });
    expect((await notifier(`key rotate ${made.key_id} --project shop`)).err).toContain('is already revoked');
    const states = (await json('key list --project shop')).map((key: { live: boolean }) => key.live);
    expect(states.filter((live: boolean) => !live)).toHaveLength(1);
    // Two projects: one has to be named.
    expect((await notifier('key list')).err).toContain('Choose one with --project');
    expect((await notifier('key list --project nobody')).code).toBe(1);
  });

  it('have scopes, an expiry and origins, which can change until they expire', async () => {
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const made = await json(`key create secret --scope ci --expires ${soon} --label build --project shop`);
    const listed = await notifier('key list --project shop');
    expect(listed.out).toMatch(new RegExp(`until ${soon} 00:00:00 +ci +build`));
    expect(listed.err).toBe(`Key ${made.key_id} expires ${soon} 00:00:00 UTC, last used –\n`);
    const changed = await notifier(
      `key update ${made.key_id} --scope read,ci --expires never --project shop`,
    );
    expect([changed.code, changed.out]).toEqual([
      0,
      expect.stringContaining('scopes ci, read; does not expire.'),
    ]);
    expect((await notifier('key list --project shop')).err).toBe('');
    const open = await json('key create public --origins https://shop.example --project shop');
    expect(await json(`key update ${open.key_id} --origins= --label web --project shop`)).toMatchObject({
      scopes: ['ingest'],
      allowed_origins: [],
      label: 'web',
      expires_at: null,
    });
    const next = await json(`key rotate ${made.key_id} --overlap 7d --expires 90d --project shop`);
    expect(next.replaces).toMatchObject({ key_id: made.key_id, live: true, scopes: ['ci', 'read'] });
    const keys = await json('key list --project shop');
    expect(keys.find((key: { key_id: number }) => key.key_id === next.key_id)).toMatchObject({
      label: 'build',
      scopes: ['ci', 'read'],
      expires_at: expect.any(String),
    });
    await notifier(`key delete ${next.key_id} --project shop`);
    for (const [words, code, why] of [
      [`key update ${next.key_id} --expires never`, 1, 'is already revoked'],
      [`key update ${made.key_id}`, 2, 'Nothing to change'],
      [`key update ${made.key_id} --scope ingest`, 1, 'The scopes of a secret key are ci, read, admin.'],
      [`key update ${open.key_id} --scope read`, 1, 'The scopes of a public key are ingest.'],
      ['key create secret --origins https://a.example', 1, 'A secret key has no allowed origins'],
      ['key create secret --expires 2020-01-01', 1, 'must be in the future'],
      ['key create public --origins nonsense', 1, 'allowed_origins'],
    ] as const) {
      const refused = await notifier(`${words} --project shop`);
      expect([words, refused.code, refused.err.includes(why)]).toEqual([words, code, true]);
    }
    expect((await json('key list --project shop')).length).toBe(keys.length);
  });
});

describe('domains', () => {
  const { notifier, json, remove } = testCommandLine();
  beforeAll(async () => {
    for (const name of ['shop', 'blog']) await json(`project create ${name}`);
  });
  afterAll(remove);

  inFull(it)('are added, changed and listed', async () => {
    expect((await notifier('domain create shop.example --bug-reports on --project shop')).out).toBe(
      'Created: shop.example, bug reports on, errors on, sampling 1\n',
    );
    expect((await notifier('domain create SHOP.example --project shop')).out).toContain(
      'Already exists: shop.example',
    );
    expect((await notifier('domain create shop.example:80 --project shop')).code).toBe(1);
    expect(
      await json('domain update shop.example --bug-reports off --sampling 0.5 --project shop'),
    ).toMatchObject({
      domain: 'shop.example',
      bug_reports: false,
      sampling: 0.5,
    });
    expect((await notifier('domain update other.example --errors off --project shop')).code).toBe(1);
    const { out } = await notifier('domain list --project shop');
    expect(out.split('\n').find((line) => line.includes('shop.example'))).toMatch(
      /^ \d {2}shop\.example {2}off {10}on +0\.5 +– +–$/,
    );
    const hosts = (await json('domain list --project blog')).map((each: { domain: string }) => each.domain);
    expect(hosts).not.toContain('shop.example');
  });

  inFull(it)('create and update follow the rules of POST /domains, with its messages', async () => {
    await json('domain create ruled.example --project shop');
    const before = await json('domain list --project shop');
    for (const [options, why] of [
      ['--origins nonsense', 'allowed_origins must be origins, for example https://example.com.'],
      [
        '--origins https://a.example/path',
        'allowed_origins must be origins, for example https://example.com.',
      ],
      ['--origins javascript:alert(1)', 'allowed_origins must be origins, for example https://example.com.'],
      ['--sampling 2', 'sampling must be between 0 (inclusive) and 1 (inclusive)'],
      ['--sampling half', 'sampling is not of type number,null'],
    ] as const) {
      for (const line of [
        `domain create new.example ${options} --project shop`,
        `domain update ruled.example ${options}`,
      ]) {
        const { code, out, err } = await notifier(line);
        expect([line, code, out, err.trim().replace(/\.$/, '')]).toEqual([
          line,
          1,
          '',
          why.replace(/\.$/, ''),
        ]);
      }
    }
    expect(await json('domain list --project shop')).toEqual(before);
    const origins = ['https://a.example', 'http://b.example:8080'];
    expect(await json(`domain update ruled.example --origins ${origins.join(',')}`)).toMatchObject({
      allowed_origins: origins,
    });
    expect(await json('domain update ruled.example --origins=')).toMatchObject({ allowed_origins: [] });
  });

  inFull(it)('domain delete removes a host from its project and from no other', async () => {
    await json('domain create old.example --project shop');
    await json('domain create both.example --project shop');
    await json('domain create both.example --project blog');
    expect(await json('domain delete old.example')).toMatchObject({
      deleted: true,
      previous: { domain: 'old.example', domain_id: expect.any(Number) },
    });
    expect((await notifier('domain delete old.example')).code).toBe(1);
    const which = await notifier('domain delete both.example');
    expect([which.code, which.err]).toEqual([
      1,
      '"shop" and "blog" each have domain "both.example". Choose one with --project.\n',
    ]);
    await json('domain delete both.example --project blog');
    const hosts = (await json('domain list --project shop')).map((each: { domain: string }) => each.domain);
    expect(hosts).toEqual(expect.arrayContaining(['both.example']));
  });
});

describe('ids from the command line', () => {
  it('a key id determines its project, and --project must match it', async () => {
    const made = await json('key create secret --project blog');
    const wrong = await notifier(`key delete ${made.key_id} --project shop`);
    expect([wrong.code, wrong.err]).toEqual([1, `There is no key "${made.key_id}" in "shop".\n`]);
    const rotated = await json(`key rotate ${made.key_id} --overlap 0`);
    expect(rotated).toMatchObject({
      project_id: made.project_id,
      replaces: { key_id: made.key_id, live: false },
    });
    expect(await json(`key delete ${rotated.key_id}`)).toMatchObject({ project_id: made.project_id });
    const taken = await notifier('key create public --import - --project shop', { input: rotated.key });
    expect([taken.code, taken.err]).toEqual([
      1,
      `This key already exists: key ${rotated.key_id} (secret) of "blog".\n`,
    ]);
  });
});

describe('issues and events', () => {
  it('are shown as tables and as JSON, without control characters', async () => {
    const { code, out } = await notifier('issue list --project shop');
    expect(code).toBe(0);
    expect(out).toContain('Too');
    expect(out).not.toContain('\u001b');
    const [issue] = await json('issue list --status unresolved --project shop');
    expect((await json('issue list --search nowhere --project shop')).length).toBe(0);
    const asked = await notifier('issue list --search is:foo --project shop');
    expect([asked.code, asked.err]).toEqual([0, expect.stringContaining('"is:foo": searched as text.')]);
    expect((await notifier('issue list --search nowhere --project shop')).err).toBe('');
    const shown = await notifier(`issue show ${issue.issue_id} --project shop`);
    expect(shown.out).toContain('a'.repeat(32));
    expect(await json(`issue show ${issue.issue_id} --project shop`)).toMatchObject({
      grouping: { algorithm: 'ng2' },
    });
    const event = await notifier(`event show ${'a'.repeat(32)} --project shop`);
    expect([event.code, event.out.includes('\u001b')]).toEqual([0, false]);
    expect((await json(`event show ${'a'.repeat(32)} --project shop`)).event_id).toBe('a'.repeat(32));
    expect((await notifier(`event show ${'b'.repeat(32)} --project shop`)).code).toBe(1);
    // An id of another project names nothing.
    expect((await notifier(`issue show ${issue.issue_id} --project blog`)).code).toBe(1);
    expect((await notifier(`event show ${'a'.repeat(32)} --project blog`)).code).toBe(1);
  });
});

describe('lists and records at a terminal', () => {
  const given = (limit?: string) => parseLimit({ text: () => limit } as unknown as ParsedArgs).limit;

  it('have 50 rows by default, and 1 to 100 with --limit', () => {
    expect([given(), given('1'), given('100')]).toEqual([50, 1, 100]);
    for (const limit of ['0', '101', '1.5', 'many']) expect(() => given(limit)).toThrow(UsageError);
  });

  it('say that there are more rows, and print nothing where there are none', () => {
    const told = (shown: number, total: number) => {
      let text = '';
      printHiddenRowCount({ err: (said) => (text += said) }, shown, total, 'issues');
      return text;
    };
    expect([told(3, 3), told(3, 4)]).toEqual(['', 'Showing 3 of 4 issues. Use --limit to see more.\n']);
  });

  it('have columns as wide as their widest value, with numbers right-aligned', () => {
    const rows = [
      [7, 'a', null],
      [1234, 'a longer name', 5],
    ];
    expect(formatTable(['ID', 'Name', 'Seen'], rows).split('\n')).toEqual([
      '  ID  Name           Seen',
      '────  ─────────────  ────',
      '   7  a              –',
      '1234  a longer name  5',
    ]);
  });

  it('align the values of a record two blanks after its longest label', async () => {
    const view = { id: 7, started_at: 'noon', steps: [{ name: 'one' }], nothing: null };
    expect(formatView('Thing 7, "it"', view)).toBe(
      'Thing 7, "it"\n  id          7\n  started at  noon\n\nSteps\nName\n────\none\n',
    );
  });
});

describe('other commands', () => {
  it('token rotate creates a token, and refuses where a setting has one', async () => {
    const [first, second] = [await json('token rotate'), await json('token rotate')];
    expect(first.token).not.toBe(second.token);
    const set = await notifier('token rotate', { env: { NOTIFIER_ADMIN_TOKEN: 'x'.repeat(40) } });
    expect([set.code, set.err]).toEqual([
      1,
      'The workspace token is set in NOTIFIER_ADMIN_TOKEN. Change it there.\n',
    ]);
  });

  it('outcomes shows for how many hours nothing arrived', async () => {
    const said = async (hours: number) => (await notifier(`outcomes --hours ${hours} --project blog`)).out;
    expect([await said(1), await said(2)]).toEqual([
      'Nothing was received in the last hour.\n',
      'Nothing was received in the last 2 hours.\n',
    ]);
  });

  it('version prints those of the program and of Node', async () => {
    expect((await notifier('version')).out).toBe((await notifier('--version')).out);
    expect(await json('version')).toEqual({
      notifier: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: process.versions.node,
    });
  });
});

inFull(describe)('the program', () => {
  const inFolder = temporaryFolder();
  afterAll(() => inFolder.remove());
  const run = (...words: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../src/cli.ts'), ...words], {
      cwd: inFolder.path,
      env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
      encoding: 'utf8',
    });

  beforeAll(() => writeFileSync(join(inFolder.path, '.env'), 'DATABASE_URL=sqlite:named-by-dot-env.db\n'));

  it('reads .env, as the server does', () => {
    expect(run('project', 'create', 'from-dot-env').status).toBe(0);
    expect(readdirSync(inFolder.path)).toContain('named-by-dot-env.db');
  });

  it('exits with the documented codes', () => {
    // What each command answers is seen above, in this process; here, that it becomes the code of theirs.
    if (isFull()) {
      expect(run('project', 'list').status).toBe(0);
      expect(run('nonsense').status).toBe(2);
    }
    expect(run('issue', 'show', '77').status).toBe(1);
    writeFileSync(join(inFolder.path, '.env'), 'PORT=eighty\n');
    const wrong = run('project', 'list');
    expect([wrong.status, wrong.stderr]).toEqual([78, expect.stringContaining('PORT')]);
  });
});
