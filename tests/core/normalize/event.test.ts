// Reading events of any shape: every field of docs/events.md, "Fields", in each of its forms and past each of
// its limits.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { normalizeEvent } from '../../../src/core/normalize/event.ts';
import { context, eventId, normalized, receivedAtMs } from '../../support/events.ts';
import { describeWithShared } from '../../support/needs.ts';

const namesOf = (raw: unknown) => normalizeEvent(raw, context).errors.map((error) => error.name);

describe('what every event has', () => {
  it('has the given id, a time, a level and a platform, whatever was sent', () => {
    for (const raw of [{}, null, 5, 'text', [], { level: {}, platform: [], timestamp: {} }]) {
      expect(normalized(raw)).toMatchObject({
        event_id: eventId,
        timestamp: '2026-11-21T12:00:00Z',
        level: 'error',
        platform: 'other',
      });
    }
  });

  it('names each odd field and keeps the rest', () => {
    const { event, errors } = normalizeEvent(
      { message: 'kept', timestamp: 'nonsense', release: ['a'], tags: 7, user: 'ann', level: 'loud' },
      context,
    );
    expect(event.logentry).toEqual({ formatted: 'kept' });
    expect(errors).toContainEqual({ type: 'invalid_data', name: 'timestamp', value: 'nonsense' });
    expect(errors.map((error) => error.name).sort()).toEqual([
      'level',
      'release',
      'tags',
      'timestamp',
      'user',
    ]);
  });

  it('reads nothing from Object.prototype, and writes nothing to it', () => {
    const raw = JSON.parse(
      '{"__proto__": {"message": "x"}, "constructor": {"prototype": {"a": 1}}, "extra": {"__proto__": {"b": 1}}}',
    );
    const event = normalized(raw);
    expect(event.logentry).toBeUndefined();
    expect(JSON.stringify(event.extra)).toBe('{"__proto__":{"b":1}}');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['b']).toBeUndefined();
  });
});

describe('time', () => {
  const timeOf = (timestamp: unknown) => normalized({ timestamp }).timestamp;

  it.each([
    ['2026-11-21T11:59:00Z', '2026-11-21T11:59:00Z'],
    ['2026-11-21T11:59:00', '2026-11-21T11:59:00Z'],
    ['2026-11-21 11:59:00', '2026-11-21T11:59:00Z'],
    ['2026-11-21T12:59:00+01:00', '2026-11-21T11:59:00Z'],
    ['2026-11-21T11:59:00.5Z', '2026-11-21T11:59:00.500000Z'],
    ['2026-11-21T11:59:00.1234567+00:00', '2026-11-21T11:59:00.123456Z'],
    ['2026-11-21T11:59:00.132514327Z', '2026-11-21T11:59:00.132514Z'],
    [receivedAtMs / 1000 - 60, '2026-11-21T11:59:00Z'],
    [receivedAtMs / 1000 - 59.5, '2026-11-21T11:59:00.500000Z'],
  ])('%p is %s', (sent, read) => {
    expect(timeOf(sent)).toBe(read);
  });

  it.each(['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', 'yesterday', '2026-11-21', true, {}, 1e300])(
    '%p is not a time',
    (sent) => {
      const { event, errors } = normalizeEvent({ timestamp: sent }, context);
      expect(event.timestamp).toBe('2026-11-21T12:00:00Z');
      expect(errors[0]).toMatchObject({ type: 'invalid_data', name: 'timestamp' });
    },
  );

  it.each([
    [receivedAtMs + 60_000, null],
    [receivedAtMs + 61_000, 'future_timestamp'],
    [receivedAtMs - 30 * 86_400_000, null],
    [receivedAtMs - 30 * 86_400_000 - 1000, 'past_timestamp'],
  ])('a timestamp of %p is noted as %p', (sentMs, type) => {
    const { event, errors } = normalizeEvent({ timestamp: sentMs / 1000 }, context);
    expect(errors.map((error) => error.type)).toEqual(type === null ? [] : [type]);
    expect(Date.parse(event.timestamp)).toBe(type === null ? sentMs : receivedAtMs);
  });

  it('moves by the drift of a clock that is ahead, and not by a queue that was slow', () => {
    const ahead = { ...context, sentAtMs: receivedAtMs + 7_200_000 };
    const { event, errors } = normalizeEvent({ timestamp: (receivedAtMs + 7_190_000) / 1000 }, ahead);
    expect(event.timestamp).toBe('2026-11-21T11:59:50Z');
    expect(errors).toMatchObject([{ type: 'clock_drift', name: 'timestamp' }]);
    const queued = { ...context, sentAtMs: receivedAtMs - 600_000 };
    expect(normalizeEvent({ timestamp: (receivedAtMs - 605_000) / 1000 }, queued).errors).toEqual([]);
  });
});

describe('plain fields', () => {
  it.each([
    ['log', 'info'],
    ['critical', 'fatal'],
    ['warning', 'warning'],
    ['WARNING', 'warning'],
    [10, 'debug'],
    [50, 'fatal'],
    ['30', 'warning'],
    [undefined, 'error'],
    ['nonsense', 'error'],
  ])('level %p is %s', (sent, level) => {
    expect(normalized({ level: sent }).level).toBe(level);
  });

  it('reads lenient strings', () => {
    const event = normalized({ release: 12, dist: true, user: { id: 4.7, username: -3 } });
    expect(event).toMatchObject({ release: '12', dist: 'True', user: { id: '4', username: '-3' } });
  });

  it('keeps an unknown platform', () => {
    expect(normalized({ platform: 'nonsense' }).platform).toBe('nonsense');
  });

  it.each([
    ['release', 'a\nb'],
    ['release', 'x'.repeat(201)],
    ['dist', 'a b'],
    ['dist', 'x'.repeat(65)],
    ['environment', 'a/b'],
    ['environment', 'x'.repeat(65)],
    ['logger', 'a\r\nb'],
    ['logger', 'x'.repeat(65)],
  ])('drops %s when it is %p', (field, value) => {
    const { event, errors } = normalizeEvent({ [field]: value }, context);
    expect(event[field]).toBeUndefined();
    expect(errors.map((error) => error.name)).toEqual([field]);
  });

  it.each([
    ['transaction', 200],
    ['server_name', 256],
    ['site', 256],
  ])('cuts %s to %d characters', (field, charsMax) => {
    const { event, errors } = normalizeEvent({ [field]: 'x'.repeat(charsMax + 1) }, context);
    expect(event[field]).toBe('x'.repeat(charsMax));
    expect(errors.map((error) => error.name)).toEqual([field]);
    expect(normalizeEvent({ [field]: 'x'.repeat(charsMax) }, context).errors).toEqual([]);
  });

  it('never cuts a character in half, and drops NUL', () => {
    expect(normalized({ transaction: `${'x'.repeat(199)}😀` }).transaction).toBe(`${'x'.repeat(199)}😀`);
    expect(normalized({ transaction: `${'x'.repeat(200)}😀` }).transaction).toBe('x'.repeat(200));
    expect(normalized({ transaction: `${'x'.repeat(199)}e\u0301` }).transaction).toBe('x'.repeat(199));
    expect(normalized({ message: 'a\0b' }).logentry).toEqual({ formatted: 'ab' });
  });

  it('reads a fingerprint leniently and never cuts it', () => {
    const long = 'x'.repeat(10_000);
    const { event, errors } = normalizeEvent({ fingerprint: ['a', 1, true, 2.9, null, {}, long] }, context);
    expect(event.fingerprint).toEqual(['a', '1', 'True', '2', long]);
    expect(errors.map((error) => error.name)).toEqual(['fingerprint.4', 'fingerprint.5']);
    expect(normalized({ fingerprint: 'text' }).fingerprint).toBeUndefined();
  });

  it('ignores fields that only the server sets, and keeps unknown fields', () => {
    const event = normalized({
      received: 1,
      project: 2,
      key_id: 3,
      _meta: {},
      errors: [1],
      mystery: { a: [1] },
    });
    expect(Object.keys(event)).not.toEqual(expect.arrayContaining(['received']));
    expect(event['mystery']).toEqual({ a: [1] });
    expect(event['project']).toBeUndefined();
  });

  it('reads the SDK from the User-Agent when the event has none', () => {
    const userAgent = 'raven-php/1.11.0';
    expect(normalizeEvent({}, { ...context, userAgent }).event.sdk).toEqual({
      name: 'raven-php',
      version: '1.11.0',
    });
    expect(normalizeEvent({}, { ...context, userAgent: 'Mozilla/5.0 (X11)' }).event.sdk).toBeUndefined();
  });
});

describe('messages', () => {
  it.each([
    [{ message: 'a' }, { formatted: 'a' }],
    [{ logentry: 'a' }, { formatted: 'a' }],
    [{ 'sentry.interfaces.Message': { message: 'a %s', params: ['b'] } }, { message: 'a %s', params: ['b'] }],
    [
      { message: { message: '%(x)s', params: { x: 1 }, formatted: '1' } },
      { message: '%(x)s', params: { x: 1 }, formatted: '1' },
    ],
    [{ message: false, logentry: { formatted: 'b' } }, { formatted: 'b' }],
    [{ message: 'a', logentry: {} }, { formatted: 'a' }],
    [{ message: 'a', logentry: { formatted: 'b' } }, { formatted: 'b' }],
    [{ message: 5 }, { formatted: '5' }],
    [{ message: '' }, undefined],
  ])('%p', (raw, logentry) => {
    expect(normalized(raw).logentry).toEqual(logentry);
  });

  it('are cut at 8,192 characters, with a note', () => {
    const { event, errors } = normalizeEvent({ message: 'x'.repeat(8193) }, context);
    expect(event.logentry?.formatted).toHaveLength(8192);
    expect(errors).toEqual([{ type: 'value_too_long', name: 'logentry' }]);
  });
});

describe('exceptions and stacks', () => {
  const one = { type: 'E', value: 'v' };

  it.each([[{ values: [one] }], [[one]], [one], [{ values: [null, one] }], [{ values: one }]])(
    '%p is one exception',
    (sent) => {
      expect(normalized({ exception: sent }).exception).toEqual({ values: [one] });
      expect(normalized({ 'sentry.interfaces.Exception': sent }).exception).toEqual({ values: [one] });
    },
  );

  it('turns any value into text, the same in every order of keys', () => {
    const value = normalized({ exception: { type: 'E', value: { b: 1, a: [true] } } }).exception?.values[0]
      ?.value;
    expect(value).toBe('{"a":[true],"b":1}');
  });

  it('keeps an entry that has neither type nor value, with a note', () => {
    expect(namesOf({ exception: [{ module: 'm' }] })).toEqual(['exception.values.0.type']);
    expect(normalized({ exception: [{ module: 'm' }] }).exception?.values).toHaveLength(1);
  });

  it.each([[{ frames: null }], [{ frames: [] }], [null], [{}], ['text'], [{ frames: 'x' }]])(
    '%p is not a stack',
    (stacktrace) => {
      expect(
        normalized({ exception: [{ ...one, stacktrace }] }).exception?.values[0]?.stacktrace,
      ).toBeUndefined();
    },
  );

  it('drops invalid fields of a frame one by one', () => {
    const frames = [
      { function: 'f', filename: {}, lineno: -3, colno: '12', in_app: 'yes', vars: ['a', 'b'], mystery: 1 },
      null,
    ];
    const { event, errors } = normalizeEvent({ exception: [{ ...one, stacktrace: { frames } }] }, context);
    expect(event.exception?.values[0]?.stacktrace?.frames).toEqual([
      { function: 'f', colno: 12, vars: { 0: 'a', 1: 'b' }, mystery: 1 },
    ]);
    const at = 'exception.values.0.stacktrace.frames.0';
    expect(errors.map((error) => error.name)).toEqual([`${at}.filename`, `${at}.lineno`, `${at}.in_app`]);
  });

  it('keeps lines and columns of 32 bits, so that none can be the number of a card', () => {
    const frames = [{ function: 'f', lineno: 4_294_967_295, colno: 6_229_292_962_599_739 }];
    const { event, errors } = normalizeEvent({ exception: [{ ...one, stacktrace: { frames } }] }, context);
    expect(event.exception?.values[0]?.stacktrace?.frames).toEqual([
      { function: 'f', lineno: 4_294_967_295 },
    ]);
    expect(errors.map((error) => error.name)).toEqual(['exception.values.0.stacktrace.frames.0.colno']);
  });

  it('keeps the last 250 frames, and thins the middle of a long stack', () => {
    const frames = Array.from({ length: 300 }, (_, line) => ({
      function: 'f',
      lineno: line,
      vars: { a: 1 },
    }));
    const kept =
      normalized({ exception: [{ ...one, stacktrace: { frames } }] }).exception?.values[0]?.stacktrace
        ?.frames ?? [];
    expect(kept).toHaveLength(250);
    expect(kept.at(-1)).toMatchObject({ lineno: 299, vars: { a: 1 } });
    expect(kept.filter((frame) => frame['vars'] !== undefined)).toHaveLength(50);
  });

  it('bounds local variables by bytes and depth', () => {
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } }, long: 'x'.repeat(5000) };
    const frames = [{ function: 'f', vars: deep }];
    const vars = normalized({ exception: [{ ...one, stacktrace: { frames } }] }).exception?.values[0]
      ?.stacktrace?.frames[0]?.['vars'];
    expect(JSON.stringify(vars).length).toBeLessThanOrEqual(2048);
    expect(vars).toMatchObject({ a: { b: { c: { d: { e: '[Object]' } } } } });
  });

  it('attaches a stack outside of an exception to the exception, or to a thread', () => {
    const stacktrace = { frames: [{ function: 'f' }] };
    expect(normalized({ exception: one, stacktrace }).exception?.values[0]?.stacktrace).toEqual(stacktrace);
    expect(normalized({ message: 'm', stacktrace }).threads?.values[0]?.stacktrace).toEqual(stacktrace);
  });

  it('adds a missing type to a mechanism', () => {
    const { event, errors } = normalizeEvent(
      { exception: { ...one, mechanism: { handled: false, data: { a: 1 } } } },
      context,
    );
    expect(event.exception?.values[0]?.mechanism).toEqual({
      type: 'generic',
      handled: false,
      data: { a: 1 },
    });
    expect(errors.map((error) => error.name)).toEqual(['exception.values.0.mechanism.type']);
  });
});

describe('tags, breadcrumbs, extra and contexts', () => {
  it.each([
    [{ a: 'b', n: 5, t: true }],
    [
      [
        ['a', 'b'],
        ['n', 5],
        ['t', true],
      ],
    ],
    [
      [
        { key: 'a', value: 'b' },
        { key: 'n', value: 5 },
        { key: 't', value: true },
      ],
    ],
  ])('%p are three tags', (tags) => {
    expect(normalized({ tags }).tags).toEqual([
      ['a', 'b'],
      ['n', '5'],
      ['t', 'True'],
    ]);
  });

  it('drops a bad pair by name, keeps the rest, and stops at 100', () => {
    expect(normalized({ tags: { 'a b': 'x' } }).tags).toEqual([['a-b', 'x']]);
    const { event, errors } = normalizeEvent(
      { tags: { ok: '1', a$: 'x', long: 'x'.repeat(201), lines: 'a\nb', list: [] } },
      context,
    );
    expect(event.tags).toEqual([['ok', '1']]);
    expect(errors.map((error) => error.name)).toEqual(['tags.a$', 'tags.long', 'tags.lines', 'tags.list']);
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, 'v']));
    expect(normalized({ tags: many }).tags).toHaveLength(100);
  });

  it('reads breadcrumbs in three forms, the newest 100', () => {
    const crumb = { timestamp: 1_795_000_000, message: 'm', level: 'log', data: { a: 1 } };
    const read = { timestamp: '2026-11-18T11:06:40Z', message: 'm', level: 'info', data: { a: 1 } };
    for (const breadcrumbs of [{ values: [crumb] }, [crumb], crumb]) {
      expect(normalized({ breadcrumbs }).breadcrumbs).toEqual({ values: [read] });
    }
    const many = Array.from({ length: 150 }, (_, index) => ({ message: String(index) }));
    const kept = normalized({ breadcrumbs: many }).breadcrumbs?.values ?? [];
    expect([kept.length, kept.at(-1)?.['message']]).toEqual([100, '149']);
  });

  it('notes for extra, contexts and others that something was left out', () => {
    const long = { a: 'x'.repeat(9000) };
    const pairs = Array.from({ length: 201 }, (_none, index) => [`h${index}`, 'v']);
    const names = namesOf({
      logentry: { message: 'm', params: long },
      exception: {
        type: 'E',
        mechanism: { type: 'm', data: long },
        stacktrace: { frames: [{ function: 'f', vars: long }] },
      },
      breadcrumbs: [{ data: long }],
      user: { id: 1, data: long },
      request: { headers: pairs, query_string: long, data: long },
      tags: [['alone']],
    });
    expect(names).toEqual([
      'logentry.params',
      'exception.values.0.mechanism.data',
      'exception.values.0.stacktrace.frames.0.vars',
      'breadcrumbs.values.0.data',
      'tags.alone',
      'user.data',
      'request.data',
      'request.query_string',
      'request.headers',
    ]);
  });

  it('bounds extra in all, in each entry and in depth', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`);
    const each = normalizeEvent({ extra: { long: 'x'.repeat(20_000), deep } }, context);
    expect(JSON.stringify(each.event.extra?.['long']).length).toBeLessThanOrEqual(16_384);
    expect(JSON.stringify(each.event.extra?.['deep'])).toBe(`${'{"a":'.repeat(7)}"[Object]"${'}'.repeat(7)}`);
    expect(each.errors.map((error) => error.name)).toEqual(['extra.long', 'extra.deep']);
    const wide = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`k${index}`, 'x'.repeat(16_000)]),
    );
    expect(JSON.stringify(normalized({ extra: wide }).extra).length).toBeLessThanOrEqual(262_144);
  });

  const inException = (more: object) =>
    normalized({ exception: { type: 'E', ...more } }).exception?.values[0];

  it.each<[string, number, (bag: unknown) => unknown]>([
    ['what nobody knows of a mechanism', 3, (bag) => inException({ mechanism: { bag } })?.mechanism?.['bag']],
    ['the data of a request', 7, (bag) => normalized({ request: { data: bag } }).request?.data],
    ['a report of CSP', 7, (bag) => normalized({ csp: bag })['csp']],
    ['a message that is no text', 7, (value) => JSON.parse(inException({ value })?.value ?? '')],
  ])('%s has %i levels, and deeper values are replaced by a summary', (_, levels, keptOf) => {
    const nested = (count: number) => JSON.parse(`${'{"a":'.repeat(count)}1${'}'.repeat(count)}`);
    expect(keptOf(nested(levels))).toEqual(nested(levels));
    const cut = JSON.stringify(nested(levels)).replace('1', '"[Object]"');
    expect(JSON.stringify(keptOf(nested(levels + 1)))).toBe(cut);
  });

  it('sets a context that is not an object to null', () => {
    const { event, errors } = normalizeEvent(
      { contexts: { os: { name: 'linux' }, browser: 'Chrome' } },
      context,
    );
    expect(event.contexts).toEqual({ os: { name: 'linux' } });
    expect(errors.map((error) => error.name)).toEqual(['contexts.browser']);
  });
});

describe('request and user', () => {
  it('reads headers, cookies and queries in all their forms', () => {
    const forms = [
      { headers: { A: ['1', '2'], B: 'x' }, cookies: { c: '1' }, query_string: { q: '1' } },
      {
        headers: [
          ['A', '1'],
          ['A', '2'],
          ['B', 'x'],
        ],
        cookies: [['c', '1']],
        query_string: [['q', '1']],
      },
    ];
    for (const request of forms) {
      expect(normalized({ request }).request).toEqual({
        headers: { A: '1,2', B: 'x' },
        cookies: { c: '1' },
        query_string: [['q', '1']],
      });
    }
    expect(normalized({ request: { query_string: 'a=1', cookies: 'c=1' } }).request).toEqual({
      query_string: 'a=1',
      cookies: 'c=1',
    });
  });

  it('cuts a long URL to 256 characters, and lets 40 more pass', () => {
    expect(normalized({ request: { url: 'x'.repeat(296) } }).request?.url).toHaveLength(296);
    expect(normalized({ request: { url: 'x'.repeat(297) } }).request?.url).toHaveLength(256);
  });

  it('drops an invalid IP address and keeps {{auto}}', () => {
    expect(normalized({ user: { id: 1, ip_address: 'nowhere' } }).user).toEqual({ id: '1' });
    expect(normalized({ user: { ip_address: '{{auto}}' } }).user).toEqual({ ip_address: '{{auto}}' });
    expect(normalized({ user: { ip_address: '::1' } }).user).toEqual({ ip_address: '::1' });
  });
});

describeWithShared('the sample events', 'samples/events', (folder) => {
  const sample = (name: string) =>
    normalizeEvent(JSON.parse(readFileSync(join(folder, name), 'utf8')), context);

  it.each(readdirSync(folder))('%s is the same after normalizing twice', (name) => {
    const { event } = sample(name);
    expect(normalized(event)).toEqual(event);
    expect(normalized(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });

  it('each has what it is a sample of', () => {
    expect(sample('tags-as-pairs.json').event.tags).toEqual([
      ['environment', 'production'],
      ['release', '2025.6.2.0'],
    ]);
    expect(sample('go-exception-as-list.json').event.exception?.values).toHaveLength(1);
    expect(sample('logentry-as-string.json').event.logentry?.formatted).toMatch(
      /^I'm not sure whether the GO SDK/,
    );
    expect(sample('message-as-string.json').event.logentry?.formatted).toBe(
      "I am the GO SDK and I'm sorry I put a string here",
    );
    expect(typeof sample('user-id-integer.json').event.user?.id).toBe('string');
    expect(sample('fingerprint-with-integer.json').event.fingerprint).toEqual([
      'celery',
      '123',
      'sentry.tasks.store.process_event',
    ]);
    expect(sample('no-level.json').event.level).toBe('error');
    expect(sample('platform-unknown.json').event.platform).toBe('nonsense');
    expect(sample('exception-null-frames.json').event.exception?.values[0]?.stacktrace).toBeUndefined();
    expect(JSON.stringify(sample('php-anonymous-class.json').event)).not.toContain('\\u0000');
    expect(sample('js-debug-id-sourcemap.json').event.debug_meta?.['images']).toHaveLength(1);
  });
});
