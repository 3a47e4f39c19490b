import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLog } from '../../src/app/log.ts';
import { openDeps } from '../../src/app/open-deps.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { ConfigError } from '../../src/core/config/config.ts';
import { shared } from '../support/shared.ts';
import { throwAwayDatabase } from '../support/throw-away-database.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notifier-dialect-'));
});
afterAll(() => rm(folder, { recursive: true }));

const database = shared(throwAwayDatabase);

async function start(dialect: string) {
  const file = join(folder, 'dialect.json');
  await writeFile(file, dialect);
  return openDeps({ ...database.env, NOTIFIER_DIALECT: file }, { log: silentLog });
}

describe('NOTIFIER_DIALECT', () => {
  it('is loaded by the program', async () => {
    const { deps, close } = await start('{"dialect":1,"name":"theirs","order":"wordpress"}');
    await close();
    expect(deps.dialect).toMatchObject({ name: 'theirs', order: 'wordpress' });
  });

  it('is off without the variable', async () => {
    const { deps, close } = await openDeps(database.env, { log: silentLog });
    await close();
    expect(deps.dialect).toBeUndefined();
  });

  it.each([
    ['{', /^NOTIFIER_DIALECT \(form\): The compatibility profile is not valid JSON: /],
    ['{"dialect":1,"name":"x","namespace":"other/v2"}', /^NOTIFIER_DIALECT \(form\): .*namespace/],
    [
      '{"dialect":1,"name":"x","refusals":{"unauthorized":{"status":403,"code":"rest_forbidden"}}}',
      /^NOTIFIER_DIALECT \(7-unauthorized\): The compatibility profile cannot be used: refusals\.unauthorized: section 7 of the specification requires 401/,
    ],
  ])('stops the start with %s', async (text, sentence) => {
    await expect(start(text)).rejects.toThrow(sentence);
    await expect(start(text)).rejects.toBeInstanceOf(ConfigError);
  });

  it('stops the start where the file is missing', async () => {
    const env = { DATABASE_URL: 'sqlite::memory:', NOTIFIER_DIALECT: join(folder, 'nowhere.json') };
    await expect(openDeps(env, { log: silentLog })).rejects.toThrow(/^NOTIFIER_DIALECT: .*nowhere\.json/);
  });
});

describe('notifier contract', () => {
  it('is a command of the program', async () => {
    let out = '';
    const say = (text: string) => {
      out += text;
    };
    const io = { env: {}, isTerminal: false, out: say, err: () => {} };
    expect(await runCommandLine(['contract', '--help'], io)).toBe(0);
    expect(out).toContain('notifier contract record ');
    expect(await runCommandLine(['contract', '--nonsense'], io)).toBe(2);
  });
});
