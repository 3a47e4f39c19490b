import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ParsedWords, UsageError } from '../../src/cli/command.ts';
import { table, viewText } from '../../src/cli/print.ts';
import { firstRows, tellOfMore } from '../../src/cli/requests.ts';
import { commands } from '../../src/cli/run.ts';
import { ingestEvent } from '../../src/core/events/ingest.ts';
import { testCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, isFull } from '../support/test-level.ts';

const line = testCommandLine();
afterAll(() => line.remove());
const { notifier, json, withDeps } = line;

describe('help', () => {
  it('lists every command, and each says how it is used', async () => {
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
      'notifier key set',
      'notifier key rotate',
      'notifier key revoke',
    ]);
  });
});

describe('wrong words', () => {
  it.each([
    [
      'isue list',
      'There is no command "isue list"; the nearest is "issue list". All of them: notifier --help',
    ],
    ['issues', 'There is no command "issues"; the nearest is "issue list". All of them: notifier --help'],
    [
      'issue lst',
      'There is no command "issue lst"; the nearest is "issue list". All of them: notifier issue --help',
    ],
    ['bakcup', 'There is no command "bakcup"; the nearest is "backup". All of them: notifier --help'],
    ['quux', 'There is no command "quux". All of them: notifier --help'],
    [
      'issue list --stats resolved',
      'issue list has no option "--stats"; the nearest is "--status". All of them: notifier issue list --help',
    ],
    [
      'monitor add x --metod=POST',
      'monitor add has no option "--metod"; the nearest is "--method". All of them: notifier monitor add --help',
    ],
    ['key list --loud', 'key list has no option "--loud". All of them: notifier key list --help'],
    ['key list -x', 'key list has no option "-x". All of them: notifier key list --help'],
  ])('that come near a command are told so in a line: %s', async (words, told) => {
    expect(await notifier(words)).toEqual({ code: 2, out: '', err: `${told}\n` });
  });

  it.each([
    ['', 'notifier project create'],
    ['nonsense', 'There is no command "nonsense". All of them: notifier --help'],
    ['key nonsense', 'There is no command "key nonsense". All of them: notifier key --help'],
    ['key create', 'key create takes:'],
    ['key create private', 'A key is public or secret.'],
    ['issue list --status resolved --status ignored', '--status is given more than once.'],
    ['issue list --status', "Option '--status <value>' argument missing"],
    ['key rotate 1 --overlap soon', '"soon" is no duration'],
    ['project create', 'project create takes:'],
    ['project set x', 'Say what to change'],
    ['project set x --store-ip maybe', '--store-ip is on or off.'],
    ['project set x --scrub-fields 12', '"12" is no field name.'],
    ['domain set shop.example', 'Say what to change'],
    ['domain add shop.example --bug-reports maybe', '--bug-reports is on or off.'],
    ['issue', 'notifier issue resolve'],
    ['issue resolve', 'issue resolve takes:'],
    ['issue merge 7', 'issue merge takes:'],
    ['issue resolve 7 --in now --release 1', '--release stands with --in release'],
    ['issue ignore 7 --count 5 --users 5', '--count and --users cannot stand together.'],
    ['issue ignore 7 --window 60', '--window stands with --count.'],
    ['feedback list --limit many', '--limit'],
    ['serve --json', 'serve has no option "--json"'],
    ['issue list --limit 0', '--limit'],
    ['version more words', 'version takes: no words'],
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
  it('are made with keys and a DSN, listed, and found only once', async () => {
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
    expect([again.code, again.err]).toEqual([1, 'There is a project "shop" already.\n']);
    expect((await notifier('project create /etc')).code).toBe(1);
    const second = await notifier('project create blog');
    expect(second.out).toMatch(
      /Project 2 "blog" made\.[\s\S]*Secret key {3}ntf_sk_\w+ {3}\(shown this once\)/,
    );
    const { out } = await notifier('project list');
    expect(out.split('\n').slice(0, 4)).toEqual([
      'ID  Name  Created (UTC)        Grouping  Addresses  Also filtered',
      expect.stringMatching(/^─+ /),
      expect.stringMatching(/^ 1 {2}shop {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}ng2 {7}dropped {4}–$/),
      expect.stringMatching(/^ 2 {2}blog /),
    ]);
    expect(await json('project list')).toMatchObject([
      { project_id: 1, name: 'shop', store_ip: false },
      { name: 'blog' },
    ]);
  });

  it('say whether they take bug reports of apps', async () => {
    expect(await json('project set blog --bug-reports off')).toMatchObject({ bug_reports: false });
    expect((await notifier('project set blog --bug-reports maybe')).err).toContain(
      '--bug-reports is on or off.',
    );
    expect(await json('project set blog --bug-reports on')).toMatchObject({
      name: 'blog',
      bug_reports: true,
    });
  });

  it('say what is taken out of their events, from the next event on', async () => {
    expect((await notifier('project set nobody --store-ip on')).code).toBe(1);
    const { code, out } = await notifier('project set shop --scrub-fields birthday,shoe_size --store-ip on');
    expect([code, out]).toEqual([
      0,
      'Project 1 "shop": also filtered birthday, shoe_size; IP addresses cut to /24 and /48; bug reports of apps taken.\n',
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
    expect(await json('project set shop --scrub-fields= --store-ip off')).toMatchObject({
      scrub_fields: [],
      store_ip: false,
    });
  });
});

describe('keys', () => {
  it('are made, listed masked, rotated and revoked', async () => {
    const made = await json('key create secret --label ci --project shop');
    expect(made).toMatchObject({ kind: 'secret', key: expect.stringMatching(/^ntf_sk_/) });
    const imported = await notifier('key create public --import - --project 1', {
      input: '0123456789abcdef0123456789abcdef\n',
    });
    expect([imported.code, imported.err]).toEqual([0, '']);
    expect(imported.out).toContain('@errors.example/wp-json/notifier/v1/1');
    const dashed = await notifier('key create public --import with-a-dash-in-it --project shop');
    expect(dashed.err).toMatch(/^Deprecated: every process .* after --import, .* --import - < FILE\.\n$/);
    expect((await notifier('key create public --import - --project shop')).code).toBe(1);
    expect(dashed.out).toContain('none, because a key with "-" cannot stand in one');
    expect((await notifier('key create public --import short --project shop')).code).toBe(1);
    const { out } = await notifier('key list --project shop');
    expect(out).not.toContain(made.key);
    expect(out).toContain('0123456789abcdef0123456789abcdef');
    const rotated = await notifier(`key rotate ${made.key_id} --overlap 1h --project shop`);
    expect(rotated.code).toBe(0);
    expect(rotated.out).toMatch(/Key \d+ \(secret\): ntf_sk_\w+[\s\S]*works until /);
    expect((await notifier('key revoke 999 --project shop')).code).toBe(1);
    const revoked = await json(`key revoke ${made.key_id} --project shop`);
    expect(revoked).toMatchObject({ key_id: made.key_id, live: false, revoked_at: expect.any(String) });
    expect((await notifier(`key rotate ${made.key_id} --project shop`)).err).toContain('is revoked already');
    const states = (await json('key list --project shop')).map((key: { live: boolean }) => key.live);
    expect(states.filter((live: boolean) => !live)).toHaveLength(1);
    // Two projects: one has to be named.
    expect((await notifier('key list')).err).toContain('name one with --project');
    expect((await notifier('key list --project nobody')).code).toBe(1);
  });

  it('have scopes, an end and origins, which are changed until they end', async () => {
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const made = await json(`key create secret --scope ci --expires ${soon} --label build --project shop`);
    const listed = await notifier('key list --project shop');
    expect(listed.out).toMatch(new RegExp(`until ${soon} 00:00:00 +ci +build`));
    expect(listed.err).toBe(`Key ${made.key_id} ends ${soon} 00:00:00 UTC; last used –\n`);
    const changed = await notifier(`key set ${made.key_id} --scope read,ci --expires never --project shop`);
    expect([changed.code, changed.out]).toEqual([0, expect.stringContaining('may ci, read; has no end.')]);
    expect((await notifier('key list --project shop')).err).toBe('');
    const open = await json('key create public --origins https://shop.example --project shop');
    expect(await json(`key set ${open.key_id} --origins= --label web --project shop`)).toMatchObject({
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
    await notifier(`key revoke ${next.key_id} --project shop`);
    for (const [words, code, why] of [
      [`key set ${next.key_id} --expires never`, 1, 'is revoked already'],
      [`key set ${made.key_id}`, 2, 'Say what to change'],
      [`key set ${made.key_id} --scope ingest`, 1, 'A secret key may have: ci, read, admin.'],
      [`key set ${open.key_id} --scope read`, 1, 'A public key may have: ingest.'],
      ['key create secret --origins https://a.example', 1, 'A secret key has no origins'],
      ['key create secret --expires 2020-01-01', 1, 'lies ahead'],
      ['key create public --origins nonsense', 1, 'allowed_origins'],
    ] as const) {
      const refused = await notifier(`${words} --project shop`);
      expect([words, refused.code, refused.err.includes(why)]).toEqual([words, code, true]);
    }
    expect((await json('key list --project shop')).length).toBe(keys.length);
  });
});

describe('domains', () => {
  it('are added, changed and listed', async () => {
    expect((await notifier('domain add shop.example --bug-reports on --project shop')).out).toBe(
      'Added: shop.example, bug reports on, errors on, sampling 1\n',
    );
    expect((await notifier('domain add SHOP.example --project shop')).out).toContain(
      'Already there: shop.example',
    );
    expect((await notifier('domain add shop.example:80 --project shop')).code).toBe(1);
    expect(
      await json('domain set shop.example --bug-reports off --sampling 0.5 --project shop'),
    ).toMatchObject({
      domain: 'shop.example',
      bug_reports: false,
      sampling: 0.5,
    });
    expect((await notifier('domain set other.example --errors off --project shop')).code).toBe(1);
    const { out } = await notifier('domain list --project shop');
    expect(out.split('\n')[2]).toMatch(/^ 1 {2}shop\.example {2}off {10}on +0\.5 +– +–$/);
    expect(await json('domain list --project blog')).toEqual([]);
  });
});

describe('G15: rules and ids from the command line', () => {
  it('domain add and set obey the rules of POST /domains, in its sentences', async () => {
    const before = await json('domain list --project shop');
    for (const [options, why] of [
      ['--origins nonsense', 'allowed_origins must be origins such as https://example.com.'],
      ['--origins https://a.example/path', 'allowed_origins must be origins such as https://example.com.'],
      ['--origins javascript:alert(1)', 'allowed_origins must be origins such as https://example.com.'],
      ['--sampling 2', 'sampling must be between 0 (inclusive) and 1 (inclusive)'],
      ['--sampling half', 'sampling is not of type number,null'],
    ] as const) {
      for (const line of [
        `domain add new.example ${options} --project shop`,
        `domain set shop.example ${options}`,
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
    expect(await json(`domain set shop.example --origins ${origins.join(',')}`)).toMatchObject({
      allowed_origins: origins,
    });
    expect(await json('domain set shop.example --origins=')).toMatchObject({ allowed_origins: [] });
  });

  it('domain remove takes a host off its project and off no other', async () => {
    await json('domain add old.example --project shop');
    await json('domain add both.example --project shop');
    await json('domain add both.example --project blog');
    expect(await json('domain remove old.example')).toMatchObject({
      deleted: true,
      previous: { domain: 'old.example', domain_id: expect.any(Number) },
    });
    expect((await notifier('domain remove old.example')).code).toBe(1);
    const which = await notifier('domain remove both.example');
    expect([which.code, which.err]).toEqual([
      1,
      '"shop" and "blog" have domain "both.example": name one with --project.\n',
    ]);
    await json('domain remove both.example --project blog');
    const hosts = (await json('domain list --project shop')).map((each: { domain: string }) => each.domain);
    expect(hosts).toEqual(expect.arrayContaining(['both.example']));
  });

  it('an id of a key says its project, and --project must fit it', async () => {
    const made = await json('key create secret --project blog');
    const wrong = await notifier(`key revoke ${made.key_id} --project shop`);
    expect([wrong.code, wrong.err]).toEqual([1, `There is no key "${made.key_id}" in "shop".\n`]);
    const rotated = await json(`key rotate ${made.key_id} --overlap 0`);
    expect(rotated).toMatchObject({
      project_id: made.project_id,
      replaces: { key_id: made.key_id, live: false },
    });
    expect(await json(`key revoke ${rotated.key_id}`)).toMatchObject({ project_id: made.project_id });
    const taken = await notifier('key create public --import - --project shop', { input: rotated.key });
    expect([taken.code, taken.err]).toEqual([
      1,
      `That key is there already: key ${rotated.key_id} (secret) of "blog".\n`,
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

describe('lists and things at a terminal', () => {
  const given = (limit?: string) => firstRows({ text: () => limit } as unknown as ParsedWords).limit;

  it('have 50 rows unless said, and 1 to 100 where it is', () => {
    expect([given(), given('1'), given('100')]).toEqual([50, 1, 100]);
    for (const limit of ['0', '101', '1.5', 'many']) expect(() => given(limit)).toThrow(UsageError);
  });

  it('say that there are more rows, and nothing where there are none', () => {
    const told = (shown: number, total: number) => {
      let text = '';
      tellOfMore({ err: (said) => (text += said) }, shown, total, 'issues');
      return text;
    };
    expect([told(3, 3), told(3, 4)]).toEqual(['', '3 of 4 issues; see --limit and --search.\n']);
  });

  it('are as wide as what is widest in a column, with numbers on the right', () => {
    const rows = [
      [7, 'a', null],
      [1234, 'a longer name', 5],
    ];
    expect(table(['ID', 'Name', 'Seen'], rows).split('\n')).toEqual([
      '  ID  Name           Seen',
      '────  ─────────────  ────',
      '   7  a              –',
      '1234  a longer name  5',
    ]);
  });

  it('have the values of a thing two blanks behind its longest name', async () => {
    const view = { id: 7, started_at: 'noon', steps: [{ name: 'one' }], nothing: null };
    expect(viewText('Thing 7, "it"', view)).toBe(
      'Thing 7, "it"\n  id          7\n  started at  noon\n\nSteps\nNAME\n────\none\n',
    );
  });
});

describe('the rest', () => {
  it('token rotate makes a token, and not where one is set', async () => {
    const [first, second] = [await json('token rotate'), await json('token rotate')];
    expect(first.token).not.toBe(second.token);
    const set = await notifier('token rotate', { env: { NOTIFIER_ADMIN_TOKEN: 'x'.repeat(40) } });
    expect([set.code, set.err]).toEqual([1, 'NOTIFIER_ADMIN_TOKEN is set: change it there.\n']);
  });

  it('outcomes says over how many hours nothing came', async () => {
    const said = async (hours: number) => (await notifier(`outcomes --hours ${hours} --project blog`)).out;
    expect([await said(1), await said(2)]).toEqual([
      'Nothing was sent in the last hour.\n',
      'Nothing was sent in the last 2 hours.\n',
    ]);
  });

  it('version says the program’s and Node’s', async () => {
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

  it('ends with the codes it promises', () => {
    // What each command answers is seen above, in this process; here, that it becomes the code of theirs.
    if (isFull) {
      expect(run('project', 'list').status).toBe(0);
      expect(run('nonsense').status).toBe(2);
    }
    expect(run('issue', 'show', '77').status).toBe(1);
    writeFileSync(join(inFolder.path, '.env'), 'PORT=eighty\n');
    const wrong = run('project', 'list');
    expect([wrong.status, wrong.stderr]).toEqual([78, expect.stringContaining('PORT')]);
  });
});
