import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnProgram } from '../support/program.ts';
import { inFull } from '../support/test-level.ts';

const folder = mkdtempSync(join(tmpdir(), 'npm-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function endOf(path: string, env: Record<string, string> = {}, ...words: string[]) {
  const command: [string, ...string[]] = [
    process.execPath,
    join(import.meta.dirname, '../..', path),
    ...words,
  ];
  const program = spawnProgram(env, { command, cwd: folder });
  return { code: await program.ended, out: program.printed(), err: program.errors() };
}

describe('npm run seed', () => {
  inFull(it)('leaves an empty file as it is, and says so', async () => {
    const path = join(folder, 'empty.db');
    writeFileSync(path, '');
    const { code, err } = await endOf('scripts/seed.ts', { DATABASE_URL: `sqlite:${path}` });
    expect([code, err]).toEqual([78, expect.stringMatching(/^DATABASE_URL is .* is empty \(0 bytes\).*\n$/)]);
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('names a setting that is wrong, one of .env too, which is the one that the server reads', async () => {
    writeFileSync(join(folder, '.env'), 'DATABASE_URL=nonsense\n');
    const { code, err } = await endOf('scripts/seed.ts');
    rmSync(join(folder, '.env'));
    expect([code, err]).toEqual([78, expect.stringMatching(/^DATABASE_URL is [^\n]*\n$/)]);
  });

  inFull(it)('makes the project once', async () => {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'new.db')}` };
    expect(await endOf('scripts/seed.ts', env)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Made /),
    });
    expect(await endOf('scripts/seed.ts', env)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/is there/),
    });
  });
});

describe('npm run seed with an unknown argument', () => {
  it('prints its usage, and touches no database', async () => {
    const { code, err } = await endOf('scripts/seed.ts', { DATABASE_URL: 'nonsense' }, '--dmeo');
    expect([code, err]).toEqual([
      64,
      '"--dmeo" is nothing that can be seeded. Usage: npm run seed [-- --demo]\n',
    ]);
  });
});

describe('npm run send', () => {
  it('says that no server answers at the URL from .env', async () => {
    writeFileSync(
      join(folder, '.env'),
      'NOTIFIER_URL=http://127.0.0.1:1/v1\nNOTIFIER_PUBLIC_KEY=some_key_1\n',
    );
    const { code, err } = await endOf('tests/support/send.ts');
    rmSync(join(folder, '.env'));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^NOTIFIER_URL is "http:\/\/127\.0\.0\.1:1\/v1": .*\n$/),
    ]);
  });
});
