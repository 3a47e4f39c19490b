// The reference plugin on src/wordpress, on a site like the one the exchanges were recorded from.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { PhpHeaders } from '../../../src/wordpress/php/headers.ts';
import { setNoCache } from '../../../src/wordpress/response/wp-die.ts';
import { createClientErrorHandler } from '../../../src/wordpress/rest/client-error.ts';
import type { FallbackPage } from '../../../src/wordpress/rest/options.ts';
import { createRestServer } from '../../../src/wordpress/rest/server.ts';
import { checkBasicCredentials } from './basic-credentials.ts';
import { pluginRoutes } from './plugin-routes.ts';
import { PluginStore } from './plugin-store.ts';
import { probeRoutes } from './probe-routes.ts';

const mebibyte = 1_048_576;
const siteUrl = 'http://notifier.test';
const diePage = readFileSync(resolve(import.meta.dirname, '../../fixtures/wordpress-die-page.html'), 'utf8');
const crashMessage =
  '<p>There has been a critical error on this website.</p>' +
  '<p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">' +
  'Learn more about troubleshooting WordPress.</a></p>';

/** A server that is not listening yet. WordPress's own order of checks holds on it, not ours. */
export function createReferenceServer(): Server {
  const store = new PluginStore();
  const rest = createRestServer({
    baseUrl: siteUrl,
    site: { name: 'Notifier', description: 'Oracle' },
    order: 'wordpress',
    bodyBytesMax: 64 * mebibyte,
    formBytesMax: 8 * mebibyte,
    fileBytesMax: 2 * mebibyte,
    allowedHeaders: ['X-Notifier-Key'],
    authenticate: checkBasicCredentials,
    signedIn: (incoming) => incoming.headers['x-oracle-user'] !== undefined,
    faults: 'die',
    faultMessage: crashMessage,
    diePage: (title, message) => diePage.replace('{title}', () => title).replace('{message}', () => message),
    fallbackPage: sendThemePage,
  });
  for (const route of pluginRoutes(store, rest.restUrl)) rest.register(route);
  for (const route of probeRoutes(store, rest.restUrl)) rest.register(route);
  const server = createServer({ maxHeaderSize: 32_768, requireHostHeader: false });
  server.on('request', (incoming, outgoing) => void rest.handle(incoming, outgoing));
  server.on('clientError', createClientErrorHandler(rest));
  return server;
}

/** The pages of the site's theme, which has hardly any; the front page has one address only. */
function sendThemePage({ status, incoming, outgoing, apiRoot }: FallbackPage): void {
  const [path = ''] = (incoming.url ?? '').split('?');
  if (/^\/+index\.php\/*$/.test(path) && (incoming.method === 'GET' || incoming.method === 'HEAD')) {
    const redirect = ['Content-Type', 'text/html; charset=UTF-8', 'X-Redirect-By', 'WordPress'];
    outgoing.writeHead(301, 'Moved Permanently', [...redirect, 'Location', `${siteUrl}/`]).end();
    return;
  }
  const headers = new PhpHeaders([['Content-Type', 'text/html; charset=UTF-8']]);
  if (status === 404) setNoCache(headers);
  headers.add('Link', `<${apiRoot}>; rel="https://api.w.org/"`);
  outgoing.writeHead(status, status === 404 ? 'Not Found' : 'OK', headers.flat());
  outgoing.end(`blank-theme ${status === 404 ? '404' : 'page'}\n`);
}
