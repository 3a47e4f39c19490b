import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '../../../src/core/config/config.ts';
import { settingNames, settings } from '../../../src/core/config/settings.ts';

const example = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8');
const configOf = (env: Record<string, string | undefined>) => loadConfig(env, () => '');

const bounds: ReadonlyArray<readonly [name: string, least: number, most: number]> = [
  ['PORT', 0, 65_535],
  ['DATABASE_POOL_MAX', 2, 1000],
  ...settingNames
    .filter((name) => name.startsWith('RATE_LIMIT_'))
    .map((name) => [name, 1, 1_000_000_000] as const),
  ['RETENTION_DAYS', 0, 36_500],
  ['RETENTION_EVENTS_PER_PROJECT', 0, 1_000_000_000_000],
  ['RETENTION_BYTES_PER_PROJECT', 0, 1_000_000_000_000_000],
  ['MEMORY_LIMIT_MB', 0, 10_000_000],
  ['DISK_RESERVE_MB', 0, 10_000_000],
];

describe('.env.example', () => {
  it('names every setting', () => {
    for (const name of settingNames) expect(example).toMatch(new RegExp(`^#?${name}=`, 'm'));
  });

  it('copied as it is sets what holds without .env', () => {
    // These stand behind a sign because a value that is said means more than the default of the same size.
    const said = /^#(?=(?:RETENTION_|NOTIFIER_CHALLENGE_LABEL))/gm;
    expect(configOf(parseEnv(example.replaceAll(said, '')))).toEqual(configOf({}));
  });
});

describe('the default of a switch', () => {
  it('is the one in the settings page of docs', () => {
    expect(configOf({})).toMatchObject({
      host: '127.0.0.1',
      pages: true,
      demo: true,
      demoIndex: false,
      fetchAllowPrivate: false,
      rateLimits: { enabled: true },
      overload: { enabled: true, memoryLimitBytes: null, diskReserveBytes: 67_108_864 },
      warnings: [],
    });
  });

  it.each([
    ['PAGES', 'pages'],
    ['DEMO', 'demo'],
    ['DEMO_INDEX', 'demoIndex'],
    ['NOTIFIER_FETCH_ALLOW_PRIVATE', 'fetchAllowPrivate'],
  ] as const)('takes on and off: %s', (name, member) => {
    for (const word of ['on', 'YES', 'true', '1']) expect(configOf({ [name]: word })[member]).toBe(true);
    for (const word of ['off', 'No', 'false', '0']) expect(configOf({ [name]: word })[member]).toBe(false);
    expect(() => configOf({ [name]: 'maybe' })).toThrow(`${name} must be on or off, not "maybe".`);
  });

  it('takes on and off: OVERLOAD, RATE_LIMITS', () => {
    const off = configOf({ OVERLOAD: 'off', RATE_LIMITS: 'off', MEMORY_LIMIT_MB: '3' });
    expect([off.overload.enabled, off.rateLimits.enabled]).toEqual([false, false]);
    expect(off.overload.memoryLimitBytes).toBe(3 * 1_048_576);
  });
});

describe('a setting that is a number', () => {
  it('is listed here with its bounds', () => {
    const numbers = settingNames.filter((name) => settings[name] === 'number');
    expect(bounds.map(([name]) => name).sort()).toEqual(numbers.sort());
  });

  it.each(bounds)('%s is from %d to %d', (name, least, most) => {
    for (const value of [least, most]) expect(() => configOf({ [name]: String(value) })).not.toThrow();
    for (const value of [least - 1, most + 1, 1.5]) {
      const sentence = `${name} must be a whole number from ${least} to ${most}, not "${value}".`;
      expect(() => configOf({ [name]: String(value) })).toThrow(new ConfigError(sentence));
    }
  });
});

it.each([
  ['1', []],
  ['2', [expect.stringContaining('the server is one process')]],
])('ignores WEB_CONCURRENCY of %s', (value, warnings) => {
  expect(configOf({ WEB_CONCURRENCY: value }).warnings).toEqual(warnings);
});
