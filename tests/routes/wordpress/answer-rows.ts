// Lists, unknown ids, the parameters that speak to WordPress, other origins and credentials.
import { errorBody, type Header, invalid, type Row, refused } from './expectations.ts';
import { api, collections, empty, type Keys } from './shared-rows.ts';

export function lists({ secret, key }: Keys): Row[] {
  return Object.entries(collections).flatMap(([path, methods]): Row[] => {
    // Reports are sent with the public key and read with the secret: with both, both methods are allowed.
    const allow = path === '/feedback' ? 'POST, GET' : methods;
    const row = { path: api + path, headers: [secret, key], allow };
    return [
      { ...row, name: `${path} is empty`, method: 'GET', ...empty },
      { ...row, name: `HEAD ${path}`, method: 'HEAD', ...empty, body: '' },
      {
        ...row,
        name: `${path} with order and page size`,
        method: 'GET',
        path: `${row.path}?per_page=100&order=asc&search=x`,
        ...empty,
      },
      {
        name: `${path} in an envelope`,
        method: 'GET',
        path: `${row.path}?_envelope`,
        headers: [secret, key],
        status: 200,
        body: `{"body":[],"status":200,"headers":{"X-WP-Total":0,"X-WP-TotalPages":0,"Allow":"${allow}"}}`,
      },
      {
        ...row,
        name: `${path} with a page below 1 and a size over 100`,
        method: 'GET',
        path: `${row.path}?page=0&per_page=101`,
        status: 400,
        body: invalid(
          ['page', 'rest_out_of_bounds', 'page must be greater than or equal to 1'],
          ['per_page', 'rest_out_of_bounds', 'per_page must be between 1 (inclusive) and 100 (inclusive)'],
        ),
      },
    ];
  });
}

export function unknownIds({ secret }: Keys): Row[] {
  const hex = 'f'.repeat(32);
  const rows: ReadonlyArray<readonly [string, string, string]> = [
    ['/issues/99', 'issue', 'GET, POST, DELETE'],
    ['/issues/99/events', 'issue', 'GET'],
    [`/events/${hex}`, 'event', 'GET'],
    ['/events/not-hex', 'event', 'GET'],
    [`/events/${hex}/attachments/1`, 'event', 'GET'],
    ['/artifacts/99', 'artifact', 'GET, DELETE'],
    ['/feedback/99', 'feedback', 'POST, GET, DELETE'],
    ['/feedback/99/screenshots/1', 'feedback', 'GET'],
    ['/domain-verifications/dv_none', 'domain_verification', 'GET, DELETE'],
    ['/domains/99', 'domain', 'GET, POST, DELETE'],
    ['/releases/99', 'release', 'GET, DELETE'],
    ['/releases/007x', 'release', 'GET, DELETE'],
    ['/releases/99999999999999999999', 'release', 'GET, DELETE'],
    ['/deploys/99', 'deploy', 'GET'],
    ['/test-runs/99', 'test_run', 'GET'],
    ['/test-cases/99/runs', 'test_case', 'GET'],
  ];
  return rows.flatMap(([path, resource, allow]): Row[] => {
    const words = resource.replaceAll('_', ' ');
    const row = {
      path: api + path,
      headers: [secret],
      status: 404,
      allow,
      body: errorBody(`notifier_${resource}_invalid_id`, `Invalid ${words} ID.`, 404),
    };
    const unread: Row = { ...row, name: `GET ${path}`, method: 'GET' };
    if (!allow.includes('DELETE')) return [unread];
    return [unread, { ...row, name: `DELETE ${path}`, method: 'DELETE' }];
  });
}

export function metaParameters({ secret }: Keys): Row[] {
  const invalidId = errorBody('notifier_release_invalid_id', 'Invalid release ID.', 404);
  const one = { method: 'GET', headers: [secret], status: 404, allow: 'GET, DELETE' };
  const path = `${api}/releases/99`;
  const pretty = `{\n    "code": "notifier_release_invalid_id",\n    "message": "Invalid release ID.",\n    "data": {\n        "status": 404\n    }\n}`;
  const script = 'application/javascript; charset=UTF-8';
  const badCallback = '{"code":"rest_callback_invalid","message":"Invalid JSONP callback function."}';
  const jsonpRefused = { status: 400, body: badCallback, type: script, isBare: true, method: 'GET' };
  const enveloped = `{"body":${invalidId},"status":404,"headers":{"Allow":"GET, DELETE"}}`;
  const bare = { method: 'GET', headers: [secret], status: 200 };
  const namespace = { method: 'GET', status: 200, allow: 'GET' };
  return [
    { ...one, name: '_fields leaves errors alone', path: `${path}?_fields=code`, body: invalidId },
    { ...one, name: '_pretty', path: `${path}?_pretty`, body: pretty },
    { ...one, name: '_pretty=0', path: `${path}?_pretty=0`, body: pretty },
    { ...one, name: '_jsonp', path: `${path}?_jsonp=a.b`, body: `/**/a.b(${invalidId})`, type: script },
    { ...one, name: '_jsonp empty', path: `${path}?_jsonp=`, body: invalidId },
    { ...jsonpRefused, name: '_jsonp with a dash', path: `${path}?_jsonp=a-b` },
    {
      ...jsonpRefused,
      name: '_jsonp with a dash and an Origin',
      path: `${path}?_jsonp=a-b`,
      headers: [['Origin', 'https://a.example']],
    },
    { ...bare, name: '_envelope', path: `${path}?_envelope`, body: enveloped },
    { ...bare, name: '_envelope=0', path: `${path}?_envelope=0`, body: enveloped },
    {
      ...bare,
      name: '_envelope of a refusal',
      path: `${path}?_envelope`,
      headers: [],
      body: `{"body":${refused},"status":401,"headers":[]}`,
    },
    {
      ...bare,
      name: '_envelope and _jsonp',
      path: `${path}?_envelope&_jsonp=cb`,
      body: `/**/cb(${enveloped})`,
      type: script,
    },
    {
      ...namespace,
      name: 'the namespace, _fields',
      path: `${api}?_fields=namespace`,
      body: `{"namespace":"notifier\\/v1","_links":{"up":[{"href":"{root}"}]}}`,
    },
    {
      ...namespace,
      name: 'the namespace, another asked for',
      path: `${api}?namespace=x`,
      status: 404,
      body: errorBody('rest_invalid_namespace', 'The specified namespace could not be found.', 404),
    },
    {
      ...bare,
      name: 'OPTIONS, _fields',
      method: 'OPTIONS',
      path: `${api}/releases/99?_fields=methods`,
      allow: 'GET, DELETE',
      body: '{"methods":["GET","DELETE"]}',
    },
    {
      ...bare,
      name: 'OPTIONS, _envelope',
      method: 'OPTIONS',
      path: `${api}/nothing?_envelope`,
      body: '{"body":[],"status":200,"headers":[]}',
    },
    { ...one, name: '_locale and context', path: `${path}?_locale=user&context=edit`, body: invalidId },
  ];
}

export function origins({ secret }: Keys): Row[] {
  const shown = [
    'https://shop.example',
    'null',
    'shop.example',
    'chrome-extension://abc',
    'http://a.example:81',
  ];
  return shown.flatMap((origin): Row[] => {
    const own: Header = ['Origin', origin];
    return [
      {
        name: `${origin} reads`,
        method: 'GET',
        path: `${api}/deploys`,
        headers: [secret, own],
        allow: 'POST, GET',
        ...empty,
      },
      {
        name: `${origin} is refused`,
        method: 'POST',
        path: `${api}/store`,
        headers: [own],
        status: 401,
        body: refused,
      },
      {
        name: `${origin} asks before`,
        method: 'OPTIONS',
        path: `${api}/nothing`,
        headers: [own, ['Access-Control-Request-Method', 'POST']],
        status: 200,
        body: '[]',
      },
    ];
  });
}

/**
 * One and the same refusal, and what belongs to the neighbouring WordPress is not looked at.
 */
export function credentials({ secret, key }: Keys): Row[] {
  const word = secret[1].replace('Bearer ', '');
  const given: ReadonlyArray<readonly [string, readonly Header[]]> = [
    ['the public key as a bearer', [['Authorization', `Bearer ${key[1]}`]]],
    ['the secret in X-Notifier-Key', [['X-Notifier-Key', word]]],
    ['another word before it', [['Authorization', `Token ${word}`]]],
    ['no word before it', [['Authorization', word]]],
    ['basic', [['Authorization', 'Basic YTpi']]],
    ['half of it', [['Authorization', secret[1].slice(0, -4)]]],
  ];
  const list = { method: 'GET', path: `${api}/deploys` };
  const cookie: Header = ['Cookie', 'wordpress_logged_in_x=admin'];
  return [
    ...given.map(([name, headers]) => ({ ...list, name, headers, status: 401, body: refused })),
    { ...list, name: 'a nonce', headers: [secret, ['X-WP-Nonce', 'x']], allow: 'POST, GET', ...empty },
    { ...list, name: 'a cookie', headers: [secret, cookie], allow: 'POST, GET', ...empty },
    {
      ...list,
      name: 'a nonce in the query',
      path: `${api}/deploys?_wpnonce=x`,
      headers: [secret],
      allow: 'POST, GET',
      ...empty,
    },
  ];
}
