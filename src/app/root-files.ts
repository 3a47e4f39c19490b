// What browsers, crawlers and researchers look for at the root of a host: robots.txt, favicon.ico, security.txt. Behind
// the proxy of a site these are the site's own: it hands on the API's addresses alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import type { Deps } from '../core/deps.ts';
import { dayMs } from '../core/parsing/durations.ts';

const icon = join(import.meta.dirname, '..', 'web', 'assets', 'favicon.svg');
const keptSeconds = 86_400;
/** RFC 9116 advises less than a year; the file is made anew for every request. */
const expiresMs = 180 * dayMs;

/** Handlers by path; /.well-known/security.txt is there if the settings name a contact. */
export function createRootFiles({
  config,
  now,
}: Pick<Deps, 'config' | 'now'>): Record<string, RequestHandler> {
  const { securityContacts, baseUrl, demo, demoIndex } = config;
  const text =
    (make: () => string): RequestHandler =>
    (_request, response) => {
      response.set('Cache-Control', `max-age=${keptSeconds}`).type('text/plain; charset=utf-8').send(make());
    };
  const open = ['/status/', ...(demo && demoIndex ? ['/demo'] : [])].map((path) => `Allow: ${path}\n`);
  const robots = `User-agent: *\n${open.join('')}Disallow: /\n`;
  const files: Record<string, RequestHandler> = {
    '/robots.txt': text(() => robots),
    '/favicon.ico': (_request, response) => {
      const bytes = readFileSync(icon);
      response.set('Cache-Control', `max-age=${keptSeconds}`).type('image/svg+xml').send(bytes);
    },
  };
  if (securityContacts.length > 0) {
    files['/.well-known/security.txt'] = text(() => {
      const contacts = securityContacts.map((uri) => `Contact: ${uri}\n`).join('');
      const expires = new Date(Math.floor((now() + expiresMs) / dayMs) * dayMs).toISOString();
      const own = baseUrl === null ? '' : `Canonical: ${baseUrl}/.well-known/security.txt\n`;
      return `${contacts}Expires: ${expires}\n${own}`;
    });
  }
  return files;
}
