import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { insertEvent } from '../../data/events/event-batcher.ts';
import { createInsertContext } from '../../data/events/insert-context.ts';
import { openDb } from '../../data/open-store.ts';
import {
  type ChildTable,
  type OwnedTable,
  ownedTables,
  projectDeletionStore,
} from '../../data/projects/deletion.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { buildDueMessages } from '../../src/core/alerts/build-messages.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { checkMonitor } from '../../src/core/monitors/check-monitor.ts';
import { weekOf } from '../../src/core/page-models/reports/period.ts';
import { removeProjectData } from '../../src/core/projects/projects.ts';
import { createReport } from '../../src/core/reports/reports.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { pngOf } from '../support/images.ts';
import { forEachTest } from '../support/shared.ts';
import { uploadJson } from '../support/uploads.ts';
import { verifyDomain } from '../support/verified-domain.ts';
import { databases, sqlite } from './support/databases.ts';
import { eventOf, hashOf } from './support/events.ts';
import { watchedDb } from './support/watched-db.ts';

const ofNoProject = [
  'audit_entries',
  'audit_head',
  'members',
  'member_sessions',
  'sign_in_links',
  'member_identities',
  'member_passkeys',
  'personal_tokens',
  'sign_in_challenges',
  'saved_views',
  'page_settings',
  'bulk_actions',
  'teams',
  'team_members',
  // What a trigger keeps beside issue_search.
  ...['', '_config', '_data', '_docsize', '_idx'].map((part) => `issue_trigrams${part}`),
  'meta',
  'schema_migrations',
  'projects',
];
const parts: readonly ChildTable[] = ownedTables.flatMap((owned) => owned.childTables ?? []);
const listed: ReadonlyArray<OwnedTable | ChildTable> = [...ownedTables, ...parts];
const quick = { sleep: async () => {}, onProgress: () => {} };

const wideLimits = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_EVENTS_PER_MINUTE: '9000',
  RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '9000',
  RATE_LIMIT_SERVER_PER_MINUTE: '9000',
};

async function schemaOf(db: Db): Promise<Map<string, string[]>> {
  const rows = await db.all<{ name: string; column_name: string }>(
    db.dbms === 'sqlite'
      ? `SELECT tables.name, columns.name AS column_name FROM sqlite_master tables, pragma_table_info(tables.name) columns
         WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`
      : `SELECT table_name AS name, column_name FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const tables = Map.groupBy(rows, (row) => row.name);
  return new Map([...tables].map(([name, columns]) => [name, columns.map((each) => each.column_name)]));
}

describe.each(databases)('deleting a project on $name', (database) => {
  const app = forEachTest(async () =>
    openTestApp({ env: { DATABASE_URL: await database.createMigrated(), ...wideLimits } }),
  );
  const db = forEachTest(() => openDb(app.deps.config.databaseUrl, {}));
  beforeEach(() => verifyDomain(app, 'shop.example'));

  const countOf = async (table: string): Promise<number> =>
    Number((await db.get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`))?.rows);

  it('covers every table with rows of a project', async () => {
    const schema = await schemaOf(db);
    const known = listed.map((each) => each.table);
    const missing = [...schema].filter(([name, columns]) =>
      columns.includes('project_id') ? !known.includes(name) : false,
    );
    expect(missing.map(([name]) => name)).toEqual([]);
    const unplaced = [...schema.keys()].filter(
      (name) => !known.includes(name) && !ofNoProject.includes(name),
    );
    expect(unplaced).toEqual([]);
    for (const { table, key } of listed) {
      expect([table, schema.get(table)]).toEqual([table, expect.arrayContaining(key.split(', '))]);
    }
  });

  it('deletes everything of it, and nothing of others', async () => {
    await fill(app);
    const empty = [];
    for (const { table } of listed) if ((await countOf(table)) === 0) empty.push(table);
    // A table that this test does not fill proves nothing.
    expect(empty).toEqual([]);
    const other = await app.addProject('other');
    const kept = await app.post('/store', { message: 'mine', platform: 'php' }, header(other.publicKey));
    await app.deps.outcomes.flush();
    await app.deps.store.endProject(app.project.id, 1);
    const rows = await removeProjectData(app.deps, app.project.id, quick);
    expect(rows).toBeGreaterThan(listed.length);
    for (const { table } of ownedTables) {
      const left = await db.get<{ rows: number }>(
        `SELECT COUNT(*) AS rows FROM ${table} WHERE project_id = $1`,
        [app.project.id],
      );
      expect([table, Number(left?.rows)]).toEqual([table, 0]);
    }
    const partsLeft = {
      event_bodies: 1,
      event_attachments: 0,
      feedback_screenshots: 0,
      issue_merge_members: 0,
      alert_rule_channels: 0,
      monitor_checks: 0,
      monitor_slices: 0,
      monitor_days: 0,
      incident_updates: 0,
      incident_links: 0,
      push_subscriptions: 0,
      status_announcements: 0,
      status_deliveries: 0,
      status_messages: 0,
      status_subscribers: 0,
      status_page_hosts: 0,
      status_page_images: 0,
      status_components: 0,
    };
    for (const { table } of parts) {
      expect([table, await countOf(table)]).toEqual([table, partsLeft[table as keyof typeof partsLeft]]);
    }
    expect(await app.deps.store.listProjects()).toEqual([other.project]);
    expect(await app.deps.store.findEvent(other.project.id, kept.body.event_id)).not.toBeNull();
  });

  it('is effective at once: no key, no name, no new events', async () => {
    const { store } = app.deps;
    const event = { message: 'x', platform: 'php' };
    expect(await app.post('/store', event)).toHaveStatus(201);
    expect(await store.endProject(app.project.id, 7)).toEqual({ id: 1, name: 'test' });
    expect(await store.endProject(app.project.id, 8)).toBeNull();
    expect(await app.post('/store', event)).toHaveStatus(401);
    expect(await app.get('/issues')).toHaveStatus(401);
    expect([
      await store.listProjects(),
      await store.findProject(1),
      await store.findProjectByName('test'),
    ]).toEqual([[], null, null]);
    expect(await store.changeProject(1, { name: 'back' })).toBeNull();
    expect(await store.listEndingProjects()).toEqual([{ id: 1, name: 'test' }]);
    // What was under way when it ended.
    await expect(store.recordEvent(eventOf({ kind: 'new' }))).rejects.toMatchObject({ status: 401 });
    const before = await countOf('outcomes');
    app.deps.outcomes.count({
      projectId: 1,
      atMs: app.deps.now(),
      outcome: 'invalid',
      reason: 'late',
      category: 'error',
      quantity: 1,
    });
    await app.deps.outcomes.flush();
    expect(await countOf('outcomes')).toBe(before);
    // Its name and its keys can be another's.
    const next = await store.createProject({ name: 'test', createdAtMs: 9 });
    expect(next.id).toBeGreaterThan(1);
    await removeProjectData(app.deps, 1, quick);
    expect((await store.listProjects()).map((project) => project.name)).toEqual(['test']);
  });

  it('never reuses an id', async () => {
    const first = await app.post('/store', { message: 'one', platform: 'php' });
    await app.deps.store.endProject(app.project.id, 1);
    await removeProjectData(app.deps, app.project.id, quick);
    const next = await app.addProject('next');
    expect(next.project.id).toBeGreaterThan(app.project.id);
    const second = await app.post('/store', { message: 'one', platform: 'php' }, header(next.publicKey));
    expect(second.body.issue_id).toBeGreaterThan(first.body.issue_id);
  });

  it('continues after an interruption, and never touches another project', async () => {
    const { store } = app.deps;
    await expect(store.removeProjectSlice(app.project.id)).rejects.toThrow('marked as deleted');
    for (let serial = 0; serial < 5; serial += 1) {
      await store.recordEvent(eventOf({ kind: `kind ${serial}` }));
    }
    await store.endProject(app.project.id, 1);
    const interrupted = removeProjectData(app.deps, app.project.id, {
      sleep: async () => {
        throw new Error('interrupted');
      },
      onProgress: () => {},
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await countOf('events')).toBe(5);
    const told: number[] = [];
    await removeProjectData(app.deps, app.project.id, { ...quick, onProgress: (rows) => told.push(rows) });
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect([await countOf('events'), await store.listEndingProjects()]).toEqual([0, []]);
    expect(await store.removeProjectSlice(app.project.id)).toEqual({ removed: 0, done: true });
  });

  it('deletes few rows at once where they are large', async () => {
    const { store } = app.deps;
    const attachment = {
      filename: 'a',
      contentType: 'text/plain',
      attachmentType: 'x',
      bytes: Buffer.from('a'),
    };
    const attachments = Array.from({ length: 12 }, () => attachment);
    await store.recordEvent(eventOf({ kind: 'a', attachments }));
    await store.recordEvent(eventOf({ kind: 'a', attachments }));
    await store.endProject(1, 1);
    const left: number[] = [];
    for (let done = false; !done; ) {
      ({ done } = await store.removeProjectSlice(1));
      left.push(await countOf('event_attachments'));
    }
    expect([...new Set(left)]).toEqual([24, 14, 4, 0]);
  });
});

describe('the plan of every slice', () => {
  it('has no full table scan: tables of other projects may be large', async () => {
    const db = await openDb(await sqlite.createMigrated(), { isUnsynced: true });
    try {
      const seen = new Set<string>();
      const { id } = await projectStore(db).createProject({ name: 'shop', createdAtMs: 0 });
      const store = projectDeletionStore(watchedDb(db, seen));
      await insertEvent(db, createInsertContext({ newIssuesPerHourMax: 9 }), eventOf({}));
      await store.endProject(id, 1);
      for (let done = false; !done; ) ({ done } = await store.removeProjectSlice(id));
      const scans = [];
      for (const sql of seen) {
        const plan = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, new Array(300).fill(1));
        if (plan.some(({ detail }) => detail.startsWith('SCAN'))) scans.push(sql);
      }
      expect([seen.size > ownedTables.length, scans]).toEqual([true, []]);
    } finally {
      await db.close();
    }
  });
});

async function notAsked(): Promise<never> {
  throw new Error('No page is asked.');
}

const header = (publicKey: string) => ({ 'X-Notifier-Key': publicKey });

/** A member and a team that may see this project alone. */
async function chooseProject({ deps: { store }, project }: TestApp): Promise<void> {
  const made = { createdAtMs: 1, createdBy: 'test' };
  const member = await store.addMember({
    ...made,
    ...{ name: 'Ann', nameKey: 'ann', email: null, role: 'viewer' },
  });
  const team = await store.addTeam({ ...made, name: 'shop', hasAllProjects: false });
  const access = { hasAllProjects: false, projectIds: [project.id] };
  await store.setAccess({ memberId: member?.id ?? 0 }, access);
  await store.setAccess({ teamId: team?.id ?? 0 }, access);
}

async function fill(app: TestApp): Promise<void> {
  const { deps, project } = app;
  const fromShop = { ...header(app.publicKey), Origin: 'https://shop.example' };
  const alerts = { type: 'webhook', name: 'all', url: 'https://a.example/hook' };
  const made = await app.postSecret('/alert-channels', alerts);
  const { rule_id: ruleId } = made.body.rules[0];
  await deps.store.addPushSubscription({
    ...{ channelId: made.body.alert_channel_id, memberId: 1, endpoint: 'https://push.example/a' },
    ...{ p256dh: '', auth: '', device: 'Firefox', createdAtMs: 1 },
  });
  const ongoing = {
    ruleId,
    projectId: project.id,
    object: '1',
    objectId: 1,
    atMs: deps.now(),
    summary: null,
  };
  await deps.store.beginActiveAlert({ ...ongoing, kind: 'issue.seen_more_than' });
  const link = { tokenHash: 'a', projectId: project.id, issueId: 1, action: 'ignore' as const };
  await deps.store.addActionLink({ ...link, expiresAtMs: deps.now() + 1 }, deps.now());
  await chooseProject(app);
  const bulkId = await deps.store.addBulkAction({ ownerId: 0, action: 'merged', atMs: deps.now() }, 0);
  const undone = { projectId: app.project.id, issueId: 1, step: { of: 'merge', mergeId: 1 } } as const;
  await deps.store.addBulkSteps(bulkId, [undone]);
  const tracked = { projectId: project.id, issueId: 1, url: 'https://tracker.example/1' };
  await deps.store.addIssueLink({ ...tracked, createdAtMs: 1, createdBy: 'Mara' }, 'member Mara');
  const owners = { ownershipRules: 'path:src/* mara', assignsOwners: false, repositoryUrl: '' };
  await deps.store.writeTriageSettings(project.id, owners);
  // One is told of, one waits for the end of its minute, and those that come later for their rules.
  for (const message of ['told of', 'gathered after']) {
    await app.post('/store', { message, platform: 'php' }, fromShop);
    await buildDueMessages(deps, null);
  }
  await app.postSecret('/monitors', { type: 'tcp', name: 'port', host: 'a.example', port: 25 });
  const others = { page: notAsked, records: notAsked, certificate: notAsked };
  const checker = { ...others, port: async () => ({ ok: true, durationMs: 3, found: null }) as const };
  const [due] = await deps.store.claimMonitors(deps.now(), { graceMs: 0, limit: 1 });
  if (due !== undefined) await deps.store.saveChecks([await checkMonitor({ ...deps, checker }, due)]);
  await app.postSecret('/incidents', { title: 'down', monitors: [due?.id] });
  await deps.store.addReportSchedule({
    ...{ projectId: project.id, channelId: made.body.alert_channel_id, kind: 'week', atMinute: 0 },
    ...{ zone: 'UTC', dueAtMs: deps.now(), createdAtMs: deps.now(), createdBy: 'Mara' },
  });
  const over = { period: weekOf(deps.now() - 8 * 86_400_000).id };
  await app.postSecret('/reports', over);
  await createReport(deps, null, over.period, commandLineSource);
  const components = [{ name: 'Front page', monitors: [due?.id] }];
  const logo = pngOf(64, 64).toString('base64');
  await app.postSecret('/status-pages', { name: 'Shop', hosts: ['status.shop.example'], logo, components });
  await app.postSecret('/status-pages/1/subscribers', { url: 'https://ops.example/hook' });
  await deps.store.addStatusMessage({ pageId: 1, publicId: 'msg_1', atMs: deps.now(), body: '{}' });
  const work = {
    title: 'disks',
    all: true,
    starts_at: '2126-01-01T00:00:00Z',
    ends_at: '2126-01-01T01:00:00Z',
  };
  await app.postSecret('/maintenance-windows', work);
  await app.postSecret('/domains', { domain: 'shop.example', bug_reports: true });
  const proof = await app.postSecret('/domain-verifications', { domain: 'example.com' });
  await app.postSecret(`/domain-verifications/${proof.body.id}/check`, {});
  const event = {
    platform: 'php',
    release: 'shop@1.0.0',
    environment: 'live',
    user: { id: 'u-1', email: 'u@shop.example' },
  };
  const first = await app.post('/store', { ...event, message: 'one thing' }, fromShop);
  const second = await app.post('/store', { ...event, message: 'quite another' }, fromShop);
  await app.postSecret(`/issues/${first.body.issue_id}`, { merge: [second.body.issue_id] });
  const file = 'https://shop.example/b.js';
  const image = { type: 'sourcemap', code_file: file, debug_id: '11111111-2222-4333-8444-555555555555' };
  const stacktrace = { frames: [{ filename: file, lineno: 1, colno: 1 }] };
  const unmapped = { type: 'Error', value: 'unmapped', stacktrace };
  await app.post(
    '/store',
    { ...event, platform: 'javascript', exception: unmapped, debug_meta: { images: [image] } },
    fromShop,
  );
  const failed = await app.postSecret('/test-runs', { tests: [{ name: 'b', status: 'failed' }] });
  const [one] = (await app.get(`/test-runs/${failed.body.test_run_id}`)).body.cases;
  const until = new Date(app.deps.now() + 86_400_000).toISOString();
  await app.postSecret('/quarantine', { case_id: one.case_id, until, reason: 'flaky' });
  const items = [
    [{ type: 'attachment', filename: 'a.txt', length: 1 }, 'a'],
    [{ type: 'session' }, { sid: 's', init: true, status: 'ok', attrs: { release: 'shop@1.0.0' } }],
    [
      { type: 'client_report' },
      { discarded_events: [{ reason: 'backoff', category: 'error', quantity: 1 }] },
    ],
  ] as const;
  const lines = items.flatMap(([head, body]) => [
    JSON.stringify(head),
    typeof body === 'string' ? body : JSON.stringify(body),
  ]);
  const envelope = [JSON.stringify({ event_id: first.body.event_id }), ...lines].join('\n');
  await app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ ...fromShop, 'Content-Type': 'application/x-sentry-envelope' })
    .send(envelope);
  const picture = { data: pngOf(2, 2).toString('base64') };
  await app.post('/feedback', { message: 'broken', screenshots: [picture] }, fromShop);
  await app.postSecret('/deploys', { version: 'shop@1.0.0', environment: 'live', key: 'k' });
  const cases = [{ name: 'adds', status: 'passed', duration: 1 }];
  const summary = { tests: 1, passed: 1, failed: 0, skipped: 0, pending: 0, other: 0, start: 1, stop: 2 };
  const report = { results: { tool: { name: 'jest' }, summary, tests: cases } };
  await app.agent
    .post('/wp-json/notifier/v1/test-runs?commit=c0ffee&run_key=k')
    .set({ Authorization: `Bearer ${app.secretKey}`, 'Content-Type': 'application/json' })
    .send(JSON.stringify(report));
  const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' });
  await uploadJson(app, { release: 'shop@1.0.0', files: [{ name: '~/a.js.map', content: map }] });
  const chunk = Buffer.from('a chunk');
  const sha1 = createHash('sha1').update(chunk).digest('hex');
  await deps.store.writeChunk(project.id, sha1, chunk, deps.now());
  await deps.eventMapping.settled();
  // A map changed the key of an event, and the process died before it was moved.
  const [waiting] = await deps.store.listPendingSymbolications(project.id, { of: 'all' }, 1e9, 1);
  const { grouping, title, culprit } = eventOf();
  const look = { payload: null, needsMapping: true, awaits: waiting?.awaits ?? [] };
  await deps.store.storeSymbolication(project.id, waiting?.row ?? 0, {
    ...look,
    regrouped: { grouping, title, culprit, hashBefore: 'before' },
  });
  await regroupOne(app);
  const about = { projectId: project.id, issueId: first.body.issue_id, memberId: null, author: 'Ada' };
  await deps.store.addComment({ ...about, atMs: 1, body: 'mine' });
  const erasure = { userHash: 'u', newHash: 'v', terms: [], atMs: 1 };
  await deps.store.beginErasure({ ...erasure, projectId: project.id });
  const gone = await app.post('/store', { ...event, message: 'to be deleted, and killed over it' }, fromShop);
  expect(await deps.store.endIssue(project.id, gone.body.issue_id, 1)).toBe(1);
  await splitOne(app);
  await deps.outcomes.flush();
}

async function splitOne({ deps, project }: TestApp): Promise<void> {
  const parts = { projectId: project.id, tags: [] };
  const secondaryHash = (hasSource: boolean) => ({ secondaryHash: { hash: hashOf('whole'), hasSource } });
  const { issueId } = await deps.store.recordEvent(
    eventOf({ ...parts, kind: 'whole', ...secondaryHash(true) }),
  );
  await deps.store.recordEvent(eventOf({ ...parts, kind: 'part', ...secondaryHash(false) }));
  const act = { actor: 'Ada', nowMs: 1 };
  expect(await deps.store.splitIssue(project.id, issueId, [hashOf('part')], act)).toEqual({
    into: expect.any(Number),
  });
}

async function regroupOne({ deps, project }: TestApp): Promise<void> {
  const run = await deps.store.beginRegroup(project.id, 'ng2', deps.now());
  const [event] = await deps.store.listRegroupEvents(project.id, null, 1);
  const { grouping } = eventOf({ kind: 'regrouped' });
  const fromId = event?.issueId ?? 0;
  const eventRow = event?.row ?? 0;
  const split = { projectId: project.id, fromId, eventRow, grouping, events: 1 };
  const toId = (await deps.store.splitRegroupIssue(run, split)) ?? 0;
  const rows = [{ row: eventRow, grouping }];
  await deps.store.moveRegrouped(run, { projectId: project.id, fromId, toId }, rows);
  await deps.store.labelRegrouped(project.id, [{ issueId: fromId, grouping }]);
}
