import { describe, expect, it } from '@jest/globals';
import { createdStatus, doors, sameByAnyDoor, storedBy } from '../support/entries.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome, inFull, isFull, rows } from '../support/test-level.ts';

const app = sharedApp({ domains: ['a.example'] });

const replaced = '\ufffd';
const blanks = ' '.repeat(70_000);

function post(path: string, body: Buffer | string, headers: Record<string, string> = {}) {
  return app.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set({ 'X-Notifier-Key': app.publicKey, 'Content-Type': 'application/json', ...headers })
    .serialize((bytes: unknown) => bytes as string)
    .send(body);
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

async function payloadOf(eventId: string): Promise<Record<string, unknown>> {
  const stored = await app.deps.store.findEvent(app.project.id, eventId);
  return JSON.parse(stored?.payload ?? '{}');
}

describe('half a surrogate pair', () => {
  const cases: ReadonlyArray<readonly [what: string, event: string, name: string]> = [
    ['a message', '{"message":"half \\ud83d of it"}', 'message'],
    ['the second half', '{"message":"half \\ude00 of it"}', 'message'],
    ['the end of a text', '{"message":"half \\uD83D"}', 'message'],
    ['a half before another escape', '{"message":"\\ud83d\\u0041"}', 'message'],
    ['a half before a whole pair', '{"message":"\\ud83d\\ud83d\\ude00"}', 'message'],
    ['a breadcrumb', '{"message":"m","breadcrumbs":[{"message":"cut \\ud83d"}]}', 'breadcrumbs.0.message'],
    ['a tag', '{"message":"m","tags":{"a":"\\ud83d"}}', 'tags.a'],
    ['the name of a tag', '{"message":"m","tags":{"a\\ud83d":"b","c":"d"}}', 'tags'],
    ['extra', '{"message":"m","extra":{"a":[1,"\\udc00"]}}', 'extra.a.1'],
    ['the name of a context', '{"message":"m","contexts":{"a\\ud83d":{"b":1}}}', 'contexts'],
    ['an unknown name', '{"message":"m","\\ud83d":1}', 'event'],
  ];
  const numbered = cases.map((each, index) => [...each, index] as const);
  it.each(rows(() => fullOrSome(numbered, 3)))(
    'in %s is replaced on every endpoint, read here or in a worker',
    async (...given) => {
      const [, event, name, index] = given;
      const [first, ...rest] = doors;
      if (first === undefined) throw new Error('there is no endpoint');
      // In the short form the cases take the endpoints in turn, three each.
      const others = isFull() ? rest : rest.filter((_door, place) => place % 2 === index % 2);
      const stored = sameByAnyDoor(await storedBy(app, first, event));
      const { errors } = stored as { errors: object[] };
      expect(errors).toContainEqual({ type: 'invalid_data', name });
      expect(JSON.stringify(stored).isWellFormed()).toBe(true);
      expect(JSON.stringify(stored)).not.toMatch(/\\u[dD][89a-fA-F]/);
      for (const door of others) expect(sameByAnyDoor(await storedBy(app, door, event))).toEqual(stored);
      for (const door of isFull() ? doors : others.slice(index % 3, (index % 3) + 1)) {
        expect(sameByAnyDoor(await storedBy(app, door, event + blanks))).toEqual(stored);
      }
    },
  );

  it('does not change the rest of the text, and is noted in the answer', async () => {
    const { status, body } = await post('/store', '{"message":"half \\ud83d of it \\ud83d\\ude00"}');
    expect([status, body.errors]).toEqual([201, [{ type: 'invalid_data', name: 'message' }]]);
    expect(await payloadOf(body.event_id)).toMatchObject({
      logentry: { formatted: `half ${replaced} of it \u{1f600}` },
    });
  });
});

describe('bytes that are not UTF-8', () => {
  it.each([
    ['a byte of Latin-1', '{"message":"caf\xe9"}', `caf${replaced}`],
    ['an emoji that was cut', '{"message":"cut \xf0\x9f\x98"}', `cut ${replaced}`],
    ['a byte at the end, before the quote', '{"message":"a\xc3"}', `a${replaced}`],
    ['a whole character beside it', '{"message":"\xff \xe2\x98\x83"}', `${replaced} \u2603`],
  ])('%s is replaced, read here or in a worker', async (_what, event, formatted) => {
    for (const text of [event, event.replace('{', `{${blanks}`)]) {
      const item = (type: string) => `{}\n{"type":"${type}","length":${text.length}}\n${text}\n`;
      for (const [path, body] of [
        ['/store', text],
        [`/api/${app.project.id}/store/`, text],
        ['/envelope', item('event')],
        ['/envelope', text],
        [`/api/${app.project.id}/envelope/`, item('event')],
      ] as const) {
        const answer = await post(path, bytesOf(body));
        expect({ path, status: answer.status, text: answer.text }).toMatchObject({
          status: createdStatus(path),
        });
        expect(answer.body.errors).toEqual([{ type: 'invalid_data', name: 'message' }]);
        expect(await payloadOf(answer.body.event_id)).toMatchObject({ logentry: { formatted } });
      }
    }
  });

  it('in the headers of an envelope cost neither the event nor an attachment', async () => {
    const lines = ['{"sdk":{"name":"\xff"}}', '{"type":"event","a":"\\ud83d"}', '{"message":"whole"}'];
    const file = ['{"type":"attachment","length":1,"filename":"caf\xe9 \\ud83d.txt"}', 'x', ''];
    const { status, body } = await post('/envelope', bytesOf([...lines, ...file].join('\n')));
    expect([status, body.items]).toEqual([201, { event: 1, attachment: 1 }]);
    const stored = await app.get(`/events/${body.event_id}`);
    expect(stored.body.attachments).toMatchObject([{ filename: `caf${replaced} ${replaced}.txt` }]);
  });
});

describe('a byte order mark', () => {
  const mark = '\ufeff';

  it('before an event is skipped on every endpoint, here or in a worker', async () => {
    for (const door of doors.filter(({ name }) => name !== 'a list of events')) {
      for (const pad of ['', blanks]) {
        const stored = await storedBy(app, door, `${mark}{"message":"marked"}${pad}`);
        expect(JSON.parse(stored.payload)).toMatchObject({ logentry: { formatted: 'marked' } });
        expect(stored.errors).toEqual([]);
      }
    }
  });

  it('before a list of events is skipped', async () => {
    const { status, body } = await post('/envelope', `${mark}{"events":[{"message":"marked"}]}`);
    expect([status, body.items]).toEqual([201, { event: 1 }]);
  });

  it('before an envelope or a bug report is skipped, and refused before a release', async () => {
    const envelope = await post('/envelope', `${mark}{}\n{"type":"event"}\n{"message":"marked"}\n`);
    expect([envelope.status, envelope.body.items]).toEqual([201, { event: 1 }]);
    const report = `${mark}{"message":"marked","url":"https://a.example/"}`;
    expect((await post('/feedback', report, { Origin: 'https://a.example' })).status).toBe(201);
    const release = await post('/releases', `${mark}{"version":"1"}`, {
      Authorization: `Bearer ${app.secretKey}`,
    });
    expect([release.status, release.body.code]).toEqual([400, 'rest_invalid_json']);
  });
});

describe('a bug report with broken text', () => {
  const from = { Origin: 'https://a.example' };

  it('is kept by POST /feedback, with a warning', async () => {
    for (const pad of ['', blanks]) {
      const text = `{"message":"caf\xe9 \\ud83d","url":"https://a.example/"${pad}}`;
      const { status, body } = await post('/feedback', bytesOf(text), from);
      expect([status, body.warnings]).toEqual([
        201,
        [{ code: 'invalid_text', field: 'message', message: expect.any(String) }],
      ]);
      const kept = await app.get(`/feedback/${body.feedback_id}`);
      expect(kept.body.message).toBe(`caf${replaced} ${replaced}`);
    }
  });

  it.each([
    [
      'feedback',
      '{"contexts":{"feedback":{"message":"love it \\ud83d","url":"https://a.example/"}}}',
      'contexts',
    ],
    [
      'user_report',
      '{"event_id":"0123456789abcdef0123456789abcdef","comments":"love it \\ud83d"}',
      'comments',
    ],
  ])('is kept as an item %s, with a note', async (type, report, field) => {
    for (const pad of ['', blanks]) {
      const lines = ['{}', '{"type":"event"}', '{"message":"good"}', `{"type":"${type}"}`, report + pad];
      const { status, body } = await post('/envelope', lines.join('\n'), from);
      expect([status, body.items]).toEqual([201, { event: 1, [type]: 1 }]);
      expect(body.errors).toEqual([{ type: 'invalid_data', name: `${type}.${field}` }]);
      const kept = await app.get(`/feedback/${body.feedback_id}`);
      expect(kept.body.message).toBe(`love it ${replaced}`);
    }
  });
});

describe('a form with bytes that are not UTF-8', () => {
  const urlencoded = 'application/x-www-form-urlencoded';
  const multipart = (fields: Record<string, string>): Buffer => {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    return bytesOf(`${parts.join('')}--x--\r\n`);
  };
  const long = 'x'.repeat(70_000);

  it.each([
    [
      'urlencoded',
      urlencoded,
      (pad: string) => `message=caf%E9&tags[a]=%F0%9F%98&extra[%FF]=b&extra[pad]=${pad}`,
    ],
    [
      'urlencoded, raw',
      urlencoded,
      (pad: string) => `message=caf\xe9&tags[a]=\xf0\x9f\x98&extra[\xff]=b&extra[pad]=${pad}`,
    ],
    [
      'multipart',
      'multipart/form-data; boundary=x',
      (pad: string) =>
        multipart({ message: 'caf\xe9', 'tags[a]': '\xf0\x9f\x98', 'extra[\xff]': 'b', 'extra[pad]': pad }),
    ],
  ])('is an event with U+FFFD and a note: %s', async (_what, contentType, form) => {
    for (const pad of ['', long]) {
      const sent = form(pad);
      const bytes = typeof sent === 'string' ? bytesOf(sent) : sent;
      const { status, body } = await post('/store', bytes, { 'Content-Type': contentType });
      const noted = body.errors.filter(({ type }: Record<string, unknown>) => type === 'invalid_data');
      expect([status, noted]).toEqual([
        201,
        ['message', 'tags.a', 'extra'].map((name) => ({ type: 'invalid_data', name })),
      ]);
      expect(await payloadOf(body.event_id)).toMatchObject({
        logentry: { formatted: `caf${replaced}` },
        tags: expect.arrayContaining([['a', replaced]]),
      });
    }
  });

  it('is a bug report with a warning, also where JSON in a field is broken', async () => {
    const from = { Origin: 'https://a.example' };
    for (const pad of ['', long]) {
      const fields = {
        message: 'caf\xe9',
        url: 'https://a.example/',
        tags: '{"a":"\\ud83d"}',
        ignored: pad,
      };
      const encoded = new URLSearchParams({ ...fields, message: '' })
        .toString()
        .replace('message=', 'message=caf%E9');
      for (const [type, bytes] of [
        ['multipart/form-data; boundary=x', multipart(fields)],
        [urlencoded, bytesOf(encoded)],
      ] as const) {
        const { status, body } = await post('/feedback', bytes, { ...from, 'Content-Type': type });
        const told = (body.warnings ?? []).map(({ code, field }: Record<string, unknown>) => [code, field]);
        expect([status, told]).toEqual([
          201,
          expect.arrayContaining([
            ['invalid_text', 'message'],
            ['invalid_text', 'tags'],
          ]),
        ]);
        const kept = await app.get(`/feedback/${body.feedback_id}`);
        expect([kept.body.message, kept.body.tags]).toEqual([`caf${replaced}`, { a: replaced }]);
      }
    }
  });
});

describe('every other route', () => {
  it.each(['/sdk-verify', '/releases', '/deploys', '/domain-verifications', '/test-runs', '/monitors'])(
    '%s refuses invalid text with the message of WordPress',
    async (path) => {
      for (const [text, code] of [
        ['{"version":"\\ud83d"}', 10],
        ['{"version":"\xff"}', 5],
      ] as const) {
        const { status, body } = await post(path, bytesOf(text), {
          Authorization: `Bearer ${app.secretKey}`,
        });
        expect({ path, status, code: body.code, json: body.data?.json_error_code }).toEqual({
          path,
          status: 400,
          code: 'rest_invalid_json',
          json: code,
        });
      }
    },
  );
});

describe('whole numbers past 2^53', () => {
  inFull(it)('keep their digits on every endpoint', async () => {
    const digits = ['9007199254740993', '12345678901234567890', '-98765432109876543210', '1'.repeat(40)];
    for (const number of isFull() ? digits : digits.slice(0, 2)) {
      const event = `{"message":"m","user":{"id":${number}},"tags":{"a":${number}},"extra":{"b":[${number}]},"contexts":{"c":{"d":${number}}}}`;
      for (const door of doors) {
        for (const text of [event, event + blanks]) {
          const payload = JSON.parse((await storedBy(app, door, text)).payload);
          expect({ door: door.name, ...payload }).toMatchObject({
            user: { id: number },
            tags: [['a', number]],
            extra: { b: [number] },
            contexts: { c: { d: number } },
          });
        }
      }
    }
  });
});
