import { afterEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/core/config/config.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
afterEach(() => app?.close());

describe('files at the root of a host', () => {
  it('allow crawlers only the public pages', async () => {
    app = await openTestApp();
    const robots = await app.agent.get('/robots.txt');
    expect([robots.status, robots.text]).toEqual([200, 'User-agent: *\nAllow: /status/\nDisallow: /\n']);
    const icon = await app.agent.get('/favicon.ico');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect((await app.agent.get('/.well-known/security.txt')).status).toBe(404);
  });

  it('allow crawlers the demo where DEMO_INDEX is on', async () => {
    app = await openTestApp({ env: { DEMO_INDEX: 'on' } });
    expect((await app.agent.get('/robots.txt')).text).toContain('\nAllow: /demo\nDisallow: /\n');
  });

  it('serve security.txt as RFC 9116 describes it', async () => {
    const contact = 'security@shop.example, https://shop.example/report';
    const nowMs = Date.UTC(2026, 10, 29, 12);
    app = await openTestApp({
      nowMs,
      env: { SECURITY_CONTACT: contact, BASE_URL: 'https://errors.example' },
    });
    const answer = await app.agent.get('/.well-known/security.txt');
    expect([answer.headers['content-type'], answer.text]).toEqual([
      'text/plain; charset=utf-8',
      'Contact: mailto:security@shop.example\n' +
        'Contact: https://shop.example/report\n' +
        'Expires: 2027-05-28T00:00:00.000Z\n' +
        'Canonical: https://errors.example/.well-known/security.txt\n',
    ]);
  });

  it.each(['http://shop.example', 'security', 'a@b.example\nContact: x', 'mailto:'])(
    'refuse %j',
    (contact) => {
      const load = (): unknown => loadConfig({ SECURITY_CONTACT: contact }, () => '');
      expect(load).toThrow(/^SECURITY_CONTACT must be a comma-separated list of e-mail addresses/);
    },
  );
});
