import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '../../../src/core/config/config.ts';

const configOf = (env: Record<string, string>) => loadConfig(env, () => '');

describe('the port of a setting', () => {
  it('is 65,535 at most', () => {
    expect(configOf({ PORT: '65535' }).port).toBe(65_535);
    expect(configOf({ PORT: '0' }).port).toBe(0);
    expect(configOf({ METRICS_PORT: '65535' }).metrics).toEqual({ host: '127.0.0.1', port: 65_535 });
    expect(configOf({ METRICS_PORT: '[::1]:65535' }).metrics).toEqual({ host: '::1', port: 65_535 });
    for (const servers of [
      ['192.0.2.1:65535', '[2001:db8::1]:65535'],
      ['192.0.2.1', '2001:db8::1'],
      ['[2001:db8::1]'],
    ]) {
      expect(configOf({ NOTIFIER_DNS_SERVERS: servers.join(',') }).dnsServers).toEqual(servers);
    }
    expect(configOf({ SMTP_URL: 'smtp://mail.example:65535' }).smtpUrl).toBe('smtp://mail.example:65535');
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '100000'],
    ['METRICS_PORT', '65536'],
    ['METRICS_PORT', '100000'],
    ['METRICS_PORT', '10.0.0.5:65536'],
    ['NOTIFIER_DNS_SERVERS', '192.0.2.1:0'],
    ['NOTIFIER_DNS_SERVERS', '192.0.2.1:65536'],
    ['NOTIFIER_DNS_SERVERS', '[2001:db8::1]:65536'],
    ['NOTIFIER_DNS_SERVERS', '192.0.2.1:100000'],
    ['NOTIFIER_DNS_SERVERS', '[2001:db8::1]:100000'],
    ['SMTP_URL', 'smtp://mail.example:65536'],
  ])('is refused beyond: %s=%s', (name, value) => {
    expect(() => configOf({ [name]: value })).toThrow(ConfigError);
    expect(() => configOf({ [name]: value })).toThrow(new RegExp(`^${name} `));
  });
});
