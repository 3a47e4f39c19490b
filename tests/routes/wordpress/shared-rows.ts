// What rows of several tables share: credentials, collections and a POST of JSON.
import type { Header, Row } from './expectations.ts';

export const api = '/wp-json/notifier/v1';
export const json: Header = ['Content-Type', 'application/json'];
export const form: Header = ['Content-Type', 'application/x-www-form-urlencoded'];

/** What a list answers on a store without anything in it. */
export const empty = {
  status: 200,
  body: '[]',
  own: [
    ['X-WP-Total', '0'],
    ['X-WP-TotalPages', '0'],
  ],
} as const;

export interface Keys {
  readonly secret: Header;
  readonly key: Header;
}

/** The lists, each with the methods its path is known for. */
export const collections: Readonly<Record<string, string>> = {
  '/issues': 'GET',
  '/artifacts': 'POST, GET',
  '/feedback': 'GET',
  '/domains': 'GET, POST',
  '/releases': 'POST, GET',
  '/deploys': 'POST, GET',
  '/test-runs': 'POST, GET',
};

/** A POST of JSON with the credential of the route. */
export function post(
  { secret, key }: Keys,
  path: string,
  sent: string,
): Omit<Row, 'name' | 'status' | 'body'> {
  const isPublic = ['/store', '/feedback', '/sdk-verify', '/envelope'].includes(path);
  const single = path === '/domain-verifications' || isPublic;
  const allow = single ? 'POST' : (collections[path] ?? 'GET, POST');
  return { method: 'POST', path: api + path, headers: [isPublic ? key : secret, json], sent, allow };
}
