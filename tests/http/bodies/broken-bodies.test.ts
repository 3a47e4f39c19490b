import { readdirSync } from 'node:fs';
import { globalAgent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notifierRoutes } from '../../../routes/index.ts';
import { bodyTimeouts } from '../../../src/http/bodies/body-timeouts.ts';
import { uploadFolderPrefix } from '../../../src/http/bodies/upload-sweep.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { fullOrShort, inFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
beforeAll(async () => {
  const memory = { graceMs: 300, longestMs: 3_000, rateMin: 32 * 1024 };
  const disk = { restMs: 600, graceMs: 10_000, longestMs: 60_000, rateMin: 1 };
  app = await openTestApp({ limits: { timeouts: { ...bodyTimeouts, memory, disk }, checkIntervalMs: 50 } });
  // What ends a connection here is its patience, as behind a proxy that keeps connections for long.
  app.server.keepAliveTimeout = 60_000;
});
afterAll(async () => {
  await app.close();
});

interface Door {
  readonly path: string;
  readonly type?: string;
  readonly start: string;
  readonly isSentry?: boolean;
}

const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.js"\r\n\r\nabc';
const form = 'multipart/form-data; boundary=b';

function doors(): Door[] {
  const ofTable = notifierRoutes(app.deps)
    // A key is refused by the others before the body is read.
    .filter((route) => route.method === 'POST' && route.credential !== 'personal')
    .map((route): Door => {
      const path = route.path
        .replace(/\{project:[^}]*\}/, String(app.project.id))
        .replace(/\{sentry_key:[^}]*\}/, app.publicKey)
        .replace(/\{[^}]*\}/, '1');
      const door = { path: `/wp-json/notifier/v1${path}`, start: '{"message":"' };
      return route.isOfSentryProtocol === true ? { ...door, isSentry: true } : door;
    });
  const facade = '/api/0/organizations/any';
  return [
    ...ofTable,
    { path: '/wp-json/notifier/v1/artifacts', type: form, start: part },
    { path: '/wp-json/notifier/v1/artifacts', type: 'application/zip', start: 'PK' },
    { path: '/wp-json/notifier/v1/test-runs', type: form, start: part },
    { path: '/wp-json/notifier/v1/feedback', type: form, start: part },
    { path: '/wp-json/batch/v1', start: '{"requests":[' },
    { path: `${facade}/releases/`, start: '{"version":"', isSentry: true },
    { path: `${facade}/chunk-upload/`, type: form, start: part, isSentry: true },
    { path: `${facade}/artifactbundle/assemble/`, start: '{"checksum":"', isSentry: true },
  ];
}

function headOf(door: Door, length: string): string {
  return [
    `POST ${door.path} HTTP/1.1`,
    'Host: x',
    `X-Notifier-Key: ${door.isSentry === true && door.path.startsWith('/api/0') ? '' : app.publicKey}`,
    `Authorization: Bearer ${app.secretKey}`,
    `Content-Type: ${door.type ?? 'application/json'}`,
    length,
    '',
    '',
  ].join('\r\n');
}

interface End {
  readonly status: number;
  readonly text: string;
}

/** Opens a connection, lets `act` do to it what it will, and answers what came back until it closed. */
function talk(act: (socket: Socket) => void): Promise<End> {
  const { port } = new URL(app.origin);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    // The server's end of it is the end: what is half open on our side alone is nobody's.
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }));
    socket.on('connect', () => act(socket));
  });
}

const declared = 'Content-Length: 600000';

const ways: ReadonlyArray<readonly [name: string, act: (socket: Socket, door: Door) => void]> = [
  ['ends early', (socket, door) => socket.end(headOf(door, declared) + door.start)],
  [
    'is reset',
    (socket, door) => socket.write(headOf(door, declared) + door.start, () => socket.resetAndDestroy()),
  ],
  ['stalls', (socket, door) => socket.write(headOf(door, declared) + door.start)],
  [
    'is chunked wrongly',
    (socket, door) =>
      socket.write(
        `${headOf(door, 'Transfer-Encoding: chunked')}${door.start.length.toString(16)}\r\n${door.start}\r\nnonsense\r\n`,
      ),
  ],
];

async function nobodyIsConnected(): Promise<void> {
  // Connections that the test's own requests would use again.
  globalAgent.destroy();
  app.server.closeIdleConnections();
  for (;;) {
    const count = await new Promise<number>((resolve) =>
      app.server.getConnections((_error, connections) => resolve(connections)),
    );
    if (count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function uploadFolders(): string[] {
  // The name says which process made it: this one.
  return readdirSync(tmpdir()).filter((name) => name.startsWith(uploadFolderPrefix()));
}

describe('an incomplete body', () => {
  it.each(ways)('%s: every endpoint answers once, in its own format, and closes', async (name, act) => {
    const all = doors();
    const ends = await Promise.all(all.map((door) => talk((socket) => act(socket, door))));
    for (const [index, end] of ends.entries()) {
      const door = all[index] as Door;
      const where = `${door.path} ${door.type ?? ''}`;
      expect([where, end.text.match(/HTTP\/1\.1/g)?.length ?? 0]).toEqual([
        where,
        name === 'is reset' ? 0 : 1,
      ]);
      if (name === 'is reset') continue;
      const expected = name === 'stalls' && door.isSentry === true ? 408 : 400;
      expect([where, end.status, end.text]).toEqual([
        where,
        expected,
        expect.stringContaining(door.path.startsWith('/api/0/') ? 'Bad request.' : 'rest_bad_request'),
      ]);
      expect([where, end.text]).toEqual([where, expect.stringMatching(/\r\nConnection: close\r\n/i)]);
    }
    await nobodyIsConnected();
    // A connection may be gone before its folder is.
    await until(() => uploadFolders().length === 0);
  });

  inFull(it).each(ways)('%s: the memory budget for bodies is free again', async (_name, act) => {
    const path = '/wp-json/notifier/v1/envelope';
    const start = `{}\n{"type":"attachment"}\n${'x'.repeat(590_000)}`;
    const broken = Array.from({ length: 120 }, () => talk((socket) => act(socket, { path, start })));
    await Promise.all(broken);
    await nobodyIsConnected();
    const honest = { message: 'whole', extra: { long: 'y'.repeat(900_000) } };
    const answers = await Promise.all(
      Array.from({ length: fullOrShort(20, 4) }, () => app.post('/store', honest)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
  });

  inFull(it).each(ways)('%s: the slots of uploads and reports are free again', async (_name, act) => {
    const upload = { path: '/wp-json/notifier/v1/artifacts', type: form, start: part };
    const report = {
      path: '/wp-json/notifier/v1/test-runs',
      type: 'application/xml',
      start: `<testsuite>${'<!-- x -->'.repeat(20_000)}`,
    };
    const chunks = { path: '/api/0/organizations/any/chunk-upload/', type: form, start: part };
    const all = [upload, report, chunks].flatMap((door) => Array.from({ length: 9 }, () => door));
    await Promise.all(all.map((door) => talk((socket) => act(socket, door))));
    await nobodyIsConnected();
    // A connection may be gone before its folder is.
    await until(() => uploadFolders().length === 0);
    const file = { name: 'a.js', content: 'a()' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.postSecret('/artifacts', { release: 'r', files: [file] })),
    );
    expect(answers.map((answer) => answer.status < 300)).toEqual(answers.map(() => true));
    const cases = Array.from({ length: 2_000 }, (_, index) => ({
      name: `t${index}`,
      status: 'passed',
      duration: 1,
    }));
    expect((await app.postSecret('/test-runs', { tests: cases })).status).toBeLessThan(300);
  });

  inFull(it)('that comes slowly is accepted, one that trickles gets 400', async () => {
    const path = '/wp-json/notifier/v1/store';
    const body = JSON.stringify({ message: 'slow', extra: { long: 'z'.repeat(200_000) } });
    const slow = talk((socket) => {
      socket.write(headOf({ path, start: '' }, `Content-Length: ${body.length}`));
      let sent = 0;
      const timer = setInterval(() => {
        if (sent >= body.length) return clearInterval(timer);
        socket.write(body.slice(sent, sent + 10_000));
        sent += 10_000;
      }, 25);
      socket.once('data', () => socket.end());
    });
    const trickle = talk((socket) => {
      socket.write(headOf({ path, start: '' }, `Content-Length: ${body.length}`));
      const timer = setInterval(() => socket.write('{'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await slow).toHaveStatus(201);
    expect(await trickle).toHaveStatus(400);
  });

  inFull(it)('that is streamed to disk is accepted as long as bytes keep coming', async () => {
    const body = `${part}${'x'.repeat(3_000)}\r\n--b\r\nContent-Disposition: form-data; name="release"\r\n\r\nr\r\n--b--\r\n`;
    // In the long form longer than a body in memory may take.
    const atOnce = fullOrShort(100, 300);
    const upload = talk((socket) => {
      const door = { path: '/wp-json/notifier/v1/artifacts', type: form, start: '' };
      socket.write(headOf(door, `Content-Length: ${body.length}`));
      let sent = 0;
      const timer = setInterval(() => {
        if (sent >= body.length) return clearInterval(timer);
        socket.write(body.slice(sent, sent + atOnce));
        sent += atOnce;
      }, 100);
      socket.once('data', () => socket.end());
    });
    expect(await upload).toHaveStatus(201);
  });

  inFull(it)(
    'that no route reads does not delay the answer',
    async () => {
      const doors = [
        ['POST /healthz', 404],
        // A page, which takes no form.
        ['POST /', 405],
        ['GET /healthz', 200],
        ['POST /wp-json/notifier/v1/nothing', 404],
        ['PUT /wp-json/notifier/v1/store', 404],
        ['GET /wp-json/notifier/v1/issues', 401],
        ['OPTIONS /wp-json/notifier/v1/store', 200],
      ];
      // All at once: each connection stays for a second after its answer.
      const answered = doors.map(async ([door]) => {
        const head = `${door} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{`;
        return [door, (await talk((socket) => socket.write(head))).status];
      });
      expect(await Promise.all(answered)).toEqual(doors);
    },
    15_000,
  );

  it('with an unknown Expect header is read as usual', async () => {
    const door = { path: '/wp-json/notifier/v1/store', start: '{' };
    const end = await talk((socket) =>
      socket.write(headOf(door, `Expect: 200-ok\r\n${declared}`) + door.start),
    );
    expect([end.status, end.text]).toEqual([400, expect.stringContaining('rest_bad_request')]);
  }, 15_000);

  it('after a complete request does not change the answer to that one', async () => {
    const body = JSON.stringify({ message: 'first of two' });
    const first = `${headOf({ path: '/wp-json/notifier/v1/store', start: '' }, `Content-Length: ${body.length}`)}${body}`;
    const second = headOf({ path: '/wp-json/notifier/v1/store', start: '' }, 'Content-Length: 100');
    for (const behind of [`${second}{"mes`, 'no HTTP at all\r\n\r\n']) {
      const { text } = await talk((socket) => socket.end(first + behind));
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
        behind.startsWith('POST') ? ['HTTP/1.1 201', 'HTTP/1.1 400'] : ['HTTP/1.1 201'],
      );
    }
    await nobodyIsConnected();
  });
});
