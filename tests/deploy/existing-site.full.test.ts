import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithPrograms } from '../support/needs.ts';
import type { RunningProcess } from '../wordpress/record/processes.ts';
import {
  phpLocations,
  startWordPress,
  type WordPressSite,
  wordpressPrograms,
} from '../wordpress/record/site.ts';
import { type DebianNginx, debianNginx, linesOfPage } from './debian-nginx.ts';
import { answerer, send } from './raw-requests.ts';

/** The line that docs/reverse-proxy.md asks for where the workspace is to be in a folder of the site. */
const secondLine = '  include snippets/notifier-pages.conf;';

describeWithPrograms('an existing site', [...wordpressPrograms, 'bash'], () => {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-nginx-'));
  let site: WordPressSite;
  let app: TestApp;
  let nginx: RunningProcess;
  let port: number;
  let debian: DebianNginx;
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    site = await startWordPress();
    port = await freePort();
    app = await openTestApp({ env: { PAGES_URL: 'http://shop.example/errors' } });
    debian = debianNginx(folder, port);
    await debian.run(linesOfPage('Files'));
    debian.set(
      'conf.d/notifier.conf',
      'server 127.0.0.1:8787 max_fails=0;',
      `server 127.0.0.1:${new URL(app.origin).port};`,
    );
    // A site as every guide has it, with one line more; Debian's own stays where it is.
    writeFileSync(
      join(debian.etc, 'sites-available/shop'),
      `server {
  listen 80;
  server_name shop.example www.shop.example;
  root ${site.root};
  index index.php;
  client_max_body_size 1m;
  include snippets/notifier.conf;
  location ~* /wp-json/ { return 403; }
  ${phpLocations(site.phpSocket).replace('/etc/nginx/', '')}
}
`,
    );
    symlinkSync('../sites-available/shop', join(debian.etc, 'sites-enabled/shop'));
    expect(await debian.run(linesOfPage('Existing site'))).toEqual(['systemctl reload nginx']);
    nginx = await debian.start();
  });
  afterAll(async () => {
    await nginx?.stop();
    await app?.close();
    await site?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('needs one line, with Debian’s default site and any locations', async () => {
    const ask = (host: string, path: string) => send(port, 'GET', path, { host });
    for (const host of ['shop.example', 'www.shop.example']) {
      const answer = await ask(host, '/wp-json/notifier/v1');
      expect([host, answer.status, answerer(answer)]).toEqual([host, 200, 'notifier']);
    }
    expect(answerer(await ask('shop.example', '/?rest_route=/wp/v2/types'))).toBe('WordPress');
    expect((await ask('shop.example', '/?rest_route=/wp/v2/types')).body).toContain('"slug":"post"');
    // Another name is Debian's default site, and nothing of ours.
    expect(answerer(await ask('other.example', '/wp-json/notifier/v1'))).toBe('nginx');
  });

  it('keeps URLs below /api/0/ without the second line', async () => {
    for (const path of ['/api/0/', '/api/0/organizations/x/releases/']) {
      const answer = await send(port, 'GET', path, { host: 'shop.example' });
      expect([path, answerer(answer), answer.body.includes('"detail"')]).toEqual([path, 'WordPress', false]);
    }
  });

  it('shows no page without a line for them, and below one folder alone with it', async () => {
    const ask = (path: string) =>
      send(port, 'GET', path, { host: 'shop.example', headers: ['Accept: text/html'] });
    for (const path of ['/errors', '/errors/sign-in', '/sign-in', '/issues']) {
      expect([path, (await ask(path)).body.includes('Notifier')]).toEqual([path, false]);
    }
    const file = join(debian.etc, 'sites-available/shop');
    const site = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      site.replace(/^.*notifier\.conf;$/m, (line) => `${line}\n${secondLine}`),
    );
    await nginx.stop();
    nginx = await debian.start();
    const page = await ask('/errors/sign-in');
    expect([page.status, page.body.includes('href="/errors/')]).toEqual([200, true]);
    expect((await ask('/errors/help')).headers['location']).toBe('/errors/sign-in?next=%2Fhelp');
    for (const path of ['/sign-in', '/errorsome', '/issues']) {
      expect([path, (await ask(path)).body.includes('Notifier')]).toEqual([path, false]);
    }
  });

  it('shows pages on a separate host, without the API', async () => {
    await debian.run(linesOfPage('Workspace'));
    await nginx.stop();
    nginx = await debian.start();
    const ask = (path: string) =>
      send(port, 'GET', path, { host: 'errors.shop.example', headers: ['Accept: text/html'] });
    for (const path of ['/wp-json/notifier/v1', '/api/0/', '/healthz', '/readyz']) {
      expect([path, answerer(await ask(path))]).toEqual([path, 'nginx']);
    }
    // Notifier was told of the folder: on this host it has no pages.
    expect([(await ask('/sign-in')).status, (await ask('/sign-in')).body]).toEqual([404, 'Not found.\n']);
  });
});
