import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { signInLines } from '../../src/app/serve.ts';
import { loadConfig } from '../../src/core/config/config.ts';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, nightlyOrFull } from '../support/test-level.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const env = {
  DATABASE_URL: `sqlite:${join(folder.path, 'links.db')}`,
  NOTIFIER_ADMIN_TOKEN: 'the-token-of-this-test',
};
const linkLine = /^http:\/\/127\.0\.0\.1:\d+\/sign-in\?token=[0-9A-Za-z]{43}$/m;
const open = (address: string, cookie = '') =>
  fetch(address, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });

describe('npm start', () => {
  it('prints a link that signs in once, also where the token is set', async () => {
    const links: string[] = [];
    const starts = nightlyOrFull(2, 1);
    let cookie = '';
    for (let start = 0; start < starts; start += 1) {
      const program = await startProgram(env);
      try {
        await program.says(linkLine);
        const link = linkLine.exec(program.printed())?.[0] ?? '';
        links.push(link);
        const entered = await open(link);
        expect([entered.status, entered.headers.get('location')]).toEqual([303, '/']);
        cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
        expect(await open(`${program.origin}/members`, cookie)).toHaveStatus(200);
        expect(await open(link)).toHaveStatus(410);
        expect(await open(`${program.origin}/members`)).toHaveStatus(303);
      } finally {
        expect(await program.end()).toBe(0);
      }
    }
    expect(new Set(links).size).toBe(starts);
  });

  inFull(it)('prints no link where the server is reachable from outside, nor without pages', async () => {
    const everywhere = await startProgram({ ...env, HOST: '0.0.0.0' });
    await everywhere.says(
      / {2}Workspace {2}http:\/\/127\.0\.0\.1:\d+\/sign-in {3}\(with the workspace token/,
    );
    expect(everywhere.printed()).not.toContain('token=');
    await everywhere.end();
    const off = await startProgram({ ...env, PAGES: 'off' });
    expect(await open(`${off.origin}/sign-in`)).toHaveStatus(404);
    expect(await open(`${off.origin}/members`)).toHaveStatus(404);
    await off.end();
    expect(off.printed()).not.toContain('sign-in');
  });
});

describe('the output of a start', () => {
  const lines = (more: Record<string, string>, token: string | null) =>
    signInLines(
      loadConfig(more, () => ''),
      54321,
      token,
    ).split('\n');

  it('has the link on a line of its own', () => {
    expect(lines({}, 'T')).toContain('http://127.0.0.1:54321/sign-in?token=T');
    expect(lines({ HOST: '::1' }, 'T')).toContain('http://[::1]:54321/sign-in?token=T');
    expect(lines({ PAGES_URL: 'http://localhost:8787/errors' }, 'T')).toContain(
      'http://localhost:8787/errors/sign-in?token=T',
    );
  });

  it('shows where to sign in with the token when there is no link', () => {
    expect(lines({ PAGES_URL: 'https://shop.example/errors/' }, null)[0]).toContain(
      ' https://shop.example/errors/sign-in ',
    );
    const everywhere = { HOST: '0.0.0.0', BASE_URL: 'https://errors.example' };
    expect(lines(everywhere, null)[0]).toContain(' https://errors.example/sign-in ');
  });
});
