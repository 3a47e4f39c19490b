// Keys and domains of the settings hold at every start, whether or not there is a database already.
import { describe, expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { openDeps } from '../../../src/app/open-deps.ts';
import { loadConfig } from '../../../src/core/config/config.ts';
import { ConfigError } from '../../../src/core/config/start-errors.ts';
import { applyConfiguration, type StartResult } from '../../../src/core/projects/apply-configuration.ts';
import { createKey } from '../../../src/core/projects/keys.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { databases } from '../../data/support/databases.ts';

const publicKey = 'deployed-public-1';
const secretKey = 'deployed-secret-1';
const both = { NOTIFIER_PUBLIC_KEY: publicKey, NOTIFIER_SECRET_KEY: secretKey };
const nowMs = Date.UTC(2026, 10, 21);

describe.each(databases)('the settings of a project on $name', (database) => {
  interface Place {
    start(env?: Record<string, string>): Promise<StartResult | string>;
    /** Looks or changes in between. */
    between<T>(act: (store: Store) => Promise<T>): Promise<T>;
  }

  async function place(...projects: string[]): Promise<Place> {
    const DATABASE_URL = await database.createMigrated();
    const open = (env: Record<string, string>) =>
      openDeps({ DATABASE_URL, ...env }, { log: silentLog, now: () => nowMs });
    const opened: Place = {
      async start(env = {}) {
        const { deps, close } = await open(env);
        try {
          return await applyConfiguration(deps, () => {});
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          return error.message;
        } finally {
          await close();
        }
      },
      async between(act) {
        const { deps, close } = await open({});
        try {
          return await act(deps.store);
        } finally {
          await close();
        }
      },
    };
    await opened.between(async (store) => {
      for (const name of projects) {
        const { id } = await store.createProject({ name, createdAtMs: nowMs });
        await store.addDomain({ projectId: id, host: 'shop.example', bugReports: false, createdAtMs: nowMs });
        for (const kind of ['public', 'secret'] as const) await hold(store, id, kind, `${name}-own-${kind}`);
      }
    });
    return opened;
  }

  function hold(store: Store, projectId: number, kind: 'public' | 'secret', text: string) {
    const deps = { store, now: () => nowMs, randomBytes: () => Buffer.alloc(0) };
    return createKey(deps, projectId, kind, { imported: text });
  }

  function stateOf(store: Store) {
    return Promise.resolve(store.listProjects()).then((projects) =>
      Promise.all(
        projects.map(async ({ id, name }) => ({
          name,
          keys: (await store.listKeys(id)).map(
            (key) => `${key.kind} ${key.prefix}…${key.lastFour} ${key.revokedAtMs}`,
          ),
          domains: (await store.listDomains(id)).map(({ host, bugReports }) => `${host} ${bugReports}`),
        })),
      ),
    );
  }

  describe('of the first start', () => {
    it.each([
      ['none', {}, 'default', ['localhost true']],
      ['a name', { NOTIFIER_PROJECT: 'shop' }, 'shop', ['localhost true']],
      [
        'domains',
        { NOTIFIER_DOMAINS: 'Shop.example:bug-reports, *.shop.example' },
        'default',
        ['shop.example true', '*.shop.example false'],
      ],
      [
        'domains in any spelling, each as requests of its pages name it',
        { NOTIFIER_DOMAINS: 'Bücher.example.:bug-reports, my_pc, [0:0::1]:bug-reports' },
        'default',
        ['xn--bcher-kva.example true', 'my_pc false', '[::1] true'],
      ],
    ])('%s', async (_what, env, name, domains) => {
      const there = await place();
      expect(await there.start(env)).toMatchObject({
        isNew: true,
        project: { name },
        publicKey: expect.stringMatching(/^ntf_pk_/),
        secretKey: expect.stringMatching(/^ntf_sk_/),
        adminToken: expect.stringMatching(/^ntf_admin_/),
      });
      const [project, ...others] = await there.between(stateOf);
      expect([project?.name, project?.domains, project?.keys.length, others]).toEqual([name, domains, 2, []]);
    });

    it('keys: used as they are; a secret is not shown', async () => {
      const there = await place();
      expect(await there.start(both)).toMatchObject({ isNew: true, publicKey, secretKey: null });
      expect(await there.start(both)).toMatchObject({
        isNew: false,
        publicKey: null,
        secretKey: null,
        added: [],
      });
    });

    it('one key: the other is created and shown', async () => {
      const there = await place();
      const settled = await there.start({ NOTIFIER_PUBLIC_KEY: publicKey });
      expect(settled).toMatchObject({ publicKey, secretKey: expect.stringMatching(/^ntf_sk_/) });
    });

    it('nothing is stored where the created keys could not be shown', async () => {
      const DATABASE_URL = await database.createMigrated();
      const { deps, close } = await openDeps({ DATABASE_URL }, { log: silentLog });
      const gone = new Error('nobody reads');
      await expect(
        applyConfiguration(deps, () => {
          throw gone;
        }),
      ).rejects.toBe(gone);
      expect(await deps.store.listProjects()).toEqual([]);
      expect(await applyConfiguration(deps, () => {})).toMatchObject({
        isNew: true,
        adminToken: expect.any(String),
      });
      await close();
    });
  });

  it.each([
    ['without domains', {}, true],
    ['with an empty list of them', { NOTIFIER_DOMAINS: '' }, true],
    ['with domains', { NOTIFIER_DOMAINS: 'shop.example:bug-reports' }, false],
  ])('a first project %s accepts bug reports of apps: %p', async (_what, env, taken) => {
    const opened = await place();
    await opened.start(env);
    const [project] = await opened.between((store) => store.listProjects());
    expect(project?.bugReports).toBe(taken);
  });

  describe('with an existing project', () => {
    it('of another name: keys and domains are added to it', async () => {
      const there = await place('shop');
      const env = { ...both, NOTIFIER_DOMAINS: 'shop.example:bug-reports,blog.example:bug-reports' };
      const settled = await there.start(env);
      expect(settled).toMatchObject({
        isNew: false,
        project: { name: 'shop' },
        added: ['NOTIFIER_PUBLIC_KEY', 'NOTIFIER_SECRET_KEY', 'blog.example'],
        warnings: [],
      });
      const [shop] = await there.between(stateOf);
      expect(shop?.keys).toHaveLength(4);
      // The one that was there keeps its switches.
      expect(shop?.domains).toEqual(['shop.example false', 'blog.example true']);
      const before = await there.between(stateOf);
      expect(await there.start(env)).toMatchObject({ added: [], warnings: [] });
      expect(await there.between(stateOf)).toEqual(before);
    });

    it('and no settings: nothing is added, not even localhost', async () => {
      const there = await place('shop');
      const before = await there.between(stateOf);
      expect(await there.start()).toMatchObject({ added: [], project: { name: 'shop' } });
      expect(await there.between(stateOf)).toEqual(before);
    });

    it.each(['public', 'secret'] as const)('a revoked %s key stays revoked, with a warning', async (kind) => {
      const there = await place('shop');
      await there.between(async (store) => {
        const { key } = await hold(
          store,
          1,
          kind,
          both[kind === 'public' ? 'NOTIFIER_PUBLIC_KEY' : 'NOTIFIER_SECRET_KEY'],
        );
        await store.revokeKey(1, key.id, nowMs - 1);
      });
      const before = await there.between(stateOf);
      const variable = `NOTIFIER_${kind.toUpperCase()}_KEY`;
      const settled = await there.start({ [variable]: both[variable as keyof typeof both] });
      expect(settled).toMatchObject({
        added: [],
        warnings: [expect.stringMatching(`^${variable} is key 3, which was revoked`)],
      });
      expect(await there.between(stateOf)).toEqual(before);
    });

    it('an expired key stays expired, with a warning; one that is valid for a while is fine', async () => {
      const there = await place('shop');
      const expireAt = (atMs: number) => there.between((store) => store.expireKey(1, 3, atMs));
      await there.between((store) => hold(store, 1, 'public', publicKey));
      await expireAt(nowMs + 1);
      expect(await there.start({ NOTIFIER_PUBLIC_KEY: publicKey })).toMatchObject({ warnings: [] });
      await expireAt(nowMs);
      expect(await there.start({ NOTIFIER_PUBLIC_KEY: publicKey })).toMatchObject({
        warnings: [expect.stringContaining('has expired')],
      });
    });
  });

  const refused: ReadonlyArray<
    readonly [what: string, projects: string[], env: Record<string, string>, sentence: RegExp]
  > = [
    [
      'a public key of another project',
      ['shop', 'blog'],
      { NOTIFIER_PROJECT: 'shop', NOTIFIER_PUBLIC_KEY: 'blog-own-public' },
      /^NOTIFIER_PUBLIC_KEY is a key of project 2 "blog".*NOTIFIER_PROJECT/,
    ],
    [
      'a secret key of another project',
      ['shop', 'blog'],
      {
        NOTIFIER_PROJECT: 'blog',
        NOTIFIER_PUBLIC_KEY: 'new-public-1',
        NOTIFIER_SECRET_KEY: 'shop-own-secret',
      },
      /^NOTIFIER_SECRET_KEY is a key of project 1 "shop"/,
    ],
    [
      'the public key as the secret one',
      ['shop'],
      { NOTIFIER_SECRET_KEY: 'shop-own-public', NOTIFIER_DOMAINS: 'new.example' },
      /^NOTIFIER_SECRET_KEY is key 1 of project 1 "shop", which is a public key/,
    ],
    [
      'the secret key as the public one',
      ['shop'],
      { NOTIFIER_PUBLIC_KEY: 'shop-own-secret' },
      /^NOTIFIER_PUBLIC_KEY is key 2 of project 1 "shop", which is a secret key/,
    ],
    [
      'two projects and no name for a key',
      ['shop', 'blog'],
      { NOTIFIER_PUBLIC_KEY: publicKey },
      /^NOTIFIER_PROJECT is not set, and there are 2 projects \("shop", "blog"\).*NOTIFIER_PUBLIC_KEY/,
    ],
    [
      'two projects and no name for domains',
      ['shop', 'blog'],
      { NOTIFIER_DOMAINS: 'new.example' },
      /^NOTIFIER_PROJECT is not set.*NOTIFIER_DOMAINS/,
    ],
    [
      'a name that no project has, for a key',
      ['shop'],
      { NOTIFIER_PROJECT: 'Shop', ...both },
      /^NOTIFIER_PROJECT is "Shop", but no project has this name.*"shop".*NOTIFIER_PUBLIC_KEY, NOTIFIER_SECRET_KEY/,
    ],
  ];
  it.each(refused)('are refused, and nothing is changed: %s', async (_what, projects, env, sentence) => {
    const there = await place(...projects);
    const before = await there.between(stateOf);
    const said = await there.start(env);
    expect(said).toMatch(sentence);
    expect(said).not.toMatch(/own-secret|own-public|deployed/);
    expect(await there.between(stateOf)).toEqual(before);
    // Not even the token: the next start shows it.
    expect(await there.start()).toMatchObject({ adminToken: expect.any(String) });
  });

  it('reuse a key of a deleted project', async () => {
    const there = await place('shop', 'blog');
    await there.between((store) => store.endProject(2, nowMs));
    expect(await there.start({ NOTIFIER_PUBLIC_KEY: 'blog-own-public' })).toMatchObject({
      project: { name: 'shop' },
      added: ['NOTIFIER_PUBLIC_KEY'],
    });
  });

  it('the name of no project, without keys and domains: a warning', async () => {
    const there = await place('shop');
    expect(await there.start({ NOTIFIER_PROJECT: 'blog' })).toMatchObject({
      project: null,
      warnings: [expect.stringMatching(/^NOTIFIER_PROJECT is "blog", but no project has this name/)],
    });
  });

  it.each([
    ['by its name', { NOTIFIER_PROJECT: 'blog' }, ['shop', 'blog']],
    ['by the name of a first one', {}, ['shop', 'default']],
  ])('one of two projects is chosen %s', async (_what, env, projects) => {
    const there = await place(...projects);
    expect(await there.start({ ...env, ...both })).toMatchObject({ project: { id: 2, name: projects[1] } });
    const [first, second] = await there.between(stateOf);
    expect([first?.keys.length, second?.keys.length]).toEqual([2, 4]);
  });

  it('are applied once by many simultaneous starts', async () => {
    const there = await place();
    const env = { ...both, NOTIFIER_DOMAINS: 'shop.example' };
    const settled = await Promise.all(Array.from({ length: 6 }, () => there.start(env)));
    expect(settled.filter((each) => typeof each !== 'string' && each.isNew)).toHaveLength(1);
    expect(settled.filter((each) => typeof each !== 'string' && each.adminToken !== null)).toHaveLength(1);
    const [project, ...others] = await there.between(stateOf);
    expect([project?.keys.length, project?.domains, others]).toEqual([2, ['shop.example false'], []]);
  });

  it('are applied once by many starts with random keys: the start that created them shows them', async () => {
    const there = await place();
    const settled = await Promise.all(Array.from({ length: 6 }, () => there.start()));
    const shown = settled.filter((each) => typeof each !== 'string' && each.secretKey !== null);
    expect(shown).toHaveLength(1);
    expect((await there.between(stateOf))[0]?.keys).toHaveLength(2);
  });
});

describe('NOTIFIER_DOMAINS', () => {
  it.each([
    ['a domain that no page has', 'shop.example, a..b', /^NOTIFIER_DOMAINS must be .*"a\.\.b" is invalid/],
    ['an address in disguise', '1.2.3', /^NOTIFIER_DOMAINS must be .*"1\.2\.3" is invalid/],
    ['a port', '[::1]:80', /^NOTIFIER_DOMAINS supports .*"\[::1\]:80" has another, or a port/],
    [
      'one domain in two spellings',
      'bücher.example, XN--BCHER-KVA.example.:bug-reports',
      /^NOTIFIER_DOMAINS contains xn--bcher-kva\.example twice/,
    ],
  ])('refuses %s', (_what, domains, sentence) => {
    expect(() => loadConfig({ NOTIFIER_DOMAINS: domains }, () => '')).toThrow(sentence);
  });
});
