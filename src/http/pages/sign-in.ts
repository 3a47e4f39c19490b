import type { Request, RequestHandler, Response } from 'express';
import { networkOf, userSource, writeAuditEntry } from '../../core/audit/audit.ts';
import { findLink, signInWithLink } from '../../core/members/links.ts';
import { permissionsOf } from '../../core/members/permissions.ts';
import { signInWithToken } from '../../core/members/sessions.ts';
import { minuteMs } from '../../core/parsing/durations.ts';
import { toLocalPath } from '../../core/parsing/web-url.ts';
import { createSignInProviders } from '../../core/sign-in/providers.ts';
import type { FoundLink, LinkState } from '../../core/store/members.ts';
import { errorPage } from '../../web/layout/error-page.ts';
import { invitationPage, signOutPage } from '../../web/people/sign-in.ts';
import { createMemoryLimitStore } from '../limits/limit-store.ts';
import { isFromThisMachine } from '../limits/loopback.ts';
import { signInLimit } from '../limits/page-limit.ts';
import { pathBelow } from './find-page.ts';
import { readPostedForm } from './forms.ts';
import { toRefusal } from './router.ts';
import { newRequestId } from './send-text.ts';
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
import { answerSignInWay, isCountedWay, isSignInWay } from './sign-in-ways.ts';

const loggedRefusalsMax = 60;

export function createSignIn(options: SignInOptions): RequestHandler {
  const { deps, address, clientAddress, limitStore } = options;
  const state: SignInRequest['options'] = {
    ...options,
    providers: createSignInProviders(deps),
    limits: limitStore ?? createMemoryLimitStore(deps.now),
    mayTell: atMost(loggedRefusalsMax, deps.now),
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
      const here = readSignInRequest(request, response);
      const shown = { fault: 'too_many_tries', asksToken: here.path === '/sign-in' } as const;
      void sendSignIn(here, 429, shown, here.query.get('next')).catch(() => {});
    },
  );
  return (request, response, next) => {
    const here = readSignInRequest(request, response);
    const { path } = here;
    const isHere = path === '/sign-in' || path === '/sign-out' || isSignInWay(path);
    if (!isHere || !address.answers(request)) return next();
    const isPost = request.method === 'POST';
    const answered = (work: Promise<void>): void => {
      work.catch((error: unknown) => refuse(here, error)).catch(next);
    };
    if (path === '/sign-out') return answered(signOut(here));
    if (path === '/sign-in' && !isPost) return answered(showSignIn(here));
    const counted = path === '/sign-in' || isCountedWay(path);
    if (!isPost && !counted) return answered(answerSignInWay(here));
    // Counted only if it comes from our page, so that other sites cannot use up the attempts.
    if (!isPost && isFromElsewhere(request)) return redirectToPage(here, '/sign-in');
    try {
      if (isPost) options.sessionGuard.requireOwnPage(request);
    } catch (error) {
      return answered(refuse(here, error));
    }
    const answer = () => answered(path === '/sign-in' ? signIn(here) : answerSignInWay(here));
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
  await useLink(signInRequest, token, next);
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
    return useLink(signInRequest, link, next);
  }
  const signedIn = await signInWithToken(options.deps, form.get('token') ?? '', placeOf(signInRequest));
  if (signedIn === null) {
    await auditRefusal(signInRequest, 'an unknown token');
    return sendSignIn(signInRequest, 403, { fault: 'unknown_token', asksToken: true }, next);
  }
  await completeSignIn(signInRequest, signedIn, next);
}

async function useLink(request: SignInRequest, token: string, next: string | null): Promise<void> {
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
      (frame) => signOutPage(currentUser.name, hostOf(request), frame),
      currentUser,
    );
  }
  options.sessionGuard.requireSameSite(request, await readPostedForm(request));
  await endCurrentSession(signInRequest);
  await writeAuditEntry(
    options.deps,
    userSource(currentUser, networkOf(options.clientAddress(request)), signInRequest.requestId),
    {
      action: 'session.signed_out',
      object: { kind: 'member', id: currentUser.memberId, name: currentUser.name },
    },
  );
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
    may: permissionsOf(role).map(({ words }) => words.replaceAll('their', 'your')),
    ends_at: new Date(expiresAtMs ?? 0).toISOString(),
    next: toLocalPath(next),
    host: hostOf(request.request),
  };
  return sendBarePage(request, 200, (frame) => invitationPage(model, frame));
}

async function refuse(request: SignInRequest, error: unknown): Promise<void> {
  const refusal = toRefusal(error, request.requestId);
  if (refusal.status >= 500) {
    request.options.deps.log.error(
      { error: String(error), requestId: refusal.requestId },
      'signing in failed',
    );
  }
  await sendBarePage(request, refusal.status, (frame) => errorPage(refusal, frame));
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
