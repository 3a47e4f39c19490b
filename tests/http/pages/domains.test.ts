import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorkspace, type TestWorkspace } from '../../support/workspace.ts';

let world: TestWorkspace;
let published = new Map<string, string>();
beforeAll(async () => {
  const prober = {
    texts: async (name: string) => {
      const record = published.get(name);
      return record === undefined
        ? ({ ok: false, code: 'nxdomain' } as const)
        : ({ ok: true, found: [record] } as const);
    },
    aliases: async () => ({ ok: false, code: 'no_record' }) as const,
    page: async () => ({ ok: false, code: 'tls' }) as const,
  };
  world = await openWorkspace({ deps: { domainCheckClient: prober } });
});
afterAll(() => world.close());

const entries = async (): Promise<number> => (await world.app.deps.store.auditHead()).entries;
const newest = async () => (await world.admin.json('/audit')).entries[0];
async function add(domain: string, more: Record<string, string> = {}): Promise<string> {
  const form = { project_id: String(world.app.project.id), domain, ...more };
  const { status, location } = await world.admin.post('/domains', form);
  expect(status).toBe(303);
  return location ?? '';
}

describe('rights', () => {
  it('let viewers see the switches without changing them', async () => {
    const path = await add('switches.org', { bug_reports: 'on' });
    for (const who of [world.viewer, world.member]) {
      const { status, text } = await who.get(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/method="post" action="[^"]*\/domains/);
      expect(text).toContain('What this domain may send');
    }
  });
});

describe('a domain', () => {
  it('is added once, changed and removed, each in the audit log', async () => {
    const path = await add('Shop.Fish.org');
    expect(await newest()).toMatchObject({ action: 'domain.added', object: { name: 'shop.fish.org' } });
    const form = { bug_reports: 'on', percent: '12.5', allowed_origins: 'https://a.org\r\nhttps://b.org' };
    expect((await world.admin.post(`${path}/switches`, { ...form, back: path })).location).toBe(path);
    const { domain } = await world.admin.json(path);
    expect(domain).toMatchObject({
      bug_reports: true,
      errors: false,
      sampling: 0.125,
      allowed_origins: ['https://a.org', 'https://b.org'],
    });
    expect((await world.admin.get(path)).text).toContain('value="12.5"');
    // Added again, it is the same one, and keeps its switches.
    expect(await add('shop.fish.org')).toBe(path);
    expect((await world.admin.json(path)).domain.bug_reports).toBe(true);
    expect(await world.admin.post(`${path}/remove`)).toHaveStatus(400);
    expect((await world.admin.post(`${path}/remove`, { sure: 'yes' })).location).toBe('/domains');
    expect(await world.admin.get(path)).toHaveStatus(404);
    expect(await newest()).toMatchObject({ action: 'domain.removed' });
  });

  it.each(['', 'https://a.org', 'a b', '<script>', 'a.org:80', '..', 'x'.repeat(300)])(
    'is refused as invalid: “%s”',
    async (domain) => {
      const before = await entries();
      const form = { project_id: String(world.app.project.id), domain };
      expect(await world.admin.post('/domains', form)).toHaveStatus(400);
      expect(await entries()).toBe(before);
    },
  );

  it.each([
    { percent: '101' },
    { percent: '-1' },
    { percent: 'x' },
    {},
    { percent: '50', allowed_origins: 'javascript:alert(1)' },
    { percent: '50', allowed_origins: 'https://a.org/path' },
  ])('keeps its switches when the form is invalid: %j', async (form) => {
    const path = await add('kept.org');
    const before = await entries();
    expect(await world.admin.post(`${path}/switches`, form as Record<string, string>)).toHaveStatus(400);
    expect([await entries(), (await world.admin.json(path)).domain.sampling]).toEqual([before, 1]);
  });

  it('is shown in Unicode and in punycode', async () => {
    const path = await add('bücher.straße.de');
    const model = await world.viewer.json(path);
    expect([model.host, model.host_unicode]).toEqual(['xn--bcher-kva.xn--strae-oqa.de', 'bücher.straße.de']);
    const { text } = await world.viewer.get(path);
    expect(text).toContain('<bdi>bücher<wbr/>.straße<wbr/>.de</bdi>');
    expect(text).toContain('xn--bcher-kva.xn--strae-oqa.de');
    const found = async (q: string): Promise<number> =>
      (await world.viewer.json(`/domains?q=${encodeURIComponent(q)}`)).domains.length;
    expect([await found('BÜCHER'), await found('xn--bcher'), await found('nope')]).toEqual([1, 1, 0]);
  });

  it('that cannot be verified is not added if a verification was requested', async () => {
    const form = { project_id: String(world.app.project.id), domain: 'inside.internal', prove: 'on' };
    expect(await world.admin.post('/domains', form)).toHaveStatus(400);
    const hosts = (await world.app.deps.store.listDomains(world.app.project.id)).map(({ host }) => host);
    expect(hosts).not.toContain('inside.internal');
  });
});

describe('a domain verification', () => {
  it('is started, checked, found, renewed and revoked', async () => {
    published = new Map();
    const path = await add('proved.org', { prove: 'on' });
    const asked = await world.viewer.json(path);
    expect(asked.state).toBe('pending');
    const page = await world.viewer.get(path);
    for (const words of ['_notifier-challenge.proved.org', asked.proof.token, 'Publish one of these three']) {
      expect(page.text).toContain(words);
    }
    const looked = await world.admin.post(`${path}/check`);
    expect([looked.status, looked.text.includes('Result of this check')]).toEqual([200, true]);
    for (const word of ['nxdomain', 'tls']) expect(looked.text).toContain(`<code class="dim">${word}</code>`);
    expect(await newest()).toMatchObject({
      action: 'domain_verification.checked',
      summary: 'dns txt nxdomain, http file tls, html meta tls',
    });
    published.set('_notifier-challenge.proved.org', `token=${asked.proof.token}`);
    await world.admin.post(`${path}/check`);
    const found = await world.viewer.json(path);
    expect([found.state, found.domain.verified, found.proof.verified_by]).toEqual([
      'verified',
      true,
      'dns_txt',
    ]);
    expect(found.looks).toMatchObject([
      {
        is_manual: true,
        outcome: 'ok',
        status: 'verified',
        found: [{ type: 'dns_txt', code: 'ok' }, {}, {}],
      },
      { is_manual: true, outcome: 'nxdomain', status: 'pending', means: 'The name does not exist in DNS.' },
    ]);
    const history = (await world.viewer.get(path)).text;
    for (const words of ['2 checks', 'on request', 'The name does not exist in DNS.']) {
      expect(history).toContain(words);
    }

    await world.admin.post(`${path}/token`, { back: path });
    const renewed = await world.viewer.json(path);
    expect([renewed.state, renewed.proof.token === asked.proof.token]).toEqual(['pending', false]);
    expect(await newest()).toMatchObject({
      action: 'domain_verification.created',
      summary: 'with a new token',
    });

    expect(await world.admin.post(`${path}/revoke`)).toHaveStatus(400);
    await world.admin.post(`${path}/revoke`, { sure: 'yes', back: path });
    expect((await world.viewer.json(path)).state).toBe('revoked');
    expect((await world.admin.get(path)).text).toContain('Start verification');
    await world.admin.post(`${path}/proof`, { scope: 'host', back: path });
    expect((await world.viewer.json(path)).state).toBe('pending');
  });

  it('of subdomains is shown for a host without its own', async () => {
    published = new Map();
    const above = await add('*.wide.org', { prove: 'on' });
    const { proof } = await world.viewer.json(above);
    expect([proof.scope, proof.domain]).toEqual(['subdomains', 'wide.org']);
    published.set('_notifier-challenge.wide.org', `token=${proof.token}`);
    await world.admin.post(`${above}/check`);
    const below = await add('a.wide.org');
    expect(await world.viewer.json(below)).toMatchObject({ state: 'verified', covered_by: { id: proof.id } });
    expect((await world.viewer.get(below)).text).toContain('includes subdomains');
  });

  it('without a listed domain has its own row and page', async () => {
    const made = await world.app.postSecret('/domain-verifications', { domain: 'alone.org' });
    const { domains } = await world.viewer.json('/domains?state=waiting&q=alone');
    expect(domains).toEqual([expect.objectContaining({ id: made.body.id, domain: null, state: 'pending' })]);
    const { status, text } = await world.viewer.get(`/domains/${made.body.id}`);
    expect([status, text.includes('What this domain may send')]).toEqual([200, false]);
    const gone = await world.admin.post(`/domains/${made.body.id}/revoke`, { sure: 'yes' });
    expect(gone.location).toBe('/domains');
  });

  it('of a listed domain is shown with the switches of that domain', async () => {
    const path = await add('both.org', { prove: 'on' });
    const { proof, domain } = await world.viewer.json(path);
    const same = await world.viewer.json(`/domains/${proof.id}`);
    expect(same.domain).toEqual(domain);
  });

  it('that does not exist is 404', async () => {
    for (const id of ['dv_nope', '0', '999999', '..%2f', '1e3']) {
      expect([id, (await world.viewer.get(`/domains/${id}`)).status]).toEqual([id, 404]);
    }
  });
});
