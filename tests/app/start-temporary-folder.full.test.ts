import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('a missing folder for temporary files is reported, and the rest is served', async () => {
  const folder = temporaryFolder();
  const program = await startProgram({
    DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
    TMPDIR: join(folder.path, 'missing'),
  });
  const secret = /ntf_sk_\w{49}/.exec(program.printed())?.[0] ?? '';
  const upload = async (path: string): Promise<number> => {
    const body = new FormData();
    body.append('file', new Blob(['x']), '11f6ad8ec52a2984abaafd7c3b516503785c2072');
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${program.origin}${path}`, { method: 'POST', headers, body })).status;
  };
  const { status } = await fetch(`${program.origin}/readyz`);
  const refused = [
    await upload('/wp-json/notifier/v1/artifacts'),
    await upload('/wp-json/notifier/v1/artifacts'),
    await upload('/api/0/organizations/any/chunk-upload/'),
  ];
  expect(await program.end()).toBe(0);
  folder.remove();
  expect([status, refused]).toEqual([200, [503, 503, 503]]);
  const said = program.errors().split('\n');
  const words = /uploads are refused with 503, .*\/missing .*\(ENOENT\)\. Set TMPDIR/;
  expect(said.filter((line) => line.startsWith('Warning: '))).toEqual([expect.stringMatching(words)]);
  const logged = said.filter((line) => line.startsWith('{') && words.test(line));
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, code: 'ENOENT', refused: 1 }]);
});
