import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { viewRegroupCommands } from '../../../src/core/page-models/projects/project.ts';
import { retentionDisabledSetting, retentionStateSetting } from '../../../src/core/store/setting-names.ts';
import { inFull } from '../../support/test-level.ts';
import { openWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const filled = { kind: 'secret', scope_ci: 'on', scope_read: 'on', scope_admin: 'on', origins: '', ends: '' };
const secretKey = /ntf_sk_[0-9A-Za-z]{49}/g;

let world: TestWorkspace;
const logged: string[] = [];
beforeAll(async () => {
  const note = (...words: unknown[]): void => void logged.push(JSON.stringify(words));
  const log = { debug: note, info: note, warn: note, error: note };
  world = await openWorkspace({ deps: { log: log as never } });
});
afterAll(() => world.close());

const entries = async (): Promise<number> => (await world.app.deps.store.auditHead()).entries;
const newest = async () => (await world.admin.json('/audit')).entries[0];
const project = (path = ''): string => `/projects/${world.app.project.id}${path}`;
const keys = async () => (await world.admin.json(project())).keys;

describe('rights', () => {
  it('let viewers see projects without forms or links to them', async () => {
    for (const who of [world.viewer, world.member]) {
      const { status, text } = await who.get(project());
      expect(status).toBe(200);
      expect(text).not.toMatch(/method="post" action="[^"]*\/projects/);
      expect(text).not.toContain('/keys/');
    }
  });
});

describe('a secret key', () => {
  inFull(it)('is shown only in the answer that created it', async () => {
    const made = await world.admin.post(project('/keys'), { ...filled, label: 'ci <b>' });
    expect(made).toHaveStatus(200);
    const found = made.text.match(secretKey) ?? [];
    expect(found).toHaveLength(1);
    const [secret = ''] = found;
    expect(made.text).toContain('shown only once');
    expect(made.text).toContain('ci &lt;b>');
    const path = '/wp-json/notifier/v1/issues';
    const answer = await world.app.agent.get(path).set('Authorization', `Bearer ${secret}`);
    expect(answer).toHaveStatus(200);
    const paths = [project(), `${project()}.json`, '/projects', '/projects.json', '/audit', '/audit.json'];
    for (const path of paths) expect((await world.admin.get(path)).text).not.toContain(secret.slice(16));
    expect(logged.join('\n')).not.toContain(secret.slice(16));
    expect(await newest()).toMatchObject({ action: 'key.created', summary: 'secret, “ci <b>”' });
  });

  it('is rotated, and the old one stays valid for the chosen time', async () => {
    const made = await world.admin.post(project('/keys'), filled);
    const [old = ''] = made.text.match(secretKey) ?? [];
    const { key_id: id } = (await keys()).findLast((key: { state: string }) => key.state === 'live');
    const answer = await world.admin.post(project(`/keys/${id}/rotate`), { hours: '1' });
    const [fresh = ''] = answer.text.match(secretKey) ?? [];
    expect(fresh).not.toBe(old);
    expect(await newest()).toMatchObject({ action: 'key.rotated' });
    const ask = async (secret: string): Promise<number> =>
      (await world.app.agent.get('/wp-json/notifier/v1/issues').set('Authorization', `Bearer ${secret}`))
        .status;
    expect([await ask(old), await ask(fresh)]).toEqual([200, 200]);
    const state = async () => (await keys()).find((key: { key_id: number }) => key.key_id === id).state;
    expect(await state()).toBe('ending');
    world.app.advance(3_600_001);
    expect(await state()).toBe('expired');
    expect([await ask(old), await ask(fresh)]).toEqual([401, 200]);
    const again = await world.admin.post(project(`/keys/${id}/rotate`), { hours: '1' });
    expect([again.status, again.text.includes('is already expired')]).toEqual([400, true]);
  });

  it('is revoked once, with one audit entry', async () => {
    await world.admin.post(project('/keys'), { kind: 'public' });
    const { key_id: id } = (await keys()).findLast((key: { state: string }) => key.state === 'live');
    const before = await entries();
    for (const _ of [1, 2]) {
      expect((await world.admin.post(project(`/keys/${id}/revoke`))).location).toBe(
        project('?notice=key-ended'),
      );
    }
    expect(await entries()).toBe(before + 1);
    expect((await keys()).find((key: { key_id: number }) => key.key_id === id).state).toBe('revoked');
  });

  it.each([
    ['/keys', { kind: 'both' }],
    ['/keys', { kind: 'secret' }],
    ['/keys', { ...filled, ends: '2020-01-01' }],
    ['/keys', { ...filled, ends: 'soon' }],
    ['/keys', { ...filled, origins: 'https://shop.example' }],
    ['/keys', { kind: 'public', origins: 'https://shop.example/path' }],
    ['/keys/1/change', { label: 'x', origins: '*' }],
    ['/keys/2/change', { label: 'x' }],
    ['/keys/2/change', { label: 'x', scope_ci: 'yes' }],
    ['/keys/999999/change', { label: 'x' }],
    ['/keys/1/rotate', { hours: '-1' }],
    ['/keys/999999/revoke', {}],
    ['/keys/x/revoke', {}],
  ])('is not changed by %s with %j', async (path, form) => {
    const before = await entries();
    expect((await world.admin.post(project(path), form as Record<string, string>)).status).toBeGreaterThan(
      399,
    );
    expect(await entries()).toBe(before);
  });

  inFull(it)('has scopes and an expiry; the form changes only what is given', async () => {
    const end = new Date(world.app.deps.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    const { scope_admin: _, ...narrow } = filled;
    await world.admin.post(project('/keys'), { ...narrow, ends: end, label: 'night' });
    expect(await newest()).toMatchObject({
      action: 'key.created',
      summary: `secret, “night”, scopes ci, read, expires ${end} 00:00 UTC`,
    });
    const ofNight = async () => (await keys()).find(({ label }: { label: string }) => label === 'night');
    const made = await ofNight();
    expect(made).toMatchObject({
      scopes: ['ci', 'read'],
      expires_at: `${end}T00:00:00.000Z`,
      state: 'ending',
    });
    const path = project(`/keys/${made.key_id}`);
    const { text } = await world.admin.get(path);
    expect(text).toContain(`type="date" name="ends" value="${end}"`);
    expect(text.match(/name="scope_\w+" value="on" checked/g)).toEqual([
      'name="scope_ci" value="on" checked',
      'name="scope_read" value="on" checked',
    ]);
    expect((await world.admin.get(project())).text).toContain('secret: ci, read');
    // An end at an hour of its own stays at it as long as its day does.
    const { store } = world.app.deps;
    const at = Date.parse(`${end}T07:08:09Z`);
    await store.changeKey(world.app.project.id, made.key_id, { expiresAtMs: at });
    const before = await entries();
    const same = { label: 'night', scope_ci: 'on', scope_read: 'on', ends: end };
    expect((await world.admin.post(`${path}/change`, same)).location).toBe(`${path}?notice=key-changed`);
    expect([await entries(), (await ofNight()).expires_at]).toEqual([before, new Date(at).toISOString()]);
    await world.admin.post(`${path}/change`, { label: 'night', scope_read: 'on', ends: '' });
    expect(await ofNight()).toMatchObject({ scopes: ['read'], expires_at: null, state: 'live' });
    expect(await newest()).toMatchObject({
      action: 'key.changed',
      summary: 'secret, “night”, scopes read',
    });
    await world.admin.post(`${path}/revoke`);
    const ended = await world.admin.post(`${path}/change`, same);
    expect([ended.status, ended.text.includes('is already revoked')]).toEqual([400, true]);
    expect((await world.admin.get(path)).text).not.toContain('/change"');
  });

  it('that is public has origins, one a line, and still sends with an expiry', async () => {
    const { project: other } = await world.app.addProject('with origins');
    const path = `/projects/${other.id}`;
    const [open] = (await world.admin.json(path)).keys;
    const origins = 'https://shop.example\r\nhttps://Shop.example\r\nhttp://localhost:3000';
    await world.admin.post(`${path}/keys/${open.key_id}/change`, { origins, ends: '2027-01-31' });
    const { keys: changed, project: shown } = await world.admin.json(path);
    expect(changed.find(({ kind }: { kind: string }) => kind === 'public')).toMatchObject({
      allowed_origins: ['https://shop.example', 'http://localhost:3000'],
      expires_at: '2027-01-31T00:00:00.000Z',
    });
    expect(shown.dsn).toContain(open.key);
    const { text } = await world.admin.get(`${path}/keys/${open.key_id}`);
    expect(text).toContain('https://shop.example\nhttp://localhost:3000</textarea>');
    expect((await world.admin.get(path)).text).toContain('sends events and reports from 2 origins');
  });

  it('of another project is 404', async () => {
    const others = await world.app.addProject('elsewhere');
    const [key] = await world.app.deps.store.listKeys(others.project.id);
    expect(await world.admin.post(project(`/keys/${key?.id}/revoke`))).toHaveStatus(404);
    expect((await world.app.deps.store.listKeys(others.project.id))[0]?.revokedAtMs).toBeNull();
  });
});

describe('a project', () => {
  it('is created, renamed, changed, and deleted by its name', async () => {
    const made = await world.admin.post('/projects', { name: 'garden' });
    expect(made.text.match(secretKey)).toHaveLength(1);
    expect(await newest()).toMatchObject({ action: 'project.created', object: { name: 'garden' } });
    const { projects } = await world.admin.json('/projects');
    const { project_id: id } = projects.find(({ name }: { name: string }) => name === 'garden');
    expect((await world.admin.post(`/projects/${id}/rename`, { name: 'yard' })).location).toBe(
      `/projects/${id}?notice=project-renamed`,
    );
    const { text: told } = await world.admin.get(`/projects/${id}?notice=project-renamed`);
    expect(told).toContain('Project renamed.');
    expect(await newest()).toMatchObject({ action: 'project.renamed', summary: 'was garden' });
    await world.admin.post(`/projects/${id}/settings`, { scrub_fields: 'iban\r\nbirth day', store_ip: 'on' });
    const { project: changed } = await world.admin.json(`/projects/${id}`);
    expect(changed).toMatchObject({
      name: 'yard',
      scrub_fields: ['iban', 'birth day'],
      store_ip: true,
      bug_reports: false,
    });
    const before = await entries();
    await world.admin.post(`/projects/${id}/settings`, { scrub_fields: 'iban,birth day', store_ip: 'on' });
    expect(await entries()).toBe(before);
    const wrong = await world.admin.post(`/projects/${id}/delete`, { name: 'garden' });
    expect([wrong.status, await entries()]).toEqual([400, before]);
    expect((await world.admin.post(`/projects/${id}/delete`, { name: 'yard' })).location).toBe(
      '/projects?notice=project-deleted',
    );
    expect(await world.admin.get(`/projects/${id}`)).toHaveStatus(404);
    expect(await newest()).toMatchObject({ action: 'project.deleted', object: { name: 'yard' } });
  });

  it.each(['', ' ', 'test', 'a/b', '<b>', 'x'.repeat(101)])('cannot have the name “%s”', async (name) => {
    const before = await entries();
    expect(await world.admin.post('/projects', { name })).toHaveStatus(400);
    expect(await entries()).toBe(before);
  });

  it.each([
    ['/projects', { name: 'a/b' }, 'name', 'A project name must have'],
    ['/projects/1/rename', { name: 'a/b' }, 'name', 'A project name must have'],
    ['/projects/1/settings', { scrub_fields: '123' }, 'fields', 'is not a valid field name'],
    ['/projects/1/delete', { name: 'other' }, 'sure', 'The name does not match'],
    ['/projects/1/ownership', { repository: 'ftp://x' }, 'repository', 'Enter the URL of the repository'],
    ['/projects/1/keys', { kind: 'public', origins: 'x y' }, 'origins', 'Allowed origins must be up to'],
    ['/projects/1/keys', { kind: 'secret', scope_ci: 'on', ends: '2020-01-01' }, 'ends', 'in the future'],
  ])('shows the error beside its field: %s %j', async (path, fields, id, why) => {
    const { status, text } = await world.admin.post(path, fields);
    const beside = new RegExp(`id="${id}-wrong">.*?${why}`, 's').test(text);
    expect([status, beside, /aria-invalid="true"/.test(text)]).toEqual([400, true, true]);
  });

  it('shows the setup of one platform at a time, by links without JavaScript', async () => {
    const shown = async (query: string): Promise<string[]> => {
      const { text } = await world.viewer.get(`${project()}${query}`);
      return [...text.matchAll(/<pre class="snip" id="s-(\w+)"/g)].map(([, id = '']) => id);
    };
    expect(await shown('')).toEqual(['browser']);
    expect(await shown('?lines=php')).toEqual(['php']);
    expect(await shown('?lines=cobol')).toEqual(['browser']);
    const { text } = await world.viewer.get(`${project()}?lines=php`);
    expect(text).toContain(`href="${project()}?lines=node#p-snip"`);
    expect(text).toMatch(/<a aria-current="true" href="[^"]*lines=php#p-snip">PHP</);
    expect(text).toContain('data-copy="#s-php"');
  });

  it('shows sent events with their outcome, and commands that work', async () => {
    await world.app.post('/store', { message: 'again', event_id: 'f'.repeat(32) });
    await world.app.post('/store', { message: 'again', event_id: 'f'.repeat(32) });
    await world.app.post('/store', 'no event');
    const { sent, snippets, project: shown } = await world.viewer.json(project());
    const reasons = sent.reasons.map(({ outcome }: { outcome: string }) => outcome);
    expect(reasons).toEqual(expect.arrayContaining(['duplicate', 'invalid']));
    expect(sent.days).toHaveLength(30);
    const days = sent.days.reduce(
      (sum: number, { counts }: { counts: { accepted: number } }) => sum + counts.accepted,
      0,
    );
    expect(days).toBe(sent.accepted);
    const titles = snippets.map(({ id }: { id: string }) => id);
    expect(titles).toEqual(['browser', 'node', 'php', 'wordpress', 'python', 'ruby', 'go', 'curl']);
    for (const { id, text } of snippets) if (id !== 'curl') expect(text).toContain(shown.dsn);
    expect(shown.dsn).toMatch(/:\/\/\w+@[\w.:]+\/\d+$/);
    expect((await world.viewer.get(project())).text).toContain(`it is <code>${shown.long_dsn}</code>`);
    expect((await world.viewer.get(`${project()}?lines=node`)).text).toContain('Hello from Node');
  });

  it('is found by its name or host, or the list says there is none', async () => {
    const names = async (q: string): Promise<string[]> =>
      (await world.viewer.json(`/projects?q=${q}`)).projects.map(({ name }: { name: string }) => name);
    expect(await names('SHOP.ex')).toEqual(['test']);
    expect(await names('oth')).toEqual(['other']);
    const { text } = await world.viewer.get('/projects?q=%3Cb%3Enope');
    expect(text).toContain('No projects match');
    expect(text).toContain('&lt;b>nope');
    for (const id of ['0', '999', 'x', '1e3', '-1']) {
      expect([id, (await world.viewer.get(`/projects/${id}`)).status]).toEqual([id, 404]);
    }
  });

  it('is filtered by the platforms that its issues have', async () => {
    await world.app.post('/store', { message: 'a gem', platform: 'ruby' });
    const { projects, platforms } = await world.viewer.json('/projects?platform=ruby');
    expect(projects.map(({ name }: { name: string }) => name)).toEqual(['test']);
    expect(projects[0].platforms).toContain('ruby');
    expect(platforms).toEqual(expect.arrayContaining(['python', 'ruby']));
    const { text } = await world.viewer.get('/projects?platform=cobol&q=te');
    expect(text).toContain('No projects match');
    expect(text).toContain('cobol');
  });

  it('shows its retention and limits as they are set', async () => {
    const before = (await world.viewer.json(project())).keeping.events_stored;
    await world.app.post('/store', { message: 'one more' });
    const { keeping, caps, limits, regroup } = await world.viewer.json(project());
    expect(keeping).toMatchObject({
      events_stored: before + 1,
      events_days: 90,
      events_max: 1_000_000,
      // A quarter of a smaller disk.
      bytes_max: expect.any(Number),
      retention: null,
    });
    expect([caps, limits, regroup]).toEqual([
      { new_issues_per_hour: 1000, event_bytes: 1_048_576 },
      null,
      null,
    ]);
    const { text } = await world.viewer.get(project());
    expect(text).toContain('turned off on this server');
    expect(text).not.toContain('project regroup');
    const { store } = world.app.deps;
    const filter = { projectIds: [world.app.project.id], level: null };
    const events = await store.listEventsBetween(0, await store.newestEventRow(), filter, 1_000);
    expect(keeping.events_stored).toBe(events.length);
  });

  it('shows what retention would delete and holds back, for all projects and for one', async () => {
    const { store } = world.app.deps;
    const { id } = world.app.project;
    const limits = { days: 90, events: 1_000_000, bytes: 0 };
    const plan = { projectId: id, stored: 700, bytes: null, byAge: 123, byQuota: 0 };
    const roundMs = world.app.deps.now();
    const state = { begunMs: null, waitedMs: 0, roundMs, limits, heldBack: 'first', plans: [plan] };
    await store.setSetting(retentionStateSetting, JSON.stringify(state));
    const note = { why: 'first', events: 123, projects: 1, act: 'npm run notifier -- prune --yes' };
    expect((await world.viewer.json('/projects')).retention).toMatchObject(note);
    expect((await world.viewer.json(project())).keeping.retention).toMatchObject(note);
    for (const path of ['/projects', project()]) {
      const { text } = await world.viewer.get(path);
      expect(text).toContain('123 events would be deleted');
      expect(text).toContain('retention has never run on this database');
      expect(text).toContain('npm run notifier -- prune --yes');
    }
    await store.setSetting(retentionStateSetting, '');
    await store.setSetting(retentionDisabledSetting, 'demo');
    const { keeping } = await world.viewer.json(project());
    expect(keeping).toMatchObject({ events_days: null, events_max: null, retention: null });
    expect((await world.viewer.get(project())).text).toContain('forever');
  });

  it('shows the command that updates its grouping config', () => {
    const lines = (name: string, groupingVersion: string) =>
      viewRegroupCommands({ ...world.app.project, name, groupingVersion });
    expect(lines('shop-web', 'ng2')).toBeNull();
    expect(lines('shop-web', 'ng1')).toEqual({
      newest: 'ng2',
      look: 'npm run notifier -- project regroup shop-web',
      act: 'npm run notifier -- project regroup shop-web --yes',
    });
    expect(lines("it's; rm", 'ng1')?.look).toBe(`npm run notifier -- project regroup 'it'\\''s; rm'`);
  });
});

it('links to the SDK setup until the first event', async () => {
  const link = '>Send your first event</a>';
  const { id } = (await world.app.addProject('no events')).project;
  expect((await world.viewer.get(`/projects/${id}`)).text).toContain(`href="/setup?project=${id}"${link}`);
  expect((await world.viewer.get(project())).text).not.toContain(link);
});

describe('inbound filters', () => {
  it('show what they would have dropped, and are enabled by one click each', async () => {
    const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
    const request = { url: 'https://shop.example/', headers: { 'User-Agent': bot } };
    for (const [message, sent] of [
      ['in a crawler', { request }],
      ['in a browser', {}],
    ] as const) {
      await world.app.post('/store', { message, ...sent });
    }
    const find = async (name: string) =>
      (await world.admin.json(project())).filters.filters.find(
        (each: { name: string }) => each.name === name,
      );
    expect(await find('web_crawlers')).toMatchObject({ is_on: false, would_drop: 1, dropped: 0 });
    expect(await find('ip_addresses')).toMatchObject({ would_drop: null });
    const answer = await world.admin.post(project('/filters/switch'), { filter: 'web_crawlers', to: 'on' });
    expect(answer.location).toBe(project('?notice=filter-on#p-filters'));
    await world.app.post('/store', { message: 'again', request });
    expect(await find('web_crawlers')).toMatchObject({ is_on: true, dropped: 1 });
    expect(await newest()).toMatchObject({ action: 'project.filters_changed', summary: 'web_crawlers on' });
  });

  it('show the lists again with the error under its field', async () => {
    const form = { releases: 'shop@1.*', error_messages: '*', ip_addresses: '203.0.113.0/24\n10.0.0.0/99' };
    const { status, text } = await world.admin.post(project('/filters'), form);
    expect(status).toBe(400);
    expect(text).toContain('2 fields need a change: Messages, IP addresses.');
    expect(text).toContain('Line 2 must be an IP address or a network, for example 203.0.113.0/24.');
    expect(text).toMatch(/<textarea id="releases"[^>]*>shop@1\.\*<\/textarea>/);
    expect((await world.admin.json(project())).project.inbound_filters).toMatchObject({ releases: [] });
    const saved = await world.admin.post(project('/filters'), { releases: 'shop@1.*\n\nshop@2.*' });
    expect(saved.location).toBe(project('?notice=project-changed#p-filters'));
    const { inbound_filters: filters } = (await world.admin.json(project())).project;
    expect(filters).toMatchObject({ releases: ['shop@1.*', 'shop@2.*'], web_crawlers: true });
  });
});
