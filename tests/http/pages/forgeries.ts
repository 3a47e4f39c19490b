// The ways in which somebody else's page, or a crafted request, would have an act done: each from the request
// that would do it.
import { csrfField } from '../../../src/web/components/controls.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** In place of the fields. */
  readonly body?: string;
}

export interface Attempt {
  readonly name: string;
  readonly sent: Sent;
  /** Whether it has to be answered with 4xx; a GET may show a page. */
  readonly isRefused: boolean;
}

interface Forgery extends Attempt {
  /** Whether it is one only by where it comes from. */
  readonly ofOrigin: boolean;
}

/** Every forgery of a request that would be taken as it is. */
export function forgeries(sent: Sent): Forgery[] {
  const attempt =
    (isRefused: boolean, ofOrigin: boolean) =>
    ([name, forged]: readonly [string, Sent]): Forgery => ({ name, sent: forged, isRefused, ofOrigin });
  return [
    ...fromElsewhere(sent).map(attempt(true, true)),
    ...withoutToken(sent).map(attempt(true, false)),
    ...asOtherContent(sent).map(attempt(true, false)),
    ...byOtherMethods(sent).map(attempt(false, false)),
  ];
}

type Named = readonly [name: string, sent: Sent];

function fromElsewhere(sent: Sent): Named[] {
  const { 'sec-fetch-site': _site, origin: _origin, ...bare } = sent.headers;
  const from = (headers: Record<string, string>): Sent => ({ ...sent, headers: { ...bare, ...headers } });
  const own = sent.headers['origin'] ?? '';
  const site = 'sec-fetch-site';
  return [
    ['cross-site', from({ [site]: 'cross-site', origin: 'https://evil.example' })],
    ['cross-site with our origin', from({ [site]: 'cross-site', origin: own })],
    ['same-site', from({ [site]: 'same-site', origin: own })],
    ['an unknown site', from({ [site]: 'SAME-ORIGIN, cross-site', origin: own })],
    ['no word of where from', from({})],
    ['a foreign origin', from({ origin: 'https://evil.example' })],
    ['no origin of its own', from({ origin: 'null' })],
    ['an origin that begins as ours', from({ origin: `${own}.evil.example` })],
    ['our origin behind a name', from({ origin: own.replace('//', '//evil.example@') })],
    ['our host by another scheme', from({ origin: own.replace('http:', 'https:') })],
    ['our host at another port', from({ origin: own.replace(/:\d+$/, ':1') })],
    ['only a referrer of ours', from({ referer: `${own}/issues` })],
    [
      'a forwarded host that is its own',
      from({
        origin: 'https://evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      }),
    ],
  ];
}

function withoutToken(sent: Sent): Named[] {
  const { [csrfField]: token = '', ...rest } = sent.fields;
  const parts = Object.entries(rest).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const ofParts = { ...sent.headers, 'content-type': 'multipart/form-data; boundary=b' };
  const withFields = (fields: Record<string, string>): Sent => ({ ...sent, fields });
  return [
    ['no token', withFields(rest)],
    ['no token in a form of parts', { ...sent, headers: ofParts, body: `${parts.join('')}--b--\r\n` }],
    ['an empty token', withFields({ ...rest, [csrfField]: '' })],
    ['a token that is cut', withFields({ ...rest, [csrfField]: token.slice(0, -1) })],
    ['a token that is longer', withFields({ ...rest, [csrfField]: `${token}A` })],
    [
      'the token of another name',
      withFields({ ...rest, [`${csrfField}[]`]: token, [`_${csrfField}`]: token }),
    ],
    ['the token in the address', { ...withFields(rest), path: `${sent.path}?${csrfField}=${token}` }],
    [
      'the token in a header',
      { ...withFields(rest), headers: { ...sent.headers, 'x-csrf-token': token, 'x-xsrf-token': token } },
    ],
  ];
}

function asOtherContent(sent: Sent): Named[] {
  const form = new URLSearchParams(sent.fields).toString();
  const as = (type: string, body: string): Sent => ({
    ...sent,
    headers: { ...sent.headers, 'content-type': type },
    body,
  });
  return [
    ['JSON', as('application/json', JSON.stringify(sent.fields))],
    ['plain text', as('text/plain', form)],
    ['a body of no type', as('application/octet-stream', form)],
    ['too many fields', as(sent.headers['content-type'] ?? '', `${form}${'&a=1'.repeat(1_100)}`)],
  ];
}

const claims = ['x-http-method-override', 'x-http-method', 'x-method-override'];

function byOtherMethods(sent: Sent): Named[] {
  const form = new URLSearchParams(sent.fields).toString();
  const override = Object.fromEntries(claims.map((name) => [name, 'POST']));
  const asked = `${sent.path}?${form}&_method=POST`;
  const ways = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method): Named[] => [
    [method, { ...sent, method, path: asked }],
    [`${method} that says POST`, { ...sent, method, path: asked, headers: { ...sent.headers, ...override } }],
  ]);
  return [
    ...ways,
    ['an address with an ending', { ...sent, path: `${sent.path}.json` }],
    ['an address that goes on', { ...sent, path: `${sent.path}/` }],
    ['two slashes', { ...sent, path: `/${sent.path}` }],
    ['capitals', { ...sent, path: sent.path.toUpperCase() }],
  ];
}
