import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import { csrfField } from '../../../src/web/components/controls.ts';
import { allOrSome, isNightly, nightlyOrFull } from '../../support/test-level.ts';
import { crawlDemo } from './crawl.ts';
import { type DemoApp, openDemoApp } from './demo-app.ts';

let app: DemoApp;
let pages: readonly string[];
let offered: readonly string[];
let digestBefore: string;
beforeAll(async () => {
  app = await openDemoApp();
  digestBefore = app.databaseDigest();
  const isEnough = (reached: number): boolean => !isNightly && reached >= 100;
  const paths = [...(await crawlDemo(app, '/demo', 1, isEnough)).reached.keys()];
  pages = allOrSome(paths, 16);
  const acts = paths.flatMap((path) => new URL(path, app.origin).searchParams.get('act') ?? []);
  offered = [...new Set(acts)];
});
afterAll(() => app?.close());

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const odd = {
  'x-http-method-override': 'DELETE',
  'x-http-method': 'POST',
  'x-method-override': 'PUT',
  'sec-fetch-site': 'cross-site',
  origin: 'https://evil.example',
  cookie: 'session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA; theme=x',
  authorization: 'Bearer ntf_sk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'x-notifier-key': 'ntf_pk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'x-forwarded-for': '192.0.2.7',
};
/** What forms of the workspace hold, whichever reads it. */
const fields = new URLSearchParams({
  [csrfField]: 'x',
  _method: 'DELETE',
  sure: 'yes',
  name: 'x',
  do: 'resolve',
  id: '64',
  issue_id: '64',
  role: 'admin',
  state: 'resolved',
  text: 'x',
  domain: 'x.example',
  project_id: '1',
}).toString();
const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function expectRefused(path: string, method: string, headers = {}, body?: string): Promise<string[]> {
  const answer = await app.ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
  const { allow, 'set-cookie': cookie } = answer.headers;
  const isRefused = answer.status === 405 && allow === 'GET, HEAD' && cookie === undefined;
  return isRefused ? [] : [`${method} ${path}: ${answer.status}, ${allow}, ${cookie}`];
}

describe('every attempt to change something', () => {
  it.each(methods)('%s of any page is refused', async (method) => {
    const taken: string[] = [];
    for (const path of pages) {
      const body = ['OPTIONS', 'TRACE'].includes(method) ? undefined : fields;
      taken.push(...(await expectRefused(path, method, body === undefined ? {} : form, body)));
    }
    expect(taken).toEqual([]);
  });

  it('each action of the workspace is refused, with its form', async () => {
    const acts = workspacePages().flatMap(({ kind, path }) => (kind === 'act' ? [path] : []));
    expect(acts.length).toBeGreaterThan(30);
    const taken: string[] = [];
    for (const act of acts) {
      const path = `/demo${act.replaceAll(/\{[^}]+\}/g, '1')}`;
      for (const headers of [
        form,
        { ...form, ...odd, 'sec-fetch-site': 'same-origin', origin: app.origin },
      ]) {
        taken.push(...(await expectRefused(path, 'POST', headers, fields)));
      }
    }
    expect(taken).toEqual([]);
  });

  it('each action of a form in the demo is refused', async () => {
    expect(offered.length).toBeGreaterThan(nightlyOrFull(15, 2));
    const taken: string[] = [];
    for (const act of offered) taken.push(...(await expectRefused(`/demo${act}`, 'POST', form, fields)));
    expect(taken).toEqual([]);
  });

  it('sign-in pages of the workspace do not exist', async () => {
    const statuses: string[] = [];
    for (const path of ['/sign-in', '/sign-out', '/account']) {
      const read = await app.ask(`/demo${path}?token=x`);
      statuses.push(`${path} ${read.status} ${read.headers['set-cookie']}`);
      statuses.push(...(await expectRefused(`/demo${path}`, 'POST', form, fields)));
    }
    expect(statuses).toEqual(['/sign-in', '/sign-out', '/account'].map((path) => `${path} 404 undefined`));
  });

  it('a method in lower case is refused', async () => {
    for (const method of ['post', 'delete', 'Put']) {
      const said = await raw(
        `${method} /demo/issues HTTP/1.1\r\nHost: demo.example\r\nConnection: close\r\n\r\n`,
      );
      expect(said).toMatch(/^HTTP\/1\.1 4(00|05) /);
      expect(said).not.toMatch(/set-cookie/i);
    }
  });

  it('unusual headers and parameters do not change answers, and set no cookie', async () => {
    const other: string[] = [];
    for (const path of pages) {
      const plain = await app.ask(path);
      const oddly = await app.ask(path, { headers: odd });
      if (oddly.status !== plain.status || oddly.text !== plain.text) other.push(`${path}, odd headers`);
      const sign = path.includes('?') ? '&' : '?';
      const asked = await app.ask(`${path}${sign}_method=DELETE&method=POST&%5F%5Fproto%5F%5F=1`);
      if (asked.status !== 200) other.push(`${path}, odd parameters: ${asked.status}`);
      if (`${oddly.headers['set-cookie']}${asked.headers['set-cookie']}` !== 'undefinedundefined') {
        other.push(`${path} sets a cookie`);
      }
    }
    expect(other).toEqual([]);
  });

  it('a forged Host header does not reach answers for others', async () => {
    app.advance(5 * 60_000);
    for (const path of pages) await app.ask(path, { headers: { host: 'evil.example' } });
    const others: string[] = [];
    for (const path of pages) if ((await app.ask(path)).text.includes('evil.example')) others.push(path);
    expect(others).toEqual([]);
  });

  it('a body with a GET is not read', async () => {
    const plain = await app.ask('/demo/issues');
    const body = await app.ask('/demo/issues', {
      headers: { ...form, 'content-length': String(fields.length) },
      body: fields,
    });
    expect([body.status, body.text]).toEqual([200, plain.text]);
  });
});

describe('afterwards', () => {
  it('no query reached the store of the installation', () => {
    expect(app.asked).toEqual([]);
    // Which status pages have hosts of their own.
    expect(app.askedByClock.filter((name) => name !== 'publishedPages')).toEqual([]);
  });

  it('the database file is the same, byte for byte', () => {
    expect(app.databaseDigest()).toBe(digestBefore);
  });
});

/** What is answered to bytes that no client would send. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.origin).port), '127.0.0.1', () => socket.end(bytes));
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('close', () => resolve(said)).on('error', reject);
  });
}
