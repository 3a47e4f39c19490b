import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createChecker } from '../../src/net/checker.ts';
import { parseAllowedTargets } from '../../src/net/ssrf-guard.ts';
import { createAuthority } from '../support/certificates.ts';
import { type Monitored, startMonitored } from '../support/monitored.ts';
import { shared } from '../support/shared.ts';

const authority = createAuthority();
const timeoutMs = 20_000;

const started: Monitored[] = [];
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.close()));
  await Promise.all(servers.splice(0).map((each) => new Promise<void>((done) => each.close(() => done()))));
});

const names: Record<string, string> = { 'open.test': '127.0.0.1', 'other.test': '127.0.0.1' };
const records: Record<string, string[]> = {};
const wayOf = (allowed: string[]) => ({
  resolve: async (host: string) => {
    const address = names[host];
    return address === undefined ? [] : [address];
  },
  allowed: parseAllowedTargets(allowed),
  records: async (name: string, kind: string) => records[`${name} ${kind}`] ?? [],
  userAgent: 'test',
  ca: authority.cert,
});
const checker = createChecker(wayOf(['127.0.0.0/8']));
const strict = createChecker(wayOf([]));
const question = { timeoutMs, follows: true, reads: false };

async function start(secure: 'https' | 'http' = 'http', validity?: { notBefore: Date; notAfter: Date }) {
  const certificate = secure === 'https' ? authority.issue(['open.test'], validity) : undefined;
  const server = await startMonitored(certificate);
  started.push(server);
  return server;
}

describe('a page', () => {
  it('has its status, and its body where asked for', async () => {
    const server = await start();
    const url = `http://open.test:${server.port}/health`;
    expect(await checker.page({ ...question, url })).toMatchObject({
      ok: true,
      found: { status: 200, text: '', location: null, certificateEndsAtMs: null },
    });
    expect(await checker.page({ ...question, url, reads: true })).toMatchObject({
      found: { text: '<p>Total: 3</p>' },
    });
    server.answer = 503;
    expect(await checker.page({ ...question, url })).toMatchObject({ ok: true, found: { status: 503 } });
    expect(server.asked).toEqual(['/health', '/health', '/health']);
  });

  const text = 'Grüße: “Total” 3';
  const latin = Buffer.from('Gr\u00fc\u00dfe', 'latin1');
  const page = (label: string) => [`<meta charset="${label}">`, latin] as const;
  const read = {
    gzip: [{ 'content-encoding': 'gzip' }, gzipSync(text), text],
    'x-gzip in capitals': [{ 'content-encoding': 'X-GZIP' }, gzipSync(text), text],
    br: [{ 'content-encoding': 'br' }, brotliCompressSync(text), text],
    deflate: [{ 'content-encoding': 'deflate' }, deflateSync(text), text],
    zstd: [{ 'content-encoding': 'zstd' }, zstdCompressSync(text), text],
    'a byte order mark': [{}, Buffer.from(`\ufeff${text}`), text],
    'UTF-16 with a mark': [{}, Buffer.from(`\ufeff${text}`, 'utf16le'), text],
    'big-endian': [{}, Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), text],
    'a mark against the header': [
      { 'content-type': 'text/html; charset=latin1' },
      Buffer.from(`\ufeff${text}`),
      text,
    ],
    'the charset of the header': [{ 'content-type': 'text/plain;Charset="ISO-8859-1"' }, latin, 'Grüße'],
    'windows-1252': [{ 'content-type': 'text/html; charset=windows-1252' }, Buffer.from([0x93, 0x80]), '“€'],
    Shift_JIS: [{ 'content-type': 'text/html; charset=Shift_JIS' }, Buffer.from([0x83, 0x65]), 'テ'],
    'the charset of the page': [
      {},
      Buffer.concat(page('iso-8859-1').map((each) => Buffer.from(each))),
      '<meta charset="iso-8859-1">Grüße',
    ],
    'a page that says UTF-16': [
      {},
      Buffer.from(`<meta charset="utf-16">${text}`),
      `<meta charset="utf-16">${text}`,
    ],
    'a charset that nobody knows': [{ 'content-type': 'text/html; charset=x-none' }, Buffer.from(text), text],
  } as const;
  it.each(Object.entries(read))('is read as text: %s', async (_name, [headers, body, expected]) => {
    const server = await start();
    server.answer = (response) => response.writeHead(200, headers).end(body);
    const asked = await checker.page({ ...question, url: `http://open.test:${server.port}/`, reads: true });
    expect(asked).toMatchObject({ ok: true, found: { text: expected } });
  });

  it('cannot be read with an unknown or wrong encoding', async () => {
    const server = await start();
    const url = `http://open.test:${server.port}/`;
    for (const encoding of ['compress', 'gzip, br', '__proto__', 'gzip']) {
      server.answer = (response) => response.writeHead(200, { 'content-encoding': encoding }).end(text);
      const asked = await checker.page({ ...question, url, reads: true });
      expect([encoding, asked]).toMatchObject([encoding, { ok: false, message: 'its response is invalid' }]);
    }
  });

  it('is decompressed up to the read limit, however large it would become', async () => {
    const server = await start();
    const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024, 'a'), { level: 1 });
    server.answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const asked = await checker.page({ ...question, url: `http://open.test:${server.port}/`, reads: true });
    expect(asked).toMatchObject({ ok: true, found: { text: 'a'.repeat(256 * 1024) } });
  });

  it('follows redirects, to other hosts too, unless a redirect is expected', async () => {
    const server = await start();
    server.answer = (response, path) => {
      if (path === '/new') response.writeHead(200).end('here');
      else response.writeHead(302, { location: `http://other.test:${server.port}/new` }).end();
    };
    const url = `http://open.test:${server.port}/old`;
    expect(await checker.page({ ...question, url, reads: true })).toMatchObject({ found: { text: 'here' } });
    expect(await checker.page({ ...question, url, follows: false })).toMatchObject({
      found: { status: 302, location: `http://other.test:${server.port}/new` },
    });
  });

  it('that redirects in a loop is reported as such after at most six requests', async () => {
    const server = await start();
    server.answer = (response) => response.writeHead(302, { location: '/again' }).end();
    const asked = await checker.page({ ...question, url: `http://open.test:${server.port}/` });
    expect(asked).toMatchObject({ ok: false, message: 'redirects too often, or from https to http' });
    expect(server.asked).toHaveLength(6);
  });

  it('has the expiry of its certificate', async () => {
    const notAfter = new Date(Math.floor(Date.now() / 1000) * 1000 + 6 * 86_400_000);
    const server = await start('https', { notBefore: new Date(Date.now() - 86_400_000), notAfter });
    const url = `https://open.test:${server.port}/`;
    expect(await checker.page({ ...question, url })).toMatchObject({
      found: { status: 200, certificateEndsAtMs: notAfter.getTime() },
    });
  });

  it('with an expired certificate, or one of another name, is not trusted', async () => {
    const server = await start('https');
    const message = 'its certificate is not trusted';
    expect(await checker.page({ ...question, url: `https://other.test:${server.port}/` })).toMatchObject({
      message,
    });
    const notBefore = new Date(Date.now() - 9 * 86_400_000);
    const ended = await start('https', { notBefore, notAfter: new Date(Date.now() - 86_400_000) });
    expect(await checker.page({ ...question, url: `https://open.test:${ended.port}/` })).toMatchObject({
      message,
    });
  });

  it('that never answers, or never ends, times out', async () => {
    const server = await start();
    server.answer = 'never';
    const url = `http://open.test:${server.port}/`;
    const asked = await checker.page({ ...question, url, timeoutMs: 50 });
    expect(asked).toMatchObject({ ok: false, message: 'no response within 0.05 s' });
    server.answer = (response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(more));
    };
    const slow = await checker.page({ ...question, url, reads: true, timeoutMs: 100 });
    expect(slow).toMatchObject({ ok: false, message: 'no response within 0.1 s' });
  });

  it('is read no further than a quarter of a megabyte', async () => {
    const server = await start();
    server.answer = (response) => {
      response.writeHead(200);
      response.write('y'.repeat(300_000));
    };
    const asked = await checker.page({ ...question, url: `http://open.test:${server.port}/`, reads: true });
    expect(asked.ok && asked.found.text.length).toBe(256 * 1024);
  });

  it('with an unknown host, or where nothing listens, has that reason', async () => {
    const server = await start();
    const { port } = server;
    await server.close();
    const gone = await checker.page({ ...question, url: `http://open.test:${port}/` });
    expect(gone).toMatchObject({ ok: false, message: 'cannot be reached' });
    const none = await checker.page({ ...question, url: 'http://nobody.test/' });
    expect(none).toMatchObject({ ok: false, message: 'its name has no IP address' });
  });
});

describe('a private address', () => {
  const message = 'a private address that is not in NOTIFIER_FETCH_ALLOW';
  const canary = shared(() => startMonitored());

  it.each([
    'http://open.test:PORT/',
    'http://127.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://0x7f.1:PORT/',
    'http://2130706433:PORT/',
    'http://0:PORT/',
    'http://127.0.0.1.:PORT/',
  ])('is not requested: %s', async (address) => {
    const url = address.replace('PORT', String(canary.port));
    expect(await strict.page({ ...question, url })).toMatchObject({ ok: false, message });
    expect(canary.asked).toEqual([]);
  });

  it.each(['open.test', '127.0.0.1', '::1'])('is not connected to: %s', async (host) => {
    expect(await strict.port({ host, port: canary.port, timeoutMs })).toMatchObject({ ok: false, message });
  });

  it('is not reached by a redirect from an allowed one', async () => {
    const server = await start();
    server.answer = (response) =>
      response.writeHead(302, { location: `http://127.0.0.2:${canary.port}/` }).end();
    const some = createChecker(wayOf(['127.0.0.1']));
    const asked = await some.page({ ...question, url: `http://127.0.0.1:${server.port}/` });
    expect(asked).toMatchObject({ ok: false, message });
    expect(canary.asked).toEqual([]);
  });
});

interface Sample {
  readonly id: string;
  readonly surface: string;
  readonly input: unknown;
}
const samples = JSON.parse(
  readFileSync(new URL('../fixtures/domain-checks/hostile.json', import.meta.url), 'utf8'),
) as Sample[];
const inputsOf = (surface: string) =>
  samples.filter((each) => each.surface === surface).map(({ id, input }) => [id, input] as const);

describe('the hostile samples of domain checks', () => {
  const refused = 'a private address that is not in NOTIFIER_FETCH_ALLOW';
  const canary = shared(() => startMonitored());

  it.each(inputsOf('dns').filter(([, input]) => Array.isArray(input)))(
    'addresses of a name: %s',
    async (_id, input) => {
      const asking = createChecker({ ...wayOf([]), resolve: async () => input as string[] });
      const url = `http://rebound.test:${canary.port}/`;
      expect(await asking.page({ ...question, url })).toMatchObject({ ok: false, message: refused });
      const port = { host: 'rebound.test', port: canary.port, timeoutMs };
      expect(await asking.port(port)).toMatchObject({ ok: false, message: refused });
    },
  );

  // What is a public address is not asked in tests.
  it.each(inputsOf('domain').filter(([id]) => id !== 'dom-ipv4-public'))('a host: %s', async (_id, input) => {
    const url = `http://${String(input)}:${canary.port}/`;
    expect((await strict.page({ ...question, url })).ok).toBe(false);
    expect(canary.asked).toEqual([]);
  });

  const privateOnes = ['red-loop', 'red-meta', 'red-mapped'];
  it.each(inputsOf('redirect'))('a redirect: %s', async (id, input) => {
    const server = await start();
    server.answer = (response) =>
      response
        .writeHead(302, { location: String(input).replace('127.0.0.1/', `127.0.0.1:${canary.port}/`) })
        .end();
    // The first host alone is allowed, by its name: what it leads to is judged anew.
    const some = createChecker(wayOf(['localhost']));
    const asked = await some.page({ ...question, url: `http://localhost:${server.port}/` });
    expect(server.asked.length).toBeGreaterThan(0);
    expect(asked.ok).toBe(false);
    if (privateOnes.includes(id)) expect(asked).toMatchObject({ message: refused });
    expect(canary.asked).toEqual([]);
  });
});

describe('a port', () => {
  it('is up where anything listens', async () => {
    const server = createServer((socket) => socket.on('error', () => {}));
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    expect(await checker.port({ host: 'open.test', port, timeoutMs })).toMatchObject({
      ok: true,
      found: null,
    });
  });

  it('is down where nothing listens', async () => {
    const server = await start();
    await server.close();
    const asked = await checker.port({ host: '127.0.0.1', port: server.port, timeoutMs });
    expect(asked).toMatchObject({ ok: false, message: 'cannot be reached' });
  });
});
