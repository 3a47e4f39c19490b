// Serves only the pages, on a temporary store with a test clock. app.ts opens the whole program.
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Deps } from '../../src/core/deps.ts';
import type { Role } from '../../src/core/store/members.ts';
import type { Declaration } from '../../src/http/pages/declarations.ts';
import { csrfField } from '../../src/web/components/controls.ts';
import { generousOptions } from './readers.ts';
import { throwAwayDatabase } from './throw-away-database.ts';

export const startOfPages = Date.UTC(2026, 10, 21, 12, 0, 0);
export const adminToken = 'a-token-of-the-workspace';

/** A list repeats the field. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A client with one cookie that follows no redirects. */
export interface Browser {
  cookie: string | null;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Posts a form with the same origin; put the CSRF token into `fields`. */
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly setCookie: string | null;
  readonly headers: IncomingHttpHeaders;
}

export interface OpenedPages {
  readonly deps: Deps;
  readonly origin: string;
  advance(ms: number): void;
  browser(host?: string): Browser;
  /** Signs in a new member; `token`: with the workspace token. */
  signedIn(role: Role | 'token', name?: string): Promise<SignedIn>;
  close(): Promise<void>;
}

export interface SignedIn {
  readonly browser: Browser;
  readonly csrf: Record<string, string>;
}

export async function openPages(
  options: {
    readonly env?: Record<string, string>;
    readonly declarations?: readonly Declaration[];
    readonly now?: () => number;
  } = {},
): Promise<OpenedPages> {
  const { default: express } = await import('express');
  const { openDeps } = await import('../../src/app/open-deps.ts');
  const { silentLog } = await import('../../src/app/log.ts');
  const { applyConfiguration: settle } = await import('../../src/core/projects/apply-configuration.ts');
  const { createSessionGuard: createGate } = await import('../../src/http/pages/session-guard.ts');
  const { createPages } = await import('../../src/http/pages/router.ts');
  const { createSignIn } = await import('../../src/http/pages/sign-in.ts');
  const { pageHeaders } = await import('../../src/http/pages/send-text.ts');
  const { readPagesAddress: pagesAddress } = await import('../../src/http/pages/pages-address.ts');
  const { createClientAddressReader: clientAddressReader } = await import(
    '../../src/http/limits/client-address.ts'
  );
  let nowMs = startOfPages;
  const database = await throwAwayDatabase(options.env);
  const env = {
    RATE_LIMITS: 'off',
    ...database.env,
    NOTIFIER_ADMIN_TOKEN: adminToken,
    ...options.env,
  };
  const faults: string[] = [];
  const log = { ...silentLog, error: (fields: object) => void faults.push(JSON.stringify(fields)) };
  const { deps, close } = await openDeps(env, {
    ...(await generousOptions()),
    isUnsynced: true,
    log,
    now: options.now ?? (() => nowMs),
  });
  await settle(deps, () => {});
  const address = pagesAddress(deps.config, deps.userHashKey);
  const sessionGuard = createGate(deps, address);
  const clientAddress = clientAddressReader(deps.config.trustProxy, deps.log);
  const shared = {
    deps,
    sessionGuard,
    address,
    assets: { css: '/a.css', js: '/a.js', icon: '/a.svg' },
    version: '0',
    apiUrl: 'http://api.example',
    clientAddress,
    counts: async () => ({}),
  };
  const app = express();
  app.set('query parser', false);
  app.use(pageHeaders());
  app.use(createSignIn(shared));
  app.use(createPages({ ...shared, declarations: options.declarations ?? [] }));
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    deps,
    origin,
    advance(ms) {
      nowMs += ms;
    },
    browser: (host) => browserAt(origin, host),
    signedIn: (role, name = `The ${role}`) => signedInAt(`${origin}${address.base}`, deps, role, name),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await close();
      database.remove();
      if (faults.length > 0) throw new Error(`Pages failed: ${faults.join('\n')}`);
    },
  };
}

/** `host`: value of the Host header. */
export function browserAt(origin: string, host?: string): Browser {
  const ask = async (
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    body = '',
  ): Promise<Answer> => {
    const sent = { host: host ?? new URL(origin).host, ...headers };
    if (browser.cookie !== null) sent.cookie = browser.cookie;
    const answer = await send(new URL(path, origin), { method, headers: sent }, body);
    const pair = answer.setCookie?.split(';')[0];
    if (pair !== undefined) browser.cookie = pair.endsWith('=') ? null : pair;
    return answer;
  };
  const browser: Browser = {
    cookie: null,
    get: (path, headers = {}) => ask('GET', path, { accept: 'text/html', ...headers }),
    post: (path, fields, headers = { 'sec-fetch-site': 'same-origin' }) =>
      ask(
        'POST',
        path,
        { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        new URLSearchParams(
          Object.entries(fields).flatMap(([name, all]) => [all].flat().map((value) => [name, value])),
        ).toString(),
      ),
  };
  return browser;
}

function send(url: URL, options: RequestOptions, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const { location, 'set-cookie': cookies } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          location: location ?? null,
          setCookie: cookies?.[0] ?? null,
          headers: response.headers,
        });
      });
    });
    request.on('error', reject).end(body);
  });
}

/** Signs in a new member by link, or with the workspace token. */
export async function signedInAt(
  pagesUrl: string,
  deps: Deps,
  role: Role | 'token',
  name: string,
): Promise<SignedIn> {
  const browser = browserAt(new URL(pagesUrl).origin);
  const fields = role === 'token' ? { token: adminToken } : { link: await linkOf(deps, role, name) };
  const answer = await browser.post(`${new URL(pagesUrl).pathname.replace(/\/$/, '')}/sign-in`, fields);
  if (answer.status !== 303) throw new Error(`Signing in was answered ${answer.status}: ${answer.text}`);
  const { csrfTokenFor: csrfTokenOf } = await import('../../src/core/members/sessions.ts');
  return { browser, csrf: { [csrfField]: csrfTokenOf(browser.cookie?.split('=')[1] ?? '') } };
}

async function linkOf(deps: Deps, role: Role, name: string): Promise<string> {
  const { createMemberLink: makeMemberLink } = await import('../../src/core/members/links.ts');
  const { commandLineSource: byCommandLine } = await import('../../src/core/audit/audit.ts');
  const { createMember: addMember } = await import('../../src/core/members/members.ts');
  const member = await addMember(deps, { name, role, email: null }, byCommandLine);
  return (await makeMemberLink(deps, member.id)).token;
}
