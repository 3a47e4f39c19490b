// Status pages below `/status` and at the root of their own hosts, before all limits. No account, no cookie.
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type StatusLanguage, statusLanguages } from '../../../schemas/status-pages.ts';
import { customDomainUrls } from '../../core/page-models/monitoring/status-urls.ts';
import { parseHostHeader } from '../../core/status-pages/hosts.ts';
import { setRouteTemplate } from '../logging/route-template.ts';
import { pathBelow } from '../pages/find-page.ts';
import type { PagesAddress } from '../pages/pages-address.ts';
import { readCookie } from '../pages/session-cookie.ts';
import { freshMs } from './cached-value.ts';
import type { CachedStatusPage, StatusPageCache } from './page-cache.ts';
import type { PublishedPages } from './published-pages.ts';
import type { StatusKind } from './render.ts';
import type { SubscriptionRequest } from './subscriptions.ts';

export interface StatusMiddlewareOptions {
  readonly now: () => number;
  readonly address: PagesAddress;
  readonly directory: PublishedPages;
  /** The server's own hosts never show a status page at the root. */
  readonly ownHosts: readonly string[];
  readonly answers: StatusPageCache;
  /** Whether signed-in users see unpublished pages. */
  readonly hasWorkspace: boolean;
  readonly headers: RequestHandler;
  /** Counts requests by address, and answers those over the limit. */
  readonly subscriptionLimit: RequestHandler;
  subscription(request: Request, response: Response, input: SubscriptionRequest): Promise<void>;
  assets(isRoot: boolean): RequestHandler;
  /** Whether this layer also serves the assets below the pages. */
  readonly hasAssets: boolean;
}

export interface StatusMiddleware {
  readonly layer: RequestHandler;
  isOwnHost(request: IncomingMessage): boolean;
  /** Refreshes the list used by `isOwnHost`. Never rejects. */
  refresh(): Promise<void>;
}

interface StatusRequest {
  readonly slug: string;
  readonly kind: StatusKind;
}

const { subscribe: _subscribe, ...statusUrls } = customDomainUrls;
const kindsAtRoot = new Map(
  Object.entries(statusUrls).map(([kind, path]) => [path, kind as keyof typeof statusUrls]),
);

const kindsByEnding = new Map<string, StatusKind>([
  ['.json', 'json'],
  ['.rss', 'feed'],
  ['/badge.svg', 'badge'],
  [customDomainUrls.logo, 'logo'],
  [customDomainUrls.favicon, 'favicon'],
  [customDomainUrls.accent, 'accent'],
]);

/** Of images that somebody uploaded, also where one is opened by itself. */
const imagePolicy = "sandbox; default-src 'none'";

export function createStatusMiddleware(options: StatusMiddlewareOptions): StatusMiddleware {
  const { address, directory } = options;
  const servesItself = new Set(options.ownHosts);
  const isOwnHost = (request: IncomingMessage): boolean =>
    directory.isHost(() => hostOf(request)) && !servesItself.has(hostOf(request));
  return {
    isOwnHost,
    refresh: directory.refresh,
    layer(request, response, next) {
      const path = request.originalUrl.split('?')[0] ?? '';
      const isRoot = isOwnHost(request);
      const statusRequest =
        isRoot || !address.answers(request) ? null : parseStatusPath(pathBelow(address.base, path));
      const subscription = isRoot
        ? subscriptionAt(path)
        : address.answers(request)
          ? subscriptionBelow(pathBelow(address.base, path))
          : null;
      const isAsset = pathBelow(isRoot ? '' : address.base, path)?.startsWith('/assets/') === true;
      const isOurs =
        isRoot || statusRequest !== null || subscription !== null || (options.hasAssets && isAsset);
      if (!isOurs) return next();
      setRouteTemplate(request, '/status/{slug}');
      options.headers(request, response, () => {
        const fail = (): void => sendUnavailable(response);
        if (subscription !== null) {
          handleSubscription(options, request, response, next, subscription).catch(fail);
          return;
        }
        if (request.method !== 'GET' && request.method !== 'HEAD') return sendMethodNotAllowed(response);
        if (statusRequest !== null)
          return void belowPages(options, request, response, next, statusRequest).catch(fail);
        if (isAsset)
          return options.assets(isRoot)(request, response, isRoot ? () => sendNotFound(response) : next);
        handleRoot(options, request, response, path).catch(fail);
      });
    },
  };
}

async function belowPages(
  { now, address, answers, directory, hasWorkspace }: StatusMiddlewareOptions,
  request: Request,
  response: Response,
  next: NextFunction,
  { slug, kind }: StatusRequest,
): Promise<void> {
  if (await directory.hasPage(slug)) {
    const answer = await answers.get(slug, kind, '', requestedLanguage(request));
    return sendStatus(request, response, answer, { kind, nowMs: now() });
  }
  // Signed-in users see unpublished pages; others must not learn whether they exist.
  if (hasWorkspace && readCookie('session', request, address) !== null) return next();
  sendNotFound(response);
}

async function handleRoot(
  { now, address, answers, directory }: StatusMiddlewareOptions,
  request: Request,
  response: Response,
  path: string,
): Promise<void> {
  const kind = kindsAtRoot.get(path);
  const host = hostOf(request);
  const slug = await directory.pageAt(host);
  if (kind === undefined || slug === null) return sendNotFound(response);
  const rootUrl = `${address.isSecure(request) ? 'https' : 'http'}://${host}`;
  const answer = await answers.get(slug, kind, rootUrl, requestedLanguage(request));
  sendStatus(request, response, answer, { kind, nowMs: now() });
}

interface SubscriptionLink extends Pick<SubscriptionRequest, 'does' | 'token'> {
  /** Null at the root of a page's own host. */
  readonly slug: string | null;
}

async function handleSubscription(
  options: StatusMiddlewareOptions,
  request: Request,
  response: Response,
  next: NextFunction,
  { slug: named, does, token }: SubscriptionLink,
): Promise<void> {
  const { address, directory, hasWorkspace } = options;
  if (!['GET', 'HEAD', 'POST'].includes(request.method))
    return sendMethodNotAllowed(response, 'GET, HEAD, POST');
  const host = hostOf(request);
  const slug = named ?? (await directory.pageAt(host));
  if (slug === null || !(await directory.hasPage(slug))) {
    const isMember = hasWorkspace && named !== null && readCookie('session', request, address) !== null;
    return isMember ? next() : sendNotFound(response);
  }
  const origin =
    named === null ? `${address.isSecure(request) ? 'https' : 'http'}://${request.headers.host}` : null;
  const counted = Promise.withResolvers<void>();
  options.subscriptionLimit(request, response, () => counted.resolve());
  response.once('close', counted.reject);
  const isAdmitted = await counted.promise.then(
    () => true,
    () => false,
  );
  if (isAdmitted) await options.subscription(request, response, { slug, does, token, origin });
}

const subscriptionPattern = /^\/(?:(subscribe)|(confirm|unsubscribe)\/([0-9A-Za-z]{32}))$/;

function subscriptionAt(path: string): SubscriptionLink | null {
  const [, subscribe, does = subscribe, token = ''] = subscriptionPattern.exec(path) ?? [];
  return does === undefined ? null : { slug: null, does: does as SubscriptionLink['does'], token };
}

function subscriptionBelow(path: string | null): SubscriptionLink | null {
  const [, slug, rest = ''] = /^\/status\/([^/]+)(\/.+)$/.exec(path ?? '') ?? [];
  const subscriptionRequest = subscriptionAt(rest);
  return slug === undefined || subscriptionRequest === null ? null : { ...subscriptionRequest, slug };
}

function hostOf({ headers: { host } }: IncomingMessage): string {
  return parseHostHeader(host ?? '');
}

function parseStatusPath(path: string | null): StatusRequest | null {
  const [, slug, ending = ''] =
    /^\/status\/([^/]+?)(\.json|\.rss|\/badge\.svg|\/logo|\/favicon|\/accent\.css)?$/.exec(path ?? '') ?? [];
  return slug === undefined ? null : { slug, kind: kindsByEnding.get(ending) ?? 'page' };
}

function sendStatus(
  request: Request,
  response: Response,
  { rendered, madeAtMs, isNegotiated }: CachedStatusPage,
  { kind, nowMs }: { readonly kind: StatusKind; readonly nowMs: number },
): void {
  if (rendered === null) {
    sendNotFound(response);
    return;
  }
  const isPacked = rendered.gzip !== null && request.acceptsEncodings('gzip') === 'gzip';
  const bytes = isPacked ? rendered.gzip : rendered.plain;
  const remainingSeconds = Math.ceil(Math.min(freshMs, Math.max(1_000, madeAtMs + freshMs - nowMs)) / 1_000);
  response
    .status(200)
    .vary(isNegotiated ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding')
    .set({
      'Cache-Control': `public, max-age=${remainingSeconds}, stale-while-revalidate=15, stale-if-error=3600`,
      ETag: `"${rendered.etag}${isPacked ? '-gzip' : ''}"`,
      'Content-Type': rendered.contentType,
      'X-Content-Type-Options': 'nosniff',
    });
  // Other sites may embed and read JSON, feed and badge.
  if (kind !== 'page') {
    response.set({ 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' });
  }
  if (kind === 'logo' || kind === 'favicon') response.set('Content-Security-Policy', imagePolicy);
  if (request.fresh) return void response.status(304).end();
  if (isPacked) response.set('Content-Encoding', 'gzip');
  response.set('Content-Length', String(bytes.length));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Of those that there are; English where the browser wants none of them. */
export function requestedLanguage(request: Request): StatusLanguage {
  const language = request.acceptsLanguages([...statusLanguages]);
  return statusLanguages.find((each) => each === language) ?? 'en';
}

function sendNotFound(response: Response): void {
  response.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found.\n');
}

function sendMethodNotAllowed(response: Response, allowed = 'GET, HEAD'): void {
  response.status(405).set({ Allow: allowed, 'Cache-Control': 'no-store' }).type('text/plain');
  response.send('A status page is read-only.\n');
}

/** Not even an old value exists; the error was reported where it arose. */
function sendUnavailable(response: Response): void {
  if (response.headersSent) return void response.destroy();
  response.status(503).set({ 'Retry-After': '5', 'Cache-Control': 'no-store' }).type('text/plain');
  response.send('This page is not available at the moment. Please try again.\n');
}
