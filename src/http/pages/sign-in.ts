import type { Request, RequestHandler, Response } from 'express';
import { networkOf, userSource, writeAuditEntry } from '../../core/audit/audit.ts';
import { memberAuditEvent } from '../../core/audit/events.ts';
import { getPagesUrl } from '../../core/config/public-urls.ts';
import type { ProviderConfig } from '../../core/config/sign-in.ts';
import { findLink, signInWithLink } from '../../core/members/links.ts';
import { permissionsOf } from '../../core/members/permissions.ts';
import { createSecret, hasSecretFormat, signInWithToken } from '../../core/members/sessions.ts';
import { pageNotFound } from '../../core/page-models/request-context.ts';
import { minuteMs } from '../../core/parsing/durations.ts';
import { toLocalPath } from '../../core/parsing/web-url.ts';
import { mailSignInLinks, mayMailLink, parseEmail } from '../../core/sign-in/mail-link.ts';
import { beginPasskeySignIn, passkeySiteOf, signInWithPasskey } from '../../core/sign-in/passkeys.ts';
import { SignInFailure, type SignInFault } from '../../core/sign-in/provider-account.ts';
import { signInWithAccount } from '../../core/sign-in/provider-members.ts';
import { createSignInProviders, providerSignInMs } from '../../core/sign-in/providers.ts';
import type { FoundLink, LinkState } from '../../core/store/members.ts';
import { errorPage } from '../../web/layout/error-page.ts';
import { invitationPage, signOutPage } from '../../web/people/sign-in.ts';
import { isFromThisMachine } from '../limits/client-address.ts';
import { createMemoryLimitStore } from '../limits/limit-store.ts';
import { signInLimit } from '../limits/page-limit.ts';
import { pathBelow } from './find-page.ts';
import { readPostedForm } from './forms.ts';
import { toRefusal } from './router.ts';
import { newRequestId, redirectSeeOther, sendText } from './send-text.ts';
import { readCookie, setCookie } from './session-cookie.ts';
import {
  auditRefusal,
  completeSignIn,
  endCurrentSession,
  hostOf,
  placeOf,
  redirectToPage,
  type SignInOptions,
  type SignInRequest,
  sendBarePage,
  sendSignIn,
} from './sign-in-answers.ts';

const loggedRefusalsMax = 60;

export function createSignIn(options: SignInOptions): RequestHandler {
  const { deps, address, clientAddress, limitStore } = options;
  const state: SignInRequest['options'] = {
    ...options,
    providers: createSignInProviders(deps),
    limits: limitStore ?? createMemoryLimitStore(deps.now),
    mayAudit: atMost(loggedRefusalsMax, deps.now),
  };
  const readSignInRequest = (request: Request, response: Response): SignInRequest => {
    const url = URL.parse(request.originalUrl, 'http://host');
    return {
      options: state,
      request,
      response,
      path: pathBelow(address.base, url?.pathname ?? '') ?? '',
      requestId: newRequestId(request),
      query: url?.searchParams ?? new URLSearchParams(),
    };
  };
  const limit = signInLimit(
    deps.config.rateLimits,
    clientAddress,
    { now: deps.now, limitStore },
    (request, response) => {
      const signInRequest = readSignInRequest(request, response);
      const shown = { fault: 'too_many_tries', asksToken: signInRequest.path === '/sign-in' } as const;
      void sendSignIn(signInRequest, 429, shown, signInRequest.query.get('next')).catch(() => {});
    },
  );
  return (request, response, next) => {
    const signInRequest = readSignInRequest(request, response);
    const { path } = signInRequest;
    const isHere = path === '/sign-in' || path === '/sign-out' || isSignInWay(path);
    if (!isHere || !address.answers(request)) return next();
    const isPost = request.method === 'POST';
    const answered = (work: Promise<void>): void => {
      work.catch((error: unknown) => refuse(signInRequest, error)).catch(next);
    };
    if (path === '/sign-out') return answered(signOut(signInRequest));
    if (path === '/sign-in' && !isPost) return answered(showSignIn(signInRequest));
    const counted = path === '/sign-in' || isCountedWay(path);
    if (!isPost && !counted) return answered(answerSignInWay(signInRequest));
    // Counted only if it comes from our page, so that other sites cannot use up the attempts.
    if (!isPost && isFromElsewhere(request)) return redirectToPage(signInRequest, '/sign-in');
    try {
      if (isPost) options.sessionGuard.requireOwnPage(request);
    } catch (error) {
      return answered(refuse(signInRequest, error));
    }
    const answer = () =>
      answered(path === '/sign-in' ? signIn(signInRequest) : answerSignInWay(signInRequest));
    if (!counted) return answer();
    limit(request, response, (error?: unknown) => (error ? next(error) : answer()));
  };
}

/** A link of another site. Browsers say so over https and to localhost. */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  return site !== 'same-origin' && site !== 'none';
}

/** The page of a link, the session of a start-up link, or the form for the token. */
async function showSignIn(signInRequest: SignInRequest): Promise<void> {
  const { options, request, response, query } = signInRequest;
  const next = query.get('next');
  const token = query.get('token');
  if (token === null) {
    const currentUser = await options.sessionGuard.currentUser(request, response);
    return currentUser === null
      ? sendSignIn(signInRequest, 200, { asksToken: query.get('with') === 'token' }, next)
      : redirectToPage(signInRequest, next);
  }
  const link = await findLink(options.deps, token);
  if (link.state !== 'open') return sendDeadLink(signInRequest, link, next);
  if (link.member !== null) return sendInvitation(signInRequest, token, link, next);
  if (!isFromThisMachine(request)) return sendSignIn(signInRequest, 403, { fault: 'link_elsewhere' }, next);
  if (request.method !== 'GET') return sendSignIn(signInRequest, 200, {}, next);
  await enterWithLink(signInRequest, token, next);
}

async function signIn(signInRequest: SignInRequest): Promise<void> {
  const { options, request } = signInRequest;
  const form = await readPostedForm(request);
  const next = form.get('next');
  const link = form.get('link');
  if (link !== null) {
    const { state, member } = await findLink(options.deps, link);
    if (state === 'open' && member === null && !isFromThisMachine(request)) {
      return sendSignIn(signInRequest, 403, { fault: 'link_elsewhere' }, next);
    }
    return enterWithLink(signInRequest, link, next);
  }
  const signedIn = await signInWithToken(options.deps, form.get('token') ?? '', placeOf(signInRequest));
  if (signedIn === null) {
    await auditRefusal(signInRequest, 'an unknown token');
    return sendSignIn(signInRequest, 403, { fault: 'unknown_token', asksToken: true }, next);
  }
  await completeSignIn(signInRequest, signedIn, next);
}

async function enterWithLink(request: SignInRequest, token: string, next: string | null): Promise<void> {
  const { signedIn, link } = await signInWithLink(request.options.deps, token, placeOf(request));
  if (signedIn === null) {
    await auditRefusal(request, refusedLinks[link.state]);
    return sendDeadLink(request, link, next);
  }
  await completeSignIn(request, signedIn, next);
}

const refusedLinks: Readonly<Record<LinkState, string>> = {
  open: 'a link',
  used: 'a used link',
  over: 'an expired link',
  unknown: 'an unknown link',
};

async function signOut(signInRequest: SignInRequest): Promise<void> {
  const { options, request, response } = signInRequest;
  const currentUser = await options.sessionGuard.currentUser(request);
  if (currentUser === null) return redirectToPage(signInRequest, '/sign-in');
  if (request.method !== 'POST') {
    return sendBarePage(
      signInRequest,
      200,
      (pageContext) => signOutPage(currentUser.name, hostOf(request), pageContext),
      currentUser,
    );
  }
  options.sessionGuard.requireSameSite(request, await readPostedForm(request));
  await endCurrentSession(signInRequest);
  const network = networkOf(options.clientAddress(request));
  const by = userSource(currentUser, network, signInRequest.requestId);
  await writeAuditEntry(options.deps, by, memberAuditEvent(by.actor, 'session.signed_out'));
  options.sessionGuard.dismiss(request, response);
  redirectToPage(signInRequest, '/sign-in');
}

function sendDeadLink(request: SignInRequest, { state }: FoundLink, next: string | null): Promise<void> {
  if (state === 'used' || state === 'over') return sendSignIn(request, 410, { fault: `link_${state}` }, next);
  return sendSignIn(request, 404, { fault: 'link_unknown' }, next);
}

function sendInvitation(
  request: SignInRequest,
  link: string,
  { member, expiresAtMs }: FoundLink,
  next: string | null,
): Promise<void> {
  const role = member?.role ?? 'viewer';
  const model = {
    link,
    name: member?.name ?? '',
    role,
    may: permissionsOf(role).map(({ words: text }) => text.replaceAll('their', 'your')),
    ends_at: new Date(expiresAtMs ?? 0).toISOString(),
    next: toLocalPath(next),
    host: hostOf(request.request),
  };
  return sendBarePage(request, 200, (pageContext) => invitationPage(model, pageContext));
}

async function refuse(request: SignInRequest, error: unknown): Promise<void> {
  const refusal = toRefusal(error, request.requestId);
  if (refusal.status >= 500) {
    request.options.deps.log.error(
      { error: String(error), requestId: refusal.requestId },
      'signing in failed',
    );
  }
  await sendBarePage(request, refusal.status, (pageContext) => errorPage(refusal, pageContext));
}

function atMost(times: number, now: () => number): () => boolean {
  let minute = 0;
  let logged = 0;
  return () => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) logged = 0;
    minute = current;
    logged += 1;
    return logged <= times;
  };
}

// Sign-in by a provider, by a passkey, and by a link that is asked for by e-mail.

const begins = '/sign-in/with/';
const callbacks = '/sign-in/callback/';
const paths = ['/sign-in/passkey', '/sign-in/passkey/options', '/sign-in/mail'];

function isSignInWay(path: string): boolean {
  return path.startsWith(begins) || path.startsWith(callbacks) || paths.includes(path);
}

/** Whether the request is an attempt that counts. What only prepares one does not, nor a provider's answer. */
function isCountedWay(path: string): boolean {
  return path.startsWith(begins) || path === '/sign-in/passkey' || path === '/sign-in/mail';
}

async function answerSignInWay(signIn: SignInRequest): Promise<void> {
  const { path, request } = signIn;
  const isPost = request.method === 'POST';
  if (!isPost && path.startsWith(begins)) return beginWithProvider(signIn);
  if (!isPost && path.startsWith(callbacks)) return finishWithProvider(signIn);
  if (isPost && path === '/sign-in/passkey/options') return sendPasskeyOptions(signIn);
  if (isPost && path === '/sign-in/passkey') return usePasskey(signIn);
  if (isPost && path === '/sign-in/mail') return mailLink(signIn);
  return redirectToPage(signIn, '/sign-in');
}

function providerOf({ path, options }: SignInRequest, start: string): ProviderConfig {
  const provider = options.providers.find(path.slice(start.length));
  if (provider === null) throw pageNotFound('A sign-in provider with this name');
  return provider;
}

async function beginWithProvider(signIn: SignInRequest): Promise<void> {
  const { options, query, request, response } = signIn;
  const provider = providerOf(signIn, begins);
  const next = query.get('next') ?? '/';
  // HEAD begins nothing.
  if (request.method !== 'GET') return redirectToPage(signIn, '/sign-in');
  try {
    const redirectUri = callbackUrl(signIn, provider).href;
    const attempt = { redirectUri, browser: bindBrowser(signIn), next };
    redirectSeeOther(request, response, (await options.providers.begin(provider, attempt)).href);
  } catch (error) {
    await refuseAccount(signIn, error, next);
  }
}

async function finishWithProvider(signIn: SignInRequest): Promise<void> {
  const { options, request } = signIn;
  const provider = providerOf(signIn, callbacks);
  const callback = callbackUrl(signIn, provider);
  callback.search = signIn.query.toString();
  try {
    const browser = readCookie('browser', request, options.address) ?? '';
    const { account, next } = await options.providers.finish(provider, callback, browser);
    await completeSignIn(
      signIn,
      await signInWithAccount(options.deps, provider, account, placeOf(signIn)),
      next,
    );
  } catch (error) {
    await refuseAccount(signIn, error, null);
  }
}

function callbackUrl({ options, request }: SignInRequest, { id }: ProviderConfig): URL {
  const { address } = options;
  return new URL(`${address.originOf(request)}${address.base}${callbacks}${id}`);
}

const statuses: Readonly<Record<SignInFault, number>> = {
  expired: 410,
  refused: 403,
  failed: 502,
  unreachable: 502,
  unverified_email: 403,
  not_a_member: 403,
  several_members: 403,
  other_account: 403,
};

async function refuseAccount(signIn: SignInRequest, error: unknown, next: string | null): Promise<void> {
  if (!(error instanceof SignInFailure)) throw error;
  const { fault, provider, email } = error;
  if (error.cause !== undefined) {
    // Messages of the library and of our client name no secrets.
    const { name, message, code } = error.cause as { name?: string; message?: string; code?: string };
    signIn.options.deps.log.warn(
      { provider, error: `${name}: ${message}`, code },
      'a sign-in provider failed',
    );
  }
  await auditRefusal(signIn, `with ${provider}: ${fault.replaceAll('_', ' ')}`);
  await sendSignIn(signIn, statuses[fault], { account: { fault, provider, email } }, next);
}

async function sendPasskeyOptions(signIn: SignInRequest): Promise<void> {
  const { options, request, response } = signIn;
  const model = await beginPasskeySignIn(options.deps, siteOf(signIn), bindBrowser(signIn));
  const text = `${JSON.stringify(model)}\n`;
  await sendText(request, response, { status: 200, contentType: 'application/json; charset=utf-8', text });
}

async function usePasskey(signIn: SignInRequest): Promise<void> {
  const { options, request } = signIn;
  const form = await readPostedForm(request);
  const browser = readCookie('browser', request, options.address) ?? '';
  const attempt = { response: form.get('response') ?? '', browser, site: siteOf(signIn) };
  const signedIn = await signInWithPasskey(options.deps, attempt, placeOf(signIn));
  if (signedIn !== null) return completeSignIn(signIn, signedIn, form.get('next'));
  await auditRefusal(signIn, 'a passkey');
  await sendSignIn(signIn, 403, { fault: 'unknown_passkey' }, form.get('next'));
}

function siteOf({ options, request }: SignInRequest) {
  const site = passkeySiteOf(options.address.originOf(request));
  if (site === null) throw pageNotFound('Sign-in with a passkey at this address');
  return site;
}

async function mailLink(signIn: SignInRequest): Promise<void> {
  const { options, request } = signIn;
  const { deps, limits } = options;
  if (deps.notificationSender?.canMail !== true) throw pageNotFound('Sign-in by e-mail');
  const form = await readPostedForm(request);
  const typed = form.get('email') ?? '';
  const email = parseEmail(typed);
  const next = form.get('next');
  if (email === null) {
    return sendSignIn(signIn, 400, { fault: 'invalid_email', email: typed.slice(0, 254) }, next);
  }
  if (deps.config.rateLimits.enabled && !(await mayMailLink(limits, email))) {
    return sendSignIn(signIn, 429, { fault: 'too_many_links', email }, next);
  }
  // Answered first: looking up and writing in the same thread would say by its time whose address it is.
  await sendSignIn(signIn, 200, { isMailed: true }, next);
  // The configured address, since the Host header is whatever a stranger sends.
  void mailSignInLinks(deps, email, getPagesUrl(deps.config));
}

/** A secret that only this browser has; kept while a sign-in may go on. */
function bindBrowser({ options, request, response }: SignInRequest): string {
  const { address, deps } = options;
  const known = readCookie('browser', request, address);
  const value = known !== null && hasSecretFormat(known) ? known : createSecret(deps.randomBytes);
  setCookie('browser', request, response, address, { value, ms: providerSignInMs });
  return value;
}
