import { describe, expect, it } from '@jest/globals';
import { startBanner } from '../../src/app/serve.ts';
import { loadConfig } from '../../src/core/config/config.ts';
import type { StartResult } from '../../src/core/projects/apply-configuration.ts';

const project = {
  id: 7,
  name: 'shop',
  createdAtMs: 0,
  groupingVersion: 'ng2',
  scrubFields: [],
  storeIpAddresses: false,
  bugReports: true,
  inboundFilters: null,
};
const again: StartResult = {
  project,
  isNew: false,
  projectsCount: 1,
  publicKey: null,
  secretKey: null,
  adminToken: null,
  added: [],
  warnings: [],
};
const first: StartResult = {
  ...again,
  isNew: true,
  publicKey: 'ntf_pk_x',
  secretKey: 'ntf_sk_x',
  adminToken: 'ntf_admin_x',
};

const printed = (env: Record<string, string>, settled: StartResult = again): string =>
  startBanner(
    loadConfig(env, () => ''),
    54321,
    settled,
  );

describe('the banner', () => {
  it.each([
    ['nothing said', {}, 'http://127.0.0.1:54321'],
    ['a public address', { BASE_URL: 'https://shop.example', WP_PATH: '/blog' }, 'http://127.0.0.1:54321'],
    ['an address', { HOST: '192.0.2.7', BASE_URL: 'https://shop.example' }, 'http://192.0.2.7:54321'],
    ['a name', { HOST: 'localhost' }, 'http://localhost:54321'],
    ['an IPv6 address', { HOST: '::1', BASE_URL: 'https://shop.example' }, 'http://[::1]:54321'],
    [
      'every address',
      { HOST: '0.0.0.0' },
      'http://127.0.0.1:54321 (and at all other addresses of this machine)',
    ],
    [
      'every IPv6 address',
      { HOST: '::' },
      'http://127.0.0.1:54321 (and at all other addresses of this machine)',
    ],
  ])('with %s shows the address that the server listens on', (_what, env, where) => {
    expect(printed(env).split('\n')[1]).toBe(`Notifier is listening at ${where}`);
  });

  it('shows the public URL too, and uses it in the lines to paste', () => {
    const text = printed({ BASE_URL: 'https://shop.example', WP_PATH: '/blog' }, first);
    expect(text).toContain('  Public     https://shop.example/blog\n');
    expect(text).toContain('curl -X POST https://shop.example/blog/wp-json/notifier/v1/store ');
    expect(text).toContain('https://ntf_pk_x@shop.example/blog/wp-json/notifier/v1/7');
    expect(printed({})).not.toContain('Public ');
  });

  it('shows the DSN of a host, then the one behind WordPress, which alone works in a folder', () => {
    const dsns = (env: Record<string, string>): string[] => printed(env, first).match(/\S+@\S+/g) ?? [];
    const shop = 'https://ntf_pk_x@shop.example';
    const long = '/wp-json/notifier/v1/7';
    expect(dsns({ BASE_URL: 'https://shop.example' })).toEqual([`${shop}/7`, shop + long]);
    expect(dsns({ BASE_URL: 'https://shop.example', WP_PATH: '/blog' })).toEqual([`${shop}/blog${long}`]);
    expect(dsns({})).toEqual(['http://ntf_pk_x@127.0.0.1:54321/7', expect.stringContaining(long)]);
  });

  it('shows keys that were just created, and never a configured secret', () => {
    expect(printed({}, first)).toMatch(/ntf_pk_x[\s\S]*ntf_sk_x[\s\S]*ntf_admin_x/u);
    expect(printed({}, { ...first, secretKey: null })).toContain('as configured in NOTIFIER_SECRET_KEY');
    expect(printed({})).not.toMatch(/ntf_/);
  });

  it('lists what it serves, and what the settings added', () => {
    expect(printed({})).toContain('Serving    project 7 "shop"');
    expect(printed({}, { ...again, projectsCount: 2 })).toContain('Serving    2 projects');
    expect(printed({}, { ...again, added: ['NOTIFIER_PUBLIC_KEY', 'shop.example'] })).toContain(
      'Added      NOTIFIER_PUBLIC_KEY, shop.example, from the settings',
    );
  });

  it('never shows the password of a database', () => {
    expect(printed({ DATABASE_URL: 'postgres://u:s3cret@h/d' })).toContain('postgres://u:***@h/d');
  });
});
