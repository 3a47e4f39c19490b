// Requests written down: addresses, methods, bodies, the parameters that speak to WordPress, and CORS.
import { type FixtureRequest, jsonType, type Keys } from './requests.ts';

type Header = readonly [string, string];
type Written = Omit<FixtureRequest, 'id'> & { readonly name: string };

const api = '/wp-json/notifier/v1';
const formType: Header = ['Content-Type', 'application/x-www-form-urlencoded'];

/** All of them, for the credentials given. */
export function manners(keys: Keys): FixtureRequest[] {
  const secret: Header = ['Authorization', `Bearer ${keys.secret}`];
  const key: Header = ['X-Notifier-Key', keys.public];
  const groups: ReadonlyArray<readonly [string, readonly Written[]]> = [
    ['index', indexes()],
    ['address', addresses(secret)],
    ['method', methods(secret, key)],
    ['json', jsonBodies(secret, key)],
    ['form', forms(secret)],
    ['multipart', multiparts(secret)],
    ['query', queries(secret)],
    ['meta', metaParameters(secret)],
    ['cors', crossOrigin(secret)],
    ['credential', credentials(keys)],
  ];
  return groups.flatMap(([group, written]) =>
    written.map(({ name, ...request }) => ({ ...request, id: `${group}: ${name}` })),
  );
}

function indexes(): Written[] {
  const get = (path: string): Written => ({ name: path, method: 'GET', path, headers: [] });
  return [get('/wp-json/'), get('/wp-json'), get('/?rest_route=/'), get('/index.php/wp-json/')];
}

function addresses(secret: Header): Written[] {
  const paths = [
    api,
    `${api}/`,
    `${api}//`,
    `${api}?context=help`,
    `${api}?namespace=x`,
    `${api}?_fields=namespace`,
    '/wp-json/notifier',
    '/wp-json/notifier/v2',
    '/wp-json/notifier/v10/releases',
    '/wp-json/NOTIFIER/V1/RELEASES',
    `${api}/releases/`,
    `${api}/releases//`,
    `${api}//releases`,
    '//wp-json/notifier/v1/releases',
    '/index.php/wp-json/notifier/v1/releases',
    '/?rest_route=/notifier/v1/releases',
    '/?rest_route=%2Fnotifier%2Fv1%2Freleases',
    '/?rest_route=/notifier/v1/releases/',
    '/?rest_route=notifier/v1/releases',
    '/?rest_route=//notifier/v1/releases',
    '/index.php?rest_route=/notifier/v1/releases',
    '/some/page/?rest_route=/notifier/v1/releases',
    '/?rest_route=/notifier/v1/issues&rest_route=/notifier/v1/releases',
    `${api}/issues?rest_route=/notifier/v1/releases`,
    '/wp-j%73on/notifier/v1/releases',
    `${api}/rele%61ses`,
    '/wp-json/notifier%2Fv1/releases',
    `${api}/releases/a.b`,
    `${api}/releases/a~b`,
    `${api}/releases/%C3%A9`,
    `${api}/releases/7%0A`,
    `${api}/releases/7/more`,
    `${api}/releases/-`,
    `${api}/releases/..`,
    `${api}/releases/7?id=8`,
    `${api}/releases/7?id[]=8`,
    `${api}/nothing`,
    `${api}/events/7/attachments/8`,
  ];
  return paths.map((path) => ({ name: path, method: 'GET', path, headers: [secret] }));
}

function methods(secret: Header, key: Header): Written[] {
  const written: Written[] = [];
  for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    for (const path of ['/releases', '/releases/7', '/store']) {
      written.push({ name: `${method} ${path}`, method, path: api + path, headers: [secret, key] });
    }
  }
  const overrides: ReadonlyArray<readonly [string, string, string, readonly Header[]]> = [
    ['_method=delete', 'POST', '/releases/7?_method=delete', []],
    ['_method empty', 'GET', '/releases?_method=', []],
    ['_method unknown', 'GET', '/releases?_method=brew', []],
    ['_method OPTIONS', 'GET', '/releases?_method=OPTIONS', []],
    ['header delete', 'POST', '/releases/7', [['X-HTTP-Method-Override', 'delete']]],
    ['header get on a 404', 'POST', '/nothing', [['X-HTTP-Method-Override', 'GET']]],
    ['header empty', 'GET', '/releases', [['X-HTTP-Method-Override', '']]],
    ['both', 'POST', '/releases/7?_method=GET', [['X-HTTP-Method-Override', 'DELETE']]],
  ];
  for (const [name, method, path, headers] of overrides) {
    written.push({ name, method, path: api + path, headers: [secret, ...headers] });
  }
  const guarded: ReadonlyArray<readonly [string, string, string, readonly Header[]]> = [
    ['_method=DELETE on GET', 'GET', '/releases/7?_method=DELETE', []],
    ['header delete on GET', 'GET', '/releases/7', [['X-HTTP-Method-Override', 'DELETE']]],
    ['JSONP of a write', 'DELETE', '/releases/7?_jsonp=cb', []],
  ];
  for (const [name, method, path, headers] of guarded) {
    written.push({ name, method, path: api + path, headers: [secret, ...headers], differs: 'D-27' });
  }
  written.push(
    { name: 'OPTIONS nothing', method: 'OPTIONS', path: `${api}/nothing`, headers: [] },
    { name: 'OPTIONS the namespace', method: 'OPTIONS', path: api, headers: [] },
    { name: 'POST the namespace', method: 'POST', path: api, headers: [secret] },
    { name: 'POST the index', method: 'POST', path: '/wp-json/', headers: [secret] },
  );
  return written;
}

function jsonBodies(secret: Header, key: Header): Written[] {
  const bodies: ReadonlyArray<readonly [string, string]> = [
    ['empty', ''],
    ['zero', '0'],
    ['a blank', ' '],
    ['cut off', '{"version":"1"'],
    ['a comma too much', '{"version":"1",}'],
    ['a wrong bracket', '{"version":[1}'],
    ['a control character', '{"version":"a\nb"}'],
    ['a lone surrogate', '{"version":"\\ud83d"}'],
    ['an open text', '{"version":"a'],
    ['a list', '["1"]'],
    ['a text', '"version"'],
    ['a number', '5'],
    ['null', 'null'],
    ['twice the same name', '{"version":"1","version":"2"}'],
    ['text after it', '{"version":"1"} x'],
    ['escapes', '{"version":"a\\u00e9\\/\\ud83d\\ude80<b>&\\u007f"}'],
    ['a float', '{"version":"1","metadata":{"a":1.5,"b":1e25,"c":0.00001}}'],
    ['unknown names', '{"version":"1","one":[true,null],"two":{"a":{"b":[]}}}'],
    ['a name of JavaScript', '{"version":"1","__proto__":{"a":1},"constructor":"x"}'],
    ['a query name', '{"version":"1","_fields":"method"}'],
    ['an empty name', '{"version":"1","":"x"}'],
  ];
  const post = (path: string, body: string, headers: readonly Header[]) => ({
    method: 'POST',
    path: `${api}${path}`,
    headers,
    body,
  });
  const written: Written[] = bodies.map(([name, body]) => ({
    name,
    ...post('/releases', body, [secret, jsonType]),
  }));
  for (const type of [
    'application/json; charset=latin1',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'text/html, application/json',
    'text/json',
    'text/plain',
    'application/+json',
    'application/json-seq',
  ]) {
    written.push({
      name: `as ${type}`,
      ...post('/releases', '{"version":"1"}', [secret, ['Content-Type', type]]),
    });
  }
  const deep = `{"version":"1","deep":${'['.repeat(150)}${']'.repeat(150)}}`;
  written.push(
    { name: 'without a type', ...post('/releases', '{"version":"1"}', [secret]) },
    { name: 'too deep for us', ...post('/releases', deep, [secret, jsonType]), differs: 'D-18' },
    { name: 'bad, without a key', ...post('/releases', '{', [jsonType]), differs: 'D-10' },
    { name: 'store, an odd type', ...post('/store', '{"message":5}', [key, jsonType]) },
    {
      name: 'store, all odd',
      ...post('/store', '{"platform":[],"message":5,"event_id":"x"}', [key, jsonType]),
    },
    {
      name: 'store, nulls',
      ...post('/store', '{"platform":null,"message":"m","event_id":" "}', [key, jsonType]),
    },
    {
      name: 'store by GET with a body',
      ...post('/store', '{"message":"m"}', [key, jsonType]),
      method: 'GET',
    },
    {
      name: 'store, as text',
      ...post('/store', '{"message":"m"}', [key, ['Content-Type', 'text/plain']]),
      differs: 'D-17',
    },
  );
  return written;
}

function forms(secret: Header): Written[] {
  const bodies = [
    'version=1',
    'version=1&version=2',
    'version=1+2%2B3',
    'version=a%zz',
    'version[]=1',
    'version[a][b]=1',
    'a.b=1&version=1',
    'version=1&list[]=x&list[]=y&list[k]=z',
    'version=1&list[3]=x&list[]=y',
    'version=1&x[y=2&z]=3',
    'version=1&=2&[x]=3',
    'version=1&a[b]c=2',
    'version',
    '{"version":"1"}',
    'version=%E9',
    'version=1;2',
  ];
  const written = bodies.map((body) => ({
    name: body,
    method: 'POST',
    path: `${api}/releases`,
    headers: [secret, formType],
    body,
  }));
  const put = { method: 'POST', path: `${api}/releases?version=q&name=q`, headers: [secret, formType] };
  return [...written, { name: 'beside a query', ...put, body: 'version=f' }];
}

function multiparts(secret: Header): Written[] {
  const part = (name: string, value: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const type: Header = ['Content-Type', 'multipart/form-data; boundary=b'];
  const file =
    '--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n';
  const bodies: ReadonlyArray<readonly [string, string, Header]> = [
    ['a field', `${part('version', '1')}--b--\r\n`, type],
    ['a field twice', `${part('version', '1')}${part('version', '2')}--b--\r\n`, type],
    ['fields with brackets', `${part('version', '1')}${part('l[]', 'x')}${part('l[k]', 'y')}--b--\r\n`, type],
    ['a file beside', `${part('version', '1')}${file}--b--\r\n`, type],
    ['no boundary', `${part('version', '1')}--b--\r\n`, ['Content-Type', 'multipart/form-data']],
    ['no end', part('version', '1'), type],
  ];
  return bodies.map(([name, body, header]) => ({
    name,
    method: 'POST',
    path: `${api}/releases`,
    headers: [secret, header],
    body,
  }));
}

function queries(secret: Header): Written[] {
  const texts = [
    'page=2&per_page=5',
    'page=0',
    'page=1.0',
    'page=+3',
    'page=x&per_page=500',
    'page[]=1',
    'page=',
    'page',
    'per_page=101',
    'order=up',
    'order=ASC',
    'orderby=nothing',
    'search[]=a',
    'search=a+b%20c',
    'a[b][]=c&a[b][]=d',
    'a.b=1&c%20d=2',
    'a=1&a=2',
    'a[=1&b]=2',
    '%00a=1',
    'a=%ff%fe',
    '_wpnonce',
    'sentry_key=x',
  ];
  return texts.map((text) => ({
    name: text,
    method: 'GET',
    path: `${api}/releases?${text}`,
    headers: [secret],
    ...(text === '_wpnonce' ? { differs: 'D-10' as const } : {}),
  }));
}

function metaParameters(secret: Header): Written[] {
  const texts = [
    '_fields=method',
    '_fields=method,params.page',
    '_fields[]=params&_fields[]=nothing',
    '_fields=nothing',
    '_fields=,,',
    '_fields=params.page.x',
    '_envelope',
    '_envelope=0',
    '_envelope&_pretty',
    '_pretty',
    '_pretty=0',
    '_jsonp=cb',
    '_jsonp=a.b_C9',
    '_jsonp=a-b',
    '_jsonp=',
    '_jsonp=0',
    '_jsonp=cb&_envelope&_pretty&_fields=method',
    '_embed',
    '_locale=user',
    'page=x&_envelope',
    'page=x&_pretty',
    'page=x&_jsonp=cb',
    'page=x&_fields=code',
  ];
  const written: Written[] = texts.map((text) => ({
    name: text,
    method: 'GET',
    path: `${api}/releases?${text}`,
    headers: [secret],
  }));
  for (const text of ['_envelope', '_jsonp=cb', '_pretty', '_fields=methods']) {
    written.push(
      { name: `refused, ${text}`, method: 'GET', path: `${api}/releases?${text}`, headers: [] },
      { name: `OPTIONS, ${text}`, method: 'OPTIONS', path: `${api}/releases/7?${text}`, headers: [secret] },
      { name: `no route, ${text}`, method: 'GET', path: `${api}/nothing?${text}`, headers: [] },
      { name: `namespace, ${text}`, method: 'GET', path: `${api}?${text}`, headers: [] },
    );
  }
  return written;
}

function crossOrigin(secret: Header): Written[] {
  const origins = [
    'https://shop.example',
    'null',
    'http://shop.example:8080/path',
    'shop.example',
    'chrome-extension://abc',
    '0',
    '',
    'https://a"b<c>.example',
  ];
  return origins.flatMap((origin): Written[] => {
    const headers: Header[] = [['Origin', origin]];
    return [
      { name: `${origin} reads`, method: 'GET', path: `${api}/releases`, headers: [...headers, secret] },
      {
        name: `${origin} is refused`,
        method: 'POST',
        path: `${api}/feedback`,
        headers: [...headers, jsonType],
        body: '{}',
      },
      { name: `${origin} asks before`, method: 'OPTIONS', path: `${api}/store`, headers },
      { name: `${origin} finds nothing`, method: 'GET', path: `${api}/nothing`, headers },
    ];
  });
}

function credentials(keys: Keys): Written[] {
  const get = (name: string, headers: readonly Header[], differs?: 'D-10'): Written => ({
    name,
    method: 'GET',
    path: `${api}/releases`,
    headers,
    ...(differs === undefined ? {} : { differs }),
  });
  return [
    get('none', []),
    get('the public key as a bearer', [['Authorization', `Bearer ${keys.public}`]]),
    get('the secret as X-Notifier-Key', [['X-Notifier-Key', keys.secret]]),
    get('basic', [['Authorization', 'Basic YTpi']]),
    get('a bearer without a token', [['Authorization', 'Bearer']]),
    get(
      'a nonce',
      [
        ['Authorization', `Bearer ${keys.secret}`],
        ['X-WP-Nonce', 'x'],
      ],
      'D-10',
    ),
  ];
}
