// The shipped nginx files as docs/reverse-proxy.md puts them on a fresh Debian, before a real WordPress: who
// answers which address, and what nginx says by itself. Once with the site at the root, once in a folder.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { sampleFile } from '../support/uploads.ts';
import type { RunningProcess } from '../wordpress/record/processes.ts';
import { type DebianNginx, debianNginx, linesOfPage } from './debian-nginx.ts';
import { linesForCdn } from './pages-and-files.ts';
import {
  cdnAddress,
  describeProxy,
  ownErrorPage,
  type ProxySetting,
  proxyTests,
  rootFor,
} from './proxy-tests.ts';
import { answerer, send, sendHead } from './raw-requests.ts';

const sentryCli = resolve(import.meta.dirname, '../../node_modules/.bin/sentry-cli');

describeProxy('nginx with the shipped files', [], ({ site, folder }) => {
  describe.each([
    ['at the root', ''],
    ['in a folder', '/blog'],
  ])('%s', (_, wpPath) => {
    let app: TestApp;
    let nginx: RunningProcess;
    let port: number;
    beforeAll(async () => {
      port = await freePort();
      const env = {
        WP_PATH: wpPath,
        BASE_URL: `http://127.0.0.1:${port}`,
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMITS: 'on',
        RATE_LIMIT_BAD_CREDENTIALS_PER_MINUTE: '1000',
        RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '3',
      };
      app = await openTestApp({ env });
      const notifierPort = Number(new URL(app.origin).port);
      nginx = await (await freshDebian({ site: site(), folder, port, wpPath, notifierPort })).start();
    });
    afterAll(async () => {
      await nginx?.stop();
      await app?.close();
    });

    it('streams an artifact, and buffers other bodies', async () => {
      const arrived: string[] = [];
      const listen = (incoming: { url?: string }): void => {
        arrived.push(incoming.url ?? '');
      };
      app.server.prependListener('request', listen);
      for (const path of ['artifacts', 'store']) {
        const socket = connect(port, '127.0.0.1');
        const head = `POST ${wpPath}/wp-json/notifier/v1/${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{`;
        await new Promise((resolve) => socket.write(head, resolve));
        if (path === 'artifacts') await new Promise((resolve) => socket.once('data', resolve));
        socket.destroy();
      }
      await send(port, 'GET', `${wpPath}/wp-json/notifier/v1`);
      app.server.removeListener('request', listen);
      expect(arrived).toEqual([`${wpPath}/wp-json/notifier/v1/artifacts`, `${wpPath}/wp-json/notifier/v1`]);
    });

    it('accepts requests of sentry-cli at the root of the host, whatever the folder', async () => {
      const upload = mkdtempSync(join(folder, 'upload-'));
      for (const name of ['app.min.js', 'app.min.js.map']) {
        writeFileSync(join(upload, name), sampleFile('esbuild', name));
      }
      const cli = async (...words: string[]): Promise<string> => {
        const { PATH = '' } = process.env;
        const env = { PATH, HOME: upload, SENTRY_ORG: 'any', SENTRY_PROJECT: 'test' };
        const address = { SENTRY_URL: `http://127.0.0.1:${port}/`, SENTRY_AUTH_TOKEN: app.secretKey };
        const options = { cwd: upload, env: { ...env, ...address }, timeout: 50_000 };
        const { stdout, stderr } = await promisify(execFile)(sentryCli, words, options);
        return stdout + stderr;
      };
      const version = 'shop.php@1.0.0+7';
      expect(await cli('info')).toContain('Auth Token');
      expect(await cli('releases', 'new', version)).toContain('Created release');
      expect(await cli('releases', 'list')).toContain(version);
      const words = ['sourcemaps', 'upload', '.', '--release', version, '--url-prefix', '~/assets'];
      expect(await cli(...words)).toMatch(/Uploaded files|File processing complete/);
      expect(await cli('releases', 'finalize', version)).toContain('Finalized');
      const stored = await app.agent
        .get(`${wpPath}/wp-json/notifier/v1/artifacts?release=${encodeURIComponent(version)}`)
        .set('Authorization', `Bearer ${app.secretKey}`);
      expect(stored.body.map((artifact: { name: string }) => artifact.name).sort()).toEqual([
        '~/assets/app.min.js',
        '~/assets/app.min.js.map',
      ]);
    });

    it('leaves other URLs below /api/ to WordPress, and refuses too large a chunk with text', async () => {
      for (const path of ['/api/', '/api/0', '/api/0/internal/health/', '/api/1/organizations/x/']) {
        expect([path, answerer(await send(port, 'GET', path))]).not.toEqual([path, 'notifier']);
        expect((await send(port, 'GET', path)).body).not.toContain('"detail"');
      }
      for (const path of ['/api/0/', '/api/0/organizations/x/releases/', '/api/0/projects/x/y/releases/']) {
        expect([path, (await send(port, 'GET', path)).body]).toEqual([
          path,
          expect.stringContaining('"detail"'),
        ]);
      }
      const path = '/api/0/organizations/x/chunk-upload/';
      const refused = await sendHead(port, path, 40 * 1_048_576);
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
        413,
        {
          code: 'rest_payload_too_large',
          data: { status: 413 },
          detail: expect.stringContaining('34603008'),
        },
      ]);
    });
  });

  proxyTests({
    site,
    folder,
    refusedBytes: 40 * 1_048_576,
    start: async (setting) => (await freshDebian(setting)).start(),
  });
});

async function freshDebian(setting: ProxySetting): Promise<DebianNginx> {
  const { site, folder, port, wpPath, notifierPort } = setting;
  const nginx = debianNginx(folder, port);
  await nginx.run(linesOfPage('Files'));
  const told = await nginx.run(linesOfPage('Fresh Debian'));
  expect(told).toEqual(['apt-get install nginx php-fpm', 'systemctl reload nginx']);
  nginx.set(
    'conf.d/notifier.conf',
    'default "";\n}\n\n# Keep-alive',
    `default "${wpPath}";\n}\n\n# Keep-alive`,
  );
  nginx.set(
    'conf.d/notifier.conf',
    'server 127.0.0.1:8787 max_fails=0;',
    `server 127.0.0.1:${notifierPort};`,
  );
  nginx.set('sites-available/wordpress', 'root /var/www/wordpress;', `root ${rootFor(setting)};`);
  nginx.set('sites-available/wordpress', 'unix:/run/php/php-fpm.sock', `unix:${site.phpSocket}`);
  for (const snippet of ['sentry-cli', 'mcp']) {
    const line = `include snippets/notifier-${snippet}`;
    nginx.set('sites-available/wordpress', `# ${line}`, line);
  }
  if (setting.ownSettings !== undefined) {
    const shared = `proxy_intercept_errors on;
proxy_cache_path ${join(folder, `cache-${port}`)} keys_zone=own:1m;
proxy_cache own;
proxy_cache_valid any 1m;
proxy_ignore_headers Cache-Control Expires Set-Cookie;
`;
    writeFileSync(join(nginx.etc, 'conf.d/own.conf'), shared + linesForCdn('nginx', cdnAddress));
    const own = `error_page 404 429 502 503 504 @own;
  location @own { return 404 "${ownErrorPage}"; }
  location = /own-missing { return 404; }`;
    const ours = 'include snippets/notifier.conf;';
    const both = setting.ownSettings === 'before' ? [own, ours] : [ours, own];
    nginx.set('sites-available/wordpress', ours, both.join('\n  '));
  }
  if (setting.certificate !== undefined) {
    const { file, keyFile } = setting.certificate;
    // For every site: the workspace's is at the same port.
    const lines = `ssl_certificate ${file};\nssl_certificate_key ${keyFile};\n`;
    writeFileSync(join(nginx.etc, 'conf.d/certificate-of-this-test.conf'), lines);
    nginx.set('sites-available/wordpress', `listen 127.0.0.1:${port};`, `listen 127.0.0.1:${port} ssl;`);
  }
  if (setting.pages === true) {
    await nginx.run(linesOfPage('Workspace'));
    nginx.set(
      'sites-available/wordpress',
      'snippets/notifier.conf;',
      'snippets/notifier.conf;\n  include snippets/notifier-pages.conf;',
    );
  }
  return nginx;
}
