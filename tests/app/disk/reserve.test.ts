import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ReserveFile,
  releaseReserveIfFull,
  reserveFromConfig,
  startReserve,
} from '../../../src/app/disk.ts';
import { loadConfig } from '../../../src/core/config/config.ts';
import type { Log } from '../../../src/core/ports/log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const mebibyte = 1_048_576;
const noFiles = (): string => '';

describe('disk space held in reserve', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: ReserveFile;
  let reserve: ReturnType<typeof startReserve> | null = null;
  let free: number;
  let told: string[];
  beforeEach(() => {
    folder = temporaryFolder();
    file = { path: join(folder.path, 'n.db-reserve'), bytes: 3 * mebibyte + 5, lowBytes: 8 * mebibyte };
    told = [];
  });
  afterEach(async () => {
    await reserve?.stop();
    reserve = null;
    folder.remove();
  });

  async function lookAt(bytes: number | null): Promise<[told: string[], held: boolean]> {
    free = bytes as number;
    told = [];
    const note = (_fields: object, message: string): void => void told.push(message);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    const onLow = (): void => void told.push('low');
    // Begun with nothing known, so that its own looks change nothing.
    reserve ??= startReserve(file, { log, onLow: () => onLowNow(), freeBytes: async () => free });
    onLowNow = onLow;
    await reserve.check();
    return [told.filter((each) => each === 'low'), existsSync(file.path)];
  }
  let onLowNow: () => void = () => {};

  it('is allocated while enough stays free, released on a full disk, and allocated again', async () => {
    expect(await lookAt(null)).toEqual([[], false]);
    // Taken, it would leave less than what must stay free.
    expect(await lookAt(file.lowBytes + file.bytes - 1)).toEqual([[], false]);
    expect(await lookAt(file.lowBytes + file.bytes)).toEqual([[], true]);
    const { size, blocks, mode } = statSync(file.path);
    expect([size, mode & 0o777]).toEqual([file.bytes, 0o600]);
    // On the disk, and not a hole.
    expect(blocks * 512).toBeGreaterThanOrEqual(file.bytes);
    // Low, but with room to work in: retention is told once, and the reserve stays.
    expect(await lookAt(file.lowBytes - 1)).toEqual([['low'], true]);
    for (let look = 1; look < 30; look += 1) {
      expect(await lookAt(file.lowBytes - 2)).toEqual([[], true]);
    }
    expect(await lookAt(file.lowBytes - 2)).toEqual([['low'], true]);
    expect(await lookAt(file.bytes - 1)).toEqual([['low'], false]);
    expect(await lookAt(file.bytes - 1)).toEqual([[], false]);
    expect(await lookAt(file.lowBytes)).toEqual([[], false]);
    expect(await lookAt(file.lowBytes + file.bytes)).toEqual([[], true]);
    expect(readdirSync(folder.path)).toEqual(['n.db-reserve']);
  });

  it('that is incomplete after a kill does not count, and is completed', async () => {
    await lookAt(file.lowBytes + file.bytes);
    truncateSync(file.path, 1000);
    expect(await releaseReserveIfFull(file)).toBe(false);
    await lookAt(file.lowBytes + file.bytes);
    expect(statSync(file.path).size).toBe(file.bytes);
  });

  it('is kept by a write while the disk has space', async () => {
    writeFileSync(file.path, 'x'.repeat(10));
    expect(await releaseReserveIfFull({ ...file, bytes: 10 })).toBe(false);
    expect(existsSync(file.path)).toBe(true);
    expect(await releaseReserveIfFull(null)).toBe(false);
  });

  it('logs once that no space can be reserved', async () => {
    file = { ...file, path: join(folder.path, 'nowhere', 'n.db-reserve') };
    const said: string[] = [];
    const note = (_fields: object, message: string): void => void said.push(message);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    reserve = startReserve(file, { log, onLow: () => {}, freeBytes: async () => 1e9 });
    await reserve.check();
    await reserve.check();
    expect(said).toEqual(['the disk reserve cannot be created']);
  });

  it('exists only for a SQLite file whose disk is watched', () => {
    const of = (env: Record<string, string>) =>
      reserveFromConfig(loadConfig({ DATABASE_URL: 'sqlite:/srv/n.db', ...env }, noFiles));
    expect(of({})).toEqual({ path: '/srv/n.db-reserve', bytes: 16 * mebibyte, lowBytes: 64 * mebibyte });
    expect(of({ DISK_RESERVE_MB: '10' })?.bytes).toBe(8 * mebibyte);
    expect(of({ DISK_RESERVE_MB: '1000' })?.bytes).toBe(250 * mebibyte);
    for (const env of [
      { DISK_RESERVE_MB: '0' },
      { OVERLOAD: 'off' },
      { DATABASE_URL: 'sqlite::memory:' },
      { DATABASE_URL: 'postgres://localhost/n' },
    ]) {
      expect(of(env as never)).toBeNull();
    }
  });
});
