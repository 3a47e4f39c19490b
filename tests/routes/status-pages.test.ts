import { beforeEach, describe, expect, it } from '@jest/globals';
import { openTestApp } from '../support/app.ts';
import { wholeAudit } from '../support/audit.ts';
import { pngOf } from '../support/images.ts';
import { forEachTest } from '../support/shared.ts';
import { fullOrSome, rows } from '../support/test-level.ts';
import { verifyDomain } from '../support/verified-domain.ts';

const app = forEachTest(() => openTestApp({ env: { PAGES_URL: 'https://errors.shop.example' } }));
beforeEach(async () => {
  for (const domain of ['shop.example', 'xn--strung-xxa.example']) await verifyDomain(app, domain);
});

const make = async (more: object = {}) =>
  (await app.postSecret('/status-pages', { name: 'Harbour & Pine', ...more })).body;
const monitor = async (name = 'Front page') =>
  (await app.postSecret('/monitors', { type: 'tcp', name, host: 'a.example', port: 25 })).body.monitor_id;

describe('a status page', () => {
  it('is created with 201, and read as it was answered', async () => {
    const id = await monitor();
    const made = await app.postSecret('/status-pages', {
      name: ' Harbour \n& Pine ',
      description: 'Weekdays',
      published: true,
      hosts: ['Status.Shop.Example', 'status.shop.example.', 'störung.example'],
      shows: ['feeds', 'feeds', 'days'],
      components: [
        { name: 'Checkout', group: 'Shop', monitors: [id, id] },
        { name: 'Parcels', state: 'slow' },
      ],
    });
    expect([made.status, made.body]).toEqual([
      201,
      {
        accepted: true,
        status_page_id: 1,
        slug: 'harbour-pine',
        name: 'Harbour & Pine',
        description: 'Weekdays',
        published: true,
        hosts: ['status.shop.example', 'xn--strung-xxa.example'],
        shows: ['feeds', 'days'],
        language: 'en',
        accent: null,
        logo: null,
        favicon: null,
        state: 'slow',
        components: [
          { component_id: 1, name: 'Checkout', group: 'Shop', monitors: [id], state: 'working' },
          { component_id: 2, name: 'Parcels', group: '', monitors: [], state: 'slow' },
        ],
        created_at: '2026-11-21T12:00:00.000Z',
        created_by: expect.stringMatching(/…/),
      },
    ]);
    const { accepted: _accepted, ...view } = made.body;
    expect((await app.get('/status-pages/1')).body).toEqual(view);
    expect((await app.get('/status-pages')).body).toEqual([view]);
  });

  it('has a logo, a favicon and a colour, until they are removed', async () => {
    const [logo, favicon] = [pngOf(480, 64), pngOf(32, 32)];
    await make({ logo: logo.toString('base64'), accent: '#08F' });
    const change = async (asked: object) => (await app.postSecret('/status-pages/1', asked)).body;
    const view = { content_type: 'image/png', width: 480, height: 64, bytes: logo.length };
    const size = { width: 32, height: 32, bytes: favicon.length };
    expect(await change({ favicon: `data:image/png;base64,${favicon.toString('base64')}` })).toMatchObject({
      accent: '#0088ff',
      logo: view,
      favicon: { content_type: 'image/png', ...size },
    });
    expect(await change({ name: 'Other' })).toMatchObject({ accent: '#0088ff', logo: view, favicon: size });
    const refused = await app.postSecret('/status-pages/1', { name: 'Third', logo: 'PHN2Zz4=', accent: '' });
    expect([refused.status, refused.body.data.params]).toEqual([
      400,
      { logo: expect.stringContaining('PNG or WebP') },
    ]);
    expect(await change({ logo: '', accent: '' })).toMatchObject({
      name: 'Other',
      accent: null,
      logo: null,
      favicon: size,
    });
    await app.deleteSecret('/status-pages/1');
    expect(await app.deps.store.findBrandImage(1, 'favicon')).toBeNull();
  });

  it('changes as given, and its components keep their ids', async () => {
    const { accepted: _accepted, ...before } = await make({
      components: [{ name: 'One' }, { name: 'Two', state: 'not_working' }, { name: 'Three' }],
    });
    const changed = await app.postSecret('/status-pages/1', {
      published: true,
      slug: 'shop',
      components: [{ component_id: 2, name: 'Second' }, { name: 'Four' }, { component_id: 1, name: 'One' }],
    });
    expect(changed.body).toEqual({
      ...before,
      accepted: true,
      published: true,
      slug: 'shop',
      components: [
        { ...before.components[1], name: 'Second' },
        { ...before.components[2], component_id: 4, name: 'Four' },
        before.components[0],
      ],
    });
  });

  it('has a unique slug and unique hosts', async () => {
    await make({ hosts: ['status.shop.example'] });
    const { slug, status_page_id: id } = await make();
    expect(slug).toBe('harbour-pine-2');
    for (const wrong of [{ hosts: ['STATUS.shop.example'] }, { slug: 'harbour-pine' }]) {
      const [field] = Object.keys(wrong);
      for (const path of ['/status-pages', `/status-pages/${id}`]) {
        const answer = await app.postSecret(path, { name: 'Other', ...wrong });
        expect([path, answer.status, Object.keys(answer.body.data.params)]).toEqual([path, 400, [field]]);
      }
    }
    expect((await app.get('/status-pages')).body).toHaveLength(2);
    expect((await app.get(`/status-pages/${id}`)).body).toMatchObject({ name: 'Harbour & Pine', hosts: [] });
    // What a page gives up is free for others.
    expect(await app.postSecret('/status-pages/1', { hosts: [] })).toHaveStatus(200);
    const taken = await app.postSecret(`/status-pages/${id}`, { hosts: ['status.shop.example'] });
    expect(taken).toHaveStatus(200);
  });

  it('is filtered by words and by visibility', async () => {
    await make({ published: true });
    await make({ name: 'Inside' });
    const names = async (query: string) =>
      (await app.get(`/status-pages${query}`)).body.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['Inside', 'Harbour & Pine']);
    expect(await names('?published=true')).toEqual(['Harbour & Pine']);
    expect(await names('?search=INS&order=asc')).toEqual(['Inside']);
  });

  it('is deleted, which frees its hosts', async () => {
    await make({ hosts: ['status.shop.example'], components: [{ name: 'One' }] });
    const answer = await app.deleteSecret('/status-pages/1');
    expect(answer.body).toMatchObject({ deleted: true, previous: { hosts: ['status.shop.example'] } });
    expect((await app.get('/status-pages/1')).body.code).toBe('notifier_status_page_invalid_id');
    expect((await make({ hosts: ['status.shop.example'] })).status_page_id).toBe(2);
  });

  it('loses a deleted monitor, and keeps a state set by hand', async () => {
    const id = await monitor();
    await make({ components: [{ name: 'Mail', monitors: [id] }] });
    await app.deleteSecret(`/monitors/${id}`);
    const [part] = (await app.get('/status-pages/1')).body.components;
    expect(part).toMatchObject({ monitors: [], state: 'working' });
    const said = { components: [{ component_id: 1, name: 'Mail', state: 'planned_work' }] };
    expect((await app.postSecret('/status-pages/1', said)).body).toMatchObject({ state: 'planned_work' });
  });

  const cases = [
    [{ name: ' \n ' }, 'name'],
    [{ slug: 'Shop' }, 'slug'],
    [{ slug: 'new' }, 'slug'],
    [{ slug: '-a' }, 'slug'],
    [{ hosts: ['localhost'] }, 'hosts'],
    [{ hosts: ['192.0.2.7'] }, 'hosts'],
    [{ hosts: ['[2001:db8::1]'] }, 'hosts'],
    [{ hosts: ['*.shop.example'] }, 'hosts'],
    [{ hosts: ['https://status.shop.example'] }, 'hosts'],
    [{ hosts: ['errors.shop.example'] }, 'hosts'],
    [{ shows: ['nights'] }, 'shows'],
    [{ components: [{ name: '' }] }, 'components'],
    [{ components: [{ name: 'a', monitors: [7] }] }, 'components'],
    [{ components: [{ name: 'a', component_id: 7 }] }, 'components'],
    [{ components: [{ name: 'a', state: 'well' }] }, 'components'],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 3)))(
    'is neither created nor changed with %j',
    async (wrong, field) => {
      const before = await make();
      for (const path of ['/status-pages', '/status-pages/1']) {
        const answer = await app.postSecret(path, { name: 'Other', ...wrong });
        expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, [field]]);
      }
      const { accepted: _accepted, ...view } = before;
      expect((await app.get('/status-pages')).body).toEqual([view]);
    },
  );

  it('refuses the host of the request itself, and a state for a component with monitors', async () => {
    const id = await monitor();
    const asking = app.agent.post('/wp-json/notifier/v1/status-pages').set('Host', 'api.shop.example:8443');
    const answer = await asking
      .set('Authorization', `Bearer ${app.secretKey}`)
      .send({ name: 'Shop', hosts: ['api.shop.example'] });
    expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, ['hosts']]);
    const fed = await app.postSecret('/status-pages', {
      name: 'Shop',
      components: [{ name: 'a', monitors: [id], state: 'slow' }],
    });
    expect([fed.status, Object.keys(fed.body.data.params)]).toEqual([400, ['state']]);
    expect((await app.get('/status-pages')).body).toEqual([]);
  });

  it('has an audit entry for each action', async () => {
    await make({ published: true, hosts: ['status.shop.example'] });
    await app.postSecret('/status-pages/1', { published: false });
    const rows = await app.deps.store.listAudit(wholeAudit, { limit: 50 });
    expect(rows.map(({ action, objectId, summary }) => [action, objectId, summary]).toReversed()).toEqual([
      ['status_page.created', 'harbour-pine', 'public, 0 components, status.shop.example'],
      ['status_page.changed', 'harbour-pine', 'for members, 0 components, status.shop.example'],
    ]);
  });
});
