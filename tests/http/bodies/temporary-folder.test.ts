import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { checkTemporaryFolder, logRefusedUpload } from '../../../src/http/bodies/upload-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('a folder for temporary files', () => {
  it('is checked by writing, and left empty', async () => {
    expect(await checkTemporaryFolder(folder.path)).toBeNull();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('that is not writable is reported with what to do', async () => {
    writeFileSync(join(folder.path, 'file'), '');
    expect(await checkTemporaryFolder(join(folder.path, 'missing'))).toBe(
      `uploads are refused with 503, because the temporary folder ${folder.path}/missing cannot be used ` +
        '(ENOENT). Set TMPDIR to an existing folder that this user can write to.',
    );
    expect(await checkTemporaryFolder(join(folder.path, 'file'))).toMatch(/\(ENOTDIR\)\. Set TMPDIR/);
    chmodSync(folder.path, 0o500);
    const sealed = await checkTemporaryFolder(folder.path);
    chmodSync(folder.path, 0o700);
    // Root may write anywhere.
    expect(sealed ?? '(EACCES). Set TMPDIR').toContain('(EACCES). Set TMPDIR');
  });

  it('is logged once a minute for each reason, with the number of refused uploads', () => {
    const lines: object[] = [];
    let nowMs = 1_700_000_000_000;
    const error = (fields: object, message: string): void => void lines.push({ ...fields, message });
    const deps = { now: () => nowMs, log: { ...silentLog, error } };
    const tell = (code: string): void => logRefusedUpload(deps, Object.assign(new Error(code), { code }));
    for (let count = 0; count < 100; count += 1) tell('ENOENT');
    tell('ENOSPC');
    const at = { folder: tmpdir() };
    expect(lines).toEqual([
      {
        ...at,
        code: 'ENOENT',
        refused: 1,
        message: expect.stringContaining('Set TMPDIR to an existing folder'),
      },
      { ...at, code: 'ENOSPC', refused: 1, message: expect.stringContaining('Free space') },
    ]);
    nowMs += 59_999;
    tell('ENOENT');
    expect(lines.length).toBe(2);
    nowMs += 1;
    tell('ENOENT');
    expect(lines.slice(2)).toMatchObject([{ code: 'ENOENT', refused: 101 }]);
  });
});
