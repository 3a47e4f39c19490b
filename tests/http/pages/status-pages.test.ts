import { beforeEach, expect, it } from '@jest/globals';
import { csrfField } from '../../../src/web/components/controls.ts';
import { pngOf } from '../../support/images.ts';
import { forEachTest } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { openEmptyWorkspace } from '../../support/workspace.ts';

const one = '/status-pages/shop';

const workspace = forEachTest(() => openEmptyWorkspace());
beforeEach(async () => {
  await workspace.admin.post('/status-pages', { name: 'Shop', description: 'Weekdays' });
  for (const [name, group] of [
    ['Checkout', 'Shop'],
    ['Parcels', 'Delivery'],
  ] as const) {
    expect((await workspace.admin.post(`${one}/components`, { name, group })).location).toBe(one);
  }
});

const form = { name: 'Shop', published: 'false', description: 'Weekdays', 'shows[]': 'days' };
const called = (...names: ReadonlyArray<readonly [string, string]>) => ({
  'was[]': names.map(([was]) => was),
  'group[]': names.map(([, name]) => name),
});
const groups = async (): Promise<unknown> =>
  (await workspace.viewer.json(one)).parts.map(
    ({ group, components }: { group: string; components: Array<{ name: string }> }) => [
      group,
      ...components.map(({ name }) => name),
    ],
  );

inFull(it)('is created for members, and published by its form, which stores its fields', async () => {
  const { admin, member, app } = workspace;
  expect(await member.json(one)).toMatchObject({
    name: 'Shop',
    description: 'Weekdays',
    published: false,
    hosts: [],
    followers: null,
    shows: ['days', 'percent', 'incidents', 'feeds', 'subscribe'],
  });
  const sent = { ...form, published: 'true', hosts: 'status.shop.example, b.shop.example', do: 'save' };
  expect((await admin.post(one, sent)).location).toBe(one);
  expect(await member.json(one)).toMatchObject({
    published: true,
    hosts: ['status.shop.example', 'b.shop.example'],
    shows: ['days'],
  });
  expect(await groups()).toEqual([
    ['Shop', 'Checkout'],
    ['Delivery', 'Parcels'],
  ]);
  app.advance(1_000);
  const seen = await app.agent.get('/status/shop');
  expect([seen.status, seen.text.includes('All systems operational')]).toEqual([200, true]);
  const { entries } = await admin.json('/audit');
  expect(
    entries.filter(({ object }: { object: { kind: string } }) => object.kind === 'status_page'),
  ).toHaveLength(4);
});

it('accepts a logo as a file, and shows it to members', async () => {
  const { admin, viewer, app } = workspace;
  const send = (fields: Record<string, string>, files: Record<string, Buffer> = {}) => {
    const sent = app.agent
      .post(one)
      .set('Cookie', admin.browser.cookie ?? '')
      .set('Origin', app.origin);
    for (const [name, value] of Object.entries({ ...form, ...fields, [csrfField]: admin.csrfToken })) {
      sent.field(name, value);
    }
    for (const [name, bytes] of Object.entries(files)) sent.attach(name, bytes, `${name}.png`);
    return sent;
  };
  const logo = pngOf(480, 64);
  expect((await send({ accent: '#0a7f5c' }, { logo, favicon: Buffer.alloc(0) })).status).toBe(303);
  expect(await viewer.json(one)).toMatchObject({
    accent: '#0a7f5c',
    logo: { width: 480, bytes: logo.length },
    favicon: null,
  });
  const shown = await viewer.get('/status/shop/logo');
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/png']);
  expect(shown.headers['content-security-policy']).toBe("sandbox; default-src 'none'");
  expect((await viewer.get('/status/shop')).text).toContain('<img src="/status/shop/logo"');
  expect(await viewer.get('/status/shop/accent.css')).toHaveStatus(200);
  const refused = await send({ name: 'Other' }, { favicon: Buffer.from('<svg/>') });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringMatching(/id="favicon-wrong".*Favicon must be a PNG or WebP image/),
  ]);
  expect((await send({ remove_logo: 'on' })).status).toBe(303);
  expect(await viewer.json(one)).toMatchObject({ name: 'Shop', accent: null, logo: null });
  expect(await viewer.get('/status/shop/logo')).toHaveStatus(404);
});

it('shows its form again, with each error beside its field and what was entered', async () => {
  const { admin } = workspace;
  const wrong = { ...form, name: 'Shop 2', accent: '#ffdd00', published: 'true' };
  const { status, text } = await admin.post(one, wrong);
  expect([status, text]).toEqual([400, expect.stringContaining('id="accent-wrong"')]);
  expect(text).toMatch(/<input type="text" name="name" value="Shop 2"/);
  expect(text).toMatch(/name="published" value="true" checked/);
  expect(text).toContain('Accent colour must have a contrast of 3 to 1 on the light page');
  const hosts = await admin.post(one, { ...form, hosts: 'localhost' });
  expect([hosts.status, hosts.text]).toEqual([400, expect.stringContaining('id="hosts-wrong"')]);
  expect((await admin.post('/status-pages', {})).text).toContain('Enter a name.');
  const component = await admin.post(`${one}/components`, { group: 'New group' });
  expect([component.status, component.text]).toEqual([400, expect.stringContaining('id="name-wrong"')]);
  expect(component.text).toContain('value="New group"');
});

it('is shown only to members before that, and is 404 for all others', async () => {
  const { app, viewer } = workspace;
  const seen = await viewer.get('/status/shop');
  expect([seen.status, seen.text.includes('Members only')]).toEqual([200, true]);
  expect((await viewer.json('/status/shop')).is_public).toBe(false);
  expect(await viewer.get('/status/shop/badge.svg')).toHaveStatus(200);
  for (const path of ['/status/shop', '/status/shop.json', '/status/shop.rss', '/status/shop/badge.svg']) {
    expect([path, (await app.agent.get(path).set('Accept', 'text/html')).status]).toEqual([path, 404]);
  }
});

it.each(['adds one', 'saves the page'])('loses no component to somebody who %s meanwhile', async (what) => {
  const { admin, app } = workspace;
  const add = (name: string) => admin.post(`${one}/components`, { name, group: 'Shop' });
  const { store } = app.deps;
  const find = store.findStatusPage;
  Object.assign(store, {
    async findStatusPage(slug: string) {
      Object.assign(store, { findStatusPage: find });
      const page = await find(slug);
      await add('Search');
      return page;
    },
  });
  await (what === 'adds one' ? add('Basket') : admin.post(one, { ...form, do: 'down-group-Shop' }));
  expect(await groups()).toEqual(
    what === 'adds one'
      ? [
          ['Shop', 'Checkout', 'Search', 'Basket'],
          ['Delivery', 'Parcels'],
        ]
      : [
          ['Delivery', 'Parcels'],
          ['Shop', 'Checkout', 'Search'],
        ],
  );
});

it('has components that are moved, renamed, monitored, set by hand and removed', async () => {
  const { admin, member, app } = workspace;
  const press = async (what: string, more: object = {}) =>
    (await admin.post(one, { ...form, ...more, do: what })).location;
  expect(await press('up-group-Delivery')).toBe(one);
  expect(await groups()).toEqual([
    ['Delivery', 'Parcels'],
    ['Shop', 'Checkout'],
  ]);
  await press('down-component-2', called(['Delivery', 'Post'], ['Shop', 'Web']));
  expect(await groups()).toEqual([['Web', 'Parcels', 'Checkout']]);
  expect(await press('add_group')).toBe(`${one}/components/new`);
  expect(await press('add_component-Web')).toBe(`${one}/components/new?group=Web`);
  expect((await admin.get(`${one}/components/new?group=Web`)).text).toContain('value="Web"');
  const made = await app.postSecret('/monitors', { type: 'tcp', name: 'Mail', host: 'a.example', port: 25 });
  const fed = { name: 'Post', group: 'Web', 'monitors[]': String(made.body.monitor_id) };
  expect((await admin.post(`${one}/components/2`, fed)).location).toBe(one);
  expect((await member.post(`${one}/components/1/state`, { state: 'slow' })).location).toBe(one);
  expect(await member.json(one)).toMatchObject({
    state: 'slow',
    headline: 'Degraded: Checkout',
    parts: [
      {
        group: 'Web',
        components: [
          { name: 'Post', monitors: [{ slug: 'mail', name: 'Mail' }] },
          { name: 'Checkout', state: 'slow', monitors: [] },
        ],
      },
    ],
  });
  expect(await member.post(`${one}/components/2/state`, { state: 'slow' })).toHaveStatus(400);
  // Where a monitor feeds it, nobody is asked how it is.
  const asks = async (id: number): Promise<boolean[]> => {
    const { text } = await member.get(`${one}/components/${id}`);
    return ['the worst state of its monitors', `/components/${id}/state"`].map((each) => text.includes(each));
  };
  expect([await asks(1), await asks(2)]).toEqual([
    [false, true],
    [true, false],
  ]);
  expect((await admin.post(`${one}/components/2`, { do: 'remove' })).location).toBe(one);
  expect(await groups()).toEqual([['Web', 'Checkout']]);
});

inFull(it)('has groups that are renamed by name, whatever became of the others', async () => {
  const { admin } = workspace;
  const save = (fields: object, what = 'save') => admin.post(one, { ...form, ...fields, do: what });
  const shown = called(['Shop', 'Shop'], ['Delivery', 'Post']);
  // Somebody else moved them since the form was shown.
  await save({}, 'down-group-Shop');
  await save(shown);
  expect(await groups()).toEqual([
    ['Post', 'Parcels'],
    ['Shop', 'Checkout'],
  ]);
  // A name that nothing has any more renames nothing.
  await save(shown);
  const emptied = await save(called(['Post', 'Post'], ['Shop', '']), 'up-group-Shop');
  expect(emptied.location).toBe(one);
  expect(await groups()).toEqual([
    ['', 'Checkout'],
    ['Post', 'Parcels'],
  ]);
  const added = await save(called(['', 'Web'], ['Post', 'Web']), 'add_component-Post');
  expect(added.location).toBe(`${one}/components/new?group=Web`);
  expect(await groups()).toEqual([['Web', 'Checkout', 'Parcels']]);
  const { text } = await admin.get(one);
  expect(text).toContain('name="was[]" value="Web"');
  expect(text).toContain('value="add_component-Web"');
});

it('is listed with its state, and deleted by an admin after a confirmation', async () => {
  const { admin, member, viewer } = workspace;
  const opened = { title: 'Labels are late', severity: 'minor', component: '2', message: 'We look.' };
  expect((await member.post('/incidents', opened)).location).toBe('/incidents/1');
  await member.post('/incidents/1/updates', { body: 'It takes an hour.', to: 'public' });
  expect(await viewer.json('/status-pages')).toMatchObject({
    pages: [
      {
        slug: 'shop',
        headline: 'Labels are late',
        components: [{ name: 'Checkout' }, { name: 'Parcels' }],
        groups: 2,
        newest_word_at: expect.any(String),
      },
    ],
    planned: [],
  });
  expect((await viewer.json('/incidents/1')).hit.components).toMatchObject([
    { name: 'Parcels', path: '/status/shop' },
  ]);
  expect(await press400(`${one}/delete`)).toBe(400);
  expect((await admin.post(one, { ...form, do: 'delete' })).location).toBe(`${one}/delete`);
  expect((await admin.post(`${one}/delete`, { sure: 'yes' })).location).toBe('/status-pages');
  expect(await viewer.get(one)).toHaveStatus(404);
});

const press400 = async (path: string): Promise<number> => (await workspace.admin.post(path)).status;
