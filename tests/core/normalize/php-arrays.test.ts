import { describe, expect, it } from '@jest/globals';
import { normalizeEvent } from '../../../src/core/normalize/event.ts';
import { requireMessage } from '../../../src/http/api/store-event.ts';
import { context } from '../../support/events.ts';

const read = (raw: object) => normalizeEvent(raw, context);
/** The list as PHP writes it after array_filter, in an order that is not that of its keys. */
const withGaps = (...entries: unknown[]) =>
  Object.fromEntries(entries.map((entry, index) => [String(index * 3 + 1), entry] as const).reverse());

const frames = [
  { function: 'main', filename: '/app/index.php', lineno: 1 },
  { function: 'total', filename: '/app/Cart.php', lineno: 3, in_app: true },
];
const raised = [
  { type: 'A', value: 'first' },
  { type: 'B', value: 'second' },
];

describe('an object whose names are all whole numbers is a list where a list is expected', () => {
  it.each<[string, object, object]>([
    ['exception.values', { exception: { values: withGaps(...raised) } }, { exception: { values: raised } }],
    ['exception', { exception: withGaps(...raised) }, { exception: { values: raised } }],
    [
      'frames',
      { exception: [{ type: 'A', stacktrace: { frames: withGaps(...frames) } }] },
      { exception: [{ type: 'A', stacktrace: { frames } }] },
    ],
    [
      'a stack without its object',
      { exception: [{ type: 'A', stacktrace: withGaps(...frames) }] },
      { exception: [{ type: 'A', stacktrace: frames }] },
    ],
    [
      'threads',
      { threads: { values: withGaps({ id: 1, stacktrace: { frames } }, { id: 2 }) } },
      { threads: { values: [{ id: 1, stacktrace: { frames } }, { id: 2 }] } },
    ],
    [
      'breadcrumbs',
      { breadcrumbs: withGaps({ message: 'a' }, { message: 'b' }) },
      { breadcrumbs: [{ message: 'a' }, { message: 'b' }] },
    ],
    ['fingerprint', { fingerprint: withGaps('cart', 'total') }, { fingerprint: ['cart', 'total'] }],
    [
      'source lines',
      {
        exception: [
          { stacktrace: [{ pre_context: { 11: 'a', 9: 'b' }, post_context: { 13: 'c', 14: 'd' } }] },
        ],
      },
      { exception: [{ stacktrace: [{ pre_context: ['b', 'a'], post_context: ['c', 'd'] }] }] },
    ],
    [
      'debug_meta.images',
      { debug_meta: { images: withGaps({ type: 'sourcemap', code_file: 'a.js' }) } },
      { debug_meta: { images: [{ type: 'sourcemap', code_file: 'a.js' }] } },
    ],
    [
      'tags as pairs',
      { tags: withGaps(['a', '1'], ['b', '2']) },
      {
        tags: [
          ['a', '1'],
          ['b', '2'],
        ],
      },
    ],
    [
      'headers as pairs, and a header of several values',
      { request: { headers: withGaps(['A', withGaps('1', '2')], ['B', 'x']) } },
      {
        request: {
          headers: [
            ['A', ['1', '2']],
            ['B', 'x'],
          ],
        },
      },
    ],
  ])('%s', (_field, sent, meant) => {
    expect(read(sent)).toEqual(read(meant));
  });

  it('is a map where a map is expected', () => {
    const { event, errors } = read({
      extra: { 404: 'a' },
      contexts: { cart: { 1: 'apple' } },
      modules: { 7: '1.0' },
      tags: { 404: 'x' },
    });
    expect(event).toMatchObject({
      extra: { 404: 'a' },
      contexts: { cart: { 1: 'apple' } },
      modules: { 7: '1.0' },
      tags: [['404', 'x']],
    });
    expect(errors).toEqual([]);
  });

  it('has the same errors as its list', () => {
    requireMessage({ exception: { values: withGaps({ type: 'A' }) } });
    requireMessage({ exception: withGaps({ stacktrace: withGaps(...frames) }) });
    requireMessage({ threads: { values: withGaps({ stacktrace: { frames: withGaps(...frames) } }) } });
    expect(() => requireMessage({ exception: { values: withGaps() } })).toThrow();
  });
});

describe('an empty list is an empty map, without a note', () => {
  it.each<[string, object]>([
    ...[
      'tags',
      'extra',
      'user',
      'contexts',
      'modules',
      'request',
      'sdk',
      'debug_meta',
      'message',
      'logentry',
    ].map((name): [string, object] => [name, { [name]: [] }]),
    ['a context', { contexts: { custom: [] } }],
    [
      'data and meta of a mechanism',
      { exception: [{ type: 'A', mechanism: { type: 'g', data: [], meta: [] } }] },
    ],
    ['a mechanism', { exception: [{ type: 'A', mechanism: [] }] }],
    ['user.data and user.geo', { user: { id: 1, data: [], geo: [] } }],
    [
      'parts of the request',
      { request: { url: 'https://a.example/', headers: [], cookies: [], env: [], query_string: [] } },
    ],
    ['data of a breadcrumb', { breadcrumbs: [{ message: 'a', data: [] }] }],
    ['variables', { exception: [{ type: 'A', stacktrace: [{ function: 'f', vars: [] }] }] }],
    ['a stack', { exception: [{ type: 'A', stacktrace: [] }] }],
    ['parameters', { logentry: { message: 'a', params: [] } }],
  ])('%s', (_field, sent) => {
    expect(read(sent).errors).toEqual([]);
  });

  it('has no entries', () => {
    const { event } = read({
      user: [],
      request: [],
      contexts: { a: [], b: { c: 1 } },
      message: [],
      modules: [],
    });
    expect(Object.keys(event)).not.toEqual(expect.arrayContaining(['user']));
    expect(event).toMatchObject({ contexts: { b: { c: 1 } } });
    expect(event.contexts).not.toHaveProperty('a');
    expect(event).not.toHaveProperty('logentry');
  });
});

describe('a list of values where a map is expected', () => {
  it('is kept with the indexes as keys', () => {
    const { event, errors } = read({
      extra: ['foo', 'bar'],
      contexts: { cart: ['apple', 'pear'] },
      user: { id: 1, data: ['gold'] },
      exception: [{ type: 'A', mechanism: { type: 'g', data: ['x'] } }],
    });
    expect(event).toMatchObject({
      extra: { 0: 'foo', 1: 'bar' },
      contexts: { cart: { 0: 'apple', 1: 'pear' } },
      user: { data: { 0: 'gold' } },
      exception: { values: [{ mechanism: { data: { 0: 'x' } } }] },
    });
    expect(errors).toEqual([]);
    expect(read(event).event).toEqual(event);
  });
});

describe('false in place of a string', () => {
  it('is dropped without a note', () => {
    const names = [
      'release',
      'dist',
      'environment',
      'transaction',
      'logger',
      'server_name',
      'platform',
      'message',
    ];
    const { event, errors } = read({
      ...Object.fromEntries(names.map((name) => [name, false])),
      user: { id: false, email: false, ip_address: false, username: 'ann' },
      request: { url: false, method: 'GET', query_string: false },
      exception: [
        {
          type: 'A',
          value: false,
          stacktrace: [{ function: false, lineno: false, context_line: false, filename: 'a' }],
        },
      ],
      logentry: { message: 'm', formatted: false },
      tags: { kept: false },
    });
    expect(errors).toEqual([]);
    expect(event).toMatchObject({
      platform: 'other',
      user: { username: 'ann' },
      request: { method: 'GET' },
      exception: { values: [{ type: 'A', stacktrace: { frames: [{ filename: 'a' }] } }] },
      logentry: { message: 'm' },
      tags: [['kept', 'False']],
    });
    for (const name of ['release', 'dist', 'environment', 'transaction', 'logger', 'server_name']) {
      expect(event).not.toHaveProperty(name);
    }
    expect(JSON.stringify({ ...event, tags: [] })).not.toContain('False');
  });
});
