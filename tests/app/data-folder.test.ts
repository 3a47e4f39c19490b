import { describe, expect, it } from '@jest/globals';
import { dataFolder, withDataFolder } from '../../src/app/environment.ts';
import { loadConfig } from '../../src/core/config/config.ts';

describe('the data folder', () => {
  it.each([
    ['linux', {}, '/home/ann/.local/share/notifier'],
    ['linux', { XDG_DATA_HOME: '/data/ann' }, '/data/ann/notifier'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ann/.local/share/notifier'],
    ['darwin', {}, '/home/ann/Library/Application Support/notifier'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/notifier'],
    ['win32', {}, '/home/ann/AppData/Local/notifier'],
  ] as const)('on %s with %j is %s', (platform, env, folder) => {
    expect(dataFolder(env, platform, '/home/ann')).toBe(folder);
  });

  it('is that of NOTIFIER_DATA where it is set, and data/local in a clone', () => {
    const databaseUrl = (env: Record<string, string>): string =>
      loadConfig(withDataFolder(env), () => '').databaseUrl;
    expect(databaseUrl({})).toBe('sqlite:data/local/notifier.db');
    expect(databaseUrl({ NOTIFIER_DATA: '/srv/notifier' })).toBe('sqlite:/srv/notifier/notifier.db');
    const both = { NOTIFIER_DATA: '/srv/notifier', DATABASE_URL: 'sqlite:/x.db' };
    expect(databaseUrl(both)).toBe('sqlite:/x.db');
  });
});
