import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/core/config/config.ts';
import {
  checkBackups,
  checkDatabase,
  checkProjects,
  checkRetention,
} from '../../../src/core/doctor/database.ts';
import type {
  ContentFacts,
  DatabaseFiles,
  DatabaseState,
  FileInfo,
  Finding,
  NetworkState,
  ProjectFacts,
} from '../../../src/core/doctor/facts.ts';
import { checkClock, checkDisk, checkNetwork, checkPermissions } from '../../../src/core/doctor/machine.ts';
import { checkSettings } from '../../../src/core/doctor/settings.ts';
import type { ProjectPlan } from '../../../src/core/retention/plan.ts';
import type { RetentionState } from '../../../src/core/retention/state.ts';

const now = Date.UTC(2026, 10, 22, 12);
const day = 86_400_000;

/** The findings that are not fine: `level area: what`. */
const wrong = (findings: readonly Finding[]): string[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, area, what }) => `${level} ${area}: ${what}`);

const whole = { origin: 'https://shop.example', proxy: '127.0.0.1' };
const sound = { BASE_URL: whole.origin, TRUST_PROXY: whole.proxy };

describe('settings', () => {
  const settings = (env: Record<string, string>) =>
    wrong(checkSettings(loadConfig({ ...sound, ...env }, () => '')));

  it('are fine behind a proxy that is named, and on a laptop', () => {
    expect(settings({})).toEqual([]);
    expect(settings({ BASE_URL: '', TRUST_PROXY: '' })).toEqual([]);
  });

  it.each([
    [{ TRUST_PROXY: '' }, /^problem proxy: BASE_URL is https, .* TRUST_PROXY is empty/],
    [{ TRUST_PROXY: '0.0.0.0/0' }, /^problem proxy: TRUST_PROXY contains 0\.0\.0\.0\/0/],
    [{ TRUST_PROXY: '10.0.0.0/8,::/0' }, /^problem proxy: TRUST_PROXY contains ::\/0,/],
    [{ BASE_URL: '' }, /^notice proxy: TRUST_PROXY is set, but BASE_URL is not/],
    [{ HOST: '0.0.0.0' }, /^notice proxy: HOST is 0\.0\.0\.0, so the server can be reached without/],
    [
      { BASE_URL: '', TRUST_PROXY: '', HOST: '0.0.0.0' },
      /^notice proxy: .*keys are sent over the network unencrypted/,
    ],
    [{ BASE_URL: 'https://localhost' }, /^notice proxy: BASE_URL is https:\/\/localhost, which other/],
    [{ RATE_LIMITS: 'off' }, /^problem settings: RATE_LIMITS is off, and BASE_URL is public/],
    [{ DATABASE_URL: 'sqlite::memory:' }, /^problem settings: DATABASE_URL is sqlite::memory:/],
    [{ PAGES: 'off', PAGES_URL: 'https://a.example' }, /^notice settings: PAGES_URL is set, but PAGES/],
    [{ PAGES_URL: 'http://a.example' }, /^problem settings: PAGES_URL is http:\/\/a\.example/],
    [{ DEMO: 'off', DEMO_INDEX: 'on' }, /^notice settings: DEMO_INDEX is on, but DEMO is off/],
    [{ LOG_LEVEL: 'silent' }, /^notice settings: LOG_LEVEL is silent/],
    [
      { SIGN_IN_OIDC_ISSUER: 'https://sso.example', SIGN_IN_OIDC_CLIENT_ID: 'x' },
      /^notice settings: A sign-in provider is set up, but PAGES_URL is not/,
    ],
    [{ NOTIFIER_PUBLIK_KEY: 'x' }, /^notice settings: NOTIFIER_PUBLIK_KEY is not a setting/],
  ])('%j', (env, said) => {
    const found = settings(env as Record<string, string>);
    expect(found).toEqual([expect.stringMatching(said)]);
  });
});

const path = (name: string, more: Partial<FileInfo> = {}): FileInfo => ({
  path: name,
  bytes: 1e6,
  mode: 0o100600,
  uid: 1000,
  modifiedAtMs: now - day,
  ...more,
});
const disk = { path: '/d', freeBytes: 50e9, allBytes: 100e9, freeFilesShare: 0.9, type: 0xef53 };
const files: DatabaseFiles = {
  file: path('/d/n.db'),
  sidecarFiles: [path('/d/n.db-wal'), path('/d/n.db-shm')],
  folder: path('/d', { mode: 0o40700 }),
  leftovers: [],
  disk,
};
const content: ContentFacts = {
  newestEventAtMs: now - 1000,
  bodies: { checked: 0, damaged: 0, named: [] },
  lastStartAtMs: now - day,
  backupMadeAt: new Date(now - day).toISOString(),
  retention: { state: null, keepsAll: false },
  projects: [],
};
const answer = { address: 'http://a', isOurs: true, detail: '200', dateMs: now };
const network: NetworkState = {
  baseHost: { host: 'shop.example', addresses: 1, failed: null },
  resolvers: [{ server: '9.9.9.9', failed: null }],
  redisFault: null,
  hostIsHere: true,
  local: answer,
  public: answer,
};

describe('the machine', () => {
  it('is fine where nothing is wrong', () => {
    const all = [
      ...checkDisk(files),
      ...checkPermissions(files, [path('/s')], 1000),
      ...checkClock(now, content, files, network),
      ...checkNetwork(network),
    ];
    expect([wrong(all), all.length]).toEqual([[], 4]);
  });

  it.each([
    ['full', { disk: { ...disk, freeBytes: 1e8 } }, /^problem disk: \/d has 100 MB free/],
    ['nearly full', { disk: { ...disk, freeBytes: 6e9 } }, /^notice disk: /],
    ['without room for files', { disk: { ...disk, freeFilesShare: 0.01 } }, /^problem disk: .*inodes/],
    ['of the network', { disk: { ...disk, type: 0x6969 } }, /^problem disk: .*network file system/],
    [
      'with a long log',
      { sidecarFiles: [path('/d/n.db-wal', { bytes: 3e8 })] },
      /^problem disk: The write-ahead/,
    ],
    ['with old copies', { leftovers: [path('/d/n.db.before-1')] }, /^notice disk: 1 copy of the database/],
  ])('has a disk %s', (_what, more, said) => {
    expect(wrong(checkDisk({ ...files, ...more }))).toEqual([expect.stringMatching(said)]);
  });

  it.each([
    [
      'a database for all to read',
      { file: path('/d/n.db', { mode: 0o100644 }) },
      /^problem .*n\.db can be read/,
    ],
    [
      'a log of another user',
      { sidecarFiles: [path('/d/n.db-wal', { uid: 0 })] },
      /^problem .*different users \(1000, 0\)/,
    ],
    [
      'a folder for all to write',
      { folder: path('/d', { mode: 0o40777 }) },
      /^problem .*replace the database/,
    ],
  ])('has %s', (_what, more, said) => {
    expect(wrong(checkPermissions({ ...files, ...more }, [], 1000))).toEqual([expect.stringMatching(said)]);
  });

  it('has secrets for others to read, and another user’s database', () => {
    const open = checkPermissions(files, [path('/s', { mode: 0o100640 })], 1000);
    expect(wrong(open)).toEqual(['problem permissions: /s can be read by others (mode 640).']);
    expect(wrong(checkPermissions(files, [], 7))).toEqual([
      'notice permissions: The database belongs to user 1000, but this is user 7.',
    ]);
    expect(wrong(checkPermissions(files, [], 0))).toEqual([]);
  });

  it.each([
    ['an event of tomorrow', { newestEventAtMs: now + day }, {}, {}, /the newest event is from 2026-11-23/],
    ['a start of tomorrow', { lastStartAtMs: now + day }, {}, {}, /the last start of the server/],
    [
      'a file of tomorrow',
      {},
      { file: path('/d/n.db', { modifiedAtMs: now + day }) },
      {},
      /the database file/,
    ],
    ['another time outside', {}, {}, { public: { ...answer, dateMs: now - day } }, /at BASE_URL/],
  ])('has %s', (_what, inside, beside, outside, said) => {
    const found = checkClock(
      now,
      { ...content, ...inside },
      { ...files, ...beside },
      { ...network, ...outside },
    );
    expect(wrong(found)).toEqual([expect.stringMatching(said)]);
  });

  it('has a time that is damaged: the clock is judged by the others', () => {
    const found = checkClock(now, { ...content, lastStartAtMs: Number.NaN }, files, network);
    expect(wrong(found)).toEqual([]);
  });

  const gone = { ...answer, isOurs: false, detail: 'ECONNREFUSED', dateMs: null };
  it.each([
    [
      { baseHost: { host: 'x.example', addresses: 0, failed: 'ENOTFOUND' } },
      /of BASE_URL, x\.example, has no IP address/,
    ],
    [{ resolvers: [{ server: '9.9.9.9', failed: 'ETIMEOUT' }] }, /DNS server 9\.9\.9\.9 .*did not respond/],
    [{ redisFault: 'ECONNREFUSED' }, /Redis is unavailable \(ECONNREFUSED\)/],
    [{ hostIsHere: false }, /HOST is not an address/],
    [{ local: gone, public: gone }, /^notice addresses: Notifier does not respond at http:\/\/a/],
    [
      { public: { ...gone, detail: '404' } },
      /^problem addresses: The server responds here, but not at http:\/\/a \(404\)/,
    ],
  ])('has %j', (more, said) => {
    expect(wrong(checkNetwork({ ...network, ...more }))).toEqual([expect.stringMatching(said)]);
  });
});

const database: DatabaseState = {
  dbms: 'sqlite',
  version: '3.54.1',
  settings: { journal_mode: 'wal', auto_vacuum: '2' },
  schema: { applied: 33, missing: [], reason: null },
  faults: [],
  content,
};
const postgres: DatabaseState = {
  ...database,
  dbms: 'postgres',
  version: '17.2',
  settings: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', server_encoding: 'UTF8' },
};

describe('the database', () => {
  it('is fine where nothing is wrong', () => {
    expect(wrong([...checkDatabase(database), ...checkDatabase(postgres)])).toEqual([]);
    expect(wrong(checkBackups('sqlite', content, now))).toEqual([]);
  });

  it.each([
    [database, { faults: ['page 7 is never used'] }, /^problem .*damaged: page 7/],
    [database, { faults: null }, /^notice .*was not checked/],
    [database, { version: '3.51.2' }, /^problem .*SQLite 3\.51\.2 can lose/],
    [
      database,
      { settings: { journal_mode: 'delete', auto_vacuum: '2' } },
      /^notice .*journal mode is delete/,
    ],
    [database, { settings: { journal_mode: 'wal', auto_vacuum: '0' } }, /^notice .*does not shrink/],
    [database, { schema: { ...database.schema, missing: ['a', 'b'] } }, /^notice .*2 migrations pending/],
    [
      database,
      { schema: { ...database.schema, missing: ['a'], reason: 'A newer one made it.' } },
      /^problem .*A newer one made it/,
    ],
    [postgres, { settings: { ...postgres.settings, fsync: 'off' } }, /^problem .*fsync of PostgreSQL is off/],
    [
      postgres,
      { settings: { ...postgres.settings, synchronous_commit: 'off' } },
      /^problem .*synchronous_commit/,
    ],
    [
      postgres,
      { settings: { ...postgres.settings, server_encoding: 'LATIN1' } },
      /^problem .*server_encoding/,
    ],
  ])('of %#', (facts, more, said) => {
    expect(wrong(checkDatabase({ ...facts, ...more }))).toEqual([expect.stringMatching(said)]);
  });

  it('has no backup, or an old one', () => {
    expect(wrong(checkBackups('sqlite', { ...content, backupMadeAt: null }, now))).toHaveLength(1);
    const backupMadeAt = new Date(now - 2 * day).toISOString();
    expect(wrong(checkBackups('sqlite', { ...content, backupMadeAt }, now))).toHaveLength(1);
  });

  it('has events past retention, with the reason and the date of their deletion', () => {
    const limits = { days: 90, events: 0, bytes: 0 };
    const plan = { projectId: 1, stored: 9, byAge: 4, byQuota: 1 } as ProjectPlan;
    const state: RetentionState = {
      begunMs: null,
      waitedMs: day,
      roundMs: now,
      limits,
      heldBack: 'first',
      plans: [plan],
    };
    const found = (keepsAll: boolean, of: RetentionState | null, within = limits) =>
      wrong(checkRetention({ retention: { state: of && JSON.stringify(of), keepsAll } }, within));
    const begins = new Date(now + 6 * day).toISOString();
    expect(found(false, state)).toEqual([
      expect.stringContaining(`5 events would be deleted, but retention is on hold`),
    ]);
    expect(found(false, state)).toEqual([expect.stringContaining(`starts automatically at ${begins}`)]);
    expect(found(false, { ...state, heldBack: 'clock' })).toEqual([
      expect.stringMatching(/the clock jumped ahead/),
    ]);
    expect(found(false, { ...state, heldBack: null })).toEqual([]);
    expect(found(false, null)).toEqual([]);
    expect(found(true, state)).toEqual([]);
    expect(found(false, state, { days: 0, events: 0, bytes: 0 })).toEqual([]);
  });
});

const key = {
  id: 7,
  kind: 'public' as const,
  label: 'web',
  createdAtMs: now - 100 * day,
  expiresAtMs: null,
  revokedAtMs: null,
  lastUsedAtMs: now - 1000,
};
const project: ProjectFacts = {
  id: 1,
  name: 'shop',
  keys: [key, { ...key, id: 8, kind: 'secret' }],
  sdks: [{ name: 'sentry.php', events: 10, lastSeenMs: now - 1000 }],
  outcomesOfDay: { accepted: 1000, rate_limited: 5 },
  awaitingMaps: [],
};

describe('projects', () => {
  it('are fine where nothing is wrong, with one finding', () => {
    const found = checkProjects([project, { ...project, id: 2 }], now);
    expect([wrong(found), found.length]).toEqual([[], 3]);
  });

  it.each([
    [{ keys: [{ ...key, revokedAtMs: now - 1 }] }, /^problem keys: shop has no valid public key/],
    [
      { keys: [{ ...key, lastUsedAtMs: null }] },
      /^notice keys: The public key 7 “web” of shop was never used/,
    ],
    [{ keys: [{ ...key, lastUsedAtMs: now - 91 * day }] }, /^notice keys: .*was last used at/],
    [{ keys: [{ ...key, expiresAtMs: now + day }] }, /^notice keys: .*expires at 2026-11-23 12:00/],
    [{ sdks: [] }, /^notice sdks: shop has never received an event/],
    [
      { sdks: [{ name: 'x', events: 3, lastSeenMs: now - 3 * day }] },
      /^notice sdks: shop had 3 events, the last/,
    ],
    [{ outcomesOfDay: { accepted: 90, rate_limited: 10 } }, /^notice sdks: 10 of 100 .*were rate limited/],
    [{ outcomesOfDay: { accepted: 90, invalid: 10 } }, /^problem sdks: 10 of 100 .*were invalid/],
    [
      { awaitingMaps: [{ release: '1.2', events: 4, artifacts: 0 }] },
      /^notice maps: 4 events of shop of release 1\.2 .*no source maps/,
    ],
    [
      { awaitingMaps: [{ release: '', events: 1, artifacts: 2 }] },
      /^notice maps: 1 event of shop without a release .*2 files, none/,
    ],
  ])('with %#', (more, said) => {
    expect(wrong(checkProjects([{ ...project, ...more }], now))).toEqual([expect.stringMatching(said)]);
  });

  it('are none', () => {
    expect(wrong(checkProjects([], now))).toHaveLength(1);
  });
});
