import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type SyncableFile, sha256OfFile, syncInSteps } from '../../data/maintenance/backup.ts';
import { shared } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const mebibyte = 1024 * 1024;

function noted(fails: { step?: boolean; last?: boolean } = {}) {
  const asked: string[] = [];
  const file = { bytes: 0 };
  const tell = (word: string, isRefused = false) => {
    asked.push(word);
    return isRefused ? Promise.reject(new Error(`EIO: ${word}`)) : Promise.resolve();
  };
  const open: SyncableFile = {
    stat: (async () => ({ size: file.bytes })) as unknown as SyncableFile['stat'],
    datasync: () => tell(`step at ${file.bytes / mebibyte}`, fails.step),
    sync: () => tell('all', fails.last),
    close: () => tell('closed'),
  };
  return { asked, file, openFile: async () => open };
}

describe('a file that is synced while it is written', () => {
  const folder = shared(() => temporaryFolder());

  it('is synced after each step, and at the end', async () => {
    const { asked, file, openFile } = noted();
    const flush = syncInSteps('x', openFile);
    file.bytes = 9 * mebibyte;
    await until(() => asked.length === 1);
    file.bytes = 20 * mebibyte;
    await until(() => asked.length === 2);
    file.bytes = 21 * mebibyte;
    await flush.end();
    expect(asked).toEqual(['step at 9', 'step at 20', 'all', 'closed']);
    await flush.end();
    expect(asked).toHaveLength(4);
  });

  it('is missing if a step failed, even if later syncs succeed', async () => {
    const { asked, file, openFile } = noted({ step: true });
    const flush = syncInSteps('x', openFile);
    file.bytes = 9 * mebibyte;
    await until(() => asked.includes('closed'));
    await expect(flush.end()).rejects.toThrow('EIO: step at 9');
    expect(asked).toEqual(['step at 9', 'closed']);
  });

  it('is missing if its last sync or its opening failed', async () => {
    const { openFile } = noted({ last: true });
    await expect(syncInSteps('x', openFile).end()).rejects.toThrow('EIO: all');
    await expect(syncInSteps(join(folder.path, 'none')).end()).rejects.toThrow('ENOENT');
  });

  it('is flushed on a real disk while it is written', async () => {
    const path = join(folder.path, 'real');
    writeFileSync(path, '');
    const flush = syncInSteps(path);
    for (let part = 0; part < 3; part += 1) appendFileSync(path, Buffer.alloc(5 * mebibyte, part));
    await expect(flush.end()).resolves.toBeUndefined();
  });

  it.each([0, 1, mebibyte - 1, mebibyte, 2 * mebibyte, 3 * mebibyte + 17])(
    'has the sha256 of all its %i bytes',
    async (bytes) => {
      const path = join(folder.path, `hashed-${bytes}`);
      // Each block is another one: two that change places would be seen.
      writeFileSync(
        path,
        Buffer.alloc(bytes).map((_byte, index) => (index >> 12) ^ index),
      );
      expect(await sha256OfFile(path)).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
    },
  );
});
