import { describe, expect, it } from '@jest/globals';
import { limitQuotaToDisk } from '../../../src/app/disk.ts';
import { loadConfig } from '../../../src/core/config/config.ts';

const gibibyte = 1024 ** 3;

describe('the quota of bytes of a project', () => {
  const bytesOf = (env: Record<string, string>, disk: number | null): number =>
    limitQuotaToDisk(
      loadConfig(env, () => ''),
      env,
      () => disk,
    ).retention.bytes;
  const sqlite = { DATABASE_URL: 'sqlite:/srv/n.db' };

  it('is 10 GiB, or a quarter of a smaller disk', () => {
    expect(bytesOf(sqlite, 1000 * gibibyte)).toBe(10 * gibibyte);
    expect(bytesOf(sqlite, 8 * gibibyte)).toBe(2 * gibibyte);
    expect(bytesOf(sqlite, null)).toBe(10 * gibibyte);
  });

  it('is 10 GiB where the disk is unknown, and the setting where it is set', () => {
    expect(bytesOf({ DATABASE_URL: 'postgres://h/n' }, 1)).toBe(10 * gibibyte);
    expect(bytesOf({ DATABASE_URL: 'sqlite::memory:' }, 1)).toBe(10 * gibibyte);
    expect(bytesOf({ ...sqlite, RETENTION_BYTES_PER_PROJECT: '0' }, gibibyte)).toBe(0);
    expect(bytesOf({ ...sqlite, RETENTION_BYTES_PER_PROJECT: '5' }, 1)).toBe(5);
  });

  it('is computed from the disk that holds or will hold the file', () => {
    const { bytes } = limitQuotaToDisk(
      loadConfig({ DATABASE_URL: 'sqlite:/tmp/not/there/n.db' }, () => ''),
      {},
    ).retention;
    expect(bytes).toBeGreaterThan(0);
  });
});
