import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithShared } from '../support/needs.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome, inFull, rows } from '../support/test-level.ts';

const encodings = {
  gzip: ['gzip', gzipSync],
  'deflate as zlib': ['deflate', deflateSync],
  'deflate raw': ['deflate', deflateRawSync],
  // Node's own quality takes a second for each megabyte.
  br: ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
  zstd: ['zstd', zstdCompressSync],
} as const satisfies Record<string, readonly [name: string, encode: (bytes: Buffer) => Buffer]>;

const app = sharedApp({ domains: ['shop.example'] });

type Headers = Record<string, string>;

/** Posts bytes; with the public key and no Content-Type unless said otherwise. */
async function send(
  body: Buffer | string,
  { headers = {}, path = '/envelope', to = app }: { headers?: Headers; path?: string; to?: TestApp } = {},
) {
  const answer = await fetch(to.api + path, {
    method: 'POST',
    headers: { 'X-Notifier-Key': to.publicKey, ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at member by member.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}

const item = (type: string, payload: unknown, header: object = {}): string =>
  `${JSON.stringify({ type, ...header })}\n${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n`;
const envelope = (header: object, ...items: string[]): string =>
  `${JSON.stringify(header)}\n${items.join('')}`;

let serial = 0;
function newId(): string {
  serial += 1;
  return createHash('md5').update(`id ${serial}`).digest('hex');
}

async function rowsOf(of: TestApp): Promise<unknown> {
  await of.deps.outcomes.flush();
  const { store } = of.deps;
  const window = { limit: 100, offset: 0, descending: false };
  const issues = await store.listIssues(of.project.id, { orderBy: 'id', ...window });
  const events = [];
  for (const issue of issues.rows) {
    const page = await store.listIssueEvents(of.project.id, issue.id, window);
    for (const event of page?.rows ?? []) events.push(await store.findEvent(of.project.id, event.eventId));
  }
  const feedback = await store.listFeedback(of.project.id, { spam: false, ...window });
  const hours = await store.listOutcomes(of.project.id, 0, of.deps.now() + 3_600_000);
  return JSON.parse(JSON.stringify({ issues, events, feedback, hours }));
}

function steadyBytes(): (count: number) => Buffer {
  let drawn = 0;
  return (count) => {
    drawn += 1;
    return createHash('shake256', { outputLength: count }).update(String(drawn)).digest();
  };
}

describeWithShared('the samples', 'samples/events', (folder) => {
  const envelopes = join(folder, '../envelopes');
  const bodies = [
    ...readdirSync(folder).map((file) => join(folder, file)),
    ...readdirSync(envelopes).map((file) => join(envelopes, file)),
  ]
    .sort()
    .map((path) => {
      const bytes = readFileSync(path);
      if (path.endsWith('.envelope')) return { name: basename(path), bytes };
      // Payloads of several lines need a length, as every envelope may have one.
      const head = `{}\n${JSON.stringify({ type: 'event', length: bytes.length })}\n`;
      return { name: basename(path), bytes: Buffer.concat([Buffer.from(head), bytes]) };
    });

  async function filed(encode: (bytes: Buffer) => Buffer, headers: Headers) {
    const fresh = await openTestApp({ deps: { randomBytes: steadyBytes() }, domains: ['shop.example'] });
    const answers = [];
    for (const { name, bytes } of bodies) {
      const { status, body } = await send(encode(bytes), { headers, to: fresh });
      answers.push({ name, status, body });
    }
    const rows = await rowsOf(fresh);
    await fresh.close();
    return { answers, rows };
  }

  it('are all accepted, plain and in five encodings, and store the same rows', async () => {
    const plain = await filed((bytes) => bytes, {});
    for (const { name, status, body } of plain.answers) {
      expect([name, body.accepted, [200, 201].includes(status)]).toEqual([name, true, true]);
      const isEvent = name.endsWith('.json') || body.items?.event === 1;
      expect([name, 'issue_id' in body]).toEqual([name, isEvent]);
    }
    const statuses = Object.fromEntries(plain.answers.map(({ name, status }) => [name, status]));
    expect(statuses).toMatchObject({
      'event-and-attachment.envelope': 201,
      'sentry-browser-11.12-feedback.envelope': 201,
      'no-length-no-newline.envelope': 200,
      'python.envelope': 200,
      'sentry-browser-10.78-client-report.envelope': 200,
    });
    for (const [how, [name, encode]] of Object.entries(encodings)) {
      const encoded = await filed((bytes) => encode(bytes), { 'Content-Encoding': name });
      expect([how, encoded]).toEqual([how, plain]);
    }
  });
});

describe('edge cases of the grammar', () => {
  const event = () => item('event', { message: 'edge' });
  const cases: Array<[string, () => string, number, string | null]> = [
    ['an empty body', () => '', 400, 'notifier_empty_envelope'],
    ['a header with members of tomorrow', () => '{"some_day":1}', 400, 'notifier_empty_envelope'],
    ['an unknown item type', () => envelope({}, item('mystery', 'x')), 200, null],
    [
      'NaN',
      () => envelope({}, item('event', '{"message":"edge","extra":{"a":NaN}}')),
      400,
      'rest_invalid_json',
    ],
    ['an event that is a list', () => envelope({}, item('event', '[]')), 400, 'notifier_invalid_envelope'],
  ];

  it.each(rows(() => fullOrSome(cases, 4)))('%s', async (_name, body, status, code) => {
    const before = await rowsOf(app);
    const answer = await send(body());
    expect([answer.status, answer.body.code ?? null]).toEqual([status, code]);
    if (status >= 400) {
      expect(answer.body.data).toHaveStatus(status);
      const after = (await rowsOf(app)) as { events: unknown };
      expect(after.events).toEqual((before as { events: unknown }).events);
    } else {
      expect(answer.body.accepted).toBe(true);
    }
    expect('issue_id' in answer.body).toBe(status === 201);
  });

  it('event and transaction: the event is kept, the transaction counted', async () => {
    const { status, body } = await send(envelope({}, item('transaction', { spans: [] }), event()));
    expect(status).toBe(201);
    expect(body).toMatchObject({ items: { event: 1 }, skipped: { transaction: 1 } });
  });

  it('answers exactly these members, in this order', async () => {
    const event_id = newId();
    const { body, status } = await send(envelope({ event_id }, item('event', { message: 'members' })));
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'accepted',
      'event_id',
      'issue_id',
      'id',
      'is_new',
      'is_regression',
      'items',
    ]);
    expect(body).toMatchObject({ accepted: true, event_id, id: event_id, items: { event: 1 } });
    expect(Number.isInteger(body.issue_id)).toBe(true);
    const nothing = await send(envelope({}, item('session', { status: 'ok' }), item('profile', {})));
    expect([nothing.status, nothing.body]).toEqual([
      200,
      { accepted: true, items: { session: 1 }, skipped: { profile: 1 } },
    ]);
  });

  it('counts item types by their own names, whatever these are', async () => {
    const { body } = await send(
      envelope({}, item('__proto__', ''), item('constructor', ''), item('t'.repeat(99), '')),
    );
    expect(Object.entries(body.skipped)).toEqual([
      ['__proto__', 1],
      ['constructor', 1],
      ['t'.repeat(64), 1],
    ]);
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});

describe('an event in an envelope', () => {
  it('has the id of the header, and is stored once', async () => {
    const [ofHeader, ofPayload] = [newId(), newId()];
    const body = envelope(
      { event_id: ofHeader.toUpperCase() },
      item('event', { event_id: ofPayload, message: 'whose id' }),
    );
    const first = await send(body);
    expect([first.status, first.body.event_id]).toEqual([201, ofHeader]);
    const again = await send(body);
    expect([again.status, again.body.duplicate, again.body.issue_id]).toEqual([
      200,
      true,
      first.body.issue_id,
    ]);
    expect(await app.deps.store.findEvent(app.project.id, ofPayload)).toBeNull();
  });

  it('is read leniently, and the answer lists ignored fields', async () => {
    const { status, body } = await send(
      envelope({}, item('event', { message: 5, platform: 7, level: 'loud' })),
    );
    expect(status).toBe(201);
    expect(body.errors.map((error: { name: string }) => error.name)).toContain('level');
  });

  it('gets its time corrected by the clock of its client', async () => {
    const event_id = newId();
    const nowMs = app.deps.now();
    const at = (ms: number): string => new Date(ms).toISOString();
    // The client's clock is two hours slow: it sent at what it takes for now, five seconds after the error.
    const header = { event_id, sent_at: at(nowMs - 7_200_000) };
    await send(envelope(header, item('event', { message: 'drift', timestamp: at(nowMs - 7_205_000) })));
    const { body } = await app.get(`/events/${event_id}`);
    // Five seconds before it was received, however long that took.
    const stored = await app.deps.store.findEvent(app.project.id, event_id);
    expect(Date.parse(body.timestamp)).toBe((stored?.receivedAtMs ?? 0) - 5_000);
  });

  inFull(it)('over 1 MiB is refused, 413 where Sentry SDKs send', async () => {
    const large = envelope({}, item('event', { message: 'large', extra: { pad: 'x'.repeat(1_048_577) } }));
    const refused = await send(large);
    expect([refused.status, refused.body.code]).toEqual([400, 'rest_payload_too_large']);
    const alias = await send(large, { path: `/api/${app.project.id}/envelope/` });
    expect([alias.status, alias.body.code, alias.body.data.status]).toEqual([
      413,
      'rest_payload_too_large',
      413,
    ]);
  });
});

describe('sizes', () => {
  const junk = (bytes: number): Buffer => Buffer.alloc(bytes, 'incompressible?');
  const withAttachment = (payload: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`{}\n${JSON.stringify({ type: 'attachment', length: payload.length })}\n`),
      payload,
    ]);

  inFull(it)('5 MiB as sent', async () => {
    const answer = await send(withAttachment(junk(5 * 1_048_576)));
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_payload_too_large']);
    expect(await send(withAttachment(junk(5 * 1_048_576 - 200)))).toHaveStatus(200);
    const alias = await send(withAttachment(junk(5 * 1_048_576)), {
      path: `/api/${app.project.id}/envelope`,
    });
    expect(alias).toHaveStatus(413);
  });

  inFull(it)('20 MiB inflated', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    // Growth of about fifty, so that only the size can refuse it.
    const line = createHash('shake256', { outputLength: 800 }).digest();
    const noise = Buffer.concat(
      Array.from({ length: 21 * 1024 }, (_, index) =>
        index % 24 === 0
          ? createHash('shake256', { outputLength: 1024 }).update(String(index)).digest()
          : Buffer.alloc(1024, line),
      ),
    );
    const packed = gzipSync(withAttachment(noise));
    expect(packed.length).toBeLessThan(5 * 1_048_576);
    const answer = await send(packed, { headers });
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_payload_too_large']);
    expect((await send(gzipSync(withAttachment(noise.subarray(0, 4 * 1_048_576))), { headers })).status).toBe(
      200,
    );
  });

  inFull(it)('of attachments: 5 of at most 5 MiB, the others are skipped and the event is kept', async () => {
    // Base64 shrinks to three quarters: under 5 MiB as sent, over it once inflated.
    const large = createHash('shake256', { outputLength: 4 * 1_048_576 }).digest('base64');
    const items = Array.from({ length: 7 }, (_, n) =>
      item('attachment', `file ${n}`, { filename: `${n}.txt` }),
    );
    const body = envelope(
      {},
      item('attachment', large, { length: large.length }),
      ...items,
      item('event', { message: 'files' }),
    );
    const answer = await send(gzipSync(body), { headers: { 'Content-Encoding': 'gzip' } });
    expect([answer.status, answer.body.items, answer.body.skipped]).toEqual([
      201,
      { event: 1, attachment: 5 },
      { attachment: 3 },
    ]);
    const kept = await app.get(`/events/${answer.body.event_id}`);
    expect(kept.body.attachments.map((file: { filename: string }) => file.filename)).toEqual(
      ['0', '1', '2', '3', '4'].map((n) => `${n}.txt`),
    );
  });
});

describe('one bad item', () => {
  const cookie = item('user_report', {
    event_id: newId(),
    name: 'A',
    email: 'a@b.example',
    comments: 'it broke',
  });
  const fromShop = { Origin: 'https://shop.example' };

  it.each([
    ['a report that is no JSON', item('user_report', '{broken')],
    ['feedback that is a list', item('feedback', '[]')],
    ['feedback without a message', item('feedback', {})],
    ['sessions that are no JSON', item('sessions', 'nonsense')],
    ['losses that are no JSON', item('client_report', 'nonsense')],
    ['a payload that looks like an item', item('mystery', '{"type":"event"}')],
  ])('%s changes nothing for the event beside it', async (_name, bad) => {
    for (const items of [
      [bad, item('event', { message: 'good' })],
      [item('event', { message: 'good' }), bad],
    ]) {
      const event_id = newId();
      const answer = await send(envelope({ event_id }, ...items), { headers: fromShop });
      expect([answer.status, answer.body.event_id, answer.body.items]).toEqual([201, event_id, { event: 1 }]);
      expect(Object.values(answer.body.skipped)).toEqual([1]);
    }
  });

  it('an invalid event is reported beside a stored bug report', async () => {
    const answer = await send(envelope({}, item('event', '{broken'), cookie), { headers: fromShop });
    expect([answer.status, answer.body.items, answer.body.skipped]).toEqual([
      201,
      { user_report: 1 },
      { event: 1 },
    ]);
    expect(answer.body.errors).toEqual([{ type: 'rest_invalid_json', name: 'event' }]);
  });
});

describe('bug reports in envelopes', () => {
  const report = () =>
    item('feedback', { contexts: { feedback: { message: `The button is gone ${newId()}` } } });

  it('are refused with the reason when nothing else was kept', async () => {
    const unknown = await send(envelope({}, report()), { headers: { Origin: 'https://other.example' } });
    expect([unknown.status, unknown.body.data]).toEqual([403, { status: 403, reason: 'unknown_domain' }]);
    const before = await rowsOf(app);
    await send(envelope({}, report(), item('profile', {})), {
      headers: { Origin: 'https://other.example' },
    });
    expect((await rowsOf(app)) as object).toMatchObject({
      feedback: (before as { feedback: object }).feedback,
    });
  });

  it('are skipped beside an event that is kept', async () => {
    const answer = await send(envelope({}, item('event', { message: 'with report' }), report()), {
      headers: { Origin: 'https://other.example' },
    });
    expect([answer.status, answer.body.items, answer.body.skipped]).toEqual([
      201,
      { event: 1 },
      { feedback: 1 },
    ]);
    expect(answer.body.errors).toEqual([{ type: 'rest_forbidden', name: 'feedback' }]);
  });

  it('are stored once where the domain has them on', async () => {
    const body = envelope({ event_id: newId() }, report());
    const first = await send(body, { headers: { Origin: 'https://shop.example' } });
    expect([first.status, first.body.items]).toEqual([201, { feedback: 1 }]);
    expect(Number.isInteger(first.body.feedback_id)).toBe(true);
    expect(first.body).not.toHaveProperty('issue_id');
    const again = await send(body, { headers: { Origin: 'https://shop.example' } });
    expect([again.status, again.body.feedback_id]).toEqual([200, first.body.feedback_id]);
  });
});

describe('attachments', () => {
  inFull(it)('that come later join their event, without duplicates, and at most twenty', async () => {
    const event_id = newId();
    await send(envelope({ event_id }, item('event', { message: 'later files' })));
    const later = envelope({ event_id }, item('attachment', 'late', { filename: 'late.log' }));
    const answers = [await send(later), await send(later)];
    expect(answers.map(({ status, body }) => [status, body.items])).toEqual([
      [200, { attachment: 1 }],
      [200, { attachment: 1 }],
    ]);
    expect((await app.get(`/events/${event_id}`)).body.attachments).toHaveLength(1);
    for (let round = 0; round < 5; round += 1) {
      const files = Array.from({ length: 5 }, (_, n) =>
        item('attachment', `${round} ${n}`, { filename: `${round}-${n}` }),
      );
      await send(envelope({ event_id }, ...files));
    }
    expect((await app.get(`/events/${event_id}`)).body.attachments).toHaveLength(20);
  });

  it('without an event are skipped', async () => {
    const { status, body } = await send(envelope({ event_id: newId() }, item('attachment', 'x')));
    expect([status, body]).toEqual([200, { accepted: true, skipped: { attachment: 1 } }]);
  });
});

describe('a JSON document', () => {
  it('of events is answered event by event', async () => {
    const [one, two] = [newId(), newId()];
    const events = [{ event_id: one, message: 'one' }, 5, { event_id: two, message: 'two' }];
    const { status, body } = await send(JSON.stringify({ events }));
    expect(status).toBe(201);
    expect(body.events).toMatchObject([
      { event_id: one, issue_id: expect.any(Number) },
      { event_id: null, issue_id: null, error: { code: 'notifier_invalid_envelope' } },
      { event_id: two, issue_id: expect.any(Number) },
    ]);
    expect([body.items, body.skipped]).toEqual([{ event: 2 }, { event: 1 }]);
    const again = await send(JSON.stringify({ events: [events[0]] }));
    expect([again.status, again.body.events[0].duplicate]).toEqual([200, true]);
  });

  inFull(it)('may be a list with gaps as PHP writes it, small or large', async () => {
    for (const characters of [10, 600_000]) {
      const ids = [newId(), newId()];
      const [one, two] = ids.map((event_id) => ({
        event_id,
        message: `m${event_id}`,
        extra: { a: 'x'.repeat(characters) },
      }));
      const text = `{"events": {"12": ${JSON.stringify(two)}, "3" : ${JSON.stringify(one)}}}`;
      const { status, body } = await send(text);
      expect([status, body.events?.map((each: { event_id: string }) => each.event_id)]).toEqual([201, ids]);
    }
    const named = await send(JSON.stringify({ events: { '1': { message: 'x' }, last: { message: 'y' } } }));
    expect([named.status, named.body.code]).toEqual([400, 'notifier_invalid_envelope']);
  });

  it('may be a single event, on one line or on many', async () => {
    for (const indent of [undefined, 2]) {
      const event_id = newId();
      const text = JSON.stringify({ event_id, platform: 'php', message: 'single' }, null, indent);
      const { status, body } = await send(`${text}\n`);
      expect([status, body.event_id]).toEqual([201, event_id]);
      expect(body.events).toEqual([{ event_id, issue_id: body.issue_id }]);
    }
  });

  it.each([
    ['no events', { events: [] }, 'notifier_empty_envelope'],
    ['events that are no list', { events: 5 }, 'notifier_invalid_envelope'],
    ['events of which none is one', { events: [5, 'x'] }, 'notifier_invalid_envelope'],
  ])('with %s is refused', async (_name, document, code) => {
    const answer = await send(JSON.stringify(document));
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});

describe('the credential', () => {
  const event = () => item('event', { message: 'by dsn' });
  const dsn = (key = app.publicKey, project: number | string = app.project.id): string =>
    `http://${key}@127.0.0.1/wp-json/notifier/v1/${project}`;

  it.each([
    ['X-Notifier-Key', () => ({ 'X-Notifier-Key': app.publicKey }), ''],
    [
      'X-Sentry-Auth',
      () => ({ 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${app.publicKey}` }),
      '',
    ],
    ['Authorization: Sentry', () => ({ Authorization: `Sentry sentry_key=${app.publicKey}` }), ''],
    ['?sentry_key=', () => ({}), '?sentry_version=7&sentry_key='],
  ] as const)('may be %s', async (_name, headers, query) => {
    const path = `/envelope${query === '' ? '' : query + app.publicKey}`;
    const answer = await fetch(app.api + path, {
      method: 'POST',
      headers: headers(),
      body: envelope({}, event()),
    });
    expect(answer).toHaveStatus(201);
  });

  const withoutKey = (body: Buffer | string, headers: Headers = {}, path = '/envelope') =>
    fetch(app.api + path, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) });

  it('may be only the dsn, plain and in every encoding', async () => {
    const body = Buffer.from(envelope({ dsn: dsn() }, event()));
    expect(await withoutKey(body)).toHaveStatus(201);
    for (const [how, [name, encode]] of Object.entries(encodings)) {
      const answer = await withoutKey(encode(body), { 'Content-Encoding': name });
      expect([how, answer.status]).toEqual([how, 201]);
    }
  });

  it('of a dsn is read only when there is no other, and its project counts', async () => {
    const other = await app.addProject(`dsn ${newId()}`);
    const both = await send(envelope({ dsn: dsn(other.publicKey, other.project.id) }, event()));
    expect(both).toHaveStatus(201);
    expect(await app.deps.store.findEvent(app.project.id, both.body.event_id)).not.toBeNull();
    expect((await withoutKey(envelope({ dsn: dsn(app.publicKey, other.project.id) }, event()))).status).toBe(
      401,
    );
    expect(await withoutKey(envelope({ dsn: dsn('no_such_key_0123456789') }, event()))).toHaveStatus(401);
  });

  it.each([
    ['no dsn', envelope({}, event()), {}],
    ['a dsn that is no address', envelope({ dsn: 'nonsense' }, event()), {}],
    ['a dsn that is no text', envelope({ dsn: [1] }, event()), {}],
    ['an empty body', '', {}],
    ['a first line over 8 KiB', `{"a":"${'x'.repeat(9000)}"}\n`, {}],
    ['bytes that are not of their encoding', 'plain', { 'Content-Encoding': 'gzip' }],
    ['an encoding we do not have', 'plain', { 'Content-Encoding': 'lzma' }],
    ['a br window over 22 bits', Buffer.from([0x0f, 0, 0, 0]), { 'Content-Encoding': 'br' }],
    ['a bomb', gzipSync(Buffer.alloc(50 * 1_048_576)), { 'Content-Encoding': 'gzip' }],
  ] as Array<[string, string | Buffer, Headers]>)('is missing with %s: 401', async (_name, body, headers) => {
    const answer = await withoutKey(body, headers);
    expect(answer).toHaveStatus(401);
    expect(await answer.json()).toEqual({
      code: 'rest_forbidden',
      message: 'Sorry, you are not allowed to do that.',
      data: { status: 401 },
    });
  });

  it('in the body is no credential for /store, which does not wait for it', async () => {
    expect(await withoutKey(JSON.stringify({ dsn: dsn(), message: 'x' }), {}, '/store')).toHaveStatus(401);
  });
});

describe('the endpoints of Sentry SDKs', () => {
  it.each(['/envelope', '/envelope/', '/store', '/store/'])(
    '%s accepts events below the project id',
    async (door) => {
      const body = door.startsWith('/store')
        ? JSON.stringify({ message: 'by the door' })
        : envelope({}, item('event', { message: 'by the door' }));
      const path = `/api/${app.project.id}${door}?sentry_version=7&sentry_key=${app.publicKey}`;
      const answer = await fetch(app.api + path, { method: 'POST', body });
      // SDKs of Java, .NET and Dart take nothing but 200 for a success.
      expect(answer).toHaveStatus(200);
      const kept = (await answer.json()) as object;
      expect(kept).toMatchObject({ accepted: true, id: expect.stringMatching(/^[0-9a-f]{32}$/) });
      expect(Object.keys(kept)[0]).toBe('id');
    },
  );

  it.each(['999999', '0', '00000001'])(
    'with the project id %s, which is not the key’s, is 401',
    async (id) => {
      const body = envelope({}, item('event', { message: 'x' }));
      expect(await send(body, { path: `/api/${id}/envelope/` })).toHaveStatus(401);
    },
  );

  it('says 413 of a store body that is too large, where /store says 400', async () => {
    const body = JSON.stringify({ message: 'x', extra: { pad: 'x'.repeat(1_048_576) } });
    expect(await send(body, { path: `/api/${app.project.id}/store/` })).toHaveStatus(413);
    expect(await send(body, { path: '/store' })).toHaveStatus(400);
  });
});

describe('a browser of another origin', () => {
  it('may send, and may read the limits', async () => {
    const asked = await fetch(`${app.api}/envelope`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-notifier-key, content-type, x-sentry-auth, content-encoding',
      },
    });
    expect(asked).toHaveStatus(200);
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
    const allowed = asked.headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
    const ofTracing = ['baggage', 'sentry-trace', 'traceparent', 'tracestate'];
    const ofSdks = ['x-notifier-key', 'content-type', 'x-sentry-auth', 'content-encoding'];
    for (const name of [...ofSdks, ...ofTracing]) expect(allowed.split(', ')).toContain(name);
    const sent = await send(envelope({}, item('event', { message: 'cors' })), {
      headers: { Origin: 'https://shop.example', 'Content-Type': 'text/plain;charset=UTF-8' },
    });
    expect(sent).toHaveStatus(201);
    expect(sent.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    const exposed = sent.headers.get('access-control-expose-headers') ?? '';
    for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Sentry-Rate-Limits']) {
      expect(exposed.split(', ')).toContain(name);
    }
    const refused = await send('', { headers: { Origin: 'https://shop.example' } });
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  });

  it.each([
    ['capacitor://localhost', 'capacitor://localhost'],
    ['ionic://localhost', 'ionic://localhost'],
    ['tauri://localhost', 'tauri://localhost'],
    ['app://obsidian.md', 'app://obsidian.md'],
    [
      'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ],
    [
      'moz-extension://5d0f5dc0-52f6-4354-9a7f-203f6e3828fd',
      'moz-extension://5d0f5dc0-52f6-4354-9a7f-203f6e3828fd',
    ],
    ['file://', 'file://'],
    ['null', 'null'],
    // As WordPress has them.
    ['http://localhost:5173', 'http://localhost:5173'],
    ['x://a<b', ''],
    ['javascript:alert(1)', ''],
  ])('may be an app that is no web page, from %s', async (origin, allowed) => {
    for (const method of ['OPTIONS', 'POST']) {
      const body = method === 'POST' ? { body: envelope({}, item('event', { message: 'cors' })) } : {};
      const asked = await fetch(`${app.api}/envelope?sentry_key=${app.publicKey}`, {
        method,
        headers: { Origin: origin, 'Content-Type': 'text/plain;charset=UTF-8' },
        ...body,
      });
      expect(asked.headers.get('access-control-allow-origin')).toBe(allowed);
    }
  });
});
