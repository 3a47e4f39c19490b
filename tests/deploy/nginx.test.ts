// The shipped nginx files as docs/nginx.md puts them on a fresh Debian, before a real WordPress: who answers
// which address, and what nginx says by itself. Once with the site at the root, once in a folder.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { sampleFile } from '../support/uploads.ts';
import { freePort, type RunningProcess } from '../wordpress/record/processes.ts';
import { startWordPress, type WordPressSite, wordpressPrograms } from '../wordpress/record/site.ts';
import { type DebianNginx, debianNginx, linesOfPage } from './debian-nginx.ts';
import { type Answer, answerer, send, sendHead } from './raw-requests.ts';

/** Forms of one address; `{route}` is written as it stands in each. */
const formsOfOurs = [
  '/wp-json/notifier/v1/store',
  '/wp-json/notifier/v1/store/',
  '//wp-json/notifier/v1/store',
  '///wp-json/notifier/v1/store',
  '/index.php/wp-json/notifier/v1/store',
  '/wp-j%73on/notifier/v1/store',
  '/wp-json/NOTIFIER/V1/STORE',
  '/?rest_route=/notifier/v1/store',
  '/?rest_route=%2Fnotifier%2Fv1%2Fstore',
  '/?rest_route=%2fnotifier%2fv1%2fstore',
  '/?rest_route=/n%6Ftifier/v%31/st%6Fre',
  '/?rest_route=/NOTIFIER/V1/STORE',
  '/?rest%5Froute=/notifier/v1/store',
  '/?rest.route=/notifier/v1/store',
  '/?a=1&rest_route=/notifier/v1/store&b=2',
  '/index.php?rest_route=/notifier/v1/store',
  '/index.php?rest_route=%2Fnotifier%2Fv1%2Fstore',
  '/some/page/?rest_route=/notifier/v1/store',
  '/some/page?rest_route=%2Fnotifier%2Fv1%2Fstore',
  '/wp-json/wp/v2/types?rest_route=/notifier/v1/store',
  '/?rest_route=/wp/v2/types&rest_route=/notifier/v1/store',
  '/?rest_route=/wp/v2/types&rest_route=%2Fnotifier%2Fv1%2Fstore',
  '/wp-json/notifier/v1/artifacts/../store?rest_route=/notifier/v1/store',
];

/** In the namespace, but no route: the path inside is taken as it was sent. */
const formsWithoutRoute = [
  '/wp-json//notifier/v1/store',
  '/wp-json/notifier%2Fv1/store',
  '/wp-json/notifier/v1/st%6Fre',
  '/wp-json/notifier/v1//store',
  '/?rest_route=//notifier/v1/store',
  '/wp-json/x/../notifier/v1/store',
];

const formsOfWordPress = [
  '/wp-json/',
  '/wp-json',
  '/wp-json/wp/v2/types',
  '/wp-json/notifier/v10',
  '/wp-json/notifier/v10/store',
  '/wp-json/notifier',
  '/WP-JSON/notifier/v1/store',
  '/index.php/wp-json/wp/v2/types',
  '/?rest_route=/wp/v2/types',
  '/?rest_route=/notifier/v10/store',
  '/?rest_route=/notifier/v1/store&rest_route=/wp/v2/types',
  '/?rest_route=/notifier/v1/store&rest_route[]=x',
  '/wp-json/notifier/v1/store?rest_route=/wp/v2/types',
  '/?xrest_route=/notifier/v1/store',
  '/?REST_ROUTE=/notifier/v1/store',
  '/?q=rest_route=/notifier/v1/store',
  '/some/page/wp-json/notifier/v1/store',
  '/wp-login.php?rest_route=/notifier/v1/store',
  '/',
  '/some/page/',
  '/?p=1',
  '/notifier/v1/store',
];

const sentryCli = resolve(import.meta.dirname, '../../node_modules/.bin/sentry-cli');

describeWithPrograms('nginx with the shipped files', [...wordpressPrograms, 'bash'], () => {
  let site: WordPressSite;
  const folder = mkdtempSync(join(tmpdir(), 'notifier-nginx-'));
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    site = await startWordPress();
  }, 120_000);
  afterAll(async () => {
    await site?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

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
      nginx = await (await freshDebian(site, folder, port, wpPath, new URL(app.origin).port)).start();
    }, 60_000);
    afterAll(async () => {
      await nginx?.stop();
      await app?.close();
    });

    it('sends every form of the namespace to us, and we read each as WordPress would', async () => {
      const wrong: string[] = [];
      for (const form of formsOfOurs) {
        const answer = await send(port, 'OPTIONS', wpPath + form);
        const isDescribed = answer.body.startsWith('{"namespace":"notifier\\/v1","methods":["POST"],');
        if (answerer(answer) !== 'notifier' || !isDescribed) {
          wrong.push(`${form}: ${answerer(answer)} ${answer.status} ${answer.body.slice(0, 200)}`);
        }
      }
      expect(wrong).toEqual([]);
    });

    it('answers what is no route in the namespace as WordPress answers it', async () => {
      for (const form of formsWithoutRoute) {
        const answer = await send(port, 'POST', wpPath + form);
        expect([form, answer.status, answerer(answer)]).toEqual([form, 404, 'notifier']);
        const theirs = await send(Number(new URL(site.origin).port), 'POST', form);
        expect([form, theirs.body]).toEqual([form, expect.stringContaining(answer.body)]);
      }
    });

    it('leaves WordPress what is its own', async () => {
      const wrong: string[] = [];
      for (const form of formsOfWordPress) {
        const answer = await send(port, 'GET', wpPath + form);
        if (answerer(answer) !== 'WordPress' || answer.status > 500) {
          wrong.push(`${form}: ${answerer(answer)} ${answer.status} ${answer.body.slice(0, 200)}`);
        }
      }
      expect(wrong).toEqual([]);
      const types = await send(port, 'GET', `${wpPath}/wp-json/wp/v2/types`);
      expect(types.status).toBe(200);
      expect(types.body).toContain('"slug":"post"');
    });

    it('shows neither our own pages nor the places inside', async () => {
      for (const path of ['/healthz', '/readyz', '/metrics', '/notifier-inside/routes']) {
        expect([path, answerer(await send(port, 'GET', path))]).not.toEqual([path, 'notifier']);
      }
    });

    it('stores an event, and tells us who sent it whatever X-Forwarded-For says', async () => {
      const store = (from: string, forwarded: string): Promise<Answer> =>
        send(port, 'POST', `${wpPath}/wp-json/notifier/v1/store`, {
          from,
          headers: [
            `X-Notifier-Key: ${app.publicKey}`,
            'Content-Type: application/json',
            `X-Forwarded-For: ${forwarded}`,
            'Forwarded: for=198.51.100.7',
          ],
          body: '{"message":"lost a wheel","platform":"php"}',
        });
      const statuses: number[] = [];
      for (const last of [1, 2, 3, 4, 5]) {
        statuses.push((await store('127.0.0.2', `203.0.113.${last}`)).status);
      }
      // Five spoofed addresses, one real one: the limit of three counts the real one.
      expect(statuses).toEqual([201, 201, 201, 429, 429]);
      // Another real address has a count of its own, whatever it says.
      expect((await store('127.0.0.3', '127.0.0.2')).status).toBe(201);
    });

    it('answers a body over its own limit in the shape of the API', async () => {
      const declared = 200 * 1_048_576;
      const refused = await sendHead(port, `${wpPath}/wp-json/notifier/v1/artifacts`, declared);
      expect(refused.status).toBe(400);
      expect(refused.headers['content-type']).toBe('application/json; charset=UTF-8');
      expect(refused.headers['access-control-allow-origin']).toBe('https://shop.example');
      expect(JSON.parse(refused.body)).toMatchObject({
        code: 'rest_payload_too_large',
        data: { status: 400 },
      });
      const door = await sendHead(port, `${wpPath}/wp-json/notifier/v1/api/1/envelope/`, declared);
      expect(door.status).toBe(413);
      expect(JSON.parse(door.body)).toMatchObject({ code: 'rest_payload_too_large', data: { status: 413 } });
      const byQuery = await sendHead(port, `${wpPath}/?rest_route=/notifier/v1/api/1/store/`, declared);
      expect(byQuery.status).toBe(413);
      // Below its limit the answer is ours: 1 MiB for /store.
      const ours = await sendHead(port, `${wpPath}/wp-json/notifier/v1/store`, 6 * 1_048_576, app.publicKey);
      expect(JSON.parse(ours.body)).toMatchObject({ code: 'rest_payload_too_large', data: { status: 400 } });
      expect(answerer(ours)).toBe('notifier');
    });

    it('brings our refusal back although the body is still coming', async () => {
      const length = 40 * 1_048_576;
      const refused = await sendHead(port, `${wpPath}/wp-json/notifier/v1/artifacts`, length, 'pk_wrong');
      expect(refused.status).toBe(401);
      expect(JSON.parse(refused.body)).toMatchObject({ code: 'rest_forbidden' });
    });

    it('passes an artifact on while it comes, and keeps other bodies until they are whole', async () => {
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

    it('G16: takes what sentry-cli sends, at the root of the host whatever the folder', async () => {
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

    it('G16: leaves WordPress what else lies below /api/, and refuses too large a chunk with words', async () => {
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

    it('answers in the shape of the API when we are stopped, and the site goes on', async () => {
      const stopped = await freePort();
      const portToo = await freePort();
      const second = await (await freshDebian(site, folder, portToo, wpPath, String(stopped))).start();
      try {
        for (const form of [
          `${wpPath}/wp-json/notifier/v1/store`,
          `${wpPath}/?rest_route=/notifier/v1/api/1/envelope/`,
          '/api/0/organizations/any/releases/',
        ]) {
          const answer = await send(portToo, 'POST', form, {
            headers: ['Origin: https://shop.example'],
          });
          expect(answer.status).toBe(503);
          expect(answer.body).toBe(
            '{"code":"rest_unavailable","message":"The service is temporarily unavailable.","data":{"status":503,"retry_after":5}}',
          );
          expect(answer.headers).toMatchObject({
            'content-type': 'application/json; charset=UTF-8',
            'retry-after': '5',
            'access-control-allow-origin': 'https://shop.example',
            'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
            'access-control-expose-headers': expect.stringContaining('Retry-After'),
            vary: 'Origin',
          });
        }
        const types = await send(portToo, 'GET', `${wpPath}/wp-json/wp/v2/types`);
        expect(types.status).toBe(200);
      } finally {
        await second.stop();
      }
    });
  });
});

/**
 * A fresh Debian after the steps of the page, the settings of the files filled in, and the line for
 * sentry-cli.
 */
async function freshDebian(
  site: WordPressSite,
  folder: string,
  port: number,
  wpPath: string,
  notifierPort: string,
): Promise<DebianNginx> {
  const nginx = debianNginx(folder, port);
  await nginx.run(linesOfPage('The files'));
  const told = await nginx.run(linesOfPage('A fresh Debian'));
  expect(told).toEqual(['apt-get install nginx php-fpm', 'systemctl reload nginx']);
  nginx.set(
    'conf.d/notifier.conf',
    'default "";\n}\n\n# Keep-alive',
    `default "${wpPath}";\n}\n\n# Keep-alive`,
  );
  nginx.set('conf.d/notifier.conf', 'server 127.0.0.1:8787;', `server 127.0.0.1:${notifierPort};`);
  nginx.set(
    'sites-available/wordpress',
    'root /var/www/wordpress;',
    `root ${rootFor(site, folder, port, wpPath)};`,
  );
  nginx.set('sites-available/wordpress', 'unix:/run/php/php-fpm.sock', `unix:${site.phpSocket}`);
  nginx.set(
    'sites-available/wordpress',
    '# include snippets/notifier-sentry-cli',
    'include snippets/notifier-sentry-cli',
  );
  return nginx;
}

/** The folder that holds WordPress, or one where it lies in a folder. */
function rootFor(site: WordPressSite, folder: string, port: number, wpPath: string): string {
  if (wpPath === '') return site.root;
  const root = join(folder, `below-${port}`);
  mkdirSync(root);
  symlinkSync(site.root, join(root, wpPath));
  return root;
}
