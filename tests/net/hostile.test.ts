import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkVerificationFile, fileBytesMax, pageBytesMax } from '../../src/core/domains/challenges.ts';
import { checkMetaTag } from '../../src/core/domains/meta-tag.ts';
import { createProber } from '../../src/net/prober.ts';
import { createAuthority, createSelfSigned } from '../support/certificates.ts';
import { type Internet, startInternet } from '../support/internet.ts';
import { fullOrSome, inFull, rows } from '../support/test-level.ts';

const host = 'victim.example';
const address = '93.184.216.34';
const token = 'Ab3dEf6hIjKlMnOpQrStUvWxYz0123456789-_ABCDE';
const proof = `notifier-verification=${token}`;
const meta = `<meta name="notifier-site-verification" content="${token}">`;
const authority = createAuthority();
const certificate = authority.issue([host]);
const dayMs = 86_400_000;

let internet: Internet;
beforeEach(async () => {
  internet = await startInternet();
});
afterEach(async () => {
  await internet.close();
});

interface Case {
  id: string;
  surface: string;
  input: unknown;
}
const cases = (file: string, surface: string): Case[] =>
  (
    JSON.parse(
      readFileSync(new URL(`../fixtures/domain-checks/${file}.json`, import.meta.url), 'utf8'),
    ) as Case[]
  ).filter((each) => each.surface === surface);

/** The two HTTP methods against one address list: what a whole check would say. */
async function check(
  options: { addresses?: readonly string[]; deadlineMs?: number; connectMs?: number } = {},
) {
  const prober = createProber({
    resolver: {
      addresses: async () => options.addresses ?? [address],
      texts: async () => [],
      records: async () => [],
    },
    connect: internet.connect,
    ca: authority.cert,
    userAgent: 'Notifier-Test/1',
    deadlineMs: options.deadlineMs ?? 20_000,
    connectMs: options.connectMs ?? 10_000,
  });
  const file = await prober.page(host, '/.well-known/notifier-verification.txt', {
    bytesMax: fileBytesMax,
    accept: 'text/plain',
  });
  const page = await prober.page(host, '/', { bytesMax: pageBytesMax, accept: 'text/html', isCut: true });
  return {
    file: file.ok ? (checkVerificationFile(file.found, token) ?? 'ok') : file.code,
    page: page.ok ? (checkMetaTag(page.found, token) ?? 'ok') : page.code,
  };
}
const briefly = { deadlineMs: 300, connectMs: 200 };

const proving: RequestListener = (request, response) => {
  const isFile = request.url === '/.well-known/notifier-verification.txt';
  response.setHeader('Content-Type', isFile ? 'text/plain' : 'text/html');
  response.end(isFile ? proof : `<html><head>${meta}</head></html>`);
};

const okHead = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const raw = (text: string) => (socket: Socket) => void socket.once('data', () => socket.end(text));
const endlessly = (first: string, again: string) => (socket: Socket) => {
  socket.once('data', () => {
    socket.write(first);
    const pour = () => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on('drain', pour);
    pour();
  });
};
const dripping = (first: string, again: string) => (socket: Socket) => {
  socket.once('data', () => {
    socket.write(first);
    const timer = setInterval(() => socket.write(again), 20);
    socket.on('close', () => clearInterval(timer));
  });
};
const answer = (act: (response: ServerResponse, url: string) => void) => () =>
  internet.https(address, certificate, (request, response) => act(response, request.url ?? ''));
const overTls = (accept: (socket: Socket) => void) => () => internet.tls(address, certificate, accept);

describe('misbehaving servers', () => {
  const servers: Record<string, { stand: () => Promise<void> | void; code: string; brief?: boolean }> = {
    'srv-dripheaders': {
      stand: overTls(dripping('HTTP/1.1 200 OK\r\n', 'X-Drip: x\r\n')),
      code: 'timeout',
      brief: true,
    },
    'srv-dripbody': { stand: overTls(dripping(`${okHead}\r\n`, 'x')), code: 'timeout', brief: true },
    'srv-endless': {
      stand: overTls(endlessly(`${okHead}\r\n`, 'x'.repeat(16_384))),
      code: 'too_large no_record',
    },
    'srv-brotli': {
      stand: answer((response) => {
        response.setHeader('Content-Encoding', 'br');
        response.end(
          brotliCompressSync(Buffer.alloc(10_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
        );
      }),
      // Unpacked as far as a page is read, and no further.
      code: 'too_large no_record',
    },
    'srv-multienc': {
      stand: overTls(raw(`${okHead}${'Content-Encoding: gzip\r\n'.repeat(500)}\r\n${proof}`)),
      code: 'bad_response',
    },
    'srv-early': { stand: overTls(endlessly('', 'HTTP/1.1 103 Early Hints\r\n\r\n')), code: 'bad_response' },
    'srv-s101': {
      stand: overTls(raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')),
      code: 'bad_response',
    },
    'srv-http09': { stand: overTls(raw(proof)), code: 'bad_response' },
    'srv-chunkext': {
      stand: overTls(endlessly(`${okHead}Transfer-Encoding: chunked\r\n\r\n4;`, 'x'.repeat(16_384))),
      code: 'too_large',
    },
    'srv-smuggle': {
      stand: overTls(
        raw(
          `${okHead}Content-Length: ${proof.length}\r\nTransfer-Encoding: chunked\r\n\r\n${proof.length.toString(16)}\r\n${proof}\r\n0\r\n\r\n`,
        ),
      ),
      code: 'bad_response',
    },
    'srv-shortbody': {
      stand: overTls(raw(`${okHead}Content-Length: 2000\r\n\r\n${proof}`)),
      code: 'bad_response',
    },
    'srv-tls-expired': {
      stand: () => {
        const validity = {
          notBefore: new Date(Date.now() - 2 * dayMs),
          notAfter: new Date(Date.now() - dayMs),
        };
        return internet.https(address, authority.issue([host], validity), proving);
      },
      code: 'tls',
    },
    'srv-tls-wronghost': {
      stand: () => internet.https(address, authority.issue(['other.example']), proving),
      code: 'tls',
    },
    'srv-tls-selfsigned': {
      stand: () => internet.https(address, createSelfSigned(host), proving),
      code: 'tls',
    },
    'srv-tls-hang': { stand: () => internet.tcp(address, 443, () => {}), code: 'timeout', brief: true },
    'srv-h2': {
      stand: overTls(endlessly('', '\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64')),
      code: 'bad_response',
    },
    'srv-syn': {
      stand: () => {
        internet.blackHole(address, 443);
        internet.blackHole(address, 80);
      },
      code: 'timeout',
      brief: true,
    },
    'srv-status500': {
      stand: answer((response) => {
        response.statusCode = 500;
        response.end(`<head>${meta}</head>`);
      }),
      code: 'status_500',
    },
    'srv-status204': {
      stand: answer((response) => {
        response.statusCode = 204;
        response.end();
      }),
      code: 'status_204',
    },
    'srv-spa': {
      stand: answer((response, url) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<html><head></head><body>${url} ${proof} ${meta}</body></html>`);
      }),
      code: 'mismatch no_record',
    },
    'srv-substring': {
      stand: answer((response, url) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(url === '/' ? `<head>${meta.replace(token, `x${token}x`)}</head>` : `x${proof}x`);
      }),
      code: 'mismatch',
    },
    'srv-meta-comment': {
      stand: answer((response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<html><head><!-- ${meta} --></head></html>`);
      }),
      code: 'mismatch no_record',
    },
  };

  it('are all of the samples', () => {
    expect(Object.keys(servers).sort()).toEqual(
      cases('hostile', 'server')
        .map(({ id }) => id)
        .sort(),
    );
  });

  inFull(it).each(rows(() => fullOrSome(Object.entries(servers), 6)))(
    '%s',
    async (_id, { stand, code, brief }) => {
      await stand();
      const [file, page = file] = code.split(' ');
      await expect(check(brief ? briefly : {})).resolves.toEqual({ file, page });
      expect(internet.canaryTouched()).toBe(0);
    },
  );

  it.each([
    [
      'a gzip bomb',
      answer((response) =>
        response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(20_000_000), { level: 1 })),
      ),
      'too_large no_record',
    ],
    [
      'an encoding said to be none',
      answer((response) => response.setHeader('Content-Encoding', 'identity').end(proof)),
      'ok no_record',
    ],
    [
      'a header of 12 KiB',
      overTls(raw(`${okHead}X-Long: ${'x'.repeat(12_288)}\r\n\r\n${proof}`)),
      'ok no_record',
    ],
    [
      'a header of 20 KiB',
      overTls(raw(`${okHead}X-Long: ${'x'.repeat(20_480)}\r\n\r\n${proof}`)),
      'too_large',
    ],
    ['an endless header', overTls(endlessly('HTTP/1.1 200 OK\r\nX-Long: ', 'x'.repeat(16_384))), 'too_large'],
    ['206 with the proof', answer((response) => void response.writeHead(206).end(proof)), 'status_206'],
    ['304', answer((response) => void response.writeHead(304).end()), 'status_304'],
    ['401 with the proof', answer((response) => void response.writeHead(401).end(proof)), 'status_401'],
    [
      '300 with a Location',
      answer((response) => void response.writeHead(300, { Location: '/' }).end(proof)),
      'status_300',
    ],
    ['a status of 99', overTls(raw(`HTTP/1.1 099 Odd\r\n\r\n${proof}`)), 'bad_response'],
    ['plain HTTP on 443', () => internet.tcp(address, 443, raw(`${okHead}\r\n${proof}`)), 'tls'],
    ['a connection closed at once', overTls((socket) => socket.end()), 'bad_response'],
    [
      'two Content-Lengths',
      overTls(raw(`${okHead}Content-Length: 65\r\nContent-Length: 5\r\n\r\n${proof}`)),
      'bad_response',
    ],
    ['a bare CR in a header', overTls(raw(`${okHead}X: a\rb\r\n\r\n${proof}`)), 'bad_response'],
  ])('%s', async (_what, stand, code) => {
    await stand();
    const [file, page = file] = code.split(' ');
    await expect(check()).resolves.toEqual({ file, page });
    expect(internet.canaryTouched()).toBe(0);
  });

  it('reach only allowed addresses', async () => {
    internet.misroute(address, 443, '127.0.0.1');
    await expect(check()).resolves.toEqual({ file: 'refused_address', page: 'refused_address' });
  });
});

describe('a site with a valid verification', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes)],
  ])('is read though it compresses with %s unasked', async (encoding, pack) => {
    await internet.https(address, certificate, (request, response) => {
      response.setHeader('Content-Encoding', encoding);
      response.setHeader('Content-Type', 'text/html');
      response.end(pack(Buffer.from(request.url === '/' ? `<head>${meta}</head>` : proof)));
    });
    await expect(check()).resolves.toEqual({ file: 'ok', page: 'ok' });
  });

  it('is not verified where its compression is broken or unknown', async () => {
    for (const encoding of ['gzip', 'pack200']) {
      await internet.https(address, certificate, (_request, response) => {
        response.setHeader('Content-Encoding', encoding);
        response.end(proof);
      });
      await expect(check()).resolves.toEqual({ file: 'bad_response', page: 'bad_response' });
      await internet.close();
      internet = await startInternet();
    }
  });

  it.each([
    ['a head of 300 KB before the tag', `<head><style>${'x'.repeat(300_000)}</style>${meta}</head>`, 'ok'],
    ['a page of 2 MB after the tag', `<head>${meta}</head><body>${'x'.repeat(2_000_000)}`, 'ok'],
    ['a tag past 512 KiB', `<head><style>${'x'.repeat(524_288)}</style>${meta}</head>`, 'no_record'],
    ['a tag in the body', `<head></head><body>${meta}`, 'no_record'],
  ])('has %s: %#', async (_what, page, code) => {
    await internet.https(address, certificate, (request, response) => {
      response.setHeader('Content-Type', request.url === '/' ? 'text/html' : 'text/plain');
      response.end(request.url === '/' ? page : proof);
    });
    await expect(check()).resolves.toEqual({ file: 'ok', page: code });
  });
});

describe('redirects', () => {
  const locations: Record<string, string> = {
    'red-loop': 'http://127.0.0.1/',
    'red-meta': 'http://169.254.169.254/latest/meta-data/',
    'red-mapped': 'http://[::ffff:7f00:1]/',
    'red-gopher': 'gopher://127.0.0.1:6379/_FLUSHALL',
    'red-data': `data:text/plain,${proof}`,
    'red-ftp': 'ftp://127.0.0.1/',
    'red-blob': 'blob:http://127.0.0.1/x',
    'red-creds': `https://a:b@${host}/x`,
    'red-port22': `https://${host}:22/x`,
    'red-downgrade': `http://${host}/x`,
    'red-loop2': '/',
  };

  inFull(it)('are all of the samples', () => {
    const ids = cases('hostile', 'redirect').map(({ id }) => id);
    expect([...Object.keys(locations), 'red-refresh'].sort()).toEqual(ids.sort());
  });

  it.each([
    ...Object.entries(locations),
    ['another host', 'https://other.example/x'],
    ['a name below', `https://www.${host}/x`],
    ['the port of the other scheme', `https://${host}:80/x`],
    ['an address in octal', 'https://0177.0.0.1/'],
    ['an address as a number', 'https://2130706433/'],
    ['an empty Location', ''],
    ['no URL', 'https://'],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['backslashes to another host', '\\\\other.example\\x'],
    ['two slashes to another host', '//other.example/x'],
  ])('%s', async (_id, location) => {
    await internet.http(address, proving);
    await internet.https(address, certificate, (request, response) => {
      response.writeHead(request.url === '/x' ? 200 : 302, { Location: location });
      response.end(proof);
    });
    await expect(check()).resolves.toEqual({ file: 'redirect', page: 'redirect' });
    expect(internet.canaryTouched()).toBe(0);
    expect(new Set(internet.opened)).toEqual(new Set([`${address} 443`]));
  });

  it('red-refresh', async () => {
    const refresh = '0; url=http://127.0.0.1/';
    await internet.https(address, certificate, (_request, response) => {
      response.writeHead(200, { Refresh: refresh, 'Content-Type': 'text/html' });
      response.end(`<head><meta http-equiv="refresh" content="${refresh}"></head>`);
    });
    await expect(check()).resolves.toEqual({ file: 'mismatch', page: 'no_record' });
    expect(internet.canaryTouched()).toBe(0);
    expect(internet.opened).toHaveLength(2);
  });

  it('are followed from http to https of the same host', async () => {
    internet.closed(address, 443);
    await internet.http(address, (request, response) => {
      response.writeHead(301, { Location: `https://${host}${request.url}` });
      response.end();
    });
    // 443 comes up after the first look: what a plain client would meet that starts with http.
    const fetched = new Set<string>();
    const { safeFetch: guardedFetch } = await import('../../src/net/safe-fetch.ts');
    await internet.https(address, certificate, (request, response) => {
      fetched.add(request.url ?? '');
      proving(request, response);
    });
    const response = await guardedFetch(
      {
        url: `http://${host}/.well-known/notifier-verification.txt`,
        accept: 'text/plain',
        bodyBytesMax: 4096,
        deadlineMs: 20_000,
      },
      {
        resolve: async () => [address],
        connect: internet.connect,
        ca: authority.cert,
        userAgent: 'Notifier-Test/1',
      },
    );
    expect(response.bytes.toString()).toBe(proof);
    expect(fetched).toEqual(new Set(['/.well-known/notifier-verification.txt']));
  });

  it('are followed three times and no more', async () => {
    let hopsWanted = 3;
    await internet.https(address, certificate, (request, response) => {
      const hop = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0);
      if (hop < hopsWanted) response.writeHead(307, { Location: `/hop/${hop + 1}` }).end('x'.repeat(1000));
      else response.end(proof);
    });
    await expect(check()).resolves.toMatchObject({ file: 'ok' });
    hopsWanted = 4;
    await expect(check()).resolves.toMatchObject({ file: 'redirect' });
  });
});

describe('addresses', () => {
  const addressCases = (file: string) =>
    cases(file, 'dns').flatMap(({ id, input }) =>
      Array.isArray(input) ? [[id, input as string[]] as const] : [],
    );

  it.each(addressCases('hostile'))('%s is refused before a connection', async (_id, addresses) => {
    await expect(check({ addresses })).resolves.toEqual({ file: 'refused_address', page: 'refused_address' });
    expect(internet.opened).toEqual([]);
    expect(internet.canaryTouched()).toBe(0);
  });

  it.each(addressCases('must-pass'))('%s is allowed', async (_id, [only = '']) => {
    await internet.https(only, certificate, proving);
    await expect(check({ addresses: [only] })).resolves.toEqual({ file: 'ok', page: 'ok' });
  });

  it('refuse a name with one private address among public ones', async () => {
    await internet.https(address, certificate, proving);
    const addresses = [address, '::1'];
    await expect(check({ addresses })).resolves.toEqual({ file: 'refused_address', page: 'refused_address' });
    expect(internet.opened).toEqual([]);
  });

  it('are resolved once, which prevents DNS rebinding', async () => {
    const answers = [[address], ['127.0.0.1']];
    const { safeFetch: guardedFetch } = await import('../../src/net/safe-fetch.ts');
    let asked = 0;
    await internet.https(address, certificate, (request, response) => {
      if (request.url === '/') response.writeHead(302, { Location: '/again' }).end();
      else response.end(proof);
    });
    const response = await guardedFetch(
      { url: `https://${host}/`, accept: '*/*', bodyBytesMax: 4096, deadlineMs: 20_000 },
      {
        resolve: async () => answers[asked++] ?? ['127.0.0.1'],
        connect: internet.connect,
        ca: authority.cert,
        userAgent: 'Notifier-Test/1',
      },
    );
    expect(response.bytes.toString()).toBe(proof);
    expect(asked).toBe(1);
    expect(internet.canaryTouched()).toBe(0);
  });

  it('are tried in the other family when nothing listens in the first', async () => {
    const six = '2606:4700:4700::1111';
    internet.closed(address, 443);
    await internet.https(six, certificate, proving);
    await expect(check({ addresses: [six, address] })).resolves.toEqual({ file: 'ok', page: 'ok' });
  });
});

describe('http in place of https', () => {
  it('is used where nothing listens on 443', async () => {
    internet.closed(address, 443);
    await internet.http(address, proving);
    await expect(check()).resolves.toEqual({ file: 'ok', page: 'ok' });
  });

  it('is not used where TLS fails', async () => {
    await internet.https(address, createSelfSigned(host), proving);
    await internet.http(address, proving);
    await expect(check()).resolves.toEqual({ file: 'tls', page: 'tls' });
    expect(internet.opened).not.toContain(`${address} 80`);
  });

  it('is unreachable where nothing listens at all', async () => {
    internet.vanish(address);
    await expect(check()).resolves.toEqual({ file: 'unreachable', page: 'unreachable' });
  });
});
