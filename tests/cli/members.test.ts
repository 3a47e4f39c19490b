import { beforeEach, describe, expect, it } from '@jest/globals';
import { ingestEvent } from '../../src/core/events/ingest.ts';
import { type TestCommandLine, testCommandLine } from '../support/command-line.ts';
import { forEachTest } from '../support/shared.ts';

const line = forEachTest(() => testCommandLine());
const notifier: TestCommandLine['notifier'] = (...of) => line.notifier(...of);
const json: TestCommandLine['json'] = (words) => line.json(words);
const withDeps: TestCommandLine['withDeps'] = (act) => line.withDeps(act);

const told = (afterId: number) =>
  withDeps(async ({ store }) =>
    (await store.walkAudit(afterId, 100)).map(({ actor, action, objectName, summary }) => [
      actor.name,
      action,
      objectName.replace(/^ntf_.*/, 'a key'),
      summary,
    ]),
  );
const entries = () => withDeps(async ({ store }) => (await store.auditHead()).entries);

it('without a database no command makes one', async () => {
  const empty = testCommandLine({ hasDatabase: false });
  expect((await empty.notifier('member list')).err).toMatch(
    /^There is no database at .*, and none was made: /,
  );
  empty.remove();
});

describe('member', () => {
  it('adds, lists, changes and removes members', async () => {
    expect((await notifier('member list')).out).toContain('No members yet');
    const added = await json('member create Mara --role admin --email mara@shop.example');
    expect(added).toEqual({
      member_id: 1,
      name: 'Mara',
      email: 'mara@shop.example',
      role: 'admin',
      created_at: expect.stringMatching(/^\d{4}-/),
      created_by: 'command line',
      last_seen: null,
    });
    expect((await notifier('member create Jun')).out).toBe(
      'Added Jun as member.\nCreate their sign-in link: npm run notifier -- sign-in-link create 2\n',
    );
    expect((await json('member update jun --role viewer')).role).toBe('viewer');
    const listed = await json('member list');
    expect(listed.map((each: { name: string; role: string }) => [each.name, each.role])).toEqual([
      ['Jun', 'viewer'],
      ['Mara', 'admin'],
    ]);
    expect((await notifier('member delete 2')).out).toBe('Jun is no longer a member.\n');
    expect((await json('member list')).length).toBe(1);
  });

  it('manages teams, which give access to projects', async () => {
    await withDeps(async ({ store }) => {
      for (const name of ['team-web', 'team-pay']) await store.createProject({ name, createdAtMs: 1 });
    });
    await json('member create Ines');
    const before = await entries();
    expect(await json('team create #Payments --projects team-pay')).toEqual({
      team_id: 1,
      name: 'payments',
      members: [],
      projects: [{ project_id: 2, name: 'team-pay' }],
    });
    expect((await notifier('team create payments')).err).toContain('already exists');
    expect((await notifier('team update payments')).code).toBe(2);
    const changed = await json('team update payments --add Ines --name money --projects team-web,team-pay');
    expect(changed.members.map(({ name }: { name: string }) => name)).toEqual(['Ines']);
    expect((await notifier('team list')).out).toMatch(/money\s+Ines\s+team-web, team-pay/);
    expect((await notifier('member update Ines --projects team-web')).out).toContain('1 chosen project');
    expect((await notifier('member update Ines --projects nowhere')).err).toContain('no project "nowhere"');
    expect((await notifier('team delete money')).out).toBe('Deleted #money.\n');
    expect(
      (await told(before)).map(([, action, object, summary]) => `${action} ${object} ${summary}`),
    ).toEqual([
      'team.created #payments team-pay',
      'team.renamed #money was #payments',
      'team.access_changed #money team-web, team-pay',
      'team.member_added #money Ines',
      'member.access_changed Ines team-web',
      'team.deleted #money ',
    ]);
  });
});

describe('a member', () => {
  beforeEach(() => json('member create Mara'));

  it('prints a link that works once, on a line of its own', async () => {
    const { code, out } = await notifier('sign-in-link create MARA');
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^http:\/\/127\.0\.0\.1:8787\/sign-in\?token=[0-9A-Za-z]{43}$/);
    const env = { PAGES_URL: 'https://shop.example/errors' };
    const { out: document } = await notifier('sign-in-link create 1 --json', { env });
    const { link, expires_at: endsAt, member } = JSON.parse(document);
    expect(link).toMatch(/^https:\/\/shop\.example\/errors\/sign-in\?token=/);
    expect(Date.parse(endsAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    expect(member.name).toBe('Mara');
  });

  it.each([
    ['member create', 2],
    ['member create Ann --role boss', 2],
    ['member create Mara', 1],
    ['member create token', 1],
    ['member create Ann --email nobody', 1],
    ['member update Nobody --role admin', 1],
    ['member update Mara --role boss', 2],
    ['sign-in-link create Nobody', 1],
    ['member delete 99', 1],
    ['member delete Mara Jun', 2],
  ])('refuses: %s', async (words, code) => {
    const before = await entries();
    const refused = await notifier(words);
    expect([refused.code, refused.out]).toEqual([code, '']);
    expect(await entries()).toBe(before);
  });
});

describe('the audit log', () => {
  it('has an entry for every command that changes something, and for no other', async () => {
    const before = await entries();
    await json('project create shop');
    await json('project create old');
    await json('project update shop --store-ip on');
    await json('project rename shop store');
    const key = await json('key create secret --label ci --project store');
    await json(`key rotate ${key.key_id} --overlap 1h`);
    await json(`key delete ${key.key_id}`);
    await json('domain create shop.example --project store');
    await json('domain update shop.example --bug-reports on');
    await json('domain delete shop.example');
    await json('project delete old --yes');
    for (const reads of ['project list', 'key list --project store', 'member list', 'verify-audit']) {
      await json(reads);
    }
    const rows = await told(before);
    expect(rows.map(([who, action, name]) => [who, action, name])).toEqual([
      ['command line', 'project.created', 'shop'],
      ['command line', 'project.created', 'old'],
      ['command line', 'project.changed', 'shop'],
      ['command line', 'project.renamed', 'store'],
      ['command line', 'key.created', 'a key'],
      ['command line', 'key.rotated', 'a key'],
      ['command line', 'key.revoked', 'a key'],
      ['command line', 'domain.added', 'shop.example'],
      ['command line', 'domain.changed', 'shop.example'],
      ['command line', 'domain.removed', 'shop.example'],
      ['command line', 'project.deleted', 'old'],
    ]);
    expect(rows[3]?.[3]).toBe('was shop');
    expect(rows[4]?.[3]).toBe('secret, “ci”');
    expect(JSON.stringify(rows)).not.toContain(key.key);
  });

  it('names issues by their type alone', async () => {
    await withDeps(async (deps) => {
      const project = await deps.store.createProject({ name: 'store', createdAtMs: 1 });
      const read = {
        message: 'x',
        platform: 'node',
        exception: { values: [{ type: 'TypeError', value: 'Mara lives in Elm Street' }] },
      };
      const context = { receivedAtMs: deps.now(), clientAddress: '192.0.2.1', userAgent: '', domain: null };
      await ingestEvent(deps, project, { read }, context);
    });
    const before = await entries();
    const [issue] = await json('issue list --project store');
    const id = issue.issue_id ?? issue.id;
    await json(`issue resolve ${id} --in next_release`);
    await json(`issue ignore ${id} --count 5`);
    await json(`issue reopen ${id}`);
    expect(await told(before)).toEqual([
      ['command line', 'issue.resolved', `#${id} TypeError`, 'in the next release'],
      ['command line', 'issue.ignored', `#${id} TypeError`, 'until 5 more events'],
      ['command line', 'issue.reopened', `#${id} TypeError`, ''],
    ]);
  });

  it('has an entry for a new token, which ends sessions of the old one', async () => {
    const before = await entries();
    await json('token rotate');
    expect(await told(before)).toEqual([
      ['command line', 'token.rotated', 'the workspace token', '0 sessions of the old one ended'],
    ]);
  });
});

describe('verify-audit', () => {
  beforeEach(async () => {
    for (const name of ['Mara', 'Ines', 'Jun', 'Lea']) await json(`member create ${name}`);
  });

  it('says that the log is complete, and confirms a noted hash', async () => {
    const whole = await notifier('verify-audit');
    expect([whole.code, whole.out]).toEqual([0, expect.stringMatching(/^The audit log is intact: \d+ /)]);
    const { hash } = await json('verify-audit');
    await json('member create Later');
    expect((await notifier(`verify-audit --holds ${hash}`)).code).toBe(0);
    expect((await notifier(`verify-audit --holds ${'f'.repeat(64)}`)).code).toBe(1);
    expect((await notifier('verify-audit --holds x')).code).toBe(2);
  });

  it('names the first entry that is not what it was, and ends with 1', async () => {
    const { default: Database } = await import('better-sqlite3');
    const file = new Database(line.databaseUrl.slice('sqlite:'.length));
    file.exec(
      "DROP TRIGGER audit_entries_unchanged; UPDATE audit_entries SET actor_name = 'x' WHERE id >= 4",
    );
    file.close();
    const broken = await notifier('verify-audit', { isTerminal: true });
    expect([broken.code, broken.out]).toEqual([
      1,
      'The audit log is broken: entry 4 was changed after it was written. 3 entries before that are intact.\n',
    ]);
    expect(JSON.parse((await notifier('verify-audit --json')).out)).toMatchObject({
      entries: 3,
      whole: false,
      fault: 'entry 4 was changed after it was written',
    });
    const again = new Database(line.databaseUrl.slice('sqlite:'.length));
    again.exec("UPDATE audit_entries SET actor_name = 'x' WHERE id = 2");
    again.close();
    expect((await notifier('verify-audit')).out).toMatch(/ 1 entry before that is intact\.\n$/);
  });
});
