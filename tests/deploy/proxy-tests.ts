// What holds behind every proxy whose files we ship, whichever it is: who answers which address, whose
// address counts, how large a body may be, and what is said while we are away. Once at the root, once in a
// folder.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyConfiguration } from '../../src/core/projects/apply-configuration.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithPrograms, programPath } from '../support/needs.ts';
import { adminToken } from '../support/pages.ts';
import { startProgram } from '../support/program.ts';
import type { RunningProcess } from '../wordpress/record/processes.ts';
import { startWordPress, type WordPressSite, wordpressPrograms } from '../wordpress/record/site.ts';
import { formsOfOurs, formsOfWordPress, formsWithoutRoute } from './forms.ts';
import { type Answer, answerer, send, sendHead } from './raw-requests.ts';
import { answersTo, smugglingCases } from './smuggling.ts';

export interface ProxySetting {
  readonly site: WordPressSite;
  readonly folder: string;
  /** Where the proxy listens. */
  readonly port: number;
  readonly wpPath: string;
  readonly notifierPort: number;
  /** With the lines for the workspace: in the folder /errors of shop.example, and at errors.shop.example. */
  readonly pages?: boolean;
  /**
   * In a site that has `ownSettings` before or behind the lines for Notifier: an error page for whatever its
   * backends answer, met at /own-missing, and a CDN at `cdnAddress`, as the page says.
   */
  readonly ownSettings?: 'before' | 'behind';
  /** Speaks TLS at its port, for shop.example. */
  readonly certificate?: Certificate;
}

/** Files of a certificate that was made for a test. */
export interface Certificate {
  readonly file: string;
  readonly keyFile: string;
}

export interface UnderTest {
  site(): WordPressSite;
  readonly folder: string;
  /** The largest body during which a refusal of ours still comes back. */
  readonly refusedBytes: number;
  /** Sets the proxy up as its page says, with the line for sentry-cli, and starts it. */
  start(setting: ProxySetting): Promise<RunningProcess>;
}

/** Where the CDN of a site with `ownSettings` asks from, and what that site's error page says. */
export const cdnAddress = '127.0.0.9';
export const ownErrorPage = 'the site’s own error page';

const origin = 'Origin: https://shop.example';
const json = 'Content-Type: application/json';

/** Where the tests of a proxy run: a WordPress, and a folder for what they make. */
interface Before {
  site(): WordPressSite;
  readonly folder: string;
}

/** Describes a proxy before a real WordPress, where `programs` are there. */
export function describeProxy(
  name: string,
  programs: readonly string[],
  tests: (before: Before) => void,
): void {
  describeWithPrograms(name, [...wordpressPrograms, ...programs, 'bash', 'openssl'], () => {
    let site: WordPressSite;
    const folder = mkdtempSync(join(tmpdir(), 'notifier-proxy-'));
    beforeAll(async () => {
      chmodSync(folder, 0o755);
      site = await startWordPress();
    });
    afterAll(async () => {
      await site?.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    tests({ site: () => site, folder });
  });
}

/** Made by itself, for a day. */
function makeCertificate(folder: string, port: number): Certificate {
  const [file, keyFile] = ['crt', 'key'].map((end) => join(folder, `shop-${port}.${end}`)) as [
    string,
    string,
  ];
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=shop.example';
  const names = ['-addext', 'subjectAltName=DNS:shop.example', '-out', file, '-keyout', keyFile];
  execFileSync(programPath('openssl') ?? 'openssl', [...words.split(' '), ...names], { stdio: 'ignore' });
  return { file, keyFile };
}

/** The tests, for a describe of the caller's. */
export function proxyTests({ site, folder, refusedBytes, start }: UnderTest): void {
  describe.each([
    ['at the root', ''],
    ['in a folder', '/blog'],
  ])('%s', (_, wpPath) => {
    let app: TestApp;
    let proxy: RunningProcess;
    let port: number;
    const arrived: string[] = [];
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
      app.server.prependListener('request', (incoming) => arrived.push(incoming.url ?? ''));
      const notifierPort = Number(new URL(app.origin).port);
      proxy = await start({ site: site(), folder, port, wpPath, notifierPort });
    });
    afterAll(async () => {
      await proxy?.stop();
      await app?.close();
    });

    it('sends every form of the namespace to us, and we read each as WordPress would', async () => {
      const wrong: string[] = [];
      for (const form of formsOfOurs) {
        const answer = await send(port, 'OPTIONS', wpPath + form);
        const isDescribed = answer.body.includes('{"namespace":"notifier\\/v1","methods":["POST"],');
        if (answerer(answer) !== 'notifier' || !isDescribed || !arrived.includes(wpPath + form)) {
          wrong.push(
            `${form}: ${answerer(answer)} ${answer.status} ${answer.body.slice(0, 200)} ${arrived.at(-1)}`,
          );
        }
      }
      expect(wrong).toEqual([]);
    });

    it('answers an unknown route in the namespace as WordPress does', async () => {
      for (const form of formsWithoutRoute) {
        const answer = await send(port, 'POST', wpPath + form);
        const theirs = await send(Number(new URL(site().origin).port), 'POST', form);
        expect([form, answer.status]).toEqual([form, 404]);
        expect([form, theirs.body]).toEqual([form, expect.stringContaining(answer.body.trim())]);
      }
    });

    it('leaves other URLs to WordPress', async () => {
      const wrong: string[] = [];
      for (const form of formsOfWordPress) {
        const answer = await send(port, 'GET', wpPath + form);
        if (answerer(answer) !== 'WordPress' || answer.status > 500) {
          wrong.push(`${form}: ${answerer(answer)} ${answer.status} ${answer.body.slice(0, 200)}`);
        }
      }
      expect(wrong).toEqual([]);
      const types = await send(port, 'GET', `${wpPath}/wp-json/wp/v2/types`);
      expect(types).toHaveStatus(200);
      expect(types.body).toContain('"slug":"post"');
    });

    it('shows no page of Notifier', async () => {
      for (const path of ['/healthz', '/readyz', '/livez', '/metrics', '/sign-in', '/demo', '/errors']) {
        expect([path, answerer(await send(port, 'GET', path))]).not.toEqual([path, 'notifier']);
      }
      expect(arrived.filter((path) => /healthz|readyz|livez|metrics|sign-in|demo|errors/.test(path))).toEqual(
        [],
      );
    });

    it('passes on /mcp, and nothing else of that name', async () => {
      const answer = await send(port, 'POST', '/mcp', { headers: ['Content-Type: application/json'] });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(answer.body).toContain('{"jsonrpc":"2.0","error":{');
      const arrivedBefore = arrived.length;
      for (const path of ['/mcp/', '/mcpx', '/x/mcp', '/mcp.php']) await send(port, 'POST', path);
      expect(arrived.slice(arrivedBefore)).toEqual([]);
    });

    it('passes on a slash in the name of a release as it was sent', async () => {
      const path = `${wpPath}/wp-json/notifier/v1/releases/shop%2F1.0`;
      await send(port, 'GET', path);
      await send(port, 'GET', '/api/0/organizations/x/releases/shop%2F1.0/');
      expect(arrived.slice(-2)).toEqual([path, '/api/0/organizations/x/releases/shop%2F1.0/']);
    });

    it('stores an event with the IP address of its sender, whatever X-Forwarded-For says', async () => {
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
      expect(await store('127.0.0.3', '127.0.0.2')).toHaveStatus(201);
    });

    it('passes on no other forged header', async () => {
      let seen: Record<string, unknown> = {};
      app.server.prependOnceListener('request', ({ headers }) => {
        seen = headers;
      });
      const made = [
        'X-Forwarded-Host: evil',
        'Forwarded: host=evil',
        'X-Forwarded-Proto: gopher',
        'X-Forwarded-For: 9.9.9.9',
      ];
      await send(port, 'GET', `${wpPath}/?rest_route=/notifier/v1`, { headers: made, host: 'shop.example' });
      expect(seen).toMatchObject({
        host: 'shop.example',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
      });
      expect([seen['x-forwarded-host'], seen['forwarded']]).toEqual([undefined, undefined]);
    });

    it('answers a body over its own limit in the shape of the API', async () => {
      const declared = 200 * 1_048_576;
      const refused = await sendHead(port, `${wpPath}/wp-json/notifier/v1/artifacts`, declared);
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
        400,
        { code: 'rest_payload_too_large', data: { status: 400 } },
      ]);
      expectReadable(refused);
      for (const door of [
        `${wpPath}/wp-json/notifier/v1/api/1/envelope/`,
        `${wpPath}/?rest_route=/notifier/v1/api/1/store/`,
      ]) {
        const answer = await sendHead(port, door, declared);
        expect([door, answer.status, JSON.parse(answer.body)]).toMatchObject([
          door,
          413,
          { code: 'rest_payload_too_large', data: { status: 413 } },
        ]);
      }
      const chunks = await sendHead(port, '/api/0/organizations/x/chunk-upload/', 40 * 1_048_576);
      expect([chunks.status, JSON.parse(chunks.body)]).toMatchObject([
        413,
        { code: 'rest_payload_too_large', detail: expect.stringContaining('34603008') },
      ]);
      // Below its limit the answer is ours: 1 MiB for /store.
      const ours = await sendHead(port, `${wpPath}/wp-json/notifier/v1/store`, 6 * 1_048_576, app.publicKey);
      expect(JSON.parse(ours.body)).toMatchObject({ code: 'rest_payload_too_large', data: { status: 400 } });
    });

    it('returns a refusal although the body is still being sent', async () => {
      const path = `${wpPath}/wp-json/notifier/v1/artifacts`;
      const refused = await sendHead(port, path, refusedBytes, 'pk_wrong');
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([401, { code: 'rest_forbidden' }]);
    });

    it('row 15: shows us no request that its sender was not answered', async () => {
      const wrong: string[] = [];
      let ways = 0;
      // Two honest ones in a row are two: what is counted here can be seen at all.
      const honestOne = `GET ${wpPath}/wp-json/notifier/v1 HTTP/1.1\r\nHost: a\r\n\r\n`;
      arrived.length = 0;
      expect([await answersTo(port, wpPath, honestOne + honestOne), arrived.length]).toEqual([3, 3]);
      for (const [name, bytes] of smugglingCases(wpPath)) {
        ways += 1;
        arrived.length = 0;
        const count = await answersTo(port, wpPath, bytes);
        if (arrived.length > count) wrong.push(`${name}: ${arrived.length} requests, ${count} answers`);
        const honest = await send(port, 'OPTIONS', `${wpPath}/wp-json/notifier/v1/store`);
        if (!honest.body.includes('"methods":["POST"]')) wrong.push(`${name}: ${honest.status} for the next`);
      }
      expect(wrong).toEqual([]);
      process.stderr.write(
        `F12: ${ways} ways of smuggling, none brought a request that nobody was answered\n`,
      );
    });
  });

  it('shows pages only where the configuration has a line for them', async () => {
    const port = await freePort();
    const app = await openTestApp({ env: { PAGES_URL: 'http://shop.example/errors' } });
    const notifierPort = Number(new URL(app.origin).port);
    const proxy = await start({ site: site(), folder, port, wpPath: '', notifierPort, pages: true });
    const ask = (host: string, path: string): Promise<Answer> =>
      send(port, 'GET', path, { host, headers: ['Accept: text/html'] });
    try {
      const page = await ask('shop.example', '/errors/sign-in');
      expect([page.status, page.body.includes('href="/errors/')]).toEqual([200, true]);
      expect((await ask('shop.example', '/errors/help')).headers['location']).toBe(
        '/errors/sign-in?next=%2Fhelp',
      );
      for (const path of ['/sign-in', '/errorsome', '/issues']) {
        expect([path, (await ask('shop.example', path)).body.includes('Notifier')]).toEqual([path, false]);
      }
      for (const path of ['/wp-json/notifier/v1', '/api/0/', '/healthz', '/readyz', '//healthz']) {
        const answer = await ask('errors.shop.example', path);
        expect([path, answer.status, answerer(answer)]).not.toEqual([path, 200, 'notifier']);
        expect([path, answer.status]).toEqual([path, 404]);
      }
      // Notifier was told of the folder: on this host it has no pages.
      expect((await ask('errors.shop.example', '/sign-in')).body).toBe('Not found.\n');
    } finally {
      await proxy.stop();
      await app.close();
    }
  });

  it.each(['before', 'behind'] as const)(
    'keeps the error pages and CDN settings of a site %s our lines, and passes on our answers',
    async (ownSettings) => {
      const port = await freePort();
      const env = {
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMITS: 'on',
        RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '1',
      };
      const app = await openTestApp({ env });
      let closing: Promise<void> | null = null;
      const close = (): Promise<void> => {
        closing ??= app.close();
        return closing;
      };
      const arrived: Array<Record<string, unknown>> = [];
      app.server.prependListener('request', ({ headers }) => arrived.push(headers));
      const notifierPort = Number(new URL(app.origin).port);
      const proxy = await start({ site: site(), folder, port, wpPath: '', notifierPort, ownSettings });
      const host = `shop.example:${port}`;
      const store = (from: string, currentUser: string): Promise<Answer> =>
        send(port, 'POST', '/wp-json/notifier/v1/store', {
          from,
          host,
          headers: [`X-Notifier-Key: ${app.publicKey}`, json, origin, `CF-Connecting-IP: ${currentUser}`],
          body: '{"message":"m"}',
        });
      const expectOwnPages = async (): Promise<void> =>
        expect(await send(port, 'GET', '/own-missing', { host })).toMatchObject({
          status: 404,
          body: expect.stringContaining(ownErrorPage),
        });
      try {
        expect(await store(cdnAddress, '203.0.113.7')).toHaveStatus(201);
        expect(arrived.at(-1)).toMatchObject({ host, 'x-forwarded-for': '203.0.113.7' });
        const refused = await store(cdnAddress, '203.0.113.7');
        expect([refused.status, JSON.parse(refused.body).code]).toEqual([429, 'rest_too_many_requests']);
        expect(refused.headers).toMatchObject({
          'ratelimit-policy': expect.any(String),
          'x-sentry-rate-limits': expect.any(String),
          'retry-after': String(JSON.parse(refused.body).data.retry_after),
        });
        expect(await store(cdnAddress, '203.0.113.8')).toHaveStatus(201);
        // Who is no CDN is believed nothing.
        expect(await store('127.0.0.2', '203.0.113.9')).toHaveStatus(201);
        expect(arrived.at(-1)).toMatchObject({ 'x-forwarded-for': '127.0.0.2' });
        for (const repeat of [1, 2]) {
          const unknown = await send(port, 'GET', '/wp-json/notifier/v1/nothing', { host });
          expect([repeat, unknown.status, JSON.parse(unknown.body).code]).toEqual([
            repeat,
            404,
            'rest_no_route',
          ]);
          expect(arrived).toHaveLength(4 + repeat);
        }
        await expectOwnPages();
        await close();
        expectAway(await store(cdnAddress, '203.0.113.8'));
        await expectOwnPages();
      } finally {
        await proxy.stop();
        await close();
      }
    },
  );

  it('terminates TLS: routes have https URLs, and cookies are Secure', async () => {
    const port = await freePort();
    const app = await openTestApp({
      domains: ['shop.example'],
      env: {
        BASE_URL: 'https://shop.example',
        PAGES_URL: 'https://shop.example/errors',
        TRUST_PROXY: '127.0.0.1',
        NOTIFIER_ADMIN_TOKEN: adminToken,
      },
    });
    await applyConfiguration(app.deps, () => undefined);
    const schemes: unknown[] = [];
    app.server.prependListener('request', ({ headers }) => schemes.push(headers['x-forwarded-proto']));
    const notifierPort = Number(new URL(app.origin).port);
    const certificate = makeCertificate(folder, port);
    const setting = { site: site(), folder, port, wpPath: '', notifierPort, pages: true, certificate };
    const proxy = await start(setting);
    const shown = readFileSync(certificate.file, 'utf8');
    const ask = (method: string, path: string, headers: readonly string[] = [], body = ''): Promise<Answer> =>
      send(port, method, path, { host: 'shop.example', certificate: shown, headers, body });
    try {
      const described = await ask('OPTIONS', '/wp-json/notifier/v1/store');
      expect([described.status, answerer(described)]).toEqual([200, 'notifier']);
      const key = `X-Notifier-Key: ${app.publicKey}`;
      const stored = await ask(
        'POST',
        '/?rest_route=/notifier/v1/store',
        [key, origin, json],
        '{"message":"m"}',
      );
      expect([stored.status, JSON.parse(stored.body)]).toMatchObject([201, { accepted: true }]);
      const types = await ask('GET', '/wp-json/wp/v2/types');
      expect([types.status, answerer(types)]).toEqual([200, 'WordPress']);
      const form = ['Content-Type: application/x-www-form-urlencoded', 'Sec-Fetch-Site: same-origin'];
      // What a visitor says of the scheme is not believed.
      const said = 'X-Forwarded-Proto: http';
      const signedIn = await ask('POST', '/errors/sign-in', [...form, said], `token=${adminToken}`);
      expect(signedIn.headers['set-cookie']).toMatch(
        /^__Secure-notifier_session_[0-9a-f]{8}=.*; HttpOnly; .*Secure/,
      );
      expect([...new Set(schemes)]).toEqual(['https']);
      await expect(send(port, 'GET', '/', { host: 'other.example', certificate: shown })).rejects.toThrow();
    } finally {
      await proxy.stop();
      await app.close();
    }
  });

  it('passes on a stream without buffering', async () => {
    const port = await freePort();
    const streaming = createServer((_, response) => {
      // As src/http/pages/live-stream.ts does.
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'X-Accel-Buffering': 'no',
      });
      response.write('data: first\n\n');
    });
    await new Promise<void>((listening) => streaming.listen(0, '127.0.0.1', listening));
    const notifierPort = (streaming.address() as AddressInfo).port;
    const proxy = await start({ site: site(), folder, port, wpPath: '', notifierPort });
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/wp-json/notifier/v1/store`);
      const reader = answer.body?.getReader();
      // The answer has not ended, and never will.
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: first\n\n');
      await reader?.cancel();
    } finally {
      await proxy.stop();
      streaming.closeAllConnections();
      await new Promise((closed) => streaming.close(closed));
    }
  });

  it('answers in the shape of the API while Notifier is down; no accepted event is lost', async () => {
    const [port, notifierPort] = [await freePort(), await freePort()];
    const key = 'pk_restarted';
    const env = {
      PORT: String(notifierPort),
      DATABASE_URL: `sqlite:${join(folder, `restarted-${port}.db`)}`,
      NOTIFIER_PUBLIC_KEY: key,
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    };
    let program = await startProgram(env);
    const proxy = await start({ site: site(), folder, port, wpPath: '', notifierPort });
    const accepted: string[] = [];
    const statuses = new Set<number>();
    const report = async (message: string): Promise<Answer> => {
      const headers = [`X-Notifier-Key: ${key}`, 'Content-Type: application/json', origin];
      const body = JSON.stringify({ message, platform: 'php' });
      const answer = await send(port, 'POST', '/wp-json/notifier/v1/store', { headers, body });
      statuses.add(answer.status);
      if (answer.status === 201) accepted.push(JSON.parse(answer.body).event_id);
      else expectAway(answer);
      return answer;
    };
    try {
      expect(await report('before')).toHaveStatus(201);
      let isOver = false;
      const load = [1, 2, 3].map(async (lane) => {
        for (let count = 0; !isOver; count += 1) await report(`lane ${lane} ${count}`);
      });
      expect(await program.end()).toBe(0);
      // While nobody listens: by path, by query, and for sentry-cli.
      for (const form of [
        '/wp-json/notifier/v1/store',
        '/?rest_route=/notifier/v1/api/1/envelope/',
        '/api/0/organizations/any/releases/',
      ]) {
        expectAway(await send(port, 'POST', form, { headers: [origin] }));
      }
      expect(await send(port, 'GET', '/wp-json/wp/v2/types')).toHaveStatus(200);
      program = await startProgram(env);
      expect(await report('after')).toHaveStatus(201);
      isOver = true;
      await Promise.all(load);
      expect([...statuses].filter((status) => ![201, 502, 503].includes(status))).toEqual([]);
      expect(await stored(program.origin, key, accepted)).toEqual(accepted.length);
    } finally {
      await proxy.stop();
      await program.end();
    }
  });
}

/**
 * How many of the events are known: a repeat is answered 200 or 201 with the same event, and counted once.
 */
async function stored(address: string, key: string, ids: readonly string[]): Promise<number> {
  let known = 0;
  for (const eventId of ids) {
    const answer = await fetch(`${address}/wp-json/notifier/v1/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ event_id: eventId, message: 'asked again', platform: 'php' }),
    });
    const again = (await answer.json()) as { event_id: string };
    if (again.event_id === eventId) known += 1;
  }
  return known;
}

function expectAway(answer: Answer): void {
  expect([502, 503]).toContain(answer.status);
  expect(JSON.parse(answer.body)).toMatchObject({
    code: 'rest_unavailable',
    data: { status: answer.status },
  });
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  expectReadable(answer);
}

/** A page of another origin can read it. */
function expectReadable(answer: Answer): void {
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=UTF-8',
    'access-control-allow-origin': 'https://shop.example',
    'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'access-control-expose-headers': expect.stringContaining('Retry-After'),
    vary: expect.stringContaining('Origin'),
  });
}

/** The folder that holds WordPress, or one where it lies in a folder. */
export function rootFor({ site, folder, port, wpPath }: ProxySetting): string {
  if (wpPath === '') return site.root;
  const root = join(folder, `below-${port}`);
  mkdirSync(root);
  symlinkSync(site.root, join(root, wpPath));
  return root;
}
