// Addresses and methods.
import { errorBody, type Header, noRoute, type Row } from './expectations.ts';
import { api, empty, type Keys } from './shared-rows.ts';

/** Every form of the address of one route, which is not asked what it answers elsewhere. */
export function addresses({ secret }: Keys, folder = ''): Row[] {
  const list = { method: 'GET', headers: [secret], allow: 'POST, GET', ...empty };
  const found = [
    '/wp-json/notifier/v1/deploys',
    '/wp-json/notifier/v1/deploys/',
    '/wp-json/notifier/v1/deploys///',
    '//wp-json/notifier/v1/deploys',
    '/wp-json/NOTIFIER/V1/DEPLOYS',
    '/index.php/wp-json/notifier/v1/deploys',
    '/wp-j%73on/notifier/v1/deploys',
    '/?rest_route=/notifier/v1/deploys',
    '/?rest_route=%2Fnotifier%2Fv1%2Fdeploys',
    '/?rest_route=/notifier/v1/deploys/',
    '/index.php?rest_route=/notifier/v1/deploys',
    '/any/page/?rest_route=/notifier/v1/deploys',
    '/?rest_route=/notifier/v1/issues&rest_route=/notifier/v1/deploys',
    '/?rest.route=/notifier/v1/deploys',
    '/wp-json/notifier/v1/nothing?rest_route=/notifier/v1/deploys',
  ];
  const lost = [
    '/wp-json/notifier/v1//deploys',
    '/wp-json//notifier/v1/deploys',
    '/wp-json/notifier/v1/de%70loys',
    '/wp-json/notifier%2Fv1/deploys',
    '/wp-json/notifier/v1/deploys%20',
    '/wp-json/notifier/v1/deploys%0A',
    '/wp-json/notifier/v10/deploys',
    '/wp-json/notifier/v1/nothing',
    '/wp-json/notifier/v1/releases/a.b',
    '/wp-json/notifier/v1/releases/%C3%A9',
    '/wp-json/notifier/v1/releases/../deploys',
    '/?rest_route=notifier/v1/deploys',
    '/?rest_route=//notifier/v1/deploys',
  ];
  return [
    ...found.map((path) => ({ ...list, name: `address ${folder}${path}`, path: folder + path })),
    ...lost.map((path) => ({
      name: `no address ${folder}${path}`,
      method: 'GET',
      path: folder + path,
      headers: [secret],
      status: 404,
      body: noRoute,
    })),
  ];
}

export function methods({ secret, key }: Keys): Row[] {
  const unknown = ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'SEARCH', 'BREW'].map((method) => ({
    name: `${method} /releases`,
    method,
    path: `${api}/releases`,
    headers: [secret],
    status: 404,
    body: noRoute,
  }));
  const invalidId = errorBody('notifier_release_invalid_id', 'Invalid release ID.', 404);
  const one = { headers: [secret], path: `${api}/releases/99`, status: 404, allow: 'GET, DELETE' };
  const override = (value: string): Header => ['X-HTTP-Method-Override', value];
  return [
    ...unknown,
    {
      name: 'HEAD of a POST route',
      method: 'HEAD',
      path: `${api}/store`,
      headers: [key],
      status: 404,
      body: '',
    },
    { ...one, name: 'HEAD of what is not there', method: 'HEAD', body: '' },
    { name: 'HEAD without a key', method: 'HEAD', path: `${api}/releases`, status: 401, body: '' },
    { name: 'POST the namespace', method: 'POST', path: api, headers: [secret], status: 404, body: noRoute },
    { ...one, name: '_method=delete', method: 'POST', path: `${one.path}?_method=delete`, body: invalidId },
    {
      ...one,
      name: 'an override by header',
      method: 'POST',
      headers: [secret, override('delete')],
      noCache: true,
      body: invalidId,
    },
    {
      name: 'an empty _method',
      method: 'GET',
      path: `${api}/releases?_method=`,
      headers: [secret],
      status: 404,
      body: noRoute,
    },
    {
      ...one,
      name: '_method beats the header',
      method: 'POST',
      path: `${one.path}?_method=GET`,
      headers: [secret, override('PUT')],
      body: invalidId,
    },
  ];
}
