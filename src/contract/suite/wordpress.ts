// Contract suite: behavior of WordPress's REST server for any plugin. Differences are only reported.
import type { Check, Expectation, Suite } from '../check-types.ts';
import { contractMark, get, jsonType, post, postText, publicKey, secretKey } from './request-parts.ts';

const noRoute = { is: 'error', status: 404, code: 'rest_no_route' } as const;
const jsonCharset = { is: 'header', name: 'Content-Type', value: 'application/json; charset=UTF-8' } as const;
const kind = { group: 'WordPress’s manners', severity: 'wordpress', statements: [] } as const;

export const wordpressSuite: Suite = {
  requests: [
    { name: 'options-store', method: 'OPTIONS', path: '/store', headers: [] },
    { name: 'options-key', method: 'OPTIONS', path: '/store', headers: [publicKey] },
    { name: 'options-unknown', method: 'OPTIONS', path: '/notifier-contract-nothing-here', headers: [] },
    {
      name: 'preflight',
      method: 'OPTIONS',
      path: '/store',
      headers: [
        ['Origin', 'https://{{domain}}'],
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'content-type,x-notifier-key'],
      ],
    },
    { name: 'head-store', method: 'HEAD', path: '/store', headers: [] },
    { name: 'head-index', method: 'HEAD', path: '', headers: [] },
    get('namespace-index', ''),
    { name: 'site-index', method: 'GET', apiPath: '/', headers: [] },
    { name: 'unknown-namespace', method: 'GET', apiPath: '/notifier-contract/v1', headers: [] },
    get('trailing-slash', '/domain-verifications/{{proof_id}}/', [secretKey]),
    { name: 'route-in-capitals', method: 'GET', apiPath: '/NOTIFIER/V1/STORE', headers: [] },
    get('encoded-route', '/st%6Fre', [publicKey]),
    get('double-slash', '//store', [publicKey]),
    {
      name: 'rest-route',
      method: 'GET',
      sitePath: '/?rest_route=/notifier/v1/domain-verifications/{{proof_id}}',
      headers: [secretKey],
    },
    get('index-by-method-override', '?_method=delete'),
    {
      name: 'override-header',
      method: 'POST',
      path: '/domain-verifications/{{proof_id}}',
      headers: [jsonType, secretKey, ['X-HTTP-Method-Override', 'GET']],
    },
    get('bad-jsonp', '?_jsonp=a-b'),
    get('jsonp', '/notifier-contract-nothing-here?_jsonp=show'),
    get('enveloped', '/notifier-contract-nothing-here?_envelope'),
    get('pretty', '/notifier-contract-nothing-here?_pretty'),
    get('fields', '?_fields=namespace'),
    { name: 'with-origin', method: 'GET', path: '', headers: [['Origin', 'https://{{domain}}']] },
    postText('store-broken-object', '/store', [jsonType, publicKey], '{"message":"a"]'),
    postText('release-bad-utf8', '/releases', [jsonType, secretKey], '{"version":"\\ud83d"}'),
    post('store-nothing', '/store', [publicKey], {}),
    post('store-number', '/store', [publicKey], { message: 5, platform: 'javascript' }),
    post('release-nothing', '/releases', [secretKey], {}),
    post('release-list', '/releases', [secretKey], { version: [`${contractMark}`] }),
    postText(
      'release-form',
      '/releases',
      [['Content-Type', 'application/x-www-form-urlencoded'], secretKey],
      'version={{release_version}}',
    ),
  ],
  checks: [
    header(
      'json-charset',
      'Answers are application/json; charset=UTF-8',
      'Headers',
      'store-event',
      jsonCharset,
    ),
    header('json-charset-on-errors', 'Errors too', 'Headers', 'unknown-route', jsonCharset),
    header('no-robots', 'X-Robots-Tag: noindex', 'Headers', 'store-event', {
      is: 'header',
      name: 'X-Robots-Tag',
      value: 'noindex',
    }),
    header('nosniff', 'X-Content-Type-Options: nosniff', 'Headers', 'store-event', {
      is: 'header',
      name: 'X-Content-Type-Options',
      value: 'nosniff',
    }),
    header('api-link', 'Link names the API', 'Headers', 'store-event', {
      is: 'header',
      name: 'Link',
      pattern: '^<[^>]+/wp-json/>; rel="https://api\\.w\\.org/"$',
    }),
    header('api-link-on-errors', 'Link names the API on errors', 'Headers', 'store-no-key', {
      is: 'header',
      name: 'Link',
      pattern: '^<[^>]+/wp-json/>; rel="https://api\\.w\\.org/"$',
    }),
    header('exposed-headers', 'X-WP-Total, X-WP-TotalPages and Link are exposed', 'Headers', 'store-event', {
      is: 'header',
      name: 'Access-Control-Expose-Headers',
      pattern: '^X-WP-Total, X-WP-TotalPages, Link(,|$)',
    }),
    header('allowed-headers', 'Core’s request headers are allowed, then the key', 'Headers', 'store-event', {
      is: 'header',
      name: 'Access-Control-Allow-Headers',
      pattern:
        '^Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type(, [\\w-]+)*, X-Notifier-Key(,|$)',
    }),
    header('header-order', 'The six headers stand in WordPress’s order', 'Headers', 'store-event', {
      is: 'header-order',
      names: [
        'Content-Type',
        'X-Robots-Tag',
        'Link',
        'X-Content-Type-Options',
        'Access-Control-Expose-Headers',
        'Access-Control-Allow-Headers',
      ],
    }),
    wordpressCheck(
      'error-members',
      'code, message, data in that order, no blanks',
      'Errors',
      'unknown-route',
      [{ is: 'text', pattern: '^\\{"code":"rest_no_route","message":"[^"]+","data":\\{"status":404\\}\\}$' }],
    ),
    wordpressCheck('no-route-words', 'rest_no_route in WordPress’s words', 'Errors', 'unknown-route', [
      noRoute,
      { is: 'equal', path: 'message', value: 'No route was found matching the URL and request method.' },
    ]),
    wordpressCheck(
      'wrong-method-404',
      'A known path by another method is 404, never 405',
      'Addresses',
      'wrong-method',
      [noRoute],
    ),
    wordpressCheck('forbidden-words', 'The 401 has WordPress’s sentence', 'Errors', 'store-no-key', [
      { is: 'error', status: 401, code: 'rest_forbidden' },
      { is: 'equal', path: 'message', value: 'Sorry, you are not allowed to do that.' },
    ]),
    wordpressCheck('allow-with-key', 'Allow: POST with the key', 'Headers', 'store-event', [
      { is: 'header', name: 'Allow', value: 'POST' },
    ]),
    wordpressCheck('no-allow-without-key', 'No Allow without the key', 'Headers', 'store-no-key', [
      { is: 'no-header', name: 'Allow' },
    ]),
    wordpressCheck('no-cache-control', 'No Cache-Control on ordinary answers', 'Headers', 'store-event', [
      { is: 'no-header', name: 'Cache-Control' },
      { is: 'no-header', name: 'ETag' },
    ]),
    wordpressCheck('options-describes', 'OPTIONS describes the route', 'Methods', 'options-store', [
      { is: 'status', of: [200] },
      { is: 'equal', path: 'namespace', value: 'notifier/v1' },
      { is: 'equal', path: 'methods', value: ['POST'] },
      { is: 'member', path: 'endpoints.0.args', type: 'object' },
      { is: 'no-header', name: 'Allow' },
    ]),
    wordpressCheck('options-allow-with-key', 'OPTIONS with the key says Allow', 'Headers', 'options-key', [
      { is: 'header', name: 'Allow', value: 'POST' },
    ]),
    wordpressCheck(
      'options-unknown',
      'OPTIONS of an unknown route is 200 and an empty list',
      'Methods',
      'options-unknown',
      [
        { is: 'status', of: [200] },
        { is: 'text', pattern: '^\\[\\]$' },
      ],
    ),
    wordpressCheck('preflight', 'A preflight is answered 200 and allows the key', 'Headers', 'preflight', [
      { is: 'status', of: [200] },
      { is: 'header', name: 'Access-Control-Allow-Origin', pattern: '^https://' },
      {
        is: 'header',
        name: 'Access-Control-Allow-Methods',
        value: 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      },
      { is: 'header', name: 'Access-Control-Allow-Headers', pattern: 'X-Notifier-Key' },
      { is: 'header', name: 'Vary', value: 'Origin' },
    ]),
    wordpressCheck('cors-on-answers', 'An Origin is answered', 'Headers', 'with-origin', [
      { is: 'header', name: 'Access-Control-Allow-Origin', pattern: '^https://' },
      { is: 'header', name: 'Vary', value: 'Origin' },
    ]),
    wordpressCheck(
      'vary-without-origin',
      'GET without Origin says Vary: Origin',
      'Headers',
      'namespace-index',
      [
        { is: 'header', name: 'Vary', value: 'Origin' },
        { is: 'no-header', name: 'Access-Control-Allow-Origin' },
      ],
    ),
    wordpressCheck(
      'head-unknown',
      'HEAD of a POST route is 404 with an empty body',
      'Methods',
      'head-store',
      [{ is: 'status', of: [404] }, { is: 'empty-body' }],
    ),
    wordpressCheck('head-is-get', 'HEAD falls back to GET', 'Methods', 'head-index', [
      { is: 'status', of: [200] },
      { is: 'empty-body' },
    ]),
    wordpressCheck('namespace-index', 'The namespace has an index', 'Methods', 'namespace-index', [
      { is: 'status', of: [200] },
      { is: 'equal', path: 'namespace', value: 'notifier/v1' },
      { is: 'member', path: 'routes', type: 'object' },
      { is: 'text', pattern: '"\\\\/notifier\\\\/v1\\\\/store":\\{' },
    ]),
    wordpressCheck('site-index', 'The site’s index names the namespace', 'Methods', 'site-index', [
      { is: 'status', of: [200] },
      { is: 'text', pattern: '"namespaces":\\[[^\\]]*"notifier\\\\/v1"' },
    ]),
    wordpressCheck(
      'unknown-namespace',
      'An unknown namespace is rest_no_route',
      'Addresses',
      'unknown-namespace',
      [noRoute],
    ),
    wordpressCheck('trailing-slash', 'A slash at the end is dropped', 'Addresses', 'trailing-slash', [
      { is: 'success' },
    ]),
    wordpressCheck('route-case', 'Routes are matched in any case', 'Addresses', 'route-in-capitals', [
      noRoute,
    ]),
    wordpressCheck('encoded-route', 'The path is not decoded for matching', 'Addresses', 'encoded-route', [
      noRoute,
    ]),
    wordpressCheck('double-slash', 'A double slash inside is no route', 'Addresses', 'double-slash', [
      noRoute,
    ]),
    wordpressCheck('rest-route', '?rest_route= is the same API', 'Addresses', 'rest-route', [
      { is: 'success' },
    ]),
    wordpressCheck(
      'method-in-query',
      '_method in the query replaces the method',
      'Methods',
      'index-by-method-override',
      [noRoute],
    ),
    wordpressCheck(
      'method-in-header',
      'X-HTTP-Method-Override replaces the method',
      'Methods',
      'override-header',
      [{ is: 'success' }],
    ),
    wordpressCheck('bad-jsonp', 'A bad callback name is refused first', 'Order of checks', 'bad-jsonp', [
      { is: 'status', of: [400] },
      { is: 'equal', path: 'code', value: 'rest_callback_invalid' },
    ]),
    wordpressCheck('jsonp', '_jsonp wraps the answer', 'Global parameters', 'jsonp', [
      { is: 'status', of: [404] },
      { is: 'text', pattern: '^/\\*\\*/show\\(\\{.*\\}\\)$' },
      { is: 'header', name: 'Content-Type', value: 'application/javascript; charset=UTF-8' },
    ]),
    wordpressCheck('envelope', '_envelope puts the status inside', 'Global parameters', 'enveloped', [
      { is: 'status', of: [200] },
      { is: 'equal', path: 'status', value: 404 },
      { is: 'equal', path: 'body.code', value: 'rest_no_route' },
    ]),
    wordpressCheck('pretty', '_pretty indents by four', 'Global parameters', 'pretty', [
      { is: 'text', pattern: '^\\{\\n    "code": "rest_no_route",\\n' },
    ]),
    wordpressCheck('fields', '_fields keeps what it names', 'Global parameters', 'fields', [
      { is: 'success' },
      { is: 'text', pattern: '^\\{"namespace":"notifier\\\\/v1"(,"_links":.*)?\\}$' },
    ]),
    wordpressCheck('json-mismatch', 'JSON errors have PHP’s numbers', 'JSON', 'store-broken-object', [
      { is: 'error', status: 400, code: 'rest_invalid_json' },
      { is: 'equal', path: 'data.json_error_code', value: 2 },
    ]),
    wordpressCheck('json-syntax', 'A syntax error is number 4', 'JSON', 'store-not-json', [
      { is: 'error', status: 400, code: 'rest_invalid_json' },
      { is: 'equal', path: 'message', value: 'Invalid JSON body passed.' },
      { is: 'member', path: 'data.json_error_message', type: 'string' },
    ]),
    wordpressCheck('json-surrogate', 'A lone surrogate is number 10', 'JSON', 'release-bad-utf8', [
      { is: 'error', status: 400, code: 'rest_invalid_json' },
      { is: 'equal', path: 'data.json_error_code', value: 10 },
    ]),
    wordpressCheck('missing-parameters', 'Missing parameters are named', 'Errors', 'release-nothing', [
      { is: 'error', status: 400, code: 'rest_missing_callback_param' },
      { is: 'match', path: 'message', pattern: '^Missing parameter\\(s\\): ' },
      { is: 'member', path: 'data.params', type: 'list' },
    ]),
    wordpressCheck(
      'invalid-parameters',
      'Invalid parameters are named with their sentences',
      'Errors',
      'release-list',
      [
        { is: 'error', status: 400, code: 'rest_invalid_param' },
        { is: 'equal', path: 'message', value: 'Invalid parameter(s): version' },
        { is: 'match', path: 'data.params.version', pattern: '^version is not of type string(,null)?\\.$' },
        { is: 'equal', path: 'data.details.version.code', value: 'rest_invalid_type' },
      ],
    ),
    wordpressCheck('forms', 'Forms are parameters too', 'Forms and query strings', 'release-form', [
      { is: 'success' },
    ]),
    wordpressCheck('unknown-proof', 'A proof that is not there is 404', 'Errors', 'proof-unknown', [
      { is: 'status', of: [404] },
      { is: 'header', name: 'Allow', pattern: '^GET' },
    ]),
  ],
};

function wordpressCheck(
  name: string,
  title: string,
  section: string,
  request: string,
  expect: readonly Expectation[],
): Check {
  return { ...kind, name: `wordpress-${name}`, title, request, expect, section: `WordPress: ${section}` };
}

function header(name: string, title: string, section: string, request: string, expect: Expectation): Check {
  return wordpressCheck(name, title, section, request, [expect]);
}
