import type { Request, RequestHandler, Response } from 'express';
import { userSource, writeAuditEntry } from '../../core/audit/audit.ts';
import { networkOf } from '../../core/audit/network.ts';
import { findLink, signInWithLink } from '../../core/members/links.ts';
import { permissionsOf } from '../../core/members/permissions.ts';
import { type SignedIn, type SignInOrigin, signInWithToken } from '../../core/members/sessions.ts';
import type { SignInError } from '../../core/page-models/sign-in.ts';
import { minuteMs } from '../../core/parsing/durations.ts';
import { toLocalPath } from '../../core/parsing/local-path.ts';
import type { LimitStore } from '../../core/ports/limit-store.ts';
import type { CurrentUser, FoundLink, LinkState } from '../../core/store/members.ts';
import { renderDocument } from '../../web/layout/document.ts';
import { errorPage } from '../../web/layout/error-page.ts';
import type { PageContent, PageContext } from '../../web/page-context.ts';
import { invitationPage, signInPage, signOutPage } from '../../web/people/sign-in.ts';
import { isFromThisMachine } from '../limits/loopback.ts';
import { signInAttemptsLeft, signInLimit } from '../limits/page-limit.ts';
import { pathBelow } from './find-page.ts';
import { readPostedForm } from './forms.ts';
import { redirectSeeOther } from './redirect.ts';
import { type PagesOptions, toRefusal } from './router.ts';
import { newRequestId, sendText } from './send-text.ts';

export type SignInOptions = Pick<
  PagesOptions,
  'deps' | 'gate' | 'address' | 'assets' | 'version' | 'clientAddress'
> & {
  /** Default: counters of this thread. */
  readonly limitStore?: LimitStore | undefined;
};

interface SignInState extends SignInOptions {
  mayTell(): boolean;
}

const loggedRefusalsMax = 60;

interface Asked {
  readonly options: SignInState;
  readonly request: Request;
  readonly response: Response;
  readonly query: URLSearchParams;
  readonly requestId: string;
}

/** Middleware for /sign-in and /sign-out below the base. */
export function createSignIn(options: SignInOptions): RequestHandler {
  const { deps, address, clientAddress, limitStore } = options;
  const door: SignInState = { ...options, mayTell: atMost(loggedRefusalsMax, deps.now) };
  const asked = (request: Request, response: Response): Asked => ({
    options: door,
    request,
    response,
    requestId: newRequestId(request),
    query: URL.parse(request.originalUrl, 'http://host')?.searchParams ?? new URLSearchParams(),
  });
  const limit = signInLimit(
    deps.config.rateLimits,
    clientAddress,
    { now: deps.now, limitStore },
    (request, response) => {
      const here = asked(request, response);
      void sendSignIn(here, 429, 'too_many_tries', here.query.get('next')).catch(() => {});
    },
  );
  return (request, response, next) => {
    const path = pathBelow(address.base, URL.parse(request.originalUrl, 'http://host')?.pathname ?? '');
    const isHere = path === '/sign-in' || path === '/sign-out';
    if (!isHere || !address.answers(request)) return next();
    const here = asked(request, response);
    const answered = (work: Promise<void>): void => {
      work.catch((error: unknown) => refuse(here, error)).catch(next);
    };
    if (path === '/sign-out') return answered(signOut(here));
    if (request.method !== 'POST') return answered(showSignIn(here));
    // Counted only if it comes from our page, so that other sites cannot use up the attempts.
    try {
      options.gate.requireOwnPage(request);
    } catch (error) {
      return answered(refuse(here, error));
    }
    limit(request, response, (error?: unknown) => (error ? next(error) : answered(signIn(here))));
  };
}

/** The page of a link, the session of a start-up link, or the form for the token. */
async function showSignIn(asked: Asked): Promise<void> {
  const { options, request, response, query } = asked;
  const next = query.get('next');
  const token = query.get('token');
  if (token === null) {
    const visitor = await options.gate.visitor(request, response);
    return visitor === null ? sendSignIn(asked, 200, null, next) : goOn(asked, next);
  }
  const link = await findLink(options.deps, token);
  if (link.state !== 'open') return sendDeadLink(asked, link, next);
  if (link.member !== null) return sendInvitation(asked, token, link, next);
  if (!isFromThisMachine(request)) return sendSignIn(asked, 403, 'link_elsewhere', next);
  // HEAD must not use up the link.
  if (request.method !== 'GET') return sendSignIn(asked, 200, null, next);
  await useLink(asked, token, next);
}

async function signIn(asked: Asked): Promise<void> {
  const { options, request } = asked;
  const form = await readPostedForm(request);
  const next = form.get('next');
  const link = form.get('link');
  if (link !== null) {
    const { state, member } = await findLink(options.deps, link);
    if (state === 'open' && member === null && !isFromThisMachine(request)) {
      return sendSignIn(asked, 403, 'link_elsewhere', next);
    }
    return useLink(asked, link, next);
  }
  const signedIn = await signInWithToken(options.deps, form.get('token') ?? '', placeOf(asked));
  if (signedIn === null) {
    await tellRefusal(asked, 'an unknown token');
    return sendSignIn(asked, 403, 'unknown_token', next);
  }
  await admit(asked, signedIn, next);
}

async function useLink(asked: Asked, token: string, next: string | null): Promise<void> {
  const { signedIn, link } = await signInWithLink(asked.options.deps, token, placeOf(asked));
  if (signedIn === null) {
    await tellRefusal(asked, refusedLinks[link.state]);
    return sendDeadLink(asked, link, next);
  }
  await admit(asked, signedIn, next);
}

async function admit(asked: Asked, { sessionId }: SignedIn, next: string | null): Promise<void> {
  const { options, request, response } = asked;
  await endSession(asked);
  options.gate.admit(request, response, sessionId);
  goOn(asked, next);
}

const refusedLinks: Readonly<Record<LinkState, string>> = {
  open: 'a link',
  used: 'a used link',
  over: 'an expired link',
  unknown: 'an unknown link',
};

/** Limited, so that strangers cannot fill the audit log. */
async function tellRefusal({ options, request, requestId }: Asked, why: string): Promise<void> {
  const { deps, clientAddress, mayTell } = options;
  if (!mayTell()) return;
  const actor = { kind: 'nobody', id: null, name: 'Someone' } as const;
  const by = { actor, net: networkOf(clientAddress(request)), requestId };
  const object = { kind: 'door', id: null, name: '' };
  await writeAuditEntry(deps, by, { action: 'sign_in.refused', object, summary: why });
}

async function signOut(asked: Asked): Promise<void> {
  const { options, request, response } = asked;
  const visitor = await options.gate.visitor(request);
  if (visitor === null) return goOn(asked, '/sign-in');
  if (request.method !== 'POST') {
    return send(asked, 200, (frame) => signOutPage(visitor.name, hostOf(request), frame), visitor);
  }
  options.gate.requireSameSite(request, await readPostedForm(request));
  await endSession(asked);
  await writeAuditEntry(
    options.deps,
    userSource(visitor, networkOf(options.clientAddress(request)), asked.requestId),
    {
      action: 'session.signed_out',
      object: { kind: 'member', id: visitor.memberId, name: visitor.name },
    },
  );
  options.gate.dismiss(request, response);
  goOn(asked, '/sign-in');
}

async function endSession({ options, request }: Asked): Promise<void> {
  const found = await options.gate.session(request);
  if (found !== null) await options.deps.store.endSession(found.holder, found.session.id);
}

function goOn({ options, request, response }: Asked, next: string | null): void {
  redirectSeeOther(request, response, `${options.address.base}${toLocalPath(next)}`);
}

function placeOf({ options, request, requestId }: Asked): SignInOrigin {
  return {
    userAgent: request.headers['user-agent'] ?? '',
    net: networkOf(options.clientAddress(request)),
    requestId,
  };
}

function sendSignIn(
  asked: Asked,
  status: number,
  fault: SignInError | null,
  next: string | null,
): Promise<void> {
  const { request } = asked;
  const model = {
    fault,
    tries_left: signInAttemptsLeft(request),
    next: toLocalPath(next),
    host: hostOf(request),
  };
  return send(asked, status, (frame) => signInPage(model, frame));
}

function sendDeadLink(asked: Asked, { state }: FoundLink, next: string | null): Promise<void> {
  if (state === 'used' || state === 'over') return sendSignIn(asked, 410, `link_${state}`, next);
  return sendSignIn(asked, 404, 'link_unknown', next);
}

function sendInvitation(
  asked: Asked,
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
    host: hostOf(asked.request),
  };
  return send(asked, 200, (frame) => invitationPage(model, frame));
}

async function refuse(asked: Asked, error: unknown): Promise<void> {
  const refusal = toRefusal(error, asked.requestId);
  if (refusal.status >= 500) {
    asked.options.deps.log.error({ error: String(error), requestId: refusal.requestId }, 'signing in failed');
  }
  await send(asked, refusal.status, (frame) => errorPage(refusal, frame));
}

async function send(
  { options, request, response }: Asked,
  status: number,
  view: (frame: PageContext) => PageContent,
  visitor: CurrentUser | null = null,
): Promise<void> {
  const { address, assets, version, deps } = options;
  const frame: PageContext = {
    base: address.base,
    assets,
    version,
    timeZone: 'UTC',
    nowMs: deps.now(),
    visitor: visitor === null ? null : { ...visitor, canAct: false, canManage: false },
    projects: [],
    project: null,
    counts: {},
    twin: null,
    path: '/sign-in',
    query: new URLSearchParams(),
    notice: null,
  };
  const text = renderDocument(view(frame), frame);
  // The URL and page may hold a one-time link, so nothing is cached.
  await sendText(request, response, {
    status,
    contentType: 'text/html; charset=utf-8',
    text,
    isSecret: true,
  });
}

function hostOf(request: Request): string {
  return request.headers.host ?? '';
}

function atMost(times: number, now: () => number): () => boolean {
  let minute = 0;
  let said = 0;
  return () => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) said = 0;
    minute = current;
    said += 1;
    return said <= times;
  };
}
